# recall for PowerShell: rcd resumes a session in this shell, which is in the directory of the session afterwards;
# alone or with words it opens the screen to choose one. Alt-R opens it with the words on the command line.

function rcd {
    if ($args.Count -eq 0) { recall; return }
    # Several words, or one that cannot be a number or an id, are searched for: on the screen, unless a flag says how.
    $first, $second = "$($args[0])", "$($args[1])"
    $isSearch = ($second -and $second -notlike '-*') -or $first -cmatch '^[^0-9_]*[^0-9_a-f][^0-9_]*$'
    if ($first -notlike '-*' -and $isSearch) {
        if ([Console]::IsInputRedirected -or @($args -like '--*').Count) { recall search @args } else { recall --screen -- @args }
        return
    }
    foreach ($argument in $args) {
        if ('-h', '--help', '--json', '--run' -ccontains "$argument") { recall open @args; return }
    }
    $found = recall open @args --json | Out-String | ConvertFrom-Json
    if ($null -eq $found) { return }
    if ($found.error) { Write-Error $found.error.message; return }
    if (-not $found.resumable) { Write-Error $found.reason; return }
    $before = @{}
    try {
        foreach ($setting in @($found.env.PSObject.Properties)) {
            if ($null -eq $setting) { continue }
            $before[$setting.Name] = [Environment]::GetEnvironmentVariable($setting.Name)
            [Environment]::SetEnvironmentVariable($setting.Name, $setting.Value)
        }
        foreach ($name in @($found.unset)) {
            if ($null -eq $name) { continue }
            $before[$name] = [Environment]::GetEnvironmentVariable($name)
            [Environment]::SetEnvironmentVariable($name, $null)
        }
        if ($found.cwd) { Set-Location -LiteralPath $found.cwd }
        $program, $rest = $found.argv
        & $program @rest
    } finally {
        foreach ($name in $before.Keys) { [Environment]::SetEnvironmentVariable($name, $before[$name]) }
    }
}

if (Get-Command Set-PSReadLineKeyHandler -ErrorAction SilentlyContinue) {
    Set-PSReadLineKeyHandler -Chord Alt+r -Description 'search with recall' -ScriptBlock {
        $words = $null
        [Microsoft.PowerShell.PSConsoleReadLine]::GetBufferState([ref]$words, [ref]$null)
        [Console]::WriteLine()
        if ($words) { recall --screen -- $words } else { recall }
        [Microsoft.PowerShell.PSConsoleReadLine]::InvokePrompt()
    }
}

Register-ArgumentCompleter -Native -CommandName rcd -ScriptBlock {
    param($current)
    # Native programs lose an empty argument before PowerShell 7.3; quotes say the same.
    $typed = if ($current) { $current } else { '""' }
    foreach ($each in recall __complete -- open $typed 2>$null | Select-Object -Skip 1) {
        $value, $description = $each -split "`t", 2
        if (-not $description) { $description = $value }
        [System.Management.Automation.CompletionResult]::new($value, $value, 'ParameterValue', $description)
    }
}
