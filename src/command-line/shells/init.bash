# recall for bash: rcd resumes a session in this shell, which is in the directory of the session afterwards;
# alone it opens the screen to choose one, and with words it searches. Alt-R searches for the words on the command line.

rcd() {
  local line argument
  if [[ $# -eq 0 ]]; then
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
  if [[ -n $READLINE_LINE ]]; then command recall search -- "$READLINE_LINE"; else command recall list; fi
}

if [[ $- == *i* ]]; then bind -x '"\er": __recall_key'; fi
