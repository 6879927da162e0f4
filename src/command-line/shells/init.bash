# recall for bash: rcd resumes a session in this shell, which is in the directory of the session afterwards;
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
  line=$(command recall --print --screen -- "$READLINE_LINE" < /dev/tty) || return
  READLINE_LINE=$line READLINE_POINT=${#line}
}

__recall_sessions() {
  local value description
  COMPREPLY=()
  while IFS=$'\t' read -r value description; do
    # 63 is a list that is only displayed; nothing is inserted from it.
    if [[ ${COMP_TYPE-} == 63 && -n $description ]]; then
      value="$value  $description"
      value=${value:0:${COLUMNS:-80}-2}
    fi
    COMPREPLY+=("$value")
  done < <(command recall __complete -- open "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null | tail -n +2)
}

if [[ $- == *i* ]]; then
  bind -x '"\er": __recall_key'
  complete -o nosort -F __recall_sessions rcd 2>/dev/null || complete -F __recall_sessions rcd
fi
