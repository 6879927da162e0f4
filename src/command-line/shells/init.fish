# recall for fish: rcd resumes a session in this shell, which is in the directory of the session afterwards;
# alone it opens the screen to choose one, and with words it searches. Alt-R searches for the words on the command line.

function rcd --description 'resume a session of recall'
    if test (count $argv) -eq 0
        if not isatty stdin
            command recall list
            return
        end
        set -l line (command recall --print)
        and eval $line
        return
    end
    # Several words, or one that cannot be a number or an id, are searched for.
    if not string match -q -- '-*' $argv[1]
        and begin
            set -q argv[2]; and not string match -q -- '-*' $argv[2]
            or string match -qr -- '^[^0-9_]*[^0-9_a-f][^0-9_]*$' $argv[1]
        end
        command recall search $argv
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

function __recall_key
    set -l words (commandline)
    echo
    if test -n "$words"
        command recall search -- "$words"
    else
        command recall list
    end
    commandline -f repaint
end

if status is-interactive
    bind \er __recall_key
end
