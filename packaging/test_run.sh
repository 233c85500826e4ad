#!/bin/bash
# Try the bundle that installs itself without root, as a person without rights with a fresh home in a bare Debian 12
# (bare_debian.sh). Run as root, which only makes the bare system. Usage: test_run.sh advisor-V-linux-x86_64.run
bundle=$(realpath "$1")
# shellcheck source=packaging/bare_debian.sh
. "$(dirname "$0")/bare_debian.sh"
home=/home/ada
entry=$root$home/.local/share/applications/advisor.desktop
list_home() { (cd "$root$home" && find . | LC_ALL=C sort); }

make_bare_debian
step "what every desktop has: xz, OpenGL, EGL, fonts"
apt_install xz-utils libgl1 libegl1 libfontconfig1 fonts-dejavu-core > "$trial/apt.log"
list_files > "$trial/system"
list_home > "$trial/home"
cp "$bundle" "$root$home/advisor.run"
start_screen
make_read_only

step "install, for this person alone"
as_person sh "$home/advisor.run" 2>&1 | tail -n 1
as_person "$home/.local/bin/advisor" --version
as_person du -sk --apparent-size "$home/.local/share/advisor-program" | awk '{ printf "installed: %.1f MB\n", $1 * 1.024 / 1000 }'
as_person "$home/.local/bin/advisor" --doctor > "$trial/doctor.txt"
as_person "$home/.local/bin/advisor" --report "$home/none.json" --suite none
as_person test -s "$home/none.json" || fail "no report"
desktop-file-validate "$entry"

step "the menu entry's command opens the window; measure, export, close"
open_window "$entry"
measure_in_window run
export_in_window "$home/exported.html"
grep -qi '</html>' "$root$home/exported.html" || fail "the export is not whole"
close_window

step "over itself, and refused where a newer one is there"
as_person sh "$home/advisor.run" 2>&1 | tail -n 1
as_person sh -c "echo 99.0 > $home/.local/share/advisor-program/VERSION"
as_person sh "$home/advisor.run" > "$trial/downgrade.log" 2>&1 && fail "the downgrade went through"
grep 'newer than' "$trial/downgrade.log" || fail "no sentence"
as_person "$home/.local/bin/advisor" --version

step "remove"
as_person "$home/.local/share/advisor-program/uninstall"
make_writable
list_files | diff "$trial/system" - || fail "the system is not as it was"
rm "$root$home/advisor.run"
echo "left in the person's folder, all of it their own:"
list_home | comm -13 "$trial/home" - | tee "$trial/left"
grep -E 'advisor-program|applications/advisor|icons/.*advisor|bin/advisor' "$trial/left" && fail "files are left after removal"
step "everything passed"
