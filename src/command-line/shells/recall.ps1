# Completion of recall for PowerShell. recall itself decides what can be at the cursor; this passes it on to PowerShell.

Register-ArgumentCompleter -Native -CommandName recall -ScriptBlock {
    param($current, $line, $cursor)
    $before = @($line.CommandElements | Select-Object -Skip 1 |
        Where-Object { $_.Extent.EndOffset -lt $cursor -or ($_.Extent.EndOffset -eq $cursor -and -not $current) } |
        ForEach-Object { $_.Extent.Text })
    # Native programs lose an empty argument before PowerShell 7.3; quotes say the same.
    $typed = if ($current) { $current } else { '""' }
    $lines = @(recall __complete -- @before $typed 2>$null)
    if ($lines.Count -eq 0) { return }
    if ($lines[0] -ne 'words') {
        return [System.Management.Automation.CompletionCompleters]::CompleteFilename($current)
    }
    foreach ($each in $lines | Select-Object -Skip 1) {
        $value, $description = $each -split "`t", 2
        if (-not $description) { $description = $value }
        $shown = if ($value -match '^[\w.,@/=+:-]+$') { $value } else { "'" + $value.Replace("'", "''") + "'" }
        [System.Management.Automation.CompletionResult]::new($shown, $value, 'ParameterValue', $description)
    }
}
