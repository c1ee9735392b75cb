#!/usr/bin/env bash
# Fast end-to-end checks of a built program: bash Tests/EndToEndTests/release.sh PROGRAM
set -u
program=$(realpath "$1")
samples=$(realpath "$(dirname "$0")/../../Sources/portolan/Samples")
countries=$samples/ne_110m_countries.geojson
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
export LC_ALL=C.UTF-8 XDG_STATE_HOME=$work/state XDG_CONFIG_HOME=$work/config
export SWIFT_BACKTRACE=enable=no
passed=0 failed=0

# check NAME CONDITION…: counts a condition and names it where it does not hold.
check() {
  local name=$1
  shift
  if "$@"; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAILED: $name"; fi
}

# fails_with CODE COMMAND…: exit code CODE, exactly one line on stderr, nothing on stdout.
fails_with() {
  local want=$1 code
  shift
  "$@" > out 2> err < /dev/null
  code=$?
  [ "$code" = "$want" ] && [ "$(wc -l < err)" = 1 ] && [ ! -s out ] && return 0
  echo "  $*: exit $code, stdout $(wc -c < out) bytes, stderr:"
  sed 's/^/  | /' err
  return 1
}

"$program" render - --size 100x30 < "$countries" > map.txt
check "a map from a pipe" test "$(grep -cP '[\x{2801}-\x{28ff}]' map.txt)" -gt 15
check "no colours into a file" test "$(grep -c $'\e' map.txt)" = 0
env -i "$program" render "$countries" --size 60x20 --glyphs ascii > ascii.txt
check "a map without an environment" test "$(LC_ALL=C grep -c '[^ -~]' ascii.txt)" = 0

"$program" export "$countries" -o - > same.geojson
check "an unedited export is the same file" cmp -s "$countries" same.geojson
"$program" import "$countries" -o - > piped.doc
"$program" export - -o - < piped.doc > piped.geojson
check "a document goes through pipes" cmp -s "$countries" piped.geojson
check "a document in standard output is no file" test ! -e ./-
"$program" migrate piped.doc -o - > again.doc
check "a document migrated into a pipe" cmp -s piped.doc again.doc
"$program" import "$countries" "$samples/ne_110m_populated_places.geojson" -o world.doc
check "an import makes a document" test -s world.doc
"$program" import "$countries" "$samples/ne_110m_populated_places.geojson" -o world2.doc
check "the same input makes the same document" cmp -s world.doc world2.doc
check "an existing file is not overwritten" fails_with 4 "$program" import "$countries" -o world.doc
"$program" export world.doc --layers ne_110m_countries -o again.geojson
check "through a document and back is the same file" cmp -s "$countries" again.geojson
check "python reads the document" python3 -c '
import plistlib, sys
archive = plistlib.load(open("world.doc", "rb"))
sys.exit(archive["$archiver"] != "NSKeyedArchiver")'

check "no such file" fails_with 3 "$program" info nothing.doc
check "a folder" fails_with 3 "$program" info .
mkfifo fifo
check "a FIFO" fails_with 3 timeout 5 "$program" info fifo
printf '\320\317\021\340\241\261\032\341more' > word.doc
check "a Microsoft Word file" fails_with 3 "$program" info word.doc
head -c 20000 "$countries" > cut.geojson
check "a cut file" fails_with 3 "$program" info cut.geojson
head -c 20000 world.doc > cut.doc
check "a cut document" fails_with 3 "$program" info cut.doc
echo 'not json' > text.geojson
check "not JSON" fails_with 3 "$program" info text.geojson
printf 'frobnicate\n' > bad.portolan
check "an unknown command in a script" fails_with 2 "$program" run bad.portolan
check "a full disk" fails_with 4 sh -c "'$program' export '$countries' -o - > /dev/full"
"$program" export "$countries" -o - | head -c 10 > /dev/null
check "a closed pipe is quiet" test "${PIPESTATUS[0]}" -le 141
check "no terminal" fails_with 2 env TERM=xterm "$program" "$countries"

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
