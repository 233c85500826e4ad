#!/bin/bash
# Try the Debian package as a person gets it: in a bare Debian 12 without Python, Qt or a desktop. Run as root.
# Usage: test_deb.sh advisor_V.deb [advisor_OLDER.deb]      (make package-test builds both)
#
# The bare system is made once with debootstrap under build/package/debian and copied for each run. Pictures of the
# window and what was said are kept in build/package/trial.
set -euo pipefail
new=$(realpath "$1") old=${2:+$(realpath "$2")}
here=$(cd "$(dirname "$0")/.." && pwd)
base=$here/build/package/debian trial=$here/build/package/trial root=$here/build/package/debian-trial
mirror=${DEBIAN_MIRROR:-http://deb.debian.org/debian}
version=$(dpkg-deb -f "$new" Version)
rm -rf "$trial" && mkdir -p "$trial"
step() { printf '\n== %s\n' "$*"; }
fail() { echo "FAILED: $*" >&2; exit 1; }
inside() { chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$@"; }
as_person() { chroot --userspec=1000:1000 "$root" env -i PATH=/usr/bin:/bin HOME=/home/ada LANG=C.UTF-8 DISPLAY="${DISPLAY:-}" "$@"; }

if [ ! -f "$base/.complete" ]; then
    step "a bare Debian 12"
    rm -rf "$base" && mkdir -p "$(dirname "$base")"
    debootstrap --variant=minbase bookworm "$base" "$mirror" > "$trial/debootstrap.log"
    touch "$base/.complete"
fi
cleanup() {
    [ -z "${screen:-}" ] || kill "$screen" 2>/dev/null || true
    [ -z "${program:-}" ] || kill "$program" 2>/dev/null || true
    [ -z "${manager:-}" ] || kill "$manager" 2>/dev/null || true
    for place in usr tmp/.X11-unix proc dev/shm dev; do
        if mountpoint -q "$root/$place"; then umount -l "$root/$place"; fi
    done
}
trap cleanup EXIT
cleanup
! grep -q " $root/" /proc/mounts || fail "something is still mounted in $root"
rm -rf --one-file-system "$root" && cp -a --reflink=auto "$base" "$root"
mount -t proc proc "$root/proc"
mount --bind /dev "$root/dev"
mount -t tmpfs tmpfs "$root/dev/shm"
cp /etc/resolv.conf /etc/hosts "$root/etc/" 2>/dev/null || true
inside apt-get update -qq
inside useradd --create-home --uid 1000 ada
cp "$new" "$root/root/new.deb"
list_files() { (cd "$root" && find . -xdev \( -path ./proc -o -path ./dev -o -path ./var/lib -o -path ./var/cache -o -path ./var/log \
    -o -path ./tmp -o -path ./home -o -path ./root -o -path ./etc/ld.so.cache \) -prune -o -print | LC_ALL=C sort); }

! inside which python3 || fail "this system is not bare"

if [ -n "$old" ]; then
    step "install the older version, with a history"
    cp "$old" "$root/root/old.deb"
    inside apt-get install -y -qq -o Dpkg::Use-Pty=0 --no-install-recommends /root/old.deb > "$trial/apt-old.log"
    as_person mkdir -p /home/ada/.local/share/advisor /home/ada/.config/advisor
    as_person sh -c 'echo "a history" > /home/ada/.local/share/advisor/kept.txt; printf "[General]\ntheme=dark\n" > /home/ada/.config/advisor/window.ini'
    step "upgrade"
fi
inside apt-get install -y -qq -o Dpkg::Use-Pty=0 --no-install-recommends /root/new.deb > "$trial/apt-new.log"
[ "$(inside dpkg-query -W -f '${Version}' advisor)" = "$version" ] || fail "not installed"
[ -z "$old" ] || as_person test -f /home/ada/.local/share/advisor/kept.txt || fail "the history is gone"
inside du -sk /usr/lib/advisor | awk '{print "installed: " $1 / 1000 " MB"}'

step "every library is found"
inside find /usr/lib/advisor -type f \( -name '*.so*' -o -perm -100 \) -print0 |
    chroot "$root" env LD_LIBRARY_PATH=/usr/lib/advisor/_internal xargs -0 ldd 2>/dev/null |
    grep 'not found' | grep -v 'libtorch\|libc10\|libshm\|lib.*-[0-9a-f]\{8\}' && fail "libraries are missing"

step "headless, as a person without rights on a read-only system"
mount --bind "$root/usr" "$root/usr" && mount -o remount,bind,ro "$root/usr"
as_person advisor --version
as_person advisor --report /home/ada/none.json --suite none
as_person advisor --report /home/ada/report.html --suite quick 2>&1 | tee "$trial/quick.log" | tail -n 3
as_person test -s /home/ada/report.html || fail "no report"
as_person advisor --report --suite none --lang es > "$trial/report-es.txt" 2>&1
head -n 3 "$trial/report-es.txt"
as_person advisor --report /home/ada/report.pdf --suite none
as_person sh -c 'head -c 5 /home/ada/report.pdf | grep -q %PDF' || fail "no PDF"

step "the menu entry's command opens the window"
command=$(sed -n 's/^Exec=//p' "$root/usr/share/applications/advisor.desktop")
mkdir -p "$root/tmp/.X11-unix"
mkfifo "$trial/display"
Xvfb -displayfd 3 -screen 0 1280x900x24 3> "$trial/display" 2> /dev/null & screen=$!
DISPLAY=:$(head -n 1 "$trial/display")
export DISPLAY
mount --bind /tmp/.X11-unix "$root/tmp/.X11-unix"
if command -v openbox > /dev/null; then openbox 2> /dev/null & manager=$!; sleep 1; fi
as_person sh -c "LANGUAGE=en exec $command" > "$trial/window.log" 2>&1 & program=$!
window=$(timeout 90 xdotool search --sync --onlyvisible --name 'Is my computer enough' | tail -n 1)
[ -n "$window" ] || fail "no window: $(cat "$trial/window.log")"
sleep 3
import -window root "$trial/window.png"
step "quick measurement to the verdict, in the window"
xdotool windowfocus --sync "$window" key F5
sleep 4
import -window root "$trial/measuring.png"
for _ in $(seq 150); do pgrep -P "$program" -f -- --worker > /dev/null || pgrep -f '^/usr/lib/advisor/advisor --worker' > /dev/null || break; sleep 1; done
sleep 4
import -window root "$trial/verdict.png"
step "export and close"
xdotool windowfocus --sync "$window" key ctrl+s
sleep 2
import -window root "$trial/export.png"
xdotool key Escape
sleep 1
xdotool windowfocus --sync "$window" key ctrl+q
for _ in $(seq 30); do kill -0 "$program" 2>/dev/null || break; sleep 0.5; done
kill -0 "$program" 2>/dev/null && fail "the window does not close"
wait "$program" && echo "closed with status 0" || fail "the window ended with $?"
program=
pgrep -f '^/usr/lib/advisor/advisor' && fail "a process is left behind"
umount "$root/usr"

if [ -n "$old" ]; then
    step "an older version is refused with a sentence"
    inside dpkg -i /root/old.deb > "$trial/downgrade.log" 2>&1 && fail "the downgrade went through"
    grep 'newer than' "$trial/downgrade.log" || fail "no sentence"
    [ "$(inside dpkg-query -W -f '${Version}' advisor)" = "$version" ] || fail "the refusal has broken the installed one"
    as_person advisor --version
fi

step "remove and purge"
list_files > "$trial/with"
inside apt-get remove -y -qq -o Dpkg::Use-Pty=0 advisor > "$trial/remove.log"
list_files > "$trial/removed"
grep -i advisor "$trial/removed" && fail "files are left after removal"
inside apt-get purge -y -qq -o Dpkg::Use-Pty=0 advisor > "$trial/purge.log"
grep 'own reports' "$trial/purge.log" || true
list_files > "$trial/purged"
grep -i advisor "$trial/purged" && fail "files are left after purging"
inside dpkg-query -W advisor 2>/dev/null && fail "dpkg still knows it"
echo "files left of the package: none; of the person:"
find "$root/home/ada" -path '*advisor*' | sed "s|$root||"
step "everything passed"
