#!/usr/bin/env bash
# R5, R7: programs of others. Two profiles of one program and one input, built at two levels, have the same counts.
#
# others.sh OLD.json NEW.json: the profiles, of builds by the program's own makefile with FC="trueline fc" and, say, -O0 and
# -O3 -fprofile-trueline in FFLAGS. Trips of loops, which -O3 does not always count, are left out. Needs python3.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
trueline=${TRUELINE:-$root/target/release/trueline}
"$trueline" diff --all --json "${1:?a profile}" "${2:?another one}" | python3 -c '
import json, sys
counted = ["invocations", "iterations", "evaluations", "elements", "calls", "taken"]
same = other = unknown = alone = 0
for c in json.load(sys.stdin)["constructs"]:
    if not c.get("old") or not c.get("new"):
        alone += 1
        continue
    counts = [{k: v for k, v in c[side]["counts"].items() if k in counted} for side in ("old", "new")]
    if "UNAVAILABLE" in (c["old"]["status"], c["new"]["status"]):
        unknown += 1
    elif counts[0] == counts[1]:
        same += 1
    else:
        other += 1
        print("WRONG", c["file"], c["line"], c["kind"], *counts)
print(f"{same + other + unknown} constructs: {same} have the same counts, {other} others, {unknown} are not available; {alone} in one alone")
sys.exit(other > 0)
'
