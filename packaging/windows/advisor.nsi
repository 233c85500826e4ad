; Installer for Windows, for one person, without administrator rights. Compiled by tools/package_windows.py:
;   makensis -DVERSION=0.1.0 -DPUBLISHER=... -DPROGRAM=folder -DREMOVAL=file -DLICENCE=file -DICON=file -DSIZE_KB=1 -DOUT=setup.exe advisor.nsi
Target amd64-unicode
!include MUI2.nsh
!include WinVer.nsh
!include WordFunc.nsh

!define KEY "Software\Microsoft\Windows\CurrentVersion\Uninstall\advisor"
Name "advisor"
OutFile "${OUT}"
BrandingText "advisor ${VERSION}"
RequestExecutionLevel user
InstallDir "$LOCALAPPDATA\Programs\advisor"
ManifestDPIAware true
!ifdef FAST
  SetCompressor zlib
!else
  SetCompressor /SOLID lzma
!endif
VIProductVersion "${VERSION}.0"
VIAddVersionKey ProductName "advisor"
VIAddVersionKey ProductVersion "${VERSION}"
VIAddVersionKey FileVersion "${VERSION}"
VIAddVersionKey FileDescription "advisor ${VERSION}"
VIAddVersionKey CompanyName "${PUBLISHER}"
VIAddVersionKey LegalCopyright "${PUBLISHER}"

!define MUI_ICON "${ICON}"
!define MUI_UNICON "${ICON}"
!define MUI_FINISHPAGE_RUN "$INSTDIR\advisor-window.exe"
!insertmacro MUI_PAGE_LICENSE "${LICENCE}"
!insertmacro MUI_PAGE_INSTFILES
!insertmacro MUI_PAGE_FINISH
!insertmacro MUI_UNPAGE_CONFIRM
!insertmacro MUI_UNPAGE_INSTFILES
!insertmacro MUI_LANGUAGE English
!insertmacro MUI_LANGUAGE Spanish

LangString NEWER ${LANG_ENGLISH} "advisor $0 is installed, which is newer than ${VERSION}. Remove it first if you want the older one; your reports and settings stay."
LangString NEWER ${LANG_SPANISH} "Está instalado advisor $0, más reciente que ${VERSION}. Quítalo antes si quieres el antiguo; tus informes y ajustes se quedan."
LangString OLD ${LANG_ENGLISH} "advisor needs Windows 10 or later."
LangString OLD ${LANG_SPANISH} "advisor necesita Windows 10 o posterior."
LangString OPEN ${LANG_ENGLISH} "advisor is open. Close it first."
LangString OPEN ${LANG_SPANISH} "advisor está abierto. Ciérralo antes."
LangString OTHERS ${LANG_ENGLISH} "The folder $INSTDIR holds files that are not of advisor. Choose one of its own."
LangString OTHERS ${LANG_SPANISH} "La carpeta $INSTDIR tiene archivos que no son de advisor. Elige una propia."

!macro RemoveProgram
  !include "${REMOVAL}"
!macroend

!macro Refuse text
  MessageBox MB_OK|MB_ICONSTOP "${text}" /SD IDOK
  SetErrorLevel 2
  Quit
!macroend

; A library that is in use cannot be opened for writing.
!macro RequireClosed
  ${If} ${FileExists} "$INSTDIR\python311.dll"
    ClearErrors
    FileOpen $1 "$INSTDIR\python311.dll" a
    ${If} ${Errors}
      !insertmacro Refuse "$(OPEN)"
    ${EndIf}
    FileClose $1
  ${EndIf}
!macroend

Function .onInit
  ${IfNot} ${AtLeastWin10}
    !insertmacro Refuse "$(OLD)"
  ${EndIf}
  ReadRegStr $0 HKCU "${KEY}" DisplayVersion
  ${If} $0 != ""
    ${VersionCompare} "$0" "${VERSION}" $1
    ${If} $1 == 1
      !insertmacro Refuse "$(NEWER)"
    ${EndIf}
  ${EndIf}
  ; What is replaced is removed whole, so it must be ours.
  ${IfNot} ${FileExists} "$INSTDIR\advisor.exe"
    ${If} ${FileExists} "$INSTDIR\*.*"
      FindFirst $1 $2 "$INSTDIR\*"
      ${DoWhile} $2 != ""
        ${If} $2 != "."
        ${AndIf} $2 != ".."
          FindClose $1
          !insertmacro Refuse "$(OTHERS)"
        ${EndIf}
        FindNext $1 $2
      ${Loop}
      FindClose $1
    ${EndIf}
  ${EndIf}
FunctionEnd

Section
  !insertmacro RequireClosed
  !insertmacro RemoveProgram
  SetOutPath "$INSTDIR"
  ClearErrors
  File /r "${PROGRAM}/*"
  ${If} ${Errors}
    SetErrorLevel 2
    Abort
  ${EndIf}
  WriteUninstaller "$INSTDIR\uninstall.exe"
  CreateShortCut "$SMPROGRAMS\advisor.lnk" "$INSTDIR\advisor-window.exe"
  WriteRegStr HKCU "${KEY}" DisplayName "advisor"
  WriteRegStr HKCU "${KEY}" DisplayVersion "${VERSION}"
  WriteRegStr HKCU "${KEY}" Publisher "${PUBLISHER}"
  WriteRegStr HKCU "${KEY}" DisplayIcon "$INSTDIR\advisor-window.exe"
  WriteRegStr HKCU "${KEY}" InstallLocation "$INSTDIR"
  WriteRegStr HKCU "${KEY}" UninstallString '"$INSTDIR\uninstall.exe"'
  WriteRegStr HKCU "${KEY}" QuietUninstallString '"$INSTDIR\uninstall.exe" /S'
  WriteRegDWORD HKCU "${KEY}" EstimatedSize ${SIZE_KB}
  WriteRegDWORD HKCU "${KEY}" NoModify 1
  WriteRegDWORD HKCU "${KEY}" NoRepair 1
SectionEnd

Section Uninstall
  !insertmacro RequireClosed
  !insertmacro RemoveProgram
  Delete "$INSTDIR\uninstall.exe"
  RMDir "$INSTDIR"
  Delete "$SMPROGRAMS\advisor.lnk"
  DeleteRegKey HKCU "${KEY}"
SectionEnd
