"""Compiler: whether numba makes machine code here, without which no deal can be played."""

from __future__ import annotations

import numba

from lostlegacy_sim.errors import UsageError


def need_compiler() -> None:
    """Raises UsageError if numba was told to compile nothing."""
    if numba.config.DISABLE_JIT:  # type: ignore[attr-defined]
        raise UsageError("NUMBA_DISABLE_JIT is set, so nothing is compiled and no deal can be played. Write `unset NUMBA_DISABLE_JIT` (or take "
                         "disable_jit out of .numba_config.yaml), and ask again. What is kept can be looked at all the same.")  # fmt: skip
