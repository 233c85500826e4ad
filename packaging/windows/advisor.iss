; Installer for Windows, for one person, without administrator rights. Compiled by tools/package_other.py with
;   iscc /DVersion=0.1.0 /DPublisher=... /DFrozen=...\build\package\frozen\advisor packaging\windows\advisor.iss
#ifndef Version
  #error Version is not given
#endif
#ifndef Frozen
  #error Frozen is not given
#endif
#ifndef Publisher
  #error Publisher is not given
#endif
#ifndef Compression
  #define Compression "lzma2/max"
#endif

[Setup]
AppId={{6B6C3C1E-58C8-4D0C-9A39-3E2B0C1C7A51}
AppName=advisor
AppVersion={#Version}
AppPublisher={#Publisher}
DefaultDirName={autopf}\advisor
DisableProgramGroupPage=yes
DisableDirPage=auto
PrivilegesRequired=lowest
ArchitecturesAllowed=x64compatible
ArchitecturesInstallIn64BitMode=x64compatible
MinVersion=10.0.17763
LicenseFile=..\..\LICENSE
OutputBaseFilename=advisor-{#Version}-setup
SetupIconFile=..\..\build\package\advisor.ico
UninstallDisplayIcon={app}\advisor-window.exe
UninstallDisplayName=advisor
Compression={#Compression}
SolidCompression=yes
WizardStyle=modern
CloseApplications=yes

[Languages]
Name: "english"; MessagesFile: "compiler:Default.isl"
Name: "spanish"; MessagesFile: "compiler:Languages\Spanish.isl"

[CustomMessages]
english.Newer=advisor %1 is installed, which is newer than %2. Remove it first if you want the older one; your reports and settings stay.
spanish.Newer=Está instalado advisor %1, más reciente que %2. Quítalo antes si quieres el antiguo; tus informes y ajustes se quedan.
english.OnDesktop=Put an icon on the desktop
spanish.OnDesktop=Poner un icono en el escritorio
english.Start=Start advisor
spanish.Start=Abrir advisor

[Tasks]
Name: "desktop"; Description: "{cm:OnDesktop}"; Flags: unchecked

[InstallDelete]
; What an older version had and this one no longer has must not stay.
Type: filesandordirs; Name: "{app}\_internal"

[Files]
Source: "{#Frozen}\*"; DestDir: "{app}"; Flags: ignoreversion recursesubdirs createallsubdirs

[Icons]
Name: "{autoprograms}\advisor"; Filename: "{app}\advisor-window.exe"
Name: "{autodesktop}\advisor"; Filename: "{app}\advisor-window.exe"; Tasks: desktop

[Run]
Filename: "{app}\advisor-window.exe"; Description: "{cm:Start}"; Flags: nowait postinstall skipifsilent

[Code]
function UninstallKey: String;
begin
  Result := 'Software\Microsoft\Windows\CurrentVersion\Uninstall\{6B6C3C1E-58C8-4D0C-9A39-3E2B0C1C7A51}_is1';
end;

function InitializeSetup: Boolean;
var
  Installed: String;
  Old, New: Int64;
begin
  Result := True;
  if not RegQueryStringValue(HKCU, UninstallKey, 'DisplayVersion', Installed) then
    exit;
  if StrToVersion(Installed, Old) and StrToVersion('{#Version}', New) then
    if ComparePackedVersion(Old, New) > 0 then
    begin
      SuppressibleMsgBox(FmtMessage(CustomMessage('Newer'), [Installed, '{#Version}']), mbError, MB_OK, IDOK);
      Result := False;
    end;
end;
