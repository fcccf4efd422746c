# What an interactive PowerShell (5.1 or 7) in a terminal of dsh-tty reads when the user's profiles are through: removes itself
# and marks prompts and commands. The host puts in the words between @.
#
# Everything of ours is in a module that exports nothing: the nonce is in no variable that a session or a program sees.
$null = New-Module -Name dsh-tty -ScriptBlock {
    Remove-Item -LiteralPath @FOLDER@ -Recurse -Force -ErrorAction Ignore
    $script:nonce = '@NONCE@'
    $script:esc = [char]27
    $script:bel = [char]7
    $script:userPrompt = $null
    $script:userReadLine = $null
    $script:ownPrompt = $null

    function Get-Mark([string]$text) { "$script:esc]133;$text$script:bel" }

    function Get-Escaped([string]$text) {
        $text = $text.Replace('\', '\\').Replace(';', '\x3b')
        [regex]::Replace($text, '[\x00-\x1f\x7f]', { param($match) '\x{0:x2}' -f [int][char]$match.Value })
    }

    function Get-CommandMark([string]$line) {
        $cut = ''
        if ($line.Length -gt 8192) {
            $line = $line.Substring(0, 8192)
            $cut = ';t=1'
        }
        Get-Mark "C;k=$script:nonce;c=$(Get-Escaped $line)$cut"
    }

    # Around the user's prompt, whose text and status stay what they are.
    function Set-Prompt {
        if ([object]::ReferenceEquals($function:global:prompt, $script:ownPrompt)) { return }
        $script:userPrompt = $function:global:prompt
        $function:global:prompt = $script:prompt
        $script:ownPrompt = $function:global:prompt
    }

    $script:prompt = {
        $succeeded = $?
        $code = $global:LASTEXITCODE
        $status = if ($succeeded) { 0 } elseif ($code) { $code } else { 1 }
        $mark = Get-Mark "D;$status;k=$script:nonce"
        $location = $ExecutionContext.SessionState.Path.CurrentLocation
        if ($location.Provider.Name -eq 'FileSystem') {
            $mark += Get-Mark "P;k=$script:nonce;d=$(Get-Escaped $location.ProviderPath)"
        }
        $mark += Get-Mark "A;k=$script:nonce"
        $global:LASTEXITCODE = $code
        # The only way to give the next statement a $? that is false.
        if (-not $succeeded) { Write-Error '' -ErrorAction Ignore }
        $text = if ($script:userPrompt) { & $script:userPrompt } else { "PS $location> " }
        $global:LASTEXITCODE = $code
        "$mark$(-join $text)$(Get-Mark "B;k=$script:nonce")"
    }

    $script:readLine = {
        Set-Prompt
        $line = & $script:userReadLine
        if ("$line".Trim()) { [Console]::Write((Get-CommandMark "$line")) }
        $line
    }

    Set-Prompt
    if ($function:global:PSConsoleHostReadLine) {
        $script:userReadLine = $function:global:PSConsoleHostReadLine
        $function:global:PSConsoleHostReadLine = $script:readLine
    }
    Export-ModuleMember
}
