# One line a job: the lines that are run by hand and by CI. `make simulate` needs nothing but Python 3.11 or newer.
PYTHON ?= python3
BIN := .venv/bin
BENCH ?= --starts
PYTHONS ?= $(PYTHON)
.PHONY: simulate test check oracle bench reports fuzz drills installs

simulate: .venv/ready ; $(BIN)/llsim simulate
test: .venv/ready ; $(BIN)/python -m pytest -n 2
check: .venv/ready ; $(BIN)/ruff check . && $(BIN)/mypy && $(BIN)/lint-imports --no-logo
oracle: .venv/ready ; $(BIN)/python scripts/oracle.py
bench: .venv/ready ; $(BIN)/python scripts/bench.py $(BENCH)
fuzz: .venv/ready ; LLSIM_FUZZ=100000 $(BIN)/python -m pytest tests/test_hostile.py tests/test_hostile_folders.py
drills: .venv/ready ; $(BIN)/python scripts/drills.py
installs: .venv/ready ; $(BIN)/python scripts/installs.py $(PYTHONS)
reports: .venv/ready ; $(BIN)/python scripts/make_reports.py && $(BIN)/python scripts/make_readme.py

.venv/ready: pyproject.toml constraints.txt ; $(PYTHON) -m venv .venv && $(BIN)/python -m pip install --quiet --constraint constraints.txt --editable '.[dev]' && touch $@
