# Completion of recall for bash. recall itself decides what can be at the cursor; this passes it on to bash.

_recall() {
  local current=${COMP_WORDS[COMP_CWORD]} kind value description
  # bash treats the = of --flag=value as a separate word.
  if [[ $current == = ]]; then current=; fi
  COMPREPLY=()
  {
    IFS= read -r kind
    case $kind in
      files | directories)
        _recall_paths "$kind" "$current"
        ;;
      words)
        while IFS=$'\t' read -r value description; do
          if [[ $current == [\"\']* ]]; then
            # Inside quotes, offer only what means the same as outside.
            if [[ $value == *[!A-Za-z0-9_.,@/=+-]* ]]; then continue; fi
          else
            printf -v value %q "$value"
          fi
          # 63 is a list that is only displayed; nothing is inserted from it.
          if [[ ${COMP_TYPE-} == 63 && -n $description ]]; then
            value="$value  $description"
            value=${value:0:${COLUMNS:-80}-2}
          fi
          COMPREPLY+=("$value")
        done
        ;;
    esac
  } < <(command recall __complete -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}

_recall_paths() {
  local action=file path
  local fallback=default
  if [[ $1 == directories ]]; then action=directory fallback=dirnames; fi
  # readline's own completion handles quotes and ~; bash before 4 cannot request it here.
  if compopt -o "$fallback" 2>/dev/null; then return; fi
  while IFS= read -r path; do COMPREPLY+=("$path"); done < <(compgen -A "$action" -- "$2")
}

complete -o nosort -F _recall recall 2>/dev/null || complete -F _recall recall
