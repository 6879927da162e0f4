# recall for zsh: rcd resumes a session in this shell, which is in the directory of the session afterwards;
# alone it opens the screen to choose one, and with words it searches. Alt-R searches for the words on the command line.

rcd() {
  local line argument
  if (( $# == 0 )); then
    if [[ ! -t 0 ]]; then command recall list; return; fi
    line=$(command recall --print) && eval "$line"
    return
  fi
  # Several words, or one that cannot be a number or an id, are searched for.
  if [[ $1 != -* ]] && { [[ -n ${2-} && $2 != -* ]] || [[ $1 != *[0-9_]* && $1 == *[^a-f]* ]]; }; then
    command recall search "$@"
    return
  fi
  for argument in "$@"; do
    case $argument in -h | --help | --json | --run) command recall open "$@"; return ;; esac
  done
  line=$(command recall open "$@") || return
  eval "$line"
}

__recall_key() {
  zle -I
  if [[ -n $BUFFER ]]; then command recall search -- "$BUFFER"; else command recall list; fi
}

if [[ -o interactive ]]; then
  zle -N __recall_key
  bindkey '\er' __recall_key
fi
