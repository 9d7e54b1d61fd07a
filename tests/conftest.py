"""What tests share: steady examples drawn by hypothesis, and a shell in which `llsim` is this package."""

import os
import sys
from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("steady", derandomize=True, deadline=None)
settings.load_profile("steady")

ROOT = Path(__file__).parent.parent


@pytest.fixture
def shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder, entered, in which `llsim` is this package."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bin").mkdir()
    program = tmp_path / "bin" / "llsim"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m lostlegacy_sim "$@"\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    return tmp_path
