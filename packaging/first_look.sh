#!/bin/bash
# A first look at a built Debian package without installing it: start, --doctor, reports, quick suite, and the window's
# first picture on a virtual screen (Xvfb). Usage: first_look.sh advisor_V.deb     (.ci/run does this)
set -euo pipefail
package=$1
here=$(cd "$(dirname "$0")/.." && pwd)
place=$(mktemp -d)
started=()
clean_up() {
    for process in "${started[@]}"; do kill "$process" 2> /dev/null || true; done
    wait
    rm -rf "$place"
}
trap clean_up EXIT
fail() { echo "FAILED: $*" >&2; exit 1; }

dpkg-deb -x "$package" "$place/root"
program=$place/root/usr/lib/advisor/advisor
export HOME=$place/home LANGUAGE=en
unset XDG_DATA_HOME XDG_CONFIG_HOME XDG_STATE_HOME
mkdir -p "$HOME"

"$program" --version
"$program" --doctor > "$place/doctor.txt"
grep -qi torch "$place/doctor.txt" || fail "--doctor names no torch"
"$program" --report "$place/none.json" --suite none 2> /dev/null
"$program" --report "$place/quick.json" --suite quick 2> /dev/null
python3 - "$place/quick.json" << 'END'
import json, sys
report = json.load(open(sys.argv[1], encoding="utf-8"))
measured = report["benchmark"]["measurements"]
assert measured and report["advice"]["options"], "nothing was measured or advised"
print(f"quick suite: {len(measured)} cases measured")
END

mkfifo "$place/display"
Xvfb -displayfd 3 -screen 0 1280x900x24 -nolisten tcp 3> "$place/display" 2> /dev/null & started+=($!)
DISPLAY=:$(head -n 1 "$place/display")
export DISPLAY QT_QPA_PLATFORM=xcb
"$program" > "$place/window.log" 2>&1 & window_process=$!
started+=("$window_process")
window=$(timeout 120 xdotool search --sync --onlyvisible --name 'Is my computer enough' | tail -n 1) || true
[ -n "$window" ] || fail "no window: $(cat "$place/window.log")"
sleep 3
mkdir -p "$here/build/screenshots"
import -window "$window" "$here/build/screenshots/package.png"
colours=$(identify -format '%k' "$here/build/screenshots/package.png")
[ "$colours" -gt 100 ] || fail "the window is empty: $colours colours"
xdotool windowfocus --sync "$window" key ctrl+q
for _ in $(seq 60); do kill -0 "$window_process" 2> /dev/null || break; sleep 0.5; done
if kill -0 "$window_process" 2> /dev/null; then fail "the window does not close"; fi
wait "$window_process" || fail "the window ended with $?: $(cat "$place/window.log")"
echo "the window opened with $colours colours, and closed"
