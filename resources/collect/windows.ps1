# Check this computer and put its report on a share; for Intune, Group Policy or any tool that runs a script.
#
#   powershell -ExecutionPolicy Bypass -File windows.ps1 -Folder \\server\reports -Label room-3-pc-07
#
# Without a label the file is called by a random number, and the report has no name. Not tried on Windows.
param(
    [Parameter(Mandatory = $true)][string] $Folder,
    [string] $Label = "",
    [string] $Suite = "quick",
    [string] $Advisor = "advisor"
)
$ErrorActionPreference = "Stop"
$name = if ($Label) { $Label } else { [guid]::NewGuid().ToString("N") }
$local = Join-Path $env:TEMP "$name.json"
$arguments = @("--report", $local, "--suite", $Suite)
if ($Label) { $arguments += @("--label", $Label) }
& $Advisor @arguments
# 3: a test failed; what was measured is in the report.
if ($LASTEXITCODE -ne 0 -and $LASTEXITCODE -ne 3) { exit $LASTEXITCODE }
Move-Item -Force $local (Join-Path $Folder "$name.json")
exit 0
