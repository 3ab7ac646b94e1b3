"""Stops at every line of a program and prints the scalars that the debugger shows there.

gdb -nx -batch -x debug_values.py PROGRAM

One line a stop: `stop LINE PROCEDURE NAME=VALUE ...`; a variable that is optimized out is a NAME alone. After MOST stops (of the
environment) a line is left alone.
"""

import os

import gdb

MOST = int(os.environ.get("MOST", "6"))
TOTAL = 6000


def lines_of(symtab):
    """The lines where a statement begins."""
    return sorted({entry.line for entry in symtab.linetable() if entry.line > 0})


def scalar(value):
    """Whether it is one number or truth value."""
    kind = value.type.strip_typedefs().code
    simple = (gdb.TYPE_CODE_INT, gdb.TYPE_CODE_FLT, gdb.TYPE_CODE_BOOL, gdb.TYPE_CODE_COMPLEX)
    return kind in simple


def variables(frame):
    """Names and texts of the scalars of the procedure that the frame is in."""
    out = []
    try:
        block = frame.block()
    except RuntimeError:
        return out
    while block is not None:
        for symbol in block:
            if symbol.is_variable or symbol.is_argument:
                try:
                    value = symbol.value(frame)
                    if not scalar(value):
                        continue
                    if value.is_optimized_out:
                        out.append(symbol.name)
                    else:
                        out.append(f"{symbol.name}={str(value).replace(' ', '')}")
                except (gdb.error, gdb.MemoryError) as e:
                    out.append(f"{symbol.name}={str(e).replace(' ', '_')}")
        if block.function is not None:
            break
        block = block.superblock
    return sorted(out)


def main():
    gdb.execute("set pagination off")
    gdb.execute("set confirm off")
    gdb.execute("set width 0")
    gdb.execute("set print repeats 0")
    gdb.execute("set breakpoint pending off")
    symtab = gdb.decode_line("MAIN__")[1][0].symtab
    breakpoints = {}
    for line in lines_of(symtab):
        try:
            breakpoints[line] = gdb.Breakpoint(f"{symtab.filename}:{line}", internal=True)
        except gdb.error:
            pass
    hits = {}
    gdb.execute("run > /dev/null 2>&1 < /dev/null", to_string=True)
    for _ in range(TOTAL):
        try:
            frame = gdb.selected_frame()
        except gdb.error:
            break
        where = frame.find_sal()
        line = where.line
        if where.symtab is None or line not in breakpoints:
            break
        print("stop", line, frame.name(), *variables(frame))
        hits[line] = hits.get(line, 0) + 1
        if hits[line] >= MOST:
            breakpoints[line].enabled = False
        try:
            gdb.execute("continue", to_string=True)
        except gdb.error:
            break
    if gdb.selected_inferior().pid:
        gdb.execute("kill", to_string=True)


main()
