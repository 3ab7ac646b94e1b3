#!/bin/sh
# Write NAME.out and NAME.code beside the named programs (all without arguments)
# with gfortran, and refuse a program whose result depends on the level of
# optimization or that does not end as its .code says.
# Usage: sh tests/run/bless.sh [tests/run/FOLDER/NAME.f90 ...]
set -u
here=$(cd "$(dirname "$0")" && pwd)
flags="-std=legacy -ffp-contract=off -w"
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
mkdir "$tmp/run"
status=0
if [ $# -eq 0 ]; then set -- "$here"/*/*.f "$here"/*/*.f90; fi
for source in "$@"; do
  file=$(basename "$source")
  folder=$(cd "$(dirname "$source")" && pwd)
  stem=$folder/${file%.*}
  input=/dev/null
  if [ -f "$stem.in" ]; then input=$stem.in; fi
  for level in -O0 -O2; do
    if ! gfortran $flags $level -J "$tmp" "$folder/$file" -o "$tmp/program" 2>"$tmp/errors"; then
      echo "$file: gfortran refuses it"; head -20 "$tmp/errors"; status=1; continue 2
    fi
    (cd "$tmp/run" && timeout 20 "$tmp/program" <"$input" >"$tmp/out$level" 2>"$tmp/err$level")
    echo $? >"$tmp/code$level"
    if [ -n "$(ls -A "$tmp/run")" ]; then
      echo "$file: leaves files behind"; rm -rf "$tmp/run"; mkdir "$tmp/run"; status=1
    fi
  done
  if ! cmp -s "$tmp/out-O0" "$tmp/out-O2" || ! cmp -s "$tmp/code-O0" "$tmp/code-O2"; then
    echo "$file: -O0 and -O2 differ"; diff "$tmp/out-O0" "$tmp/out-O2" | head -5; status=1
  fi
  cp "$tmp/out-O0" "$stem.out"
  if [ "$(cat "$tmp/code-O0")" = 0 ]; then rm -f "$stem.code"; else cp "$tmp/code-O0" "$stem.code"; echo "$file: exit code $(cat "$stem.code")"; fi
done
exit $status
