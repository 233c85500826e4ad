#!/bin/sh
# Make a disk image of the program for macOS.
# Usage: make_dmg.sh advisor.app IMAGE.dmg FORMAT
#
# With ADVISOR_SIGN_IDENTITY ("Developer ID Application: ...") the program and the image are signed; with
# ADVISOR_NOTARY_PROFILE (made by "xcrun notarytool store-credentials") the image is also notarised. Without them the
# program gets the ad-hoc signature that Apple's processors ask for, and the person opens it by "Open anyway".
set -eu
app=$1 image=$2 format=$3
here=$(cd "$(dirname "$0")" && pwd)
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT

identity=${ADVISOR_SIGN_IDENTITY:--}  # "-" is the ad-hoc signature
if [ "$identity" = - ]; then
    codesign --force --deep --sign - "$app"
else
    # From inside to outside: libraries first, then the programs, then the bundle.
    find "$app/Contents" -type f \( -name '*.dylib' -o -name '*.so' \) -print0 |
        xargs -0 codesign --force --timestamp --options runtime --sign "$identity"
    find "$app/Contents" -type f -perm -100 ! -name '*.dylib' ! -name '*.so' -print0 |
        xargs -0 codesign --force --timestamp --options runtime --entitlements "$here/entitlements.plist" --sign "$identity"
    codesign --force --timestamp --options runtime --entitlements "$here/entitlements.plist" --sign "$identity" "$app"
fi
codesign --verify --deep --strict "$app"

ditto "$app" "$stage/advisor.app"
ln -s /Applications "$stage/Applications"
rm -f "$image"
hdiutil create -volname advisor -srcfolder "$stage" -fs HFS+ -format "$format" "$image"

if [ "$identity" != - ]; then
    codesign --timestamp --sign "$identity" "$image"
    if [ -n "${ADVISOR_NOTARY_PROFILE:-}" ]; then
        xcrun notarytool submit "$image" --keychain-profile "$ADVISOR_NOTARY_PROFILE" --wait
        xcrun stapler staple "$image"
    fi
fi
