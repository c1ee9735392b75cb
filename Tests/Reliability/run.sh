#!/usr/bin/env bash
# Nothing is lost: kills, failing calls, power cuts, journals, two editors, metadata, against a
# built program.
#
# usage: run.sh PROGRAM       the short form, about four minutes
#        RELIABILITY=long run.sh PROGRAM    every point of every operation, 1,000 random kills:
#                                           some hours
set -uo pipefail
program=$(realpath "${1:?usage: run.sh PROGRAM}") || exit 2
cd "$(dirname "$0")" || exit 2
failed=()
folder=$(mktemp -d) || exit 2
trap 'rm -rf "$folder"' EXIT

try() {
  printf '%s\n' "-- $*"
  "$@" 2>&1 | tee "$folder/log" || note "$folder/log" "$@"
}

# A failed run, and its lines from FAIL on: told once more at the end.
note() {
  local log=$1 lines
  shift
  lines=$(grep -aA 8 '^FAIL' "$log" || tail -n 20 "$log")
  failed+=("$(printf -- '-- %s\n%s' "$*" "$lines")")
}

# Runs that mostly wait: beside the others, told at the end.
aside=()
beside() {
  "$@" > "$folder/${#aside[@]}" 2>&1 &
  aside+=("$! $*")
}

if [ "${RELIABILITY:-short}" = long ]; then
  beside python3 ends.py "$program" --rounds 600
  for part in kill fault hang-up power:ext4 power:xfs; do beside python3 journals.py "$program" $part; done
else
  beside python3 ends.py "$program"
  beside python3 journals.py "$program" kill --every 19
  beside python3 journals.py "$program" fault --every 70
  beside python3 journals.py "$program" hang-up --operation draft,two,two-resume,two-data
  beside python3 journals.py "$program" power:ext4 --every 31
  beside python3 journals.py "$program" power:xfs --every 37
fi
beside python3 terminals.py "$program"

can_trace=no
if strace -o /dev/null true 2> /dev/null; then can_trace=yes; fi

if [ $can_trace = no ]; then
  echo "SKIP sweeps: no strace, or it may not trace here"
elif [ "${RELIABILITY:-short}" = long ]; then
  try python3 sweeps.py "$program" kill fault random:1000
  try python3 sweeps.py "$program" power:ext4 power:ext4,noauto_da_alloc power:xfs
else
  try python3 sweeps.py "$program" kill --every 7
  try python3 sweeps.py "$program" fault --every 25
  try python3 sweeps.py "$program" power:ext4 power:xfs --every 13
  try python3 sweeps.py "$program" random:20
fi
if [ "${RELIABILITY:-short}" = long ]; then export RELIABILITY_N="${RELIABILITY_N:-1000}"; fi
try python3 recovery-loop.py "$program"
try python3 left-work.py "$program"
if [ $can_trace = yes ]; then
  try python3 recovery-sweep.py "$program"
  try python3 inert.py "$program"
fi
if [ "${RELIABILITY:-short}" = long ]; then saves=500; size=128; else saves=10; size=8; fi
try python3 editors.py "$program" --saves "$saves"
try python3 metadata.py "$program"
if [ "$(id -u)" = 0 ]; then try python3 metadata.py "$program" --user 1234; fi
try python3 memory.py "$program" --size "$size"

for number in "${!aside[@]}"; do
  printf '%s\n' "-- ${aside[$number]#* }"
  code=0
  wait "${aside[$number]%% *}" || code=$?
  cat "$folder/$number"
  [ $code = 0 ] || note "$folder/$number" "${aside[$number]#* }"
done

# Eight people at 50 edits a second each leave nothing of two processors to the others, which
# measure how late an edit is kept.
try python3 sharing.py "$program"

echo "reliability: ${#failed[@]} of the runs above failed"
[ ${#failed[@]} = 0 ] || { printf '%s\n' "${failed[@]}"; exit 1; }
