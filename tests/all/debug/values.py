"""Stops at every line of a program and prints the scalars that the debugger shows there.

gdb -nx -batch -x values.py PROGRAM

One line a stop: `stop LINE PROCEDURE NAME=VALUE ...`; a variable that is optimized out is a NAME alone. After MOST stops (of the
environment) a line is left alone. With RANDOM, memory lies elsewhere in each run; with ARRAYS, arrays are printed, too.
"""

import os

import gdb

MOST = int(os.environ.get("MOST", "6"))
TOTAL = 6000
ARRAYS = bool(os.environ.get("ARRAYS"))
MODULE_VARIABLES = []


def lines_of(symtab):
    """The lines where a statement begins."""
    return sorted({entry.line for entry in symtab.linetable() if entry.line > 0})


def kind_of(value):
    """Whether it is one number or truth value, or an array of some of them; none of what else there is."""
    kind = value.type.strip_typedefs().code
    simple = (gdb.TYPE_CODE_INT, gdb.TYPE_CODE_FLT, gdb.TYPE_CODE_BOOL, gdb.TYPE_CODE_COMPLEX)
    if kind in simple:
        return "scalar"
    if ARRAYS and kind == gdb.TYPE_CODE_ARRAY:
        return "array"
    return None


def text(value):
    """A value without blanks, as long as a word may be."""
    return str(value).replace(" ", "").replace("\n", "")[:400]


def entry(name, value):
    """A word for a variable; none if it is no number nor an array of them."""
    try:
        if kind_of(value) is None:
            return None
        return name if value.is_optimized_out else f"{name}={text(value)}"
    except (gdb.error, gdb.MemoryError) as e:
        # Where the bounds of an array are nowhere, so are its elements.
        return name if "bounds" in str(e) else f"{name}={str(e).replace(' ', '_')}"


def variables(frame):
    """Names and texts of the variables of the procedure that the frame is in."""
    out = {}
    try:
        block = frame.block()
    except RuntimeError:
        return []
    while block is not None:
        for symbol in block:
            # What is said of a variable of a module again comes below.
            if (symbol.is_variable or symbol.is_argument) and symbol.name not in out and "::" not in symbol.name:
                try:
                    out[symbol.name] = entry(symbol.name, symbol.value(frame))
                except (gdb.error, gdb.MemoryError) as e:
                    out[symbol.name] = f"{symbol.name}={str(e).replace(' ', '_')}"
        if block.function is not None:
            break
        block = block.superblock
    for name in MODULE_VARIABLES:
        # Optimized code says by the name alone where a variable is that it may have in a register.
        out.pop(name.split("::")[-1], None)
        try:
            out[name] = entry(name, gdb.parse_and_eval(name))
        except (gdb.error, gdb.MemoryError) as e:
            out[name] = f"{name}={str(e).replace(' ', '_')}"
    return sorted(word for word in out.values() if word is not None)


def module_variables(symtab):
    """The names of the variables of modules."""
    blocks = (symtab.global_block(), symtab.static_block())
    return sorted({s.name for b in blocks for s in b if s.is_variable and "::" in s.name})[:40]


def main():
    gdb.execute("set pagination off")
    gdb.execute("set confirm off")
    gdb.execute("set width 0")
    gdb.execute("set print repeats 0")
    gdb.execute("set breakpoint pending off")
    if os.environ.get("RANDOM"):
        gdb.execute("set disable-randomization off")
    symtab = gdb.decode_line("MAIN__")[1][0].symtab
    MODULE_VARIABLES.extend(module_variables(symtab))
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
