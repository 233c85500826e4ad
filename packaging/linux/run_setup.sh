#!/bin/sh
# Run by the self-extracting file: install for this person alone, without root. --target FOLDER chooses another place.
set -eu
version=@VERSION@
home=${XDG_DATA_HOME:-$HOME/.local/share}
target=$home/advisor-program
bin=$HOME/.local/bin
[ "${1:-}" = --target ] && target=$2

if [ -x "$target/advisor" ] && [ -f "$target/VERSION" ]; then
    installed=$(cat "$target/VERSION")
    newest=$(printf '%s\n%s\n' "$installed" "$version" | sort -V | tail -n 1)
    if [ "$newest" != "$version" ]; then
        echo "advisor $installed is installed, which is newer than $version. Remove it first if you want the older one:" \
            "$target/uninstall. Your reports and settings stay." >&2
        exit 1
    fi
fi

new=$target.new.$$
mkdir -p "$new" "$bin" "$home/applications" "$home/icons/hicolor"
trap 'rm -rf "$new"' EXIT
cp -a advisor/. "$new/"
echo "$version" > "$new/VERSION"
cat > "$new/uninstall" <<END
#!/bin/sh
rm -rf "$target" "$bin/advisor" "$home/applications/advisor.desktop"
find "$home/icons/hicolor" -name 'advisor.png' -delete -o -name 'advisor.svg' -delete
find "$home/icons/hicolor" -depth -type d -empty -delete
if command -v update-desktop-database >/dev/null 2>&1; then update-desktop-database -q "$home/applications" || true; fi
rmdir "$home/icons" "$home/applications" "$bin" 2>/dev/null || true
echo "advisor is removed. Your reports and settings stay in $home/advisor and \${XDG_CONFIG_HOME:-\$HOME/.config}/advisor."
END
cat > "$new/start" <<END
#!/bin/sh
# Distributions keep their certificates in different places; Python here looks in Debian's.
for file in /etc/ssl/certs/ca-certificates.crt /etc/pki/tls/certs/ca-bundle.crt /etc/ssl/ca-bundle.pem; do
    [ -n "\${SSL_CERT_FILE:-}" ] || { [ -r "\$file" ] && SSL_CERT_FILE=\$file && export SSL_CERT_FILE; }
done
exec "$target/advisor" "\$@"
END
chmod 755 "$new/uninstall" "$new/start"
rm -rf "$target"
mv "$new" "$target"
trap - EXIT

ln -sf "$target/start" "$bin/advisor"
sed "s|^Exec=.*|Exec=\"$target/start\"|" share/applications/advisor.desktop > "$home/applications/advisor.desktop"
cp -R share/icons/hicolor/. "$home/icons/hicolor/"
if command -v update-desktop-database >/dev/null 2>&1; then update-desktop-database -q "$home/applications" || true; fi
echo "advisor $version is installed: in the menu, or as $bin/advisor. Remove it with: $target/uninstall"
