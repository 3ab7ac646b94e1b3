//! The table of runtime functions.
//!
//! One row for each function: its symbol, the types of its arguments and result, and its effect on memory that the
//! optimizer knows of. There is one table because with two (one in the code generator, one in the runtime) a changed
//! argument would be found by a crash in a user's program.

/// The way in which a value crosses the boundary, in the C ABI of the target.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Abi {
    /// A 32-bit integer.
    I32,
    /// A 64-bit integer.
    I64,
    /// A `float`.
    F32,
    /// A `double`.
    F64,
    /// The address of memory that the function only reads.
    In,
    /// The address of memory that the function may write.
    Out,
    /// An address that is only a number to the optimizer: code, or data of the runtime's own.
    Opaque,
}

/// The effects of a call beyond its result and its `Out` arguments.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Effect {
    /// Nothing: equal arguments give equal results, and an unused call can go.
    Pure,
    /// It has an effect outside the program's memory (input/output, time, profile, allocation).
    External,
    /// It does not return.
    NoReturn,
}

/// The signature of a runtime function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Signature {
    /// The linker symbol.
    pub symbol: &'static str,
    /// Names and types of the arguments.
    pub params: &'static [(&'static str, Abi)],
    /// Type of the result, if any.
    pub result: Option<Abi>,
    /// Its effects beside.
    pub effect: Effect,
}

/// Declares the functions. `runtime` passes a callback macro to check its definitions against them.
#[macro_export]
macro_rules! for_each_runtime_function {
    ($callback:path) => {
        $callback! {
            // Start and end of the program.
            /// Runs the program: initialises the runtime, calls `program`, closes units, returns the exit code.
            Start trueline_start(argc: I32, argv: Opaque, program: Opaque) -> I32, External;
            /// STOP with an integer code.
            StopInt trueline_stop_int(code: I64) -> None, NoReturn;
            /// STOP without a code, or with text.
            StopText trueline_stop_text(text: In, len: I64) -> None, NoReturn;
            /// `CALL EXIT(code)`: ends the program without a message.
            Exit trueline_exit(code: I64) -> None, NoReturn;
            /// ERROR STOP with an integer code.
            ErrorStopInt trueline_error_stop_int(code: I64) -> None, NoReturn;
            /// ERROR STOP without a code, or with text.
            ErrorStopText trueline_error_stop_text(text: In, len: I64) -> None, NoReturn;
            /// A run-time error of the program: prints the location (`file:line`, NUL-terminated) and the message, ends with 2.
            RuntimeError trueline_runtime_error(location: In, text: In, len: I64) -> None, NoReturn;
            /// A fault found by `-fcheck=`. The text has parts, each with a NUL behind it, and one more NUL at its end: the place as `file:line.column`;
            /// the message, with `{1}`, `{2}` and `{3}` for numbers, and `{side}` for the side of the bounds (the second and third number) that the first is on;
            /// three numbers; then names of the innermost DO variables, each with its number. A number is a constant, or the letter of an argument.
            Fault trueline_fault_of_four(text: In, a: I64, b: I64, c: I64, d: I64) -> None, NoReturn;
            /// The same with more arguments.
            LongFault trueline_fault_of_seven(text: In, a: I64, b: I64, c: I64, d: I64, e: I64, f: I64, g: I64) -> None, NoReturn;
            /// Notes an argument of the procedure that is called next; `procedure` is a number for its symbol. The code is 0 if nothing
            /// is known; its last bit says that the argument must not be changed, the others are its bytes and one.
            Pass trueline_pass(procedure: I64, argument: I64, code: I64, location: In) -> None, External;
            /// Takes the code of an argument that was noted for the procedure; 0 if there is none.
            Passed trueline_passed(procedure: I64, argument: I64) -> I64, External;
            /// As `Fault`, at the place of an argument that was taken.
            WrongArgument trueline_wrong_argument(argument: I64, text: In, len: I64, first: I64, second: I64) -> None, NoReturn;
            /// Notes memory that was allocated, for the pointers to it; the flags are those of `targets`.
            NoteTarget trueline_note_target(memory: Opaque, size: I64, location: In, name: In, len: I64, flags: I64) -> None, External;
            /// Before memory of `size` bytes that pointers may know is deallocated: whether a POINTER may be, a code of `Released`.
            ReleaseTarget trueline_release_target(filter: Out, memory: Opaque, size: I64, location: In) -> I32, External;
            /// A local TARGET of `size` bytes ends with its procedure.
            EndTarget trueline_end_target(filter: Out, place: Out, size: I64) -> None, External;
            /// Whether the target of a pointer is gone; the filter says that it may be.
            TargetGone trueline_target_gone(memory: Opaque) -> I32, External;
            /// Begins a call of a procedure whose `count` variables may overlap: its number, 0 if none do. The table has addresses and
            /// sizes, the first `dummies` of which are arguments.
            AliasBegin trueline_alias_begin(table: In, count: I64, dummies: I64, names: In, len: I64) -> I64, External;
            /// Notes an access to bytes of a variable of the call.
            AliasAccess trueline_alias_access(call: I64, variable: I64, place: Opaque, size: I64, defines: I32, location: In) -> None, External;
            /// Ends the call.
            AliasEnd trueline_alias_end(call: I64) -> None, External;
            /// The bytes that are left on the stack; negative if a procedure must not be entered.
            StackLeft trueline_stack_left() -> I64, External;

            // Memory.
            /// ALLOCATE and compiler temporaries: `size` bytes aligned to 16; ends the program when there are none.
            Allocate trueline_allocate(size: I64, location: In) -> Opaque, External;
            /// ALLOCATE with STAT=: as above, but null when there is no memory.
            AllocateStat trueline_allocate_stat(size: I64) -> Opaque, External;
            /// DEALLOCATE; null is allowed.
            Deallocate trueline_deallocate(memory: Opaque) -> None, External;

            /// The address of `place` as a number. Nothing is called: it is that.
            Address trueline_address(place: In) -> Opaque, Pure;
            /// The same, if memory written before is from now on read under another name.
            Barrier trueline_barrier(place: Out) -> Opaque, External;
            /// The value of a procedure pointer, as the address that a call goes to. Nothing is called: it is that.
            Procedure trueline_procedure(address: Opaque) -> Opaque, External;
            /// `count` structures are copies of others: gives them memory of their own behind allocatable components.
            CopyOwned trueline_copy_owned(structures: Out, count: I64, table: In) -> None, External;
            /// Frees all memory of the allocatable components of `count` structures; afterwards they are not allocated.
            FreeOwned trueline_free_owned(structures: Out, count: I64, table: In) -> None, External;
            // Arrays of other compilers' procedures.
            /// The elements of the array of a descriptor of gfortran (of C, if `is_c`), without gaps: the array itself,
            /// or a copy. `size` is that of an element.
            Contiguous trueline_contiguous(descriptor: In, rank: I64, size: I64, is_c: I32) -> Opaque, External;
            /// Ends the use of such elements: a copy is copied back if they have changed, and freed.
            EndContiguous trueline_end_contiguous(descriptor: In, rank: I64, size: I64, is_c: I32, elements: Opaque, changed: I32) -> None, External;
            // The environment of the program.
            /// GET_ENVIRONMENT_VARIABLE: the length, or -1 when there is no such variable; `trim` ignores blanks at the end of the name.
            EnvironmentGet trueline_environment_get(name: In, name_len: I64, trim: I32, to: Out, to_len: I64) -> I64, External;
            /// GET_COMMAND: the length of the command line.
            CommandGet trueline_command_get(to: Out, to_len: I64) -> I64, External;
            /// EXECUTE_COMMAND_LINE: the exit code, or -1 when the command could not be run.
            CommandRun trueline_command_run(text: In, len: I64, wait: I32) -> I64, External;
            /// ERFC_SCALED(x).
            ErfcScaled trueline_erfc_scaled(x: F64) -> F64, Pure;

            // Ranks: mapped arrays, and the world around.
            /// NUMBER_OF_PROCESSORS().
            RanksCount trueline_ranks_count() -> I32, External;
            /// Whether this rank does for all of them things that the world around sees.
            RanksFirst trueline_ranks_first() -> I32, External;
            /// Gives all ranks the bytes at `place` that the first one has.
            RanksShare trueline_ranks_share(place: Out, len: I64, location: In) -> None, External;
            /// Begins the use of a mapped array: its handle. The table is that of `placement`; the name is `array@file:line`, with the line of the directive.
            RanksMap trueline_ranks_map(table: In, numbers: I64, bounds: In, base: In, name: In) -> I64, External;
            /// Notes that the owners of an element write it; whether this rank is one of them.
            RanksWrite trueline_ranks_write(handle: I64, element: In) -> I32, External;
            /// Gives the value of an element to the owners of another element, or to all ranks if the second handle is 0.
            RanksFetch trueline_ranks_fetch(handle: I64, element: Out, other: I64, target: In, location: In) -> None, External;
            /// Gives `count` elements, `stride` bytes from one another, to all ranks.
            RanksGive trueline_ranks_give(handle: I64, element: Out, count: I64, stride: I64, location: In) -> None, External;
            /// Gives all elements of an array to all ranks.
            RanksPublish trueline_ranks_publish(handle: I64, base: Out, location: In) -> None, External;
            /// Before a loop nest: sends the elements that ranks need in it, and says which iterations this rank executes. The table is that of
            /// `nest`, the answers follow the values.
            RanksNest trueline_ranks_nest(table: In, numbers: I64, values: Out, location: In) -> None, External;
            /// Behind a loop nest in which ranks wait for others: sends what this rank has computed for them.
            RanksSwept trueline_ranks_swept(location: In) -> None, External;
            /// Behind a part of a loop nest: receives the elements that are on their way, and says among the answers which iterations are the next part.
            RanksPart trueline_ranks_part(values: Out, location: In) -> None, External;
            /// The iterations of a strip of a nest in which ranks wait for others: the loop that is parted has `trips`, in each of which `work` statements are executed.
            /// `wanted` is not 0 if the user has said it.
            RanksStrip trueline_ranks_strip(work: I64, trips: I64, wanted: I64) -> I64, External;
            /// Whether this rank owns elements with that subscript of a dimension, from 0.
            RanksMine trueline_ranks_mine(handle: I64, dim: I64, subscript: I64) -> I32, External;
            /// Gives all ranks the greatest or the least of the values that they have at `place`, of the type with this code.
            RanksReduce trueline_ranks_reduce(place: Out, operation: I64, kind: I32, location: In) -> None, External;
            /// Gives the owners of an element a scalar, at `value`, that they alone compute then; whether this rank is one of them. `holders` are the ranks
            /// that have its value, as bits.
            RanksTurn trueline_ranks_turn(holders: Out, value: Out, bytes: I64, handle: I64, element: In, name: In, location: In) -> I32, External;
            /// Gives all ranks such a scalar.
            RanksAll trueline_ranks_all(holders: Out, value: Out, bytes: I64, name: In, location: In) -> None, External;
            /// Gives a variable that a nest changes to the next rank that has iterations of it, and the one of the last rank to all. It is a part of a
            /// message of `whole` bytes, `offset` bytes behind its start; the parts follow one another.
            RanksCarry trueline_ranks_carry(place: Out, bytes: I64, offset: I64, whole: I64, phase: I64, name: In, location: In) -> None, External;
            /// Stands where a directive gives the array whose first element is `base` another mapping, until `resolve` has made code of it: the
            /// number of the object, that of the object whose mapping decides, and pairs of numbers for each mapping of the latter.
            RanksRemap trueline_ranks_remap(base: Out, to: I64, from: I64, steps: In, numbers: I64) -> None, External;
            /// Announces another mapping of an array, with the arguments of `RanksMap`; it is valid from the next `RanksRemapped` on.
            /// Other procedures are to know if `is_shared`.
            RanksAnew trueline_ranks_anew(handle: I64, table: In, numbers: I64, bounds: In, is_shared: I32) -> None, External;
            /// Sends the elements of all arrays whose mapping was announced to their new owners.
            RanksRemapped trueline_ranks_remapped(location: In) -> None, External;
            /// Takes the mapping over that another procedure gave the array.
            RanksFollow trueline_ranks_follow(handle: I64) -> None, External;
            /// Ends the use of a mapped array.
            RanksEnd trueline_ranks_end(handle: I64) -> None, External;
            /// Asks for a mapped array of static memory, of `bytes` bytes: its handle, which is valid until the next call. The other arguments are those
            /// of `RanksMap`; `follows` says that directives may have given it another mapping.
            RanksKeep trueline_ranks_keep(table: In, numbers: I64, bounds: In, base: In, bytes: I64, name: In, follows: I32, location: In) -> I64, External;
            /// Gives all ranks the kept arrays in this memory, which is used in another way.
            RanksGather trueline_ranks_gather(base: Out, bytes: I64, location: In) -> None, External;
            /// Before a call of a procedure that does not ask for arrays of static memory.
            RanksLeave trueline_ranks_leave(location: In) -> None, External;
            /// Behind it.
            RanksBack trueline_ranks_back() -> None, External;
            /// Before a call: a mapped array is passed as an argument, `position` from 0, or -1 if not the whole of it alone. `asks` is 0 or the address of the word
            /// by which the callee says which arguments it asks for: those stay with their owners.
            RanksHand trueline_ranks_hand(asks: I64, position: I64, handle: I64, base: Out, location: In) -> None, External;
            /// Behind a call to which `count` mapped arrays were passed.
            RanksReturned trueline_ranks_returned(count: I64, location: In) -> None, External;
            /// Asks for a dummy argument that may have been handed over with its owners: a handle. The arguments are those of `RanksMap`.
            RanksTake trueline_ranks_take(table: In, numbers: I64, bounds: In, base: Out, name: In, location: In) -> I64, External;
            /// As `RanksTake`, of one with INHERIT: it keeps the owners that it has at the caller. The table says which it has if it was not handed over.
            RanksInherit trueline_ranks_inherit(table: In, numbers: I64, bounds: In, base: Out, name: In, location: In) -> I64, External;
            /// Before a call that may see a dummy argument by other ways: all ranks get all of it, unless it was handed over.
            RanksShow trueline_ranks_show(handle: I64, base: Out, location: In) -> None, External;
            /// Ends the use of a dummy argument.
            RanksLeft trueline_ranks_left(handle: I64, base: Out, location: In) -> None, External;
            /// Before a procedure that stores to an array of static memory is left.
            RanksDone trueline_ranks_done(base: Out, bytes: I64, location: In) -> None, External;
            /// The main program begins, which asks for arrays of static memory.
            RanksBegin trueline_ranks_begin() -> None, External;

            // Internal procedures as arguments.
            /// A closure of the procedure `code` with `size` values, as the address to call.
            ClosureNew trueline_closure_new(code: Opaque, size: I64) -> Opaque, External;
            /// Puts a value, often an address, into the environment of a closure; indices start at 0.
            ClosureBind trueline_closure_bind(closure: Opaque, index: I64, value: Opaque) -> None, External;
            /// Gives a closure back.
            ClosureFree trueline_closure_free(closure: Opaque) -> None, External;
            /// The environment with which the procedure was entered; asked for before anything else.
            ClosureEnvironment trueline_closure_environment() -> Opaque, External;
            /// Whether two addresses are of the same procedure with the same environment.
            ClosureSame trueline_closure_same(a: Opaque, b: Opaque) -> I32, External;

            /// Copies `bytes` bytes of neighbouring elements; the two places may overlap.
            CopyElements trueline_copy_elements(to: Out, from: In, bytes: I64) -> None, Pure;
            /// Sets neighbouring elements, `bytes` bytes in all, to the low `size` bytes of `value`.
            FillElements trueline_fill_elements(to: Out, value: I64, size: I64, bytes: I64) -> None, Pure;
            /// Adds the product of `a`, which is `rows` times `inner`, and `b` to the elements of `c`, whose rows are neighbours. The
            /// last five arguments are distances of rows and columns in elements.
            MultiplyR8 trueline_multiply_r8(c: Out, a: In, b: In, rows: I64, columns: I64, inner: I64, c_column: I64, a_row: I64, a_column: I64, b_row: I64, b_column: I64) -> None, Pure;
            /// As above for `REAL(4)`.
            MultiplyR4 trueline_multiply_r4(c: Out, a: In, b: In, rows: I64, columns: I64, inner: I64, c_column: I64, a_row: I64, a_column: I64, b_row: I64, b_column: I64) -> None, Pure;
            /// As [`Rt::MultiplyR8`], by the function `gemm` of the BLAS if there are as many products as in a cube with sides of `limit`.
            BlasR8 trueline_blas_r8(c: Out, a: In, b: In, rows: I64, columns: I64, inner: I64, c_column: I64, a_row: I64, a_column: I64, b_row: I64, b_column: I64, gemm: Opaque, limit: I64) -> None, Pure;
            /// As above for `REAL(4)`.
            BlasR4 trueline_blas_r4(c: Out, a: In, b: In, rows: I64, columns: I64, inner: I64, c_column: I64, a_row: I64, a_column: I64, b_row: I64, b_column: I64, gemm: Opaque, limit: I64) -> None, Pure;
            /// Sets `to` to the transposed matrix `from`. Elements have `size` bytes, rows are neighbours; distances of columns are in elements.
            Transpose trueline_transpose(to: Out, from: In, size: I64, rows: I64, columns: I64, to_column: I64, from_column: I64) -> None, Pure;

            // Elementary functions of blocks: `x` may be `to`.
            /// EXP of `count` numbers.
            ExpR8 trueline_exp_r8(to: Out, x: In, count: I64) -> None, Pure;
            /// LOG of `count` numbers.
            LogR8 trueline_log_r8(to: Out, x: In, count: I64) -> None, Pure;
            /// SIN of `count` numbers.
            SinR8 trueline_sin_r8(to: Out, x: In, count: I64) -> None, Pure;
            /// COS of `count` numbers.
            CosR8 trueline_cos_r8(to: Out, x: In, count: I64) -> None, Pure;
            /// `x**y` of `count` numbers; there is one exponent for all if `is_one` is not 0.
            PowR8 trueline_pow_r8(to: Out, x: In, y: In, is_one: I32, count: I64) -> None, Pure;
            /// EXP of `count` numbers, off by a unit of the last place at most.
            ApproxExpR8 trueline_approx_exp_r8(to: Out, x: In, count: I64) -> None, Pure;
            /// LOG of `count` numbers, off by a unit of the last place at most.
            ApproxLogR8 trueline_approx_log_r8(to: Out, x: In, count: I64) -> None, Pure;
            /// SIN of `count` numbers, off by two units of the last place at most.
            ApproxSinR8 trueline_approx_sin_r8(to: Out, x: In, count: I64) -> None, Pure;
            /// COS of `count` numbers, off by two units of the last place at most.
            ApproxCosR8 trueline_approx_cos_r8(to: Out, x: In, count: I64) -> None, Pure;
            /// `x**y` of `count` numbers, off by a unit of the last place at most.
            ApproxPowR8 trueline_approx_pow_r8(to: Out, x: In, y: In, is_one: I32, count: I64) -> None, Pure;

            // Characters. Every length is in bytes.
            /// Assignment of characters with padding and truncation; the two may overlap.
            CharAssign trueline_char_assign(to: Out, to_len: I64, from: In, from_len: I64) -> None, Pure;
            /// Comparison with blank padding: negative, zero or positive.
            CharCompare trueline_char_compare(a: In, a_len: I64, b: In, b_len: I64) -> I32, Pure;
            /// INDEX(string, substring, back).
            CharIndex trueline_char_index(s: In, s_len: I64, sub: In, sub_len: I64, back: I32) -> I64, Pure;
            /// SCAN(string, set, back).
            CharScan trueline_char_scan(s: In, s_len: I64, set: In, set_len: I64, back: I32) -> I64, Pure;
            /// VERIFY(string, set, back).
            CharVerify trueline_char_verify(s: In, s_len: I64, set: In, set_len: I64, back: I32) -> I64, Pure;
            /// LEN_TRIM(string).
            CharLenTrim trueline_char_len_trim(s: In, s_len: I64) -> I64, Pure;
            /// ADJUSTL(string) into `to`, which is as long.
            CharAdjustl trueline_char_adjustl(to: Out, s: In, s_len: I64) -> None, Pure;
            /// ADJUSTR(string) into `to`, which is as long.
            CharAdjustr trueline_char_adjustr(to: Out, s: In, s_len: I64) -> None, Pure;
            /// REPEAT(string, count) into `to`, which holds `s_len * count` bytes.
            CharRepeat trueline_char_repeat(to: Out, s: In, s_len: I64, count: I64) -> None, Pure;

            // Input and output; the protocol is in `io`.
            /// Sets the defaults of OPEN: whether bytes are swapped, the size of record markers and the most bytes
            /// between them; and the flags of `io`.
            IoDefaults trueline_io_defaults(swap: I32, marker: I32, subrecord: I64, flags: I32) -> None, External;
            /// Sets the floating-point exceptions that end the program, and the exceptions that it reports when it stops: sums
            /// of the flags of `exceptions`.
            FloatExceptions trueline_float_exceptions(trap: I32, summary: I32) -> None, External;
            /// Opens an input/output statement. `location` is `file:line`, NUL-terminated.
            IoBegin trueline_io_begin(op: I32, location: In) -> None, External;
            /// Passes an integer specifier.
            IoInt trueline_io_int(spec: I32, value: I64) -> None, External;
            /// Passes a character specifier.
            IoStr trueline_io_str(spec: I32, text: In, len: I64) -> None, External;
            /// Passes a variable to be defined by the statement; `code` is a `TypeCode`, `len` its character length.
            IoOut trueline_io_out(spec: I32, variable: Out, code: I32, len: I64) -> None, External;
            /// All specifiers are known: the statement begins.
            IoStart trueline_io_start() -> None, External;
            /// Names an object of a NAMELIST group: lower bound, number of elements and distance in bytes of each of
            /// `rank` dimensions are in `dims`. Either the next item call passes its first element, or its
            /// components follow, named `object%component`, each with its own dimensions.
            IoObject trueline_io_object(name: In, len: I64, dims: In, rank: I32) -> None, External;
            /// PAUSE with an integer code.
            PauseInt trueline_pause_int(code: I64) -> None, External;
            /// PAUSE without a code, or with text.
            PauseText trueline_pause_text(text: In, len: I64) -> None, External;
            /// Writes one item.
            IoPut trueline_io_put(item: In, code: I32, len: I64) -> None, External;
            /// Writes `count` items, `stride` bytes apart.
            IoPutArray trueline_io_put_array(items: In, code: I32, len: I64, count: I64, stride: I64) -> None, External;
            /// Reads one item.
            IoGet trueline_io_get(item: Out, code: I32, len: I64) -> None, External;
            /// Reads `count` items, `stride` bytes apart.
            IoGetArray trueline_io_get_array(items: Out, code: I32, len: I64, count: I64, stride: I64) -> None, External;
            /// Whether an error or the end of the file has kept items from being read.
            IoFails trueline_io_fails() -> I32, External;
            /// Ends the statement; returns one of `IO_OK`, `IO_ERR`, `IO_END`, `IO_EOR`.
            IoFinish trueline_io_finish() -> I32, External;

            // Numbers.
            /// `base ** exponent` for integers, Fortran's result for negative exponents.
            PowI64 trueline_pow_i64(base: I64, exponent: I64) -> I64, Pure;
            /// `base ** exponent` with an integer exponent, multiplied as libgcc's `__powidf2` does.
            PowiF64 trueline_powi_f64(base: F64, exponent: I32) -> F64, Pure;
            /// As above for `REAL(4)`.
            PowiF32 trueline_powi_f32(base: F32, exponent: I32) -> F32, Pure;
            /// `base ** exponent` with an `INTEGER(8)` exponent, multiplied as libgfortran does.
            PowLongF64 trueline_pow_long_f64(base: F64, exponent: I64) -> F64, Pure;
            /// As above for `REAL(4)`.
            PowLongF32 trueline_pow_long_f32(base: F32, exponent: I64) -> F32, Pure;
            /// The sum over `i = lo, hi, step` of the trip counts of `j = a0 + a1*i, b0 + b1*i, inner`:
            /// the closed form behind the count of a triangular nest. `nest` is the address of these numbers, in this order; the sum
            /// replaces the first.
            SumTrips trueline_sum_trips(nest: Opaque) -> None, External;

            /// Adds `times` entries for each term of that sum to the cells of a histogram of trips: its 65 buckets, the highest first,
            /// minimum and maximum. `nest` is the address of the numbers and of `times`.
            SpreadTrips trueline_spread_trips(cells: Opaque, nest: Opaque) -> None, External;

            // The profile (HPF profiling paper, table 1). `record` is a `Record`, cached in the caller's data.
            /// Begins the initialization phase; `record` is that of the program.
            StartProfile trueline_start_profile(name: In, record: Opaque) -> None, External;
            /// Ends the profile: cleanup phase, the file is written.
            EndProfile trueline_end_profile() -> None, External;
            /// Enters a procedure; updates the caller-callee table.
            StartProcedure trueline_start_procedure(name: In, record: Opaque) -> None, External;
            /// Leaves the procedure on top of the stack.
            EndProcedure trueline_end_procedure() -> None, External;
            /// Enters a loop; `entry` tells whether this area counts the invocation.
            StartLoop trueline_start_loop(name: In, record: Opaque, entry: I32) -> None, External;
            /// Leaves the loop on top of the stack.
            EndLoop trueline_end_loop() -> None, External;
            /// Counts an iteration of the loop on top of the stack.
            IncrLoop trueline_incr_loop() -> None, External;
            /// Enters a region.
            StartRegion trueline_start_region(name: In, record: Opaque, entry: I32) -> None, External;
            /// Leaves the region on top of the stack.
            EndRegion trueline_end_region() -> None, External;
            /// Counts an evaluation of a logical IF and, if `value` is not 0, that it was taken.
            StartLogIf trueline_start_log_if(name: In, record: Opaque, value: I32) -> None, External;
            /// Counts an evaluation of an arithmetic IF and which arm the sign of `value` takes.
            StartArithIf trueline_start_arith_if(name: In, record: Opaque, value: I32) -> None, External;

            // Time, random numbers, command line.
            /// CPU_TIME in seconds.
            CpuTime trueline_cpu_time() -> F64, External;
            /// SYSTEM_CLOCK: the count in ticks of 1 ns (kind 8) or 1 ms (kind 4); `kind` is 4 or 8.
            SystemClock trueline_system_clock(kind: I32) -> I64, External;
            /// DATE_AND_TIME; an absent argument is null with length 0. `values` has eight `INTEGER(4)`.
            DateAndTime trueline_date_and_time(date: Out, date_len: I64, time: Out, time_len: I64, zone: Out, zone_len: I64, values: Out) -> None, External;
            /// RANDOM_NUMBER of `count` items of `code` (`R4`, `R8` or `R16`), `stride` bytes apart.
            RandomNumber trueline_random_number(to: Out, code: I32, count: I64, stride: I64) -> None, External;
            /// RANDOM_SEED; a null argument is absent. `n` is the length of `put` and `get`.
            RandomSeed trueline_random_seed(size: Out, put: In, get: Out, n: I64) -> None, External;
            /// COMMAND_ARGUMENT_COUNT().
            ArgumentCount trueline_argument_count() -> I32, External;
            /// GET_COMMAND_ARGUMENT: returns the length, or -1 when there is no such argument.
            ArgumentGet trueline_argument_get(number: I64, to: Out, len: I64) -> I64, External;
        }
    };
}

macro_rules! result {
    (None) => {
        None
    };
    ($ty:ident) => {
        Some(Abi::$ty)
    };
}

macro_rules! table {
    ($($(#[$doc:meta])* $name:ident $symbol:ident($($param:ident: $ty:ident),*) -> $result:ident, $effect:ident;)*) => {
        /// A function of the runtime.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        pub enum Rt {
            $($(#[$doc])* $name,)*
        }

        impl Rt {
            /// Every function, in the order of the table.
            pub const ALL: &'static [Rt] = &[$(Rt::$name),*];

            /// The signature of this function.
            pub fn signature(self) -> Signature {
                match self {
                    $(Rt::$name => Signature {
                        symbol: stringify!($symbol),
                        params: &[$((stringify!($param), Abi::$ty)),*],
                        result: result!($result),
                        effect: Effect::$effect,
                    },)*
                }
            }
        }
    };
}

for_each_runtime_function!(table);

impl Rt {
    /// The function whose symbol is `trueline_` followed by `name`: how the text format of the IR
    /// names it.
    pub fn by_name(name: &str) -> Option<Rt> {
        Rt::ALL.iter().copied().find(|f| f.name() == name)
    }

    /// Whether it ends the program with the message of a check, and touches no memory of the program.
    pub fn is_fault(self) -> bool {
        matches!(self, Rt::Fault | Rt::LongFault | Rt::WrongArgument)
    }

    /// The symbol without its prefix.
    pub fn name(self) -> &'static str {
        let symbol = self.signature().symbol;
        symbol.strip_prefix("trueline_").unwrap_or(symbol)
    }
}
