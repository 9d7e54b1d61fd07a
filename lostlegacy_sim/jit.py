"""The one door to numba: @kernel, @inlined, record types, bit counts, callbacks, the cache folder.

Compiled code is cached in a folder named by a hash of the sources it comes from, so that a change in
any of them can never be answered by stale machine code. `LLSIM_CACHE_DIR` moves it; where no folder can be
written, everything is compiled anew in memory.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import stat
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, BinaryIO

try:
    import fcntl
except ImportError:  # not on every system; there each process compiles for itself
    fcntl = None  # type: ignore[assignment]

import numba
from llvmlite import ir
from numba import types
from numba.core import caching, cgutils, codegen
from numba.core import ir as numba_ir
from numba.extending import intrinsic

from lostlegacy_sim import identity

if "scipy.linalg" not in sys.modules:  # numba would import it to see if it is there, which makes every start slow
    sys.modules["scipy.linalg"] = None  # type: ignore[assignment]
    import numba.np.arraymath

    del sys.modules["scipy.linalg"]


# Whatever is laid into a kernel is copied block by block, and numba copies the scope with every block, all variables of the
# function in it: a hundred megabytes of copies that nobody reads.
numba_ir.Scope.__deepcopy__ = lambda scope, memo: scope


PRIVATE, PRIVATE_FILE = 0o700, 0o600  # of a folder and of a file: nobody else reads or writes in it
SAID = "LLSIM_CACHE_SAID"  # set for child processes, which need not say again why there is no cache


def is_own_group(number: int) -> bool:
    """Whether a group has nobody in it but this user, as each user has one on many systems."""
    try:
        import grp
        import pwd

        user, group = pwd.getpwuid(os.getuid()), grp.getgrgid(number)
    except (ImportError, KeyError):
        return False
    return user.pw_gid == number and group.gr_name == user.pw_name and set(group.gr_mem) <= {user.pw_name}


def sources_hash() -> str:
    """Hash of what can change the compiled code: whatever decides counts, of all games, and the compiler."""
    digest = hashlib.sha256(f"{numba.__version__} {sys.version}".encode())
    for name, path in identity.compiled_files():
        data = path.read_bytes()
        digest.update(f"{name} {len(data)}\n".encode() + data)
    return digest.hexdigest()[:16]


def cache_home() -> Path:
    """The folder for things that can be made again: compiled code, checked bots, the last result."""
    named = os.environ.get("LLSIM_CACHE_DIR")
    if named:
        return Path(named)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "lostlegacy_sim"


def _open_cache() -> Path | None:
    """The cache folder of these sources, writable by us and by nobody else, or None. No link is on the way to it that could be led elsewhere."""
    try:
        folder = cache_home().resolve() / f"compiled-{sources_hash()}"
        for path in [*reversed([parent for parent in folder.parents if not parent.exists()]), folder]:
            path.mkdir(exist_ok=True, mode=PRIVATE)
        folder = folder.resolve()
        if who := who_else_writes(folder):
            tell(f"{who}: compiled code is run as it lies there, so the folder is not used and everything is compiled anew. "
                 "Take the right to write from others, or name another folder with LLSIM_CACHE_DIR.")  # fmt: skip
            return None
        with tempfile.TemporaryFile(dir=folder):
            return folder
    except (OSError, RuntimeError):  # RuntimeError: no home folder is known
        return None


def tell(sentence: str) -> None:
    """Say on standard error why something of the cache is not used: once, also for the processes that this one starts."""
    if not os.environ.get(SAID):
        print(sentence, file=sys.stderr)
    os.environ[SAID] = "1"


def who_else_writes(place: Path) -> str:
    """Who else could write into a file or folder, or put another one in its place, in words; "" if nobody could. Raises OSError.

    Of the folders above it one may be open to all, as /tmp is, if each may move only what is its own there.
    """
    place = place.resolve()
    what = "cache folder" if place.is_dir() else "file"
    for path in (place, *place.parents):
        found = path.stat()
        if is_anothers(found):
            return f"The {what} {place} lies in {path}, which belongs to another user" if path != place else f"The {what} {place} belongs to another user"
        is_shared_well = path != place and found.st_mode & stat.S_ISVTX
        if others_write(found) and not is_shared_well:
            return f"Others may write into {path}" + (", where the cache folder is" if what == "cache folder" else "")
    return ""


def is_anothers(found: os.stat_result) -> bool:
    """Whether a file or folder belongs to somebody else; not told on a system without such rights."""
    return hasattr(os, "getuid") and found.st_uid not in {0, os.getuid()}


def others_write(found: os.stat_result) -> bool:
    """Whether somebody else may write into a file or folder; not told on a system without such rights."""
    others = stat.S_IWOTH if not found.st_mode & stat.S_IWGRP or is_own_group(found.st_gid) else stat.S_IWGRP | stat.S_IWOTH
    return hasattr(os, "getuid") and bool(found.st_mode & others)


def make_private(folder: Path) -> None:
    """Take the rights from all others, whatever is usual here. Raises OSError."""
    for path in (folder, *folder.rglob("*")):
        path.chmod(PRIVATE if path.is_dir() else PRIVATE_FILE)


LOCK_SECONDS = 600
CACHE = _open_cache()
if CACHE is not None:
    numba.config.CACHE_DIR = str(CACHE)
numba.config.SLP_VECTORIZE = 1  # the bots of the house are a fifteenth faster with it

DIGEST = 32  # bytes of a SHA-256


class SealedCacheFile(caching.IndexDataCacheFile):
    """numba's files of machine code, each behind its SHA-256: a damaged one is as good as none and is made anew.

    Without it numba unpickles, or even runs, whatever the file has become.
    """

    def _load_index(self) -> dict[Any, str]:
        try:
            version, stamp, overloads = pickle.loads(unsealed(Path(self._index_path)))
        except OSError:
            return {}
        return overloads if (version, stamp) == (self._version, self._source_stamp) else {}

    def _save_index(self, overloads: dict[Any, str]) -> None:
        with self._open_for_write(self._index_path) as file:
            close_to_others(file)
            file.write(sealed(self._dump((self._version, self._source_stamp, overloads))))

    def _load_data(self, name: str) -> Any:
        return pickle.loads(unsealed(Path(self._data_path(name))))

    def _save_data(self, name: str, data: Any) -> None:
        with self._open_for_write(self._data_path(name)) as file:
            close_to_others(file)
            file.write(sealed(self._dump(data)))


def close_to_others(file: BinaryIO) -> None:
    """Take the rights to a file that is being written from all others, whatever is usual here."""
    if hasattr(os, "fchmod"):
        os.fchmod(file.fileno(), PRIVATE_FILE)


def sealed(data: bytes) -> bytes:
    """The data behind their checksum."""
    return hashlib.sha256(data).digest() + data


def unsealed(path: Path) -> bytes:
    """What a sealed file holds. Raises OSError if it cannot be read, others may write it, or it does not match its checksum."""
    with path.open("rb") as file:
        found = os.fstat(file.fileno())
        if is_anothers(found) or others_write(found) or others_write(path.parent.stat()):
            tell(f"Others may write into {path}: compiled code is run as it lies there, so this is not used and compiled anew.")
            raise OSError(f"{path} may be somebody else's")
        data = file.read()
    if hashlib.sha256(data[DIGEST:]).digest() != data[:DIGEST]:
        raise OSError(f"{path} is damaged")
    return data[DIGEST:]


def _cache_file(cache_path: str, filename_base: str, source_stamp: Any) -> Any:
    """The files of one function: sealed in our folder, numba's own elsewhere."""
    is_ours = CACHE is not None and Path(cache_path).is_relative_to(CACHE)
    return (SealedCacheFile if is_ours else _PLAIN_CACHE_FILE)(cache_path, filename_base, source_stamp)


_PLAIN_CACHE_FILE = caching.IndexDataCacheFile
caching.IndexDataCacheFile = _cache_file


def _serialized(library: Any) -> Any:
    """What the cache keeps of compiled code. The module it was made from is let go: callers are given a copy of it."""
    data = _SERIALIZE(library)
    if library._final_module is not library._shared_module:
        library._codegen._engine._ee.remove_module(library._final_module)
        library._final_module.close()
        library._final_module = library._shared_module
    return data


_SERIALIZE = codegen.CPUCodeLibrary.serialize_using_object_code
codegen.CPUCodeLibrary.serialize_using_object_code = _serialized
# What cannot be read is compiled, what cannot be written is compiled again the next time.
caching.Cache._guard_against_spurious_io_errors = lambda cache: suppress(OSError)


@contextmanager
def fill_cache_once(work: object) -> Iterator[bool]:
    """Yields whether the cache may lack some work, which is then to be done inside: of many processes one does it, the others wait.

    `work` says what it is; other work may go on at the same time. Who has waited LOCK_SECONDS waits no longer.
    """
    filled = CACHE and CACHE / f"filled-{hashlib.sha256(repr(work).encode()).hexdigest()[:16]}"
    try:
        lock = None if filled is None or filled.exists() else filled.with_name(f"lock-{filled.name}").open("wb")
    except OSError:
        lock = None
    if filled is None or lock is None:
        yield False
        return
    with lock:
        wait_for_turn(lock, filled)
        yield not filled.exists()
        with suppress(OSError):
            filled.touch()


def wait_for_turn(lock: BinaryIO, filled: Path) -> None:
    """Return when the lock is ours (until it is closed), when the work is done, or after LOCK_SECONDS."""
    end = time.monotonic() + LOCK_SECONDS
    while fcntl is not None and time.monotonic() < end and not filled.exists():
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return
        except BlockingIOError:
            time.sleep(0.1)
        except OSError:  # a file system that knows no locks
            return


_OPTIONS: dict[str, Any] = {
    "nogil": True,
    "cache": CACHE is not None,
    "error_model": "numpy",
    "no_cfunc_wrapper": True,  # no C calls them: a third of the compile time
}


def kernel(function: Any) -> Any:
    """Compile a function of the core: no Python objects, the GIL released, cached on disk."""
    return numba.njit(**_OPTIONS)(function)


def inlined(function: Any) -> Any:
    """As `kernel`, laid into its callers, which are kernels: for what runs at every turn."""
    return numba.njit(inline="always", **_OPTIONS)(function)


@intrinsic
def out_of_line(typing_context: Any) -> Any:
    """Said inside a kernel: never lay it into its callers, and its records do not overlap.

    The first keeps rare code out of the hot loop and compiling short; the second lets values stay in
    registers between a write to one record and a read from another.
    """

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        builder.function.attributes.discard("alwaysinline")
        builder.function.attributes.add("noinline")
        for argument in builder.function.args:
            if isinstance(argument.type, ir.PointerType):
                argument.add_attribute("noalias")
        return context.get_dummy_value()

    return types.none(), build


@intrinsic
def on_stack(typing_context: Any, record: Any) -> Any:
    """A record of this type (see `record_type`) with anything in it; it lives until the kernel that asks for it returns."""

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        layout = ir.ArrayType(ir.IntType(64), (signature.return_type.size + 7) // 8)
        with builder.goto_entry_block():
            place = builder.alloca(layout)
        return builder.bitcast(place, context.get_value_type(signature.return_type))

    return record.instance_type(record), build


def record_type(dtype: Any) -> Any:
    """The compiled type of one record of a numpy dtype."""
    return numba.from_dtype(dtype)


@intrinsic
def lowest_bit(typing_context: Any, mask: Any) -> Any:
    """Number of the lowest set bit of a uint64 (undefined for 0)."""

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], context.get_constant(types.boolean, True))

    return types.int64(types.uint64), build


@intrinsic
def fold(typing_context: Any, first: Any, second: Any) -> Any:
    """Both halves of the 128-bit product of two uint64, xored."""

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        wide = ir.IntType(128)
        product = builder.mul(*(builder.zext(argument, wide) for argument in arguments))
        high = builder.trunc(builder.lshr(product, ir.Constant(wide, 64)), ir.IntType(64))
        return builder.xor(high, builder.trunc(product, ir.IntType(64)))

    return types.uint64(types.uint64, types.uint64), build


def stack_of_floats(n: int) -> Any:
    """A kernel without arguments: n float64 of the function that calls it, to be indexed; they hold anything at first.

    An array would be allocated on the heap and counted.
    """

    @intrinsic
    def table(typing_context: Any) -> Any:
        def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return cgutils.alloca_once(builder, ir.DoubleType(), size=n)

        return types.CPointer(types.float64)(), build

    return table


def stack_of_words(n: int) -> Any:
    """As `stack_of_floats`, n uint64."""

    @intrinsic
    def table(typing_context: Any) -> Any:
        def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return cgutils.alloca_once(builder, ir.IntType(64), size=n)

        return types.CPointer(types.uint64)(), build

    return table


@intrinsic
def words_of(typing_context: Any, record: Any) -> Any:
    """A record as uint64 to be indexed, whatever they mean; its length is not known."""

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.bitcast(arguments[0], ir.IntType(64).as_pointer())

    return types.CPointer(types.uint64)(record), build


# --- the bytes of a record's array as one vector: LLVM does not find this form in a loop by itself ------------


class _Bytes:
    """The bytes of an array in a record, 64 at most, while code for them is built."""

    def __init__(self, context: Any, builder: Any, array: Any, value: Any) -> None:
        self.builder, self.n = builder, array.shape[0]
        self.form = ir.VectorType(ir.IntType(8), self.n)
        data = context.make_array(array)(context, builder, value).data
        self.place = builder.bitcast(data, self.form.as_pointer())

    def load(self) -> Any:
        """All bytes."""
        return self.builder.load(self.place, align=1)

    def filled(self, byte: Any) -> Any:
        """The same byte in every place."""
        nothing, first = ir.Constant(self.form, ir.Undefined), ir.Constant(ir.IntType(32), 0)
        one = self.builder.insert_element(nothing, self.builder.trunc(byte, ir.IntType(8)), first)
        return self.builder.shuffle_vector(one, nothing, ir.Constant(ir.VectorType(ir.IntType(32), self.n), [0] * self.n))


@intrinsic
def equal_bytes(typing_context: Any, array: Any, byte: Any) -> Any:
    """Which bytes of a record's array, 64 at most, equal this one: bit i of the uint64 speaks of array[i]."""

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        there = _Bytes(context, builder, array, arguments[0])
        equal = builder.icmp_unsigned("==", there.load(), there.filled(arguments[1]))
        return builder.zext(builder.bitcast(equal, ir.IntType(there.n)), ir.IntType(64))

    return types.uint64(array, types.int64), build


@intrinsic
def copy_marked_bytes(typing_context: Any, target: Any, source: Any, marks: Any, mark: Any) -> Any:
    """target[i] = source[i] where marks[i] has a bit of `mark`, else 0: for arrays of records, all of the same size."""

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        to, of, marked = (_Bytes(context, builder, array, value) for array, value in zip(signature.args, arguments[:3], strict=False))
        is_marked = builder.icmp_unsigned("!=", builder.and_(marked.load(), marked.filled(arguments[3])), ir.Constant(marked.form, None))
        builder.store(builder.select(is_marked, of.load(), ir.Constant(of.form, None)), to.place, align=1)
        return context.get_dummy_value()

    return types.none(target, source, marks, types.int64), build


@intrinsic
def count_bits(typing_context: Any, mask: Any) -> Any:
    """Number of set bits of a uint64."""

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.int64(types.uint64), build


def callback(*records: Any) -> Any:
    """The signature of a callback that takes these records and returns an int64."""
    return types.int64(*records)


@intrinsic
def call_back(typing_context: Any, address: Any, first: Any, second: Any, third: Any, fourth: Any) -> Any:
    """Call the C callback at this address with four records; a bot plugs into the cached kernel this way."""

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        records = list(arguments[1:])
        function_type = ir.FunctionType(ir.IntType(64), [record.type for record in records])
        function = builder.inttoptr(arguments[0], function_type.as_pointer())
        return builder.call(function, records)

    return types.int64(types.int64, first, second, third, fourth), build


@intrinsic
def address_of(typing_context: Any, function: Any, first: Any, second: Any, third: Any, fourth: Any) -> Any:
    """The address of a kernel of four records as a C callback, for a kernel that lets another one be called back.

    Only the types of the records count. The address is filled in when the code is loaded, so the caller can be cached.
    """
    records = (first, second, third, fourth)
    function.dispatcher.get_call_template(records, {})  # compiles it, as a call would

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        compiled = function.dispatcher.overloads[records]
        context.add_linking_libs((compiled.library,))
        form = ir.FunctionType(ir.IntType(64), [context.get_value_type(record) for record in records])
        name = f"callback.{compiled.fndesc.mangled_name}"
        wrapper = builder.module.globals.get(name) or ir.Function(builder.module, form, name)
        if wrapper.is_declaration:
            wrapper.linkage = "internal"
            inside = ir.IRBuilder(wrapper.append_basic_block())
            inner = context.declare_function(builder.module, compiled.fndesc)
            _, result = context.call_conv.call_function(inside, inner, types.int64, records, wrapper.args)
            inside.ret(result)
        return builder.ptrtoint(wrapper, ir.IntType(64))

    return types.int64(function, *records), build


def compile_callback(function: Any, signature: Any, cache: bool = False) -> Any:
    """A jitted or plain function as a C callback; keep it alive as long as its `.address` is in use.

    `cache`: keep the machine code beside the kernel's, for a function from a file that never changes.
    """
    return numba.cfunc(signature, cache=cache and CACHE is not None)(getattr(function, "py_func", function))


def check_bounds() -> None:
    """From now on, compile with bounds checks: for a process that tries a user's bot."""
    numba.config.BOUNDSCHECK = 1


def check_bounds_of(function: Any) -> None:
    """Have a jitted function that is not compiled yet raise if an index leaves its array."""
    function.targetoptions["boundscheck"] = True


def compile_for_trial(function: Any, signature: Any) -> tuple[Any, Any]:
    """A jitted or plain function compiled for these arguments, uncached, and the type it returns.

    Whatever its decorator says, it is compiled as the kernel needs it: without Python objects.
    """
    compiled = numba.njit(boundscheck=True)(getattr(function, "py_func", function))
    compiled.compile(signature.args)
    return compiled, compiled.nopython_signatures[-1].return_type


def is_whole_number(numba_type: Any) -> bool:
    """Whether a compiled type holds whole numbers (bool does not count)."""
    return isinstance(numba_type, types.Integer)
