#!/bin/sh
# Name, or as root install, the Debian and Ubuntu packages that this program needs from the system.
# Usage: system_packages.sh python INTERPRETER | window | virtual-screen | package | windows | wine | several
set -eu

window_packages='libgl1 libegl1 libxkbcommon0 libxkbcommon-x11-0 libfontconfig1 libdbus-1-3 libxcb-cursor0
    libxcb-icccm4 libxcb-keysyms1 libxcb-shape0 libxcb-xkb1 libwayland-client0 libwayland-cursor0 libwayland-egl1'
screen_packages='xvfb xdotool imagemagick openbox'
windows_packages='nsis gcc-mingw-w64-x86-64'
wine_packages="wine64 $windows_packages"
package_packages='binutils file makeself xz-utils lintian desktop-file-utils appstream debootstrap'

case "$1" in
    python)
        if ! "$2" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
            echo "Python 3.11 or later is needed; name it like this: make report PYTHON=/path/to/python3" >&2
            exit 1
        fi
        "$2" -c 'import ensurepip, venv' 2>/dev/null && exit 0
        wanted=$("$2" -c 'import sys; print("python%d.%d-venv" % sys.version_info[:2])') ;;
    window) wanted=$window_packages ;;
    virtual-screen) wanted=$screen_packages ;;
    several) wanted=iproute2 ;;
    windows) wanted=$windows_packages ;;
    wine) wanted=$wine_packages ;;
    package) wanted="$package_packages $window_packages" ;;
    *) echo "usage: $0 python INTERPRETER | window | virtual-screen | package | windows | wine | several" >&2; exit 2 ;;
esac

# Other systems bring these libraries with their desktop; Qt names what it misses.
command -v dpkg-query >/dev/null 2>&1 || exit 0

# glib's package was renamed in the 64-bit time transition, so either name will do.
if [ "$1" = window ] || [ "$1" = package ]; then
    if apt-cache show libglib2.0-0t64 >/dev/null 2>&1; then wanted="$wanted libglib2.0-0t64"; else wanted="$wanted libglib2.0-0"; fi
fi

# PyInstaller needs the library of the interpreter that is frozen; its name carries the version.
if [ "$1" = package ]; then wanted="$wanted $(/usr/bin/python3 -c 'import sys; print("libpython%d.%d" % sys.version_info[:2])')"; fi

missing=
for package in $wanted; do
    state=$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null || true)
    [ "$state" = installed ] || missing="$missing $package"
done
[ -n "$missing" ] || exit 0

if [ "$(id -u)" != 0 ]; then
    echo "Please install what is missing, then run this again: sudo apt-get install$missing" >&2
    exit 1
fi
echo "Installing system packages:$missing" >&2
apt-get update -qq >&2
# shellcheck disable=SC2086 # a list of names
DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing >/dev/null
