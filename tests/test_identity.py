"""Which code counts: every file of the package decides counts and is in the identity, or decides none and stands in a list with a reason."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import fake_game
import pytest
from fake_game import FAKE, ask

import lostlegacy_sim
from lostlegacy_sim import identity as identity_module
from lostlegacy_sim.checkpoint import Checkpoint, Checkpointed
from lostlegacy_sim.errors import ResultError
from lostlegacy_sim.identity import ASIDE, PACKAGE, Identity, counting_files, difference, identity_of
from lostlegacy_sim.pieces import ForeignError
from lostlegacy_sim.result import load
from lostlegacy_sim.run_folder import Part, begin, reopen
from lostlegacy_sim.runner import HERE, play

# What decides no count, and why.
SILENT = {
    "__init__.py": "the public names",
    "__main__.py": "starts the command line",
    "anytime.py": "intervals of counts",
    "arrays.py": "reads what is kept",
    "checkpoint.py": "keeps pieces",
    "cli/": "asks and prints",
    "destination.py": "keeps answers",
    "disk.py": "writes files",
    "errors.py": "sentences",
    "estimate.py": "intervals of counts",
    "identity.py": "says who counts",
    "journal.py": "keeps pieces",
    "letters.py": "characters that may be shown",
    "notebook/": "asks in Python",
    "plain.py": "reads what is kept",
    "py.typed": "a mark for type checkers",
    "report/": "shows answers",
    "result.py": "keeps results",
    "run_folder.py": "keeps runs",
    "solving/": "solves games that are written out",
    "stats/": "intervals of counts",
    "studies/": "experiments out of questions, answers out of counts",
}


def silent(name: str) -> bool:
    """Whether a file is in the list above, in a game's room that decides no count, or belongs to another game."""
    parts = name.split("/")
    if parts[0] == "games" and len(parts) > 2:
        return parts[1] != "lost_legacy" or parts[2] in ASIDE
    return name in SILENT or f"{parts[0]}/" in SILENT


def test_every_file_of_the_package_is_on_one_of_the_two_sides():
    counting = {path.relative_to(PACKAGE).as_posix() for path in counting_files("lost_legacy")}
    every = {path.relative_to(PACKAGE).as_posix() for path in PACKAGE.rglob("*") if path.is_file() and "__pycache__" not in path.parts}
    assert {name for name in every - counting if not silent(name)} == set()
    assert {name for name in counting if silent(name)} == set()


def test_weights_and_cards_are_in_it():
    names = {path.name for path in counting_files("lost_legacy")}
    assert {"trained.json", "starship.toml", "rules.py", "careful.py", "jit.py"} <= names


# --- in a copy of the package --------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def copied(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a copy of the package."""
    home = tmp_path_factory.mktemp("copied")
    shutil.copytree(PACKAGE, home / "lostlegacy_sim", ignore=shutil.ignore_patterns("__pycache__"))
    return home


def identity_there(home: Path, game: str = "lost_legacy") -> Identity:
    """The identity as the copy says it."""
    code = f"import json; from lostlegacy_sim.identity import identity_of; print(json.dumps(identity_of({game!r}).to_plain()))"
    said = subprocess.run([sys.executable, "-P", "-c", code], env={"PYTHONPATH": str(home)}, capture_output=True, check=True)
    return Identity.from_plain(json.loads(said.stdout))


def test_a_copy_counts_the_same(copied):
    assert identity_there(copied) == identity_of("lost_legacy")


@pytest.mark.parametrize(("changed", "room"), [
    ("games/lost_legacy/bots/trained/trained.json", "lost_legacy/bots/trained"),
    ("games/lost_legacy/bots/quick/careful.py", "lost_legacy/bots/quick"),
    ("games/lost_legacy/cards/sets/starship.toml", "lost_legacy/cards/sets"),
    ("rng.py", "shared"),
])  # fmt: skip
def test_a_change_is_seen_and_named(copied, changed, room):
    path = copied / "lostlegacy_sim" / changed
    plain = path.read_bytes()
    path.write_bytes(plain + b"\n")
    try:
        other = identity_there(copied)
    finally:
        path.write_bytes(plain)
    version = lostlegacy_sim.__version__
    assert difference(other.to_plain(), identity_of("lost_legacy")) == f"lostlegacy_sim {version} with other files in {room} than are here"


def test_a_change_of_one_game_is_no_change_of_another(copied):
    before = identity_there(copied, "another")
    (copied / "lostlegacy_sim/games/another").mkdir()
    (copied / "lostlegacy_sim/games/another/rules.py").write_text("RULES = 1\n")
    assert identity_there(copied) == identity_of("lost_legacy")
    assert identity_there(copied, "another") != before


def test_a_change_of_a_screen_is_none(copied):
    path = copied / "lostlegacy_sim/report/screen.py"
    path.write_bytes(path.read_bytes() + b"\n")
    assert identity_there(copied) == identity_of("lost_legacy")


# --- wherever counts of two origins would meet -----------------------------------------------------------------


@pytest.fixture
def other_code(monkeypatch: pytest.MonkeyPatch) -> None:
    """From now on this is a package with other weights."""
    mine = identity_of("fake")
    other = Identity(mine.version, (*mine.rooms, ("fake/weights", "0123456789ab")))
    for module in ("run_folder", "checkpoint", "journal", "runner", "studies.verify"):
        monkeypatch.setattr(f"lostlegacy_sim.{module}.identity_of", lambda game: other)


SENTENCE = "with other files in fake/weights than are here; its deals may be others"


def begin_part(folder: Path, number: int, experiment=None) -> None:
    """Play one of three parts into a folder."""
    experiment, part = experiment or ask(2000), Part(number, 3)
    with begin(folder, [experiment], FAKE, part=part) as run:
        run.finish([play(experiment, FAKE, 1, journal=run.journals[0], only=part.batches(experiment))])


def test_a_run_says_who_counted_it(tmp_path):
    begin_part(tmp_path / "run", 1)
    for name in ("run.json", "manifest.json"):
        if (tmp_path / "run" / name).exists():
            assert json.loads((tmp_path / "run" / name).read_bytes())["provenance"]["code"] == dict(identity_of("fake").rooms)


def test_a_run_is_not_resumed_by_other_code(tmp_path, request):
    begin_part(tmp_path / "run", 1)
    before = load(tmp_path / "run").tally
    request.getfixturevalue("other_code")
    with pytest.raises(ResultError, match=SENTENCE):
        reopen(tmp_path / "run")
    assert load(tmp_path / "run").tally == before  # it is still shown


def test_parts_of_other_code_do_not_join(tmp_path, request):
    begin_part(tmp_path / "run", 1)
    request.getfixturevalue("other_code")
    with pytest.raises(ResultError, match=SENTENCE):
        begin_part(tmp_path / "run", 2)


def test_a_checkpoint_of_other_code_is_refused(tmp_path, request):
    with Checkpoint(tmp_path / "kept") as kept:
        Checkpointed(HERE, kept).play(ask(2000), FAKE, 1)
    request.getfixturevalue("other_code")
    with pytest.raises(ResultError, match=SENTENCE):
        Checkpoint(tmp_path / "kept")


def test_pieces_of_other_code_are_refused_wherever_they_are_copied(tmp_path, request):
    begin_part(tmp_path / "mine", 1)
    request.getfixturevalue("other_code")
    begin_part(tmp_path / "theirs", 2)
    for piece in (tmp_path / "mine").glob("batches-*.npy"):
        shutil.copy(piece, tmp_path / "theirs")
    with pytest.raises(ForeignError, match="other bots, other cards, another version or other files"):
        reopen(tmp_path / "theirs")


def test_pieces_of_another_bot_file_are_refused(tmp_path):
    """The same path, but the file has changed in the meantime."""
    one, other = (fake_game.ask(2000) for _ in range(2))
    one, other = (type(one)(**vars_of(one) | {"bot_sources": (source, "")}) for source in ("a" * 64, "b" * 64))
    begin_part(tmp_path / "one", 1, one)
    begin_part(tmp_path / "other", 2, other)
    for piece in (tmp_path / "one").glob("batches-*.npy"):
        shutil.copy(piece, tmp_path / "other")
    with pytest.raises(ForeignError):
        reopen(tmp_path / "other")


def vars_of(experiment) -> dict:
    """The fields of an experiment."""
    return {name: getattr(experiment, name) for name in type(experiment).__dataclass_fields__}


def test_what_was_written_before_identities_is_shown_and_not_continued(tmp_path):
    begin_part(tmp_path / "run", 1)
    path = tmp_path / "run" / "run.json"
    plain = json.loads(path.read_bytes())
    del plain["provenance"]["code"]
    path.write_text(json.dumps(plain))
    with pytest.raises(ResultError, match="that did not write down its code"):
        reopen(tmp_path / "run")


def test_an_identity_is_read_back(monkeypatch):
    mine = identity_of("lost_legacy")
    assert Identity.from_plain(json.loads(json.dumps(mine.to_plain()))) == mine
    assert difference(mine.to_plain(), mine) == ""
    monkeypatch.setattr(identity_module, "__version__", "9.9")
    assert difference({"lostlegacy_sim": "9.9", "code": dict(mine.rooms)}, mine) == f"lostlegacy_sim 9.9, and this is {mine.version}"
