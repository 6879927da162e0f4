# recall for zsh: rcd resumes a session in this shell, which is in the directory of the session afterwards;
# alone or with words it opens the screen to choose one. Alt-R opens it with the words on the command line.

rcd() {
  local line argument
  # Several words, or one that cannot be a number or an id, are searched for: on the screen, unless a flag says how.
  if [[ $# -eq 0 || $1 != -* ]] && { [[ $# -eq 0 || -n ${2-} && $2 != -* ]] || [[ $1 != *[0-9_]* && $1 == *[^a-f]* ]]; }; then
    if [[ -t 0 && " $*" != *' --'* ]]; then line=$(command recall --print --screen -- "$@") && eval "$line"
    elif [[ $# -eq 0 ]]; then command recall list
    else command recall search "$@"
    fi
    return
  fi
  for argument in "$@"; do
    case $argument in -h | --help | --json | --run) command recall open "$@"; return ;; esac
  done
  line=$(command recall open "$@") || return
  eval "$line"
}

# What is chosen is on the command line then, where Enter runs it.
__recall_key() {
  local line
  zle -I
  line=$(command recall --print --screen -- "$BUFFER" < /dev/tty) && BUFFER=$line CURSOR=$#line
  zle reset-prompt
}

__recall_sessions() {
  local -a lines entries
  local line
  lines=("${(@f)$(command recall __complete -- open "${(@)words[2,CURRENT-1]}" "$PREFIX" 2>/dev/null)}")
  for line in "${(@)lines[2,-1]}"; do entries+=("${line%%$'\t'*}:${line#*$'\t'}"); done
  # In the order given: the newest session first.
  _describe -V recall entries
}

if [[ -o interactive ]]; then
  zle -N __recall_key
  bindkey '\er' __recall_key
  if (( $+functions[compdef] )); then compdef __recall_sessions rcd; fi
fi
