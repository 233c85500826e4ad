#!/bin/bash
# shellcheck disable=SC2016 # dpkg-query wants its dollar
# Try the Debian package as a person gets it, in a bare Debian 12: see bare_debian.sh. Run as root.
# Usage: test_deb.sh advisor_V.deb advisor_OLDER.deb      (make package-test builds both)
new=$(realpath "$1") old=$(realpath "$2")
# shellcheck source=packaging/bare_debian.sh
. "$(dirname "$0")/bare_debian.sh"
version=$(dpkg-deb -f "$new" Version)
entry=$root/usr/share/applications/advisor.desktop
history=/home/ada/.local/share/advisor/history.sqlite3
checks() { python3 -c 'import sqlite3, sys; print(*sqlite3.connect(sys.argv[1]).execute("SELECT count(*) FROM report").fetchone())' "$root$history"; }

make_bare_debian
list_files > "$trial/bare"
cp "$new" "$root/root/new.deb"
cp "$old" "$root/root/old.deb"
start_screen

step "install the older version, measure with it, keep a history"
apt_install /root/old.deb > "$trial/apt-old.log"
open_window "$entry"
measure_in_window old
close_window
[ "$(checks)" = 1 ] || fail "the check is not in the history"

step "upgrade"
apt_install /root/new.deb > "$trial/apt-new.log"
[ "$(inside dpkg-query -W -f '${Version}' advisor)" = "$version" ] || fail "not installed"
[ "$(checks)" = 1 ] || fail "the history is gone"
inside du -sk --apparent-size /usr/lib/advisor | awk '{ printf "installed: %.1f MB\n", $1 * 1.024 / 1000 }'

step "every library is found"
inside find /usr/lib/advisor -type f \( -name '*.so*' -o -perm -100 \) -print0 |
    chroot "$root" env LD_LIBRARY_PATH=/usr/lib/advisor/_internal xargs -0 ldd 2> /dev/null |
    grep 'not found' | grep -v 'libtorch\|libc10\|libshm\|lib.*-[0-9a-f]\{8\}' && fail "libraries are missing"

step "headless, as a person without rights on a read-only system"
make_read_only
as_person advisor --version
as_person advisor --doctor > "$trial/doctor.txt"
as_person advisor --report /home/ada/none.json --suite none
as_person advisor --report /home/ada/report.html --suite quick 2>&1 | tee "$trial/quick.log" | tail -n 3
as_person test -s /home/ada/report.html || fail "no report"
as_person advisor --report --suite none --lang es > "$trial/report-es.txt" 2>&1
head -n 3 "$trial/report-es.txt"
as_person advisor --report /home/ada/report.pdf --suite none
as_person sh -c 'head -c 5 /home/ada/report.pdf | grep -q %PDF' || fail "no PDF"

step "the menu entry's command opens the window, which knows the history; measure, export, close"
open_window "$entry"
press ctrl+7
sleep 3
picture history
press ctrl+1
sleep 1
measure_in_window new
export_in_window /home/ada/exported.html
grep -qi '</html>' "$root/home/ada/exported.html" || fail "the export is not whole"
close_window
[ "$(checks)" -ge 2 ] || fail "the history does not hold both versions' checks"
make_writable

step "an older version is refused with a sentence"
inside dpkg -i /root/old.deb > "$trial/downgrade.log" 2>&1 && fail "the downgrade went through"
grep 'newer than' "$trial/downgrade.log" || fail "no sentence"
[ "$(inside dpkg-query -W -f '${Version}' advisor)" = "$version" ] || fail "the refusal has broken the installed one"
as_person advisor --version

step "remove and purge"
inside apt-get remove -y -qq -o Dpkg::Use-Pty=0 advisor > "$trial/remove.log"
list_files | grep -i advisor && fail "files are left after removal"
inside apt-get purge -y -qq -o Dpkg::Use-Pty=0 advisor > "$trial/purge.log"
grep 'own reports' "$trial/purge.log" || echo "(purge had nothing left to say)"
inside dpkg-query -W advisor 2> /dev/null && fail "dpkg still knows it"
inside apt-get autoremove --purge -y -qq -o Dpkg::Use-Pty=0 > "$trial/autoremove.log"
list_files > "$trial/purged"
grep -i advisor "$trial/purged" && fail "files are left after purging"
echo "files left of the package: none. Left by the packages it needed, removed too:"
comm -13 "$trial/bare" "$trial/purged"
echo "left of the person, as it should be:"
find "$root/home/ada" -path '*advisor*' -type f | sed "s|$root||"
step "everything passed"
