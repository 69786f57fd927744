#!/bin/sh
# gsim report in a browser: no error at either width, light and dark.  Set
# SCREENS to a folder to keep the screenshots and look at them.
# shellcheck source=tests/cli/harness.sh
. "$(dirname "$0")/harness.sh"

browser=
for b in chromium chromium-browser google-chrome; do
    if [ -z "$browser" ] && command -v "$b" >/dev/null; then
        browser=$b
    fi
done
if [ -z "$browser" ]; then
    skip 'the page in a browser' 'no chromium'
    done_testing
    exit
fi

screens=${SCREENS:-$tmp/screens}
mkdir -p "$screens"
"$gsim" replay traces/samples/fragmentation.yaml --policy spread \
    --policy binpack --policy kube-default --db "$tmp/a.db" >/dev/null
"$gsim" report "$tmp/a.db" -o "$tmp/page.html"

# A page of one frame as wide as a telephone: windows are not that narrow.
cat >"$tmp/narrow.html" <<HTML
<!DOCTYPE html><title>narrow</title><style>body{margin:0}</style>
<iframe src="page.html" style="border:0;width:380px;height:5000px"></iframe>
HTML

shoot () {                      # shoot PAGE NAME WIDTH OPTION...
    page=$1
    png=$screens/$2.png
    width=$3
    shift 3
    timeout 60 "$browser" --headless --no-sandbox --disable-gpu \
        --user-data-dir="$tmp/profile" --enable-logging=stderr --v=0 \
        --hide-scrollbars --allow-file-access-from-files \
        --window-size="$width,5000" --screenshot="$png" "$@" \
        "file://$tmp/$page.html" >"$out" 2>"$errs" </dev/null
}

for width in 1200 380; do
    page=page
    [ "$width" -eq 1200 ] || page=narrow
    ok "$width px, light"     shoot "$page" "light-$width" "$width"
    ok 'a picture of it'      test -s "$screens/light-$width.png"
    ok 'nothing is wrong'     sh -c "! grep 'CONSOLE' '$errs'"
    ok "$width px, dark"      shoot "$page" "dark-$width" "$width" \
        --blink-settings=preferredColorScheme=0
    ok 'a picture of it'      test -s "$screens/dark-$width.png"
    ok 'nothing is wrong'     sh -c "! grep 'CONSOLE' '$errs'"
done
done_testing
