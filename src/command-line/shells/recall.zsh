#compdef recall
# Completion of recall for zsh. recall itself decides what can be at the cursor; this passes it on to zsh.

_recall() {
  local -a lines entries
  local line value
  lines=("${(@f)$(command recall __complete -- "${(@)words[2,CURRENT-1]}" "$PREFIX" 2>/dev/null)}")
  case $lines[1] in
    files | directories)
      if [[ $PREFIX == --*=* ]]; then compset -P 1 '--*='; fi
      if [[ $lines[1] == files ]]; then _files; else _files -/; fi
      ;;
    words)
      for line in "${(@)lines[2,-1]}"; do
        # A backslash would be removed, and a colon would end the value.
        line=${line//\\/\\\\}
        value=${${line%%$'\t'*}//:/\\:}
        entries+=("$value:${line#*$'\t'}")
      done
      # In the order given: the newest session first.
      _describe -V recall entries
      ;;
  esac
}

# As a file in $fpath this is the body of the function; from .zshrc it has to be registered.
if [[ ${funcstack[1]} == _recall ]]; then _recall "$@"; else compdef _recall recall; fi
