"""A kept answer never runs code: whatever is read from a folder, no bot file that it names is opened, compiled or run."""

import hashlib
import json
import shutil
import sys
import warnings
from dataclasses import replace
from pathlib import Path

import pytest
from command_line import run
from planted_game import PLANTED
from stand_in import STAND_IN
from test_installed import install

import lostlegacy_sim as ll
from lostlegacy_sim.checkpoint import Checkpoint, Checkpointed
from lostlegacy_sim.cli.explorations import looks_of_sweep
from lostlegacy_sim.errors import LlsimError
from lostlegacy_sim.games import find_game
from lostlegacy_sim.games.lost_legacy.cards.composition import load_set, printed
from lostlegacy_sim.installed import installed, is_installed
from lostlegacy_sim.result import write_results
from lostlegacy_sim.run_folder import Part, begin
from lostlegacy_sim.runner import HERE, play
from lostlegacy_sim.studies.balance import Balance, CardTable
from lostlegacy_sim.studies.balance_run import play_balance
from lostlegacy_sim.studies.card_trials import balancing, balancing_of
from lostlegacy_sim.studies.goals import read_goals
from lostlegacy_sim.studies.guidelines import explore_guidelines, facts_of
from lostlegacy_sim.studies.kept_balance import write_balance
from lostlegacy_sim.studies.kept_looks import Exploration, write_exploration
from lostlegacy_sim.studies.kept_tournaments import write_tournaments
from lostlegacy_sim.studies.ladder import Climbed, ladder_at
from lostlegacy_sim.studies.look import Seated, take_look
from lostlegacy_sim.studies.mixes import mixes_in_order
from lostlegacy_sim.studies.simulate import experiment_of
from lostlegacy_sim.studies.standings import Standings
from lostlegacy_sim.studies.sweep import explore_sweep
from lostlegacy_sim.studies.sweep_file import parse_sweep
from lostlegacy_sim.studies.tournament import played_of, tournament_at

EVIL = "evil_bot.py"
touched: list[str] = []  # what was done with a file of that name while `watching`
watching: list[bool] = []


WHERE = {"open": 0, "compile": 1, "import": 1, "subprocess.Popen": 1}  # which argument of an event names a file


def hook(event: str, arguments: tuple) -> None:
    """Notes every opening, compiling and running of the file."""
    if watching and (event in WHERE or event == "exec"):
        named = arguments[0].co_filename if event == "exec" else arguments[WHERE[event]]
        if EVIL.removesuffix(".py") in repr(named):
            touched.append(f"{event} {named!r:.200}")


sys.addaudithook(hook)


@pytest.fixture
def guarded(tmp_path, monkeypatch):
    """A folder, entered, with a bot file that leaves a mark when it runs; afterwards nothing must have touched it."""
    monkeypatch.chdir(tmp_path)
    touched.clear()
    for home in (tmp_path, tmp_path / "kept"):
        home.mkdir(exist_ok=True)
        (home / EVIL).write_text(f"import pathlib\npathlib.Path({str(tmp_path / 'ran')!r}).touch()\ndef decide(cards, public, private, question):\n    return 0\n")
    yield tmp_path
    watching.clear()
    installed.cache_clear()
    assert touched == []
    assert not (tmp_path / "ran").exists()


def test_the_watch_sees_a_bot_that_runs(guarded):
    watching.append(True)
    run("bots", "--check", EVIL)
    assert touched
    touched.clear()
    (guarded / "ran").unlink(missing_ok=True)


# --- folders that name it -------------------------------------------------------------------------------


def evil(home: Path) -> tuple[str, str]:
    """The bot by name and hash."""
    return f"file:{home}/{EVIL}", hashlib.sha256((home / EVIL).read_bytes()).hexdigest()


def seated(experiment, bot, others=None):
    """An experiment with this bot in the first seat, or in all."""
    entries = [bot, *[others or bot] * (experiment.players - 1)]
    return replace(experiment, bots=tuple(name for name, _ in entries), bot_sources=tuple(source for _, source in entries))


def keep_result(folder: Path, bot) -> None:
    base = experiment_of(STAND_IN, load_set("starship"), 2, ["random"], 800, 1)
    write_results(folder, [play(seated(base, bot, ("random", "")), STAND_IN, 1)])


def keep_several(folder: Path, bot) -> None:
    bases = [experiment_of(STAND_IN, load_set("starship"), number, ["random"], 800, 1) for number in (2, 3)]
    write_results(folder, [play(seated(base, bot, ("random", "")), STAND_IN, 1) for base in bases])


def keep_part(folder: Path, bot) -> None:
    experiment = seated(experiment_of(STAND_IN, load_set("starship"), 2, ["random"], 2000, 1), bot, ("random", ""))
    part = Part(1, 2)
    with begin(folder, [experiment], STAND_IN, part=part) as there:
        there.finish([play(experiment, STAND_IN, 1, journal=there.journals[0], only=part.batches(experiment))])


def keep_levels(folder: Path, bot) -> None:
    """As `simulate --ladder` keeps them: every level in all seats."""
    base = experiment_of(STAND_IN, load_set("starship"), 2, ["random"], 800, 1)
    write_results(folder, [play(seated(base, one), STAND_IN, 1) for one in (("random", ""), bot)])


def table_with(bot, is_skill: bool = False, deals: int = 600) -> Seated:
    """A table of an exploration that the bot sits at, or that asks for its skill."""
    goals = ["seat_gap", "nobody"] + (["skill"] if is_skill else [])
    bots = ("random",) * 3 if is_skill else (bot[0], "random", "random")
    table = Seated(3, bots, (), deals, 3, (bot[0], "random") if is_skill else ("strong", "random"), (bot,))
    measures = PLANTED.measures(table.experiment(PLANTED, printed("starship"), table.bots))
    return replace(table, goals=read_goals(goals, measures))


def keep_exploration(folder: Path, bot, is_skill: bool = False, says_hash: bool = True) -> None:
    table = table_with(bot, is_skill)
    write_exploration(folder, Exploration("mixes", {"first": take_look(table, mixes_in_order()[:6], PLANTED, 1)}, {"top": 1}))
    if not says_hash:  # as earlier versions wrote it
        path = folder / "manifest.json"
        plain = json.loads(path.read_bytes())
        del plain["looks"]["first"]["table"]["sources"]
        path.write_text(json.dumps(plain))


def keep_skill(folder: Path, bot) -> None:
    keep_exploration(folder, bot, is_skill=True)


def keep_old_exploration(folder: Path, bot) -> None:
    keep_exploration(folder, bot, says_hash=False)


def keep_guidelines(folder: Path, bot) -> None:
    answer = explore_guidelines(table_with(bot, deals=60), PLANTED, 2, 1)
    write_exploration(folder, Exploration("guidelines", {"first": answer.look}, facts_of(answer)))


def keep_sweep(folder: Path, bot) -> None:
    points = parse_sweep({"set": "starship", "sweep": {"search.copies": [1, 2]}}, "sweep.toml", folder).points()
    answer = explore_sweep([table_with(bot)], points, PLANTED, 1)
    write_exploration(folder, Exploration("sweep", looks_of_sweep(answer), {"file": "sweep.toml", "points": [dict(point.values) for point in points]}))


def keep_ladder(folder: Path, bot) -> None:
    table = experiment_of(STAND_IN, load_set("starship"), 2, ["random"], 800, 1)
    asked = ladder_at(table, [("random", ""), bot])
    write_tournaments(folder, [Climbed(asked, [play(experiment, STAND_IN, 1) for experiment in asked.experiments], STAND_IN)])


def keep_tournament(folder: Path, bot) -> None:
    table = experiment_of(STAND_IN, load_set("starship"), 2, ["random"], 800, 1)
    asked = tournament_at(table, [bot, ("random", "")], False)
    results = [play(experiment, STAND_IN, 1) for experiment in asked.experiments]
    write_tournaments(folder, [Standings(played_of(asked, results), STAND_IN)])


def keep_balance(folder: Path, bot) -> None:
    game = find_game("lost_legacy")
    asked = balancing(game, load_set("starship"), 2, ["random"], 400, 1, ["search"], ("blank",))
    (table,) = play_balance([asked], game, 1).tables
    mine = balancing_of(seated(asked.base, bot), asked.cards, asked.effects, asked.against)
    played = {seated(one, bot): replace(survey, asked=replace(survey.asked, experiments=(seated(one, bot),))) for one, survey in table.played.items()}
    write_balance(folder, Balance([CardTable(mine, replace(table.base, experiment=mine.base), played, game)], ""))


KINDS = {"result": keep_result, "several": keep_several, "levels": keep_levels, "guidelines": keep_guidelines, "sweep": keep_sweep, "ladder": keep_ladder, "part": keep_part, "exploration": keep_exploration, "skill": keep_skill,
         "old-exploration": keep_old_exploration, "tournament": keep_tournament, "balance": keep_balance}  # fmt: skip


def packaged(home: Path, monkeypatch) -> tuple[str, str]:
    """The bot as one that an installed package brings along, by name and hash."""
    install(home / "packages", f"tutor = tutor_bots.{EVIL.removesuffix('.py')}")
    shutil.copy(home / EVIL, home / "packages" / "tutor_bots")
    monkeypatch.syspath_prepend(home / "packages")
    installed.cache_clear()
    assert is_installed("tutor:3")
    return "tutor:3", evil(home)[1]


@pytest.mark.parametrize("where", ["inside", "outside", "package"])
@pytest.mark.parametrize("kind", KINDS)
def test_reading_runs_nothing(guarded, monkeypatch, kind, where):
    bot = packaged(guarded, monkeypatch) if where == "package" else evil(guarded / "kept" if where == "inside" else guarded)
    (guarded / "played").mkdir()
    KINDS[kind](guarded / "played" if kind != "part" else guarded / "part", bot)
    shutil.copytree(guarded / ("played" if kind != "part" else "part"), guarded / "kept", dirs_exist_ok=True)
    watching.append(True)
    folder = "kept"
    for words in (
        ("report", folder, "--list"), ("report", folder, "--list", "--json"), ("report", folder, "-o", "x.html"), ("explore", folder), ("explore", folder, "--json"),
        ("compare", folder, folder), ("verify", folder), ("replay", folder, "--deal", "1"), ("replay", folder, "--find", "nobody"), ("simulate", "--resume", folder),
    ):  # fmt: skip
        ran = run(*words)
        assert ran.code in (0, 2), (words, ran)
    listed = json.loads(run("report", folder, "--list", "--json").out)
    for name in [one["name"] for one in listed.get("tables", [])][:8]:
        assert run("report", folder, "--table", name).code == 0
    for name in [one["name"] for one in listed.get("charts", [])][:3]:
        assert run("report", folder, "--chart", name, "-o", f"{name}.svg", "--force").code == 0
    answer = ll.load(folder)
    assert str(answer)
    answer.report("y.html")


@pytest.mark.parametrize("where", ["inside", "outside", "package"])
def test_a_checkpoint_runs_nothing(guarded, monkeypatch, where):
    bot = packaged(guarded, monkeypatch) if where == "package" else evil(guarded / "kept" if where == "inside" else guarded)
    experiment = seated(experiment_of(STAND_IN, load_set("starship"), 2, ["random"], 800, 1), bot, ("random", ""))
    with Checkpoint(guarded / "played") as checkpoint:
        Checkpointed(HERE, checkpoint).play(experiment, STAND_IN, 1)
    shutil.copytree(guarded / "played", guarded / "kept", dirs_exist_ok=True)
    if where == "inside":
        (guarded / "kept" / EVIL).rename(guarded / "kept" / f".{EVIL}")  # a checkpoint holds nothing else
    watching.append(True)
    for words in (("report", "kept", "--list"), ("explore", "kept"), ("compare", "kept", "kept"), ("verify", "kept"), ("replay", "kept", "--deal", "1"), ("simulate", "--resume", "kept")):
        assert run(*words).code == 2
    another_question = "compare starship flying-garden --bots random --players 2 --deals 100 --threads 1 -q --checkpoint kept"
    assert run(*another_question.split()).code == 0
    with pytest.raises(LlsimError):
        ll.load("kept")


@pytest.mark.parametrize("words", [("verify", "kept"), ("replay", "kept", "--deal", "1"), ("simulate", "--resume", "kept")])
def test_what_would_play_says_what_to_type(guarded, words):
    if words[0] == "simulate":
        keep_part(guarded / "other", evil(guarded))
        shutil.copytree(guarded / "other", guarded / "kept", dirs_exist_ok=True)
    else:
        keep_result(guarded / "kept", evil(guarded))
    watching.append(True)
    ran = run(*words)
    assert ran.code == 2
    assert "no code runs from a result" in ran.err
    assert f"--bots {guarded / EVIL}" in ran.err


def test_in_python_a_sweep_says_it_too(guarded, monkeypatch):
    (guarded / "sweep.toml").write_text(f'set = "starship"\nbots = ["{EVIL}"]\ndeals = 100\n[sweep]\n"search.copies" = [1, 2]\n')
    monkeypatch.setattr("lostlegacy_sim.cli.explorations.tables_of", lambda *words: touched.append("played") or 1 / 0)
    watching.append(True)
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        with pytest.raises(ZeroDivisionError):
            ll.explore("sweep.toml")
    assert [(str(one.message), one.filename) for one in said] == [(f"sweep.toml names the bot file {EVIL}, which is run now.", __file__)]  # the line that asks
    assert touched == ["played"]  # nothing before it was said
    touched.clear()


def test_a_sweep_says_which_bot_files_it_runs_before_it_does(guarded):
    (guarded / "sweep.toml").write_text(f'set = "starship"\nbots = ["{EVIL}"]\ndeals = 100\n[sweep]\n"search.copies" = [1, 2]\n')
    ran = run("explore", "sweep.toml", "--dry-run")
    assert ran.err.startswith(f"sweep.toml names the bot file {EVIL}, which is run now.\n")
    touched.clear()
    (guarded / "ran").unlink(missing_ok=True)
