"""`--ladder` and `--luck`: what is printed, kept and refused."""

import csv
import io
import json
from dataclasses import dataclass, replace

import pytest
from command_line import run
from planted_bots import PLANTED
from planted_game import PLANTED as SETS
from planted_game import PlantedTable

from lostlegacy_sim.cli import compare as compare_module
from lostlegacy_sim.cli import job as job_module
from lostlegacy_sim.games.lost_legacy.vocabulary import X
from lostlegacy_sim.result import load_all


@pytest.fixture(autouse=True)
def planted_deals(monkeypatch, tmp_path_factory):
    """Deals of planted bots, and a cache folder of its own."""
    monkeypatch.setattr(job_module, "find_game", lambda name: PLANTED)
    monkeypatch.setenv("LLSIM_CACHE_DIR", str(tmp_path_factory.mktemp("cache")))


def ask(*words: str) -> str:
    ran = run(*words)
    assert (ran.code, ran.err) == (0, "")
    return ran.out


LADDER = ("simulate", "--ladder", "--deals", "20k", "--threads", "1")


def test_the_screen_says_first_what_holds():
    lines = ask(*LADDER, "--players", "2,3").splitlines()
    assert lines[0] == ("Lost Legacy: The Starship · 2 players · 3 levels of play, one bot in all seats · 20,000 deals each · seed 1")
    assert lines[2].startswith("  Holds at all levels: the best seat (seat 1), seat 1 against par (above par), ")
    assert "  the best seat: holds at all levels" in lines
    assert sum(line.startswith("Lost Legacy: ") for line in lines) == 2
    rungs = [line.split()[:2] for line in lines if line.startswith("    ")][:3]
    assert rungs == [["1", "even"], ["2", "equal"], ["3", "strong"]]


def test_typed_bots_are_the_rungs():
    found = json.loads(ask(*LADDER, "--bots", "strong,rock", "--json"))
    assert (found["schema"], found["command"], found["rungs"]) == ("llsim.levels/1", "simulate", ["strong", "rock"])
    (group,) = found["groups"]
    assert group["of"] == "4 players"
    assert [level["bot"] for level in group["headlines"][0]["levels"]] == ["strong", "rock"]
    assert group["headlines"][0]["verdict"] == "holds at all levels"
    rows = list(csv.DictReader(io.StringIO(ask(*LADDER, "--bots", "strong,rock", "--csv"))))
    assert len(rows) == 2 * len(group["headlines"])
    assert float(rows[0]["value"]) == group["headlines"][0]["levels"][0]["value"]


def test_out_keeps_every_rung(tmp_path):
    ask(*LADDER, "--out", str(tmp_path / "kept"))
    assert [result.experiment.bots[0] for result in load_all(tmp_path / "kept")] == ["even", "equal", "strong"]
    again = run(*LADDER, "--out", str(tmp_path / "kept"))
    assert (again.code, again.out) == (2, "")
    assert "already holds this very result" in again.err


def test_luck_beside_the_answer_and_beside_the_ladder():
    out = ask("simulate", "--bots", "even", "--deals", "4k", "--luck", "4", "--threads", "1")
    assert "luck share: what the shuffle settles of who wins; 1,000 shuffles, each played 4 times" in out
    found = json.loads(ask("simulate", "--bots", "even", "--deals", "4k", "--luck", "4", "--json"))
    luck = found["results"][0]["luck"]
    assert luck["together"]["low"] == 0 < luck["together"]["high"]  # in the planted game every play is a new one
    rows = list(csv.DictReader(io.StringIO(ask("simulate", "--bots", "even", "--deals", "4k", "--luck", "4", "--csv"))))
    assert [row["measure"] for row in rows][-1] == "luck"
    out = ask(*LADDER, "--luck", "2")
    assert out.count(" %") >= 3
    assert len(json.loads(ask(*LADDER, "--luck", "2", "--json"))["groups"][0]["luck"]) == 3


def test_a_dry_run_plays_nothing(tmp_path):
    out = ask(*LADDER, "--dry-run", "--out", str(tmp_path / "kept"))
    assert "60,000 deals at 3 tables" in out
    assert not list(tmp_path.iterdir())
    assert json.loads(ask(*LADDER, "--dry-run", "--json"))["plans"][0]["deals"] == 60_000
    assert "60000" in ask(*LADDER, "--dry-run", "--csv")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--ladder", "--bots", "even"], "two levels of play or more"),
        (["--ladder", "--bots", "even,even"], "even is named twice"),
        (["--ladder", "--campaign"], "no place for --campaign"),
        (["--ladder", "--until", "nobody +/- 1pp"], "no place for --until"),
        (["--ladder", "--require", "nobody < 5%"], "no place for --require"),
        (["--ladder", "--luck", "1"], "at least twice"),
        (["--luck", "2", "--bots", "even,strong"], "equal bots"),
        (["--luck", "2", "--bots", "even", "--until", "nobody +/- 1pp"], "--luck plays every shuffle"),
    ],
)
def test_a_wrong_word_is_answered_with_a_sentence(words, sentence):
    ran = run("simulate", *words)
    assert (ran.code, ran.out) == (2, "")
    assert sentence in ran.err
    assert len(ran.err.splitlines()) == 1


def test_a_bot_that_breaks_the_rules_leaves_the_rungs_before_it():
    ran = run(*LADDER, "--bots", "even,cheat")
    assert ran.code == 1
    assert "chose 9 of 2 options in deal 5000" in ran.err
    assert "  1  even" in ran.out


# --- compare and balance -----------------------------------------------------------------------------------


@dataclass
class TurnedTable(PlantedTable):
    """The planted game, in which careful bots take from speed X of the first set what others take from that of the second."""

    def __post_init__(self):
        super().__post_init__()
        if self.experiment.bots[0] == "careful":
            self.second ^= {X}


TURNED = replace(SETS, open_table=TurnedTable, ladder=("random", "strong", "careful"))


@pytest.fixture
def turned_sets(monkeypatch):
    """`compare` plays the turned game."""
    monkeypatch.setattr(compare_module, "find_game", lambda name: TURNED)


COMPARE = ("compare", "starship", "flying-garden", "--ladder", "--deals", "20k", "--threads", "1")


def test_what_turns_round_at_a_rung_is_said_to_flip(turned_sets):
    found = json.loads(ask(*COMPARE, "--json"))
    (group,) = found["groups"]
    verdicts = {one["headline"]: one["verdict"] for one in group["headlines"]}
    assert found["rungs"] == ["random", "strong", "careful"]
    assert verdicts["win_seat[1], B minus A"] == verdicts["win_seat[2], B minus A"] == "flips at rung 3 (careful)"
    assert verdicts["nobody, B minus A"] == verdicts["turns, B minus A"] == "holds at all levels"
    assert verdicts["by_last, B minus A"] == "holds at all levels"  # at every rung the same in every batch
    nobody = next(one for one in group["headlines"] if one["headline"] == "nobody, B minus A")
    assert [level["low"] < 0.04 < level["high"] for level in nobody["levels"]] == [True] * 3
    lines = ask(*COMPARE).splitlines()
    assert lines[:3] == [
        "Lost Legacy, compared at 3 levels of play, one bot in all seats:",
        "  A  The Starship · 4 players · 20,000 deals · seed 1",
        "  B  The Flying Garden · 4 players · 20,000 deals · seed 1",
    ]
    assert next(line for line in lines if line.startswith("  Flips: ")).startswith("  Flips: win_seat[1], B minus A at rung 3")


def test_measures_and_margins_of_a_ladder(turned_sets):
    found = json.loads(ask(*COMPARE, "--measure", "turns", "--margin", "turns=5", "--bots", "random,strong", "--players", "2-3", "--json"))
    assert [group["of"] for group in found["groups"]] == ["2 players", "3 players"]
    for group in found["groups"]:
        (turns,) = group["headlines"]
        assert [level["word"] for level in turns["levels"]] == ["equivalent", "equivalent"]


def test_levels_of_a_comparison_are_kept(turned_sets, tmp_path):
    ask(*COMPARE, "--bots", "random,strong", "--out", str(tmp_path / "kept"))
    assert len(load_all(tmp_path / "kept")) == 4


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["compare", "starship", "bots=random", "--ladder"], "no place for sides that name their bots"),
        (["compare", "starship", "flying-garden", "--ladder", "--until", "nobody +/- 1pp"], "no place for --until"),
        (["compare", "starship", "flying-garden", "--ladder", "--measure", "nobdy"], "Did you mean 'nobody'?"),
        (["balance", "starship", "--ladder", "--effects", "swap"], "no place for --effects"),
        (["balance", "starship", "--ladder", "--cards", "the_starship"], "None of these cards of The Starship has a text that can be taken off"),
        (["balance", "starship", "--ladder", "--out", "kept"], "no place for --out"),
        (["balance", "starship", "--ladder", "--bots", "random"], "two levels of play or more"),
    ],
)
def test_what_a_ladder_has_no_place_for(words, sentence, turned_sets):
    ran = run(*words)
    assert (ran.code, ran.out) == (2, "")
    assert sentence in ran.err


def test_the_texts_of_cards_with_the_true_rules():
    """The Shadow Thief wins at once: played at random it pays for everybody, played with care for its owner.

    What is said of one rung alone is what `balance` says.
    """
    words = ("balance", "starship", "--cards", "shadow_thief,search", "--players", "2", "--deals", "20k", "--threads", "1")
    found = json.loads(ask(*words, "--ladder", "--bots", "random,careful", "--json"))
    (group,) = found["groups"]
    thief = next(one for one in group["headlines"] if one["headline"] == "the text of Shadow Thief")
    assert [level["word"] for level in thief["levels"]] == ["undecided", "helps its owner"]
    alone = json.loads(ask(*words, "--effects", "blank", "--bots", "careful", "--json"))
    assert f'"value": {thief["levels"][1]["value"]!r}' in json.dumps(alone)
    assert "at 21 tables" in ask(*words, "--ladder", "--dry-run")  # the set and two blanks, by seven bots
