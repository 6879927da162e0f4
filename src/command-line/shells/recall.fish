# Completion of recall for fish. recall itself decides what can be at the cursor; this passes it on to fish.

function __recall_complete
    set -l words (commandline -opc)
    set -e words[1]
    set -l current (commandline -ct)
    set -l lines (command recall __complete -- $words "$current" 2>/dev/null)
    set -l kind $lines[1]
    set -e lines[1]
    switch "$kind"
        case files directories
            set -l flag (string match -r -- '^--[^=]+=' "$current")
            set -l path (string replace -- "$flag" '' "$current")
            if test "$kind" = files
                set lines (__fish_complete_path "$path")
            else
                set lines (__fish_complete_directories "$path")
            end
            for line in $lines
                printf '%s\n' "$flag$line"
            end
        case words
            printf '%s\n' $lines
    end
end

# In the order given: the newest session first.
complete -c recall -k -f -a '(__recall_complete)'
