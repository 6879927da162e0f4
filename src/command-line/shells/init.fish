# recall for fish: rcd resumes a session in this shell, which is in the directory of the session afterwards;
# alone or with words it opens the screen to choose one. Alt-R opens it with the words on the command line.

function rcd --description 'resume a session of recall'
    # Several words, or one that cannot be a number or an id, are searched for: on the screen, unless a flag says how.
    set -l words (count $argv)
    if test $words -eq 0
        or begin
            not string match -q -- '-*' $argv[1]
            and begin
                set -q argv[2]; and not string match -q -- '-*' $argv[2]
                or string match -qr -- '^[^0-9_]*[^0-9_a-f][^0-9_]*$' $argv[1]
            end
        end
        if isatty stdin; and not string match -q -- '--*' $argv
            set -l line (command recall --print --screen -- $argv)
            and eval $line
        else if test $words -eq 0
            command recall list
        else
            command recall search $argv
        end
        return
    end
    for argument in $argv
        if contains -- $argument -h --help --json --run
            command recall open $argv
            return
        end
    end
    set -l line (command recall open $argv)
    or return
    eval $line
end

# What is chosen is on the command line then, where Enter runs it.
function __recall_key
    set -l words (commandline)
    set -l line (command recall --print --screen -- "$words" < /dev/tty)
    and commandline -r -- $line
    commandline -f repaint
end

function __recall_sessions
    set -l words (commandline -opc)
    set -e words[1]
    set -l lines (command recall __complete -- open $words (commandline -ct) 2>/dev/null)
    set -e lines[1]
    printf '%s\n' $lines
end

if status is-interactive
    bind \er __recall_key
end

# In the order given: the newest session first.
complete -c rcd -k -f -a '(__recall_sessions)'
