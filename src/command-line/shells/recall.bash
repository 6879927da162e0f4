# Completion of recall for bash. recall itself says what may stand at the cursor; this hands it over to bash.

_recall() {
  local current=${COMP_WORDS[COMP_CWORD]} kind value description
  # bash takes the = of --flag=value for a word of its own.
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
            # Inside quotes only what means the same there as outside.
            if [[ $value == *[!A-Za-z0-9_.,@/=+-]* ]]; then continue; fi
          else
            printf -v value %q "$value"
          fi
          # 63 is a list to be looked at, from which nothing is inserted.
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
  # readline's own way knows about quotes and ~; bash before 4 has no way to ask for it here.
  if compopt -o "$fallback" 2>/dev/null; then return; fi
  while IFS= read -r path; do COMPREPLY+=("$path"); done < <(compgen -A "$action" -- "$2")
}

complete -o nosort -F _recall recall 2>/dev/null || complete -F _recall recall
