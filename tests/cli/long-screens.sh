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

# What a script sees that is put into copies of the pages.
cat >"$tmp/look.js" <<'JS'
function look(d, w) {
    var svgs = Array.from(d.querySelectorAll('svg'));
    var drawn = svgs.filter(function (s) {
        var r = s.getBoundingClientRect();
        return r.width > 200 && r.height > 60
            && s.querySelectorAll('path,polygon,circle,image,use,text').length > 5;
    });
    var named = svgs.filter(function (s) {
        return s.getAttribute('role') === 'img' && s.getAttribute('aria-label');
    });
    var t = d.querySelector('table.sort'), body = t.tBodies[0];
    var button = t.tHead.rows[0].cells[1].querySelector('button');
    function column() {
        return Array.from(body.rows).map(function (r) {
            return Number(r.cells[1].getAttribute('data-v'));
        });
    }
    function rises(v) {
        return v.every(function (x, i) { return i === 0 || v[i - 1] <= x; });
    }
    button.focus();
    var focus = d.activeElement === button;
    button.click();
    var up = rises(column())
        && t.tHead.rows[0].cells[1].getAttribute('aria-sort') === 'ascending';
    button.click();
    var down = rises(column().reverse())
        && t.tHead.rows[0].cells[1].getAttribute('aria-sort') === 'descending';
    var levels = Array.from(d.querySelectorAll('h1,h2,h3,h4')).map(function (h) {
        return Number(h.tagName[1]);
    });
    return {
        pictures: svgs.length, drawn: drawn.length, named: named.length,
        focus: focus, sorts: up && down,
        too_wide: d.documentElement.scrollWidth - w,
        jumps: levels.filter(function (l, i) { return i && l > levels[i - 1] + 1; })
            .length,
        captions: Array.from(d.querySelectorAll('table')).every(function (t) {
            return t.caption;
        }),
        main: d.querySelectorAll('main').length,
        page: getComputedStyle(d.body).backgroundColor
    };
}
JS
{
    cat "$tmp/page.html"
    echo '<script>'
    cat "$tmp/look.js"
    echo 'document.title = "LOOK " + JSON.stringify(look(document, innerWidth))'
    echo '</script>'
} >"$tmp/looked.html"
{
    cat "$tmp/narrow.html"
    echo '<script>'
    cat "$tmp/look.js"
    echo 'onload = function () { var f = document.querySelector("iframe");'
    echo 'document.title = "LOOK " + JSON.stringify(look(f.contentDocument, 380)) }'
    echo '</script>'
} >"$tmp/looked-narrow.html"

looked () {                     # looked PAGE OPTION...: what the script saw
    page=$1
    shift
    timeout 60 "$browser" --headless --no-sandbox --disable-gpu \
        --user-data-dir="$tmp/profile" --allow-file-access-from-files \
        --window-size=1200,5000 "$@" --dump-dom "file://$tmp/$page.html" \
        </dev/null 2>/dev/null | sed -n 's,.*<title>LOOK \(.*\)</title>.*,\1,p'
}

sees () {                       # sees CONDITION PAGE
    jq -e "$1" "$tmp/$2" >"$out"
}

looked looked >"$tmp/light"
looked looked-narrow >"$tmp/narrow"
looked looked --blink-settings=preferredColorScheme=0 >"$tmp/dark"
if command -v gnuplot >/dev/null; then
    ok 'there are pictures'   sees '.pictures >= 9' light
    ok 'all of them drawn'    sees '.drawn == .pictures' light
    ok 'and described'        sees '.named == .pictures' light
    ok 'on a telephone too'   sees '.drawn == .pictures' narrow
fi
ok 'tables sort'              sees '.sorts and .focus' light
ok 'on a telephone too'       sees '.sorts and .focus' narrow
ok 'nothing is too wide'      sees '.too_wide <= 0' light
ok 'on a telephone either'    sees '.too_wide <= 0' narrow
ok 'headings go step by step' sees '.jumps == 0' light
ok 'tables have captions'     sees '.captions' light
ok 'the page has its main part' sees '.main == 1' light
ok 'dark is dark'             test "$(jq .page "$tmp/dark")" != "$(jq .page "$tmp/light")"

ok 'it prints'                exits 0 timeout 60 "$browser" --headless --no-sandbox \
    --disable-gpu --user-data-dir="$tmp/profile" --no-pdf-header-footer \
    --print-to-pdf="$tmp/page.pdf" "file://$tmp/page.html"
ok 'on paper'                 test "$(wc -c <"$tmp/page.pdf")" -gt 50000

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
