"""Which code counts: every file of the package decides counts and is in the identity, or decides none and stands in a list with a reason."""

import json
import os
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from command_line import run
from fake_game import FAKE, ask

import lostlegacy_sim
from lostlegacy_sim import identity as identity_module
from lostlegacy_sim.checkpoint import Checkpoint, Checkpointed
from lostlegacy_sim.errors import ResultError
from lostlegacy_sim.experiment import Experiment
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
    "claims.py": "what may be said",
    "cli/": "asks and prints",
    "compiler.py": "whether there is one",
    "destination.py": "keeps answers",
    "disk.py": "writes files",
    "errors.py": "sentences",
    "estimate.py": "intervals of counts",
    "identity.py": "says who counts",
    "journal.py": "keeps pieces",
    "letters.py": "characters that may be shown",
    "notebook/": "asks in Python",
    "plain.py": "reads what is kept",
    "measures.py": "numbers made of counts",
    "py.typed": "a mark for type checkers",
    "report/": "shows answers",
    "result.py": "keeps results",
    "run_folder.py": "keeps runs",
    "sentences.py": "what is said",
    "sets.py": "says what a door of sets looks like",
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
    counting = {path.relative_to(PACKAGE).as_posix() for _, path in counting_files("lost_legacy")}
    every = {path.relative_to(PACKAGE).as_posix() for path in PACKAGE.rglob("*") if path.is_file() and "__pycache__" not in path.parts}
    assert {name for name in every - counting if not silent(name)} == set()
    assert {name for name in counting if silent(name)} == set()


def test_weights_and_cards_are_in_it():
    names = {path.name for _, path in counting_files("lost_legacy")}
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
    with begin(folder, [experiment], FAKE, part=part) as kept:
        kept.finish([play(experiment, FAKE, 1, journal=kept.journals[0], only=part.batches(experiment))])


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
    one, other = (replace(ask(2000), bot_sources=(source * 64, "")) for source in "ab")
    begin_part(tmp_path / "one", 1, one)
    begin_part(tmp_path / "other", 2, other)
    for piece in (tmp_path / "one").glob("batches-*.npy"):
        shutil.copy(piece, tmp_path / "other")
    with pytest.raises(ForeignError):
        reopen(tmp_path / "other")


def test_a_changed_bot_file_is_named(tmp_path):
    one, other = (replace(ask(2000), bots=("file:mine.py", "die"), bot_sources=(source * 64, "")) for source in "ab")
    begin_part(tmp_path / "run", 1, one)
    with pytest.raises(ResultError, match="begun with another mine.py: its SHA-256 began with aaaaaaaaaaaa, and here it begins with bbbbbbbbbbbb"):
        begin_part(tmp_path / "run", 2, other)


def test_every_experiment_of_a_folder_is_looked_at(tmp_path):
    """A part is for several numbers of players, and other code has begun the second one."""
    experiments, part = [ask(2000), replace(ask(2000), players=3, bots=("coin", "die", "die"), bot_sources=("",) * 3)], Part(1, 2)
    begin(tmp_path / "run", experiments, FAKE, part=part).close()
    change_code(tmp_path / "run" / "3-players" / "run.json")
    with pytest.raises(ResultError, match=SENTENCE):
        begin(tmp_path / "run", experiments, FAKE, part=Part(2, 2))


def change_code(path: Path) -> None:
    """Have a manifest say that a package with other weights has counted."""
    plain = json.loads(path.read_bytes())
    plain["provenance"]["code"]["fake/weights"] = "0123456789ab"
    path.write_text(json.dumps(plain))


def stopped(folder: Path, seed: int = 1) -> None:
    """A run that was stopped after its first batches: their counts beside what was asked."""
    experiment = ask(2000, seed=seed)
    with begin(folder, [experiment], FAKE) as kept:
        kept.finish([play(experiment, FAKE, 1, journal=kept.journals[0], only=range(2))])
    assert {"run.json", "manifest.json", "counts.npy"} <= {path.name for path in folder.iterdir()}


def test_counts_of_other_code_beside_a_run_are_not_played_on(tmp_path):
    stopped(tmp_path / "run")
    change_code(tmp_path / "run" / "manifest.json")
    assert load(tmp_path / "run").status == "partial"  # it is still shown
    with pytest.raises(ResultError, match=SENTENCE):
        reopen(tmp_path / "run")
    assert load(tmp_path / "run").status == "partial"


def test_counts_of_another_experiment_beside_a_run_are_not_played_on(tmp_path):
    for seed in (1, 2):
        stopped(tmp_path / str(seed), seed)
    for name in ("manifest.json", "counts.npy"):
        shutil.copy(tmp_path / "2" / name, tmp_path / "1" / name)
    with pytest.raises(ResultError, match="counts another experiment than run.json asks for"):
        reopen(tmp_path / "1")


# --- answers made of several counts --------------------------------------------------------------------------


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a tournament and a balance of true deals."""
    home = tmp_path_factory.mktemp("answers")
    for words in (
        "tournament --bots random,novice --players 2 --deals 100 --out",
        "balance starship --cards search --effects blank --bots random --players 2 --deals 100 --out",
    ):
        ran = run(*words.split(), str(home / words.partition(" ")[0]), "--threads", "1", "-q")
        assert ran.code == 0, ran.err
    return home


@pytest.mark.parametrize(("name", "changed", "who"), [
    ("tournament", "1-random/manifest.json", "1-random and 2-novice"), ("balance", "manifest.json", "the set as it is and its variants"),
])  # fmt: skip
def test_counts_of_two_origins_make_no_answer(answers, tmp_path, name, changed, who):
    shutil.copytree(answers / name, tmp_path / name)
    assert run("report", str(tmp_path / name), "--list").code == 0
    change_code(tmp_path / name / changed)
    ran = run("report", str(tmp_path / name), "--list")
    assert ran.code == 2
    assert who in ran.err
    assert "were counted with different files in fake/weights. Play it again." in ran.err


# --- true commands, and a package that has other weights -------------------------------------------------------


@pytest.fixture(scope="module")
def other_weights(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a copy of the package whose trained bot weighs otherwise."""
    home = tmp_path_factory.mktemp("weights")
    shutil.copytree(PACKAGE, home / "lostlegacy_sim", ignore=shutil.ignore_patterns("__pycache__"))
    weights = home / "lostlegacy_sim/games/lost_legacy/bots/trained/trained.json"
    weights.write_bytes(weights.read_bytes() + b"\n")
    return home


def there(home: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Python with the package of a folder; nothing is compiled by what is refused."""
    environment = os.environ | {"PYTHONPATH": str(home), "LLSIM_CACHE_DIR": str(home / "cache")}
    return subprocess.run([sys.executable, "-P", *words], cwd=home, env=environment, capture_output=True, text=True, timeout=300)


OTHERS = f"lostlegacy_sim {lostlegacy_sim.__version__} with other files in lost_legacy/bots/trained than are here"


@pytest.mark.parametrize(("before", "after"), [
    ("simulate --bots trained,random --players 2 --deals 640 --part 1/2 --out run", "simulate --resume run"),
    ("simulate --bots trained,random --players 2 --deals 640 --part 1/2 --out run",
     "simulate --bots trained,random --players 2 --deals 640 --part 2/2 --out run"),
    ("compare starship flying-garden --bots random --players 2 --deals 100 --checkpoint run",
     "compare starship flying-garden --bots random --players 2 --deals 100 --checkpoint run"),
])  # fmt: skip
def test_other_weights_are_named_by_the_command_that_would_go_on(other_weights, monkeypatch, before, after):
    shutil.rmtree(other_weights / "run", ignore_errors=True)
    monkeypatch.chdir(other_weights)
    assert run(*before.split(), "--threads", "1", "-q").code == 0
    ran = there(other_weights, "-m", "lostlegacy_sim", *after.split())
    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr.count("\n") == 1
    assert f"was begun with {OTHERS}; its deals may be others" in ran.stderr
    if "--checkpoint" not in after:
        assert there(other_weights, "-m", "lostlegacy_sim", "report", "run", "--list").returncode == 0  # it is still shown


def test_pieces_of_other_weights_do_not_join(other_weights, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    words = "simulate --bots random --players 2 --deals 640 --threads 1 -q --part"
    for number in ("1", "2"):
        assert run(*words.split(), f"{number}/2", "--out", number).code == 0
    path = tmp_path / "1" / "run.json"
    plain = json.loads(path.read_bytes())
    plain["provenance"]["code"] = dict(identity_there(other_weights).rooms)  # as the other package would have begun it
    path.write_text(json.dumps(plain))
    for piece in (tmp_path / "2").glob("batches-*.npy"):
        shutil.copy(piece, tmp_path / "1")
    assert "does not hold batches of this experiment as this code counts them" in run("report", "1", "--list").err


def test_a_worker_with_other_weights_is_refused_and_refuses(other_weights):
    pytest.importorskip("distributed")
    from lostlegacy_sim.cluster import stranger

    code = "import json; from lostlegacy_sim.cluster import greeting; print(json.dumps(greeting()))"
    greeted = json.loads(there(other_weights, "-c", code).stdout)
    assert stranger("The worker tcp://one", greeted).startswith(f"The worker tcp://one has {OTHERS}: it would count other deals.")
    experiment = Experiment("lost_legacy", "starship", "Starship", "", 2, ("trained", "random"), ("", ""), 100, 1)
    code = (f"import json; from lostlegacy_sim import cluster\ncluster.own_address = lambda: 'tcp://one'\n"  # no dask runs here
            f"cluster.play_share(json.loads({json.dumps(experiment.to_plain())!r}), [0], json.loads({json.dumps(identity_of('lost_legacy').to_plain())!r}), [])")  # fmt: skip
    refused = there(other_weights, "-c", code).stderr.splitlines()[-1]
    assert refused == f"lostlegacy_sim.errors.ClusterError: tcp://one has {OTHERS}: it would count other deals. Install the same there, then play again."


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
