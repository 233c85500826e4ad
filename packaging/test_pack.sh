#!/bin/bash
# Try the measuring pack of the installed Debian package, in a bare Debian 12 (bare_debian.sh) with Debian's own Python:
# made by the buttons of the settings page, interrupted, resumed, used, broken on purpose, repaired, removed. The window
# stays open through all of it and must answer after each step. Run as root.
# Usage: test_pack.sh advisor_V.deb
#
# What uv is told comes from the environment: UV_INDEX_URL, UV_CONSTRAINT, SSL_CERT_FILE, ADVISOR_TORCH_BUILD, and UV_FIND_LINKS, a
# folder of wheels, which is served slowly (slow_wheels.py). With none the build that fits this computer is downloaded.
package=$(realpath "$1")
# shellcheck source=packaging/bare_debian.sh
. "$(dirname "$0")/bare_debian.sh"
pack=/home/ada/.local/share/advisor/measuring-pack
entry=$root/usr/share/applications/advisor.desktop

pass_on() {
    for name in UV_INDEX_URL UV_CONSTRAINT ADVISOR_TORCH_BUILD SSL_CERT_FILE; do
        [ -z "${!name:-}" ] || person_environment+=("$name=${!name}")
    done
    for file in "${UV_CONSTRAINT:-}" "${SSL_CERT_FILE:-}"; do
        if [ -f "$file" ]; then mkdir -p "$root$(dirname "$file")" && cp "$file" "$root$file"; fi
    done
    if [ -d "${UV_FIND_LINKS:-}" ]; then
        mkfifo "$trial/port"
        python3 "$here/packaging/slow_wheels.py" "$UV_FIND_LINKS" 4 > "$trial/port" & started+=($!)
        person_environment+=("UV_FIND_LINKS=http://127.0.0.1:$(head -n 1 "$trial/port")/")
    fi
}
pack_kb() { du -sk "$root$pack" 2> /dev/null | cut -f1 || true; }
holds_kb() { local now; now=$(pack_kb); [ "${now:-0}" -gt "$1" ]; }
status() { as_person advisor --measuring-pack status || true; }
expect() { status | tee "$trial/status.txt"; grep -q "$1" "$trial/status.txt" || fail "the status does not say: $1"; }
# The buttons of the card follow the eight controls of the settings; keyboard focus begins at the page's own button.
press_button() {
    press ctrl+8
    sleep 1
    for _ in $(seq $((8 + $1))); do xdotool key Tab; done
    xdotool key space
    sleep 1
}
# The window is alive when it paints another page at once.
face_answers() {
    kill -0 "$program" 2> /dev/null || fail "the window is gone after: $1"
    press ctrl+2
    sleep 1.5
    picture "${1// /-}-page"
    press ctrl+8
    sleep 1.5
    picture "${1// /-}"
    if cmp -s "$trial/${1// /-}-page.png" "$trial/${1// /-}.png"; then fail "the window does not answer after: $1"; fi
}
is_resting() { ! pgrep -u 1000 -x uv > /dev/null; }

make_bare_debian
step "what an ordinary Debian has: Python and certificates; the program"
apt_install python3 ca-certificates > "$trial/apt.log"
cp "$package" "$root/root/new.deb"
apt_install /root/new.deb >> "$trial/apt.log"
pass_on
start_screen
expect 'There is no measuring pack'
open_window "$entry"

step "looked up, begun and stopped by the buttons"
press_button 1
sleep 2
await 120 "what would be downloaded" is_resting
sleep 3
picture looked-up
before=$(pack_kb)
press_button 1
await 120 "some of the download" holds_kb $((before + 20000))
press_button 1
await 30 "the end of the download" is_resting
sleep 2
face_answers "stopped"
expect 'An interrupted installation waits'

step "killed in the middle, as by a power cut"
as_person advisor --measuring-pack install --yes > "$trial/killed.log" 2>&1 & installer=$!
for _ in $(seq 300); do grep -q Downloading "$trial/killed.log" && break; sleep 0.1; done
sleep 2
downloader=$(pgrep -u 1000 -x uv) || fail "the installation had ended before it could be killed"
kill -KILL "$downloader"
if wait "$installer"; then fail "a killed download counts as done"; fi
face_answers "killed"
expect 'An interrupted installation waits'

step "resumed"
as_person advisor --measuring-pack install --yes 2>&1 | tee "$trial/resumed.log"
grep -q 'goes on' "$trial/resumed.log" || fail "it was not resumed"
face_answers "resumed"
expect 'is ready'

step "measured with the pack"
as_person advisor --report /home/ada/pack.json --suite quick > /dev/null 2> "$trial/quick.log"
grep -m 1 -A 2 '"framework": {' "$root/home/ada/pack.json"
if grep -q 'crashed\|left out' "$trial/quick.log"; then fail "not every case was measured with the pack"; fi

step "broken on purpose"
torch=$(inside find "$pack" -type d -path '*site-packages/torch' | head -n 1)
rm "$root$torch/lib/libtorch_cpu.so"
expect 'does not start'
if as_person advisor --report /home/ada/broken.json --suite quick > /dev/null 2> "$trial/broken.log"; then
    echo "the report was made all the same"
fi
tail -n 3 "$trial/broken.log"
face_answers "broken"

step "repaired"
as_person advisor --measuring-pack install --yes 2>&1 | tail -n 2
face_answers "repaired"
expect 'is ready'

step "removed"
as_person advisor --measuring-pack remove
face_answers "removed"
expect 'There is no measuring pack'
[ ! -e "$root$pack" ] || fail "files of the pack are left"
as_person advisor --report /home/ada/none.json --suite quick > /dev/null 2>&1
close_window
step "everything passed"
