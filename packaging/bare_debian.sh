#!/bin/bash
# Sourced by test_deb.sh, test_run.sh and test_pack.sh: a bare Debian 12 (no Python, no Qt, no desktop), a person without
# rights in it, and a virtual screen outside whose socket it sees. Needs root and what system_packages.sh names for
# "package" and "virtual-screen".
#
# The bare system is made once with debootstrap in DEBIAN_BASE (build/package/debian) and copied for each trial.
# Pictures of the window and what was said are kept in build/package/trial-NAME.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
trial=$here/build/package/trial-$(basename "$0" .sh)
base=${DEBIAN_BASE:-$here/build/package/debian}
root=$trial/root
mirror=${DEBIAN_MIRROR:-http://deb.debian.org/debian}
title='Is my computer enough'
started=()
person_environment=()

step() { printf '\n== %s\n' "$*"; }
fail() {
    echo "FAILED: $*" >&2
    [ -z "${DISPLAY:-}" ] || picture failed || true
    exit 1
}

inside() { chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$@"; }
as_person() {
    chroot --userspec=1000:1000 "$root" env -i PATH=/usr/bin:/bin HOME=/home/ada LANG=C.UTF-8 LANGUAGE=en \
        DISPLAY="${DISPLAY:-}" "${person_environment[@]}" "$@"
}
apt_install() { inside apt-get install -y -qq -o Dpkg::Use-Pty=0 --no-install-recommends "$@"; }

# --- the system ---

make_bare_debian() {
    trap clean_up EXIT
    unmount_all
    rm -rf --one-file-system "$trial" && mkdir -p "$trial"
    if [ ! -f "$base/.complete" ]; then
        step "a bare Debian 12"
        rm -rf --one-file-system "$base" && mkdir -p "$(dirname "$base")"
        debootstrap --variant=minbase bookworm "$base" "$mirror" > "$trial/debootstrap.log"
        touch "$base/.complete"
    fi
    cp -a --reflink=auto "$base" "$root"
    mount -t proc proc "$root/proc"
    mount --bind /dev "$root/dev"
    mount -t tmpfs tmpfs "$root/dev/shm"
    cp /etc/resolv.conf /etc/hosts "$root/etc/"
    inside apt-get update -qq
    inside useradd --create-home --uid 1000 ada
    if inside which python3 > /dev/null; then fail "this system is not bare"; fi
    # A computer that runs trials is rarely idle, and the check must begin all the same.
    as_person mkdir -p /home/ada/.config/advisor
    as_person sh -c 'printf "[General]\nwarns_before=false\n" > /home/ada/.config/advisor/window.ini'
}

# What the system consists of, without what every installation of anything changes.
list_files() {
    (cd "$root" && find . -xdev \( -path ./proc -o -path ./dev -o -path ./var/lib -o -path ./var/cache -o -path ./var/log \
        -o -path ./tmp -o -path ./home -o -path ./root -o -path ./etc/ld.so.cache \) -prune -o -print | LC_ALL=C sort)
}

# Everything outside the person's own folder and /tmp can no longer be written, not even by root.
make_read_only() { for place in usr etc var; do mount --bind "$root/$place" "$root/$place" && mount -o remount,bind,ro "$root/$place"; done; }
make_writable() { for place in usr etc var; do umount "$root/$place"; done; }

unmount_all() {
    awk -v root="$root/" 'index($2, root) == 1 { print $2 }' /proc/mounts | sort -r | while read -r place; do umount -l "$place"; done
}

clean_up() {
    for process in "${started[@]}"; do kill "$process" 2> /dev/null || true; done
    unmount_all
}

# --- the screen and the window ---

start_screen() {
    mkdir -p "$root/tmp/.X11-unix" /tmp/.X11-unix
    mkfifo "$trial/display"
    Xvfb -displayfd 3 -screen 0 1280x900x24 -nolisten tcp 3> "$trial/display" 2> /dev/null & started+=($!)
    DISPLAY=:$(head -n 1 "$trial/display")
    export DISPLAY
    mount --bind /tmp/.X11-unix "$root/tmp/.X11-unix"
    openbox > /dev/null 2>&1 & started+=($!)
    sleep 1
}

# What a menu does: run the entry's Exec line, as the person.
open_window() {
    local entry=$1 command
    command=$(sed -n 's/^Exec=//p' "$entry")
    # exec: the process that is remembered is the program itself.
    (exec chroot --userspec=1000:1000 "$root" env -i PATH=/usr/bin:/bin HOME=/home/ada LANG=C.UTF-8 LANGUAGE=en \
        DISPLAY="$DISPLAY" "${person_environment[@]}" sh -c "exec $command") > "$trial/window.log" 2>&1 & program=$!
    started+=("$program")
    for _ in $(seq 180); do # a window that goes while it is looked at ends the search
        window=$(xdotool search --onlyvisible --name "$title" 2> /dev/null | tail -n 1) || true
        [ -z "$window" ] || break
        sleep 0.5
    done
    [ -n "$window" ] || fail "no window: $(cat "$trial/window.log")"
    sleep 3
}

picture() { import -window root "$trial/$1.png"; }
press() { xdotool windowfocus --sync "$window" key "$@"; }
click() { xdotool mousemove --window "$window" "$1" "$2" click 1; }
is_measuring() { pgrep -u 1000 -f -- '--worker' > /dev/null; }
await() { # SECONDS WHAT COMMAND...
    local patience=$1 what=$2
    shift 2
    for _ in $(seq $((patience * 2))); do
        "$@" && return
        kill -0 "$program" 2> /dev/null || fail "the window ended while waiting for $what: $(cat "$trial/window.log")"
        sleep 0.5
    done
    fail "$what: not within $patience s"
}
is_rested() { ! is_measuring; }
focus() { xdotool windowfocus --sync "$(xdotool search --sync --onlyvisible --name "$1" | tail -n 1)"; }
shows() { xdotool search --onlyvisible --name "$1" > /dev/null 2>&1; }

# Choose the first card, measure for real, and come to the verdict.
measure_in_window() {
    click 350 180
    press F5
    await 30 "the measuring process" is_measuring
    sleep 4
    picture "$1-measuring"
    await 180 "the end of the check" is_rested
    sleep 4
    press ctrl+1
    sleep 2
    picture "$1-verdict"
}

# From the verdict into a file.
export_in_window() {
    press ctrl+s # the button stands lower where an answer has more warnings
    await 20 "the sharing dialog" shows 'Save or share'
    sleep 3
    picture export
    focus 'Save or share'
    xdotool key ctrl+s
    await 20 "the file dialog" shows 'Save the report'
    focus 'Save the report'
    xdotool key ctrl+a type "$1"
    xdotool key Return
    await 30 "the exported file" test -s "$root$1"
    sleep 1
    picture exported
    focus 'Save or share'
    xdotool key Escape # without a window's name: the release of the key would go to one that is closed
    sleep 1
}

close_window() {
    press ctrl+q
    for _ in $(seq 60); do kill -0 "$program" 2> /dev/null || break; sleep 0.5; done
    if kill -0 "$program" 2> /dev/null; then fail "the window does not close"; fi
    if wait "$program"; then echo "closed with status 0"; else fail "the window ended with $?: $(cat "$trial/window.log")"; fi
    if pgrep -u 1000 -f advisor > /dev/null; then fail "a process is left behind"; fi
}
