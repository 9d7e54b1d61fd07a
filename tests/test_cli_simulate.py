"""`llsim simulate`: what it prints, keeps, refuses, and how it stops."""

import csv
import io
import json
import os
import signal
import subprocess
import sys
import threading
import time

import pytest
import stand_in as stand_in_module
from command_line import run
from stand_in import STAND_IN

from lostlegacy_sim.cli import job as job_module
from lostlegacy_sim.cli.progress import progress
from lostlegacy_sim.games.lost_legacy.studies.campaign import POINTS
from lostlegacy_sim.result import load, load_all, recall
from lostlegacy_sim.runner import Here, play


@pytest.fixture(autouse=True)
def stand_in_deals(monkeypatch, tmp_path_factory):
    """Deals of the stand-in, and a cache folder of its own."""
    monkeypatch.setattr(job_module, "find_game", lambda name: STAND_IN)
    monkeypatch.setenv("LLSIM_CACHE_DIR", str(tmp_path_factory.mktemp("cache")))


def ask(*words: str) -> str:
    ran = run("simulate", *words)
    assert (ran.code, ran.err) == (0, "")
    return ran.out


def document(*words: str) -> dict:
    return json.loads(ask(*words, "--json"))


def test_the_screen_says_who_wins():
    out = ask("--deals", "20k", "--bots", "random")
    lines = out.splitlines()
    assert lines[0] == "Lost Legacy: The Starship · 4 players, all random · 20,000 deals · seed 1"
    assert [line.split()[:2] for line in lines if line.startswith("  seat ")] == [["seat", str(seat)] for seat in range(1, 5)]
    assert "par = " in out
    assert "Seats: no pair differs by more than" in out
    assert "last one left" in out
    assert "turns · the longest deal took 10" in out
    assert "which bot" not in out  # one bot: nothing to tell apart
    assert "Holds for these bots. Next: llsim " in out


def test_nothing_typed_behind_it_works():
    assert "1,000,000 deals · seed 1" in ask().splitlines()[0]


def test_different_bots_get_a_table_and_a_verdict_each():
    out = ask("--deals", "30k", "--bots", "strong,random", "--players", "3")
    assert "3 players, strong, 2 x random" in out
    assert "which bot" in out
    assert "strong is above par: +" in out
    assert "random is below par: -" in out


def test_the_json_holds_every_number_with_its_interval_and_deals():
    found = document("--deals", "9k", "--bots", "strong,random", "--players", "3")
    assert found["schema"] == "llsim.simulate/1"
    assert found["set"]["id"] == "starship"
    (result,) = found["results"]
    assert result["status"] == "complete"
    assert result["deals"] == 9000
    assert result["experiment"]["bots"] == ["strong", "random", "random"]
    assert [row["bot"] for row in result["bots"]] == ["strong", "random"]
    for row in result["seats"] + result["bots"]:
        assert result["measures"][row["measure"]]["low"] < result["measures"][row["measure"]]["high"]
    for name, measure in result["measures"].items():
        assert set(measure) == {"unit", "value", "low", "high", "n", "method", "meaning"}, name
        assert measure["n"] == 9000
    assert result["exemplars"]["nobody"] is not None
    assert result["campaign"] is None


@pytest.mark.parametrize("deals", ["1", "40", "700"])
def test_json_is_strict_however_few_the_deals(deals):
    def refuse(word):
        raise AssertionError(f"{word} is not JSON")

    text = ask("--deals", deals, "--bots", "random,careful", "--players", "2", "--campaign", "--json")
    assert json.loads(text, parse_constant=refuse)["results"][0]["deals"] == max(2, int(deals))


def test_the_same_words_give_the_same_numbers_on_any_number_of_threads():
    one, four = (document("--deals", "50k", "--threads", threads) for threads in ("1", "4"))
    assert one["results"] == four["results"]
    assert document("--deals", "50k", "--seed", "2")["results"] != one["results"]


def test_the_csv_holds_the_same_numbers_as_the_json():
    words = ("--deals", "5k", "--players", "2,3", "--campaign")
    rows = list(csv.DictReader(io.StringIO(ask(*words, "--csv"))))
    found = {(row["players"], row["measure"]): row for row in rows}
    for result in document(*words)["results"]:
        players = str(result["experiment"]["players"])
        for name, measure in result["measures"].items():
            cell = found[players, name]["value"]
            assert (float(cell) if cell else None) == measure["value"]
    assert float(found["2", "campaign_games"]["value"]) > 7


def test_several_numbers_of_players_get_a_block_each():
    out = ask("--deals", "2k", "--players", "2-4")
    for players in (2, 3, 4):
        assert f"The Starship · {players} players" in out
    assert out.count("who wins") == 3
    assert out.count("Holds for these bots") == 1


def test_quiet_leaves_out_the_notes_and_verbose_adds_all_measures():
    assert "Next:" not in ask("--deals", "2k", "-q")
    out = ask("--deals", "2k", "-v")
    assert "legacy_ruins[3]" in out
    assert "  numba 0." in out
    assert "  experiment " in out


def test_a_seed_drawn_anew_is_printed_and_repeats_the_run():
    first = document("--deals", "2k", "--seed", "new")
    seed = first["results"][0]["experiment"]["seed"]
    assert document("--deals", "2k", "--seed", str(seed))["results"] == first["results"]


# --- sets ---------------------------------------------------------------------------------------------


def test_reconstructed_kinds_are_named_in_one_line():
    lines = [line for line in ask("--set", "flying-garden", "--deals", "2k", "-q").splitlines() if "Reconstructed" in line]
    assert len(lines) == 1
    assert "Prophet" in lines[0]
    assert "Reconstructed" not in ask("--deals", "2k")


def test_a_custom_mix_is_told_and_its_pick_line_gives_it_again():
    out = ask("--set", "custom", "--seed", "7", "--deals", "2k")
    assert "  The mix: 1 " in out
    line = next(line for line in out.splitlines() if "The same mix again" in line)
    words = line.split(": ", 1)[1].split()
    again = ask(*words, "--seed", "7", "--deals", "2k")
    assert again == out
    drawn, picked = (document(*words, "--deals", "2k") for words in (("--set", "custom", "--seed", "7"), words))
    assert drawn["set"]["hash"] == picked["set"]["hash"]
    assert drawn["set"]["pick"] == words[-1]


def test_a_card_file_can_be_played(tmp_path):
    path = tmp_path / "my.toml"
    path.write_text(run("cards", "starship", "--toml").out.replace("The Starship", "My Own"))
    assert "My Own" in ask("--set", str(path), "--deals", "2k").splitlines()[0]


# --- campaign -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_campaign_is_told(players):
    out = ask("--deals", "20k", "--players", str(players), "--campaign")
    assert f"campaign to {POINTS[players]} points, seat 1 begins; after a game nobody won the same seat begins again" in out
    assert "games on average (" in out
    campaign = document("--deals", "20k", "--players", str(players), "--campaign")["results"][0]["campaign"]
    assert sum(seat["value"] for seat in campaign["seats"]) == pytest.approx(1)
    assert all(seat["low"] < seat["value"] < seat["high"] for seat in campaign["seats"])


def test_who_begins_after_a_game_nobody_won_is_an_option():
    words = ("--deals", "20k", "--bots", "strong,random", "--campaign")
    same, following = (document(*words, "--nobody-begins", who)["results"][0]["campaign"] for who in ("same", "next"))
    assert same["nobody_begins"] == "same"
    assert following["nobody_begins"] == "next"
    assert "the next seat begins" in ask(*words, "--nobody-begins", "next")


# --- result folders ---------------------------------------------------------------------------------------


def test_out_keeps_the_result(tmp_path):
    folder = tmp_path / "run1"
    found = document("--deals", "5k", "--out", str(folder))
    kept = load(folder)
    assert kept.experiment.hash == found["results"][0]["experiment_hash"]
    assert int(kept.tally.totals["deals"]) == 5000
    assert sorted(path.name for path in folder.iterdir()) == ["counts.npy", "manifest.json"]


def test_what_cannot_be_written_in_the_end_is_shown_all_the_same(tmp_path, monkeypatch):
    def fail(folder, results):
        raise OSError(28, "No space left on device")

    folder = tmp_path / "run1"
    with monkeypatch.context() as patch:
        patch.setattr("lostlegacy_sim.run_folder.write_result", fail)
        ran = run("simulate", "--deals", "2k", "--out", str(folder))
    assert ran.code == 2
    assert "who wins" in ran.out
    assert ran.err.startswith(f"The result folder {folder} could not be written: No space left on device. What was counted is kept")
    shown = ran.out
    assert run("simulate", "--resume", str(folder)).out == shown
    assert sorted(path.name for path in folder.iterdir()) == ["counts.npy", "manifest.json"]


@pytest.mark.skipif(os.name != "posix", reason="needs a shell")
def test_a_reader_that_has_seen_enough_costs_no_result(tmp_path):
    command = f'"{sys.executable}" "{stand_in_module.__file__}" simulate --deals 2k -v --players 2-4 --out run1 | head -n 1'
    ran = subprocess.run(command, shell=True, capture_output=True, text=True, cwd=tmp_path, timeout=60)
    assert (len(ran.stdout.splitlines()), ran.stderr) == (1, "")
    assert len(load_all(tmp_path / "run1")) == 3


def test_out_keeps_several_results_in_one_folder(tmp_path):
    ask("--deals", "2k", "--players", "2-4", "--out", str(tmp_path / "run1"))
    assert [result.experiment.players for result in load_all(tmp_path / "run1")] == [2, 3, 4]


def test_a_taken_folder_is_refused_before_anything_is_played(tmp_path, monkeypatch):
    folder = tmp_path / "run1"
    ask("--deals", "2k", "--out", str(folder))
    before = (folder / "manifest.json").read_bytes()

    def play_nothing(*args, **named):
        raise AssertionError("something was played")

    monkeypatch.setattr(Here, "play", staticmethod(play_nothing))
    for deals in ("2k", "3k"):
        ran = run("simulate", "--deals", deals, "--out", str(folder))
        assert ran.code == 2
        assert "already holds" in ran.err
    assert (folder / "manifest.json").read_bytes() == before


@pytest.mark.skipif(not os.path.isdir("/proc"), reason="needs a folder nobody can write")
def test_a_folder_that_cannot_be_written_is_refused(tmp_path):
    nameless = run("simulate", "--deals", "2k", "--out", "")
    assert (nameless.code, nameless.err.split(";")[0]) == (2, "--out has no name")
    ran = run("simulate", "--deals", "2k", "--out", "/proc/run1")
    assert ran.code == 2
    assert ran.err.startswith("The result folder /proc/run1 cannot be written")


def test_the_last_result_is_remembered():
    ask("--deals", "2k", "--seed", "5")
    assert [result.experiment.seed for result in recall()] == [5]


# --- dry run ------------------------------------------------------------------------------------------------


def test_a_dry_run_says_what_would_be_played_and_plays_nothing(tmp_path):
    out = ask("--dry-run", "--deals", "100001", "--bots", "strong,random", "--players", "3", "--out", str(tmp_path / "run1"))
    assert "100,002 deals" in out
    assert "33,334 shuffles in 3 rotations of the line-up, in 261 batches" in out
    assert "a win rate of 33.33 % would be known to within 0.29 points" in out
    assert "nothing was played" in out
    assert not list(tmp_path.iterdir())
    plans = document("--dry-run", "--deals", "1m", "--players", "2,4")["plans"]
    assert [plan["deals"] for plan in plans] == [10**6, 10**6]
    assert plans[1]["half_width"] == pytest.approx(0.000849, abs=1e-6)  # 0.1 point needs 720,300 deals
    assert all(plan["seconds"] > 0 for plan in plans)


# --- progress -----------------------------------------------------------------------------------------------


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(("stream", "quiet", "is_shown"), [(Terminal, False, True), (Terminal, True, False), (io.StringIO, False, False)])
def test_the_bar_is_shown_on_a_terminal_only(monkeypatch, stream, quiet, is_shown):
    screen = stream()
    monkeypatch.setattr(sys, "stderr", screen)
    monkeypatch.setenv("TERM", "xterm")
    with progress(quiet) as move:
        move(0, 10)
        move(5000, 20_000)
    assert ("5,000 of 20,000 deals" in screen.getvalue()) == is_shown
    assert is_shown or not screen.getvalue()


# --- what is refused ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--deals", "0"], "play at least 1"),
        (["--deals", "-5"], "write a whole number of deals"),
        (["--deals", "1e13"], "at most 1,000,000,000,000"),
        (["--deals", "many"], "write a whole number of deals"),
        (["--seed", "-1"], "write a whole number from 0"),
        (["--players", "7"], "write a number from 2 to 6"),
        (["--players", "5"], "5 players need more than 16"),
        (["--threads", "0"], "write a whole number from 1"),
        (["--bots", "carefull"], "There is no bot 'carefull'. Did you mean 'careful'?"),
        (["--bots", "random,random,random", "--players", "2"], "3 bots do not fit at a table of 2 players"),
        (["--bots", "random,,careful"], "write bots separated by commas"),
        (["--set", "starshp"], "Did you mean 'starship'?"),
        (["--set", "none.toml"], "There is no card file none.toml"),
        (["--pick", "9=starship"], "there is no speed '9'"),
        (["--json", "--csv"], "--json and --csv print the answer in two ways"),
        (["--nobody-begins", "next"], "--nobody-begins belongs to --campaign"),
        (["--dael", "5"], "--dael"),
    ],
)
def test_a_wrong_word_is_answered_with_a_sentence(words, sentence):
    ran = run("simulate", *words)
    assert ran.code == 2
    assert sentence in ran.err
    assert ran.out == ""
    assert len(ran.err.splitlines()) == 1


# --- stopping -------------------------------------------------------------------------------------------------


@pytest.fixture
def signal_while_playing(monkeypatch):
    """A function (signal, seconds after playing began) that has this process sent a signal."""
    timers = []

    def arrange(number: int, seconds: float) -> None:
        def play_on(*words, **named):
            timers.append(threading.Timer(seconds, lambda: os.kill(os.getpid(), number)))
            timers[-1].start()
            return play(*words, **named)

        monkeypatch.setattr(Here, "play", staticmethod(play_on))

    yield arrange
    for timer in timers:
        timer.join()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_stopped_run_prints_and_keeps_what_is_done(number, tmp_path, signal_while_playing):
    signal_while_playing(number, 1.0)
    ran = run("simulate", "--bots", "slow,random", "--players", "2", "--deals", "1m", "--out", str(tmp_path / "run1"), "--campaign")
    assert ran.code == 130
    assert "Stopped after " in ran.out
    assert "who wins" in ran.out
    kept = load(tmp_path / "run1")
    assert kept.status == "partial"
    assert f"Stopped after {kept.deals:,} of 1,000,000 deals" in ran.out


def test_a_run_stopped_at_once_says_what_is_kept(tmp_path, signal_while_playing):
    signal_while_playing(signal.SIGINT, 0.1)
    ran = run("simulate", "--bots", "slow", "--players", "2", "--deals", "40m", "--out", str(tmp_path / "run1"), "-q")
    assert ran.code == 130
    said = "Stopped before the first batch of deals was finished; "
    if list(tmp_path.iterdir()):  # the blocks of a batch under way were written, so that not even they are lost
        assert ran.err == f"{said}what was counted of it is kept: llsim simulate --resume {tmp_path / 'run1'}\n"
        assert load(tmp_path / "run1").deals == 0
    else:
        assert ran.err == f"{said}nothing is kept.\n"


def test_a_run_stopped_at_once_without_a_folder_keeps_nothing_and_says_so(signal_while_playing):
    signal_while_playing(signal.SIGINT, 0.1)
    ran = run("simulate", "--bots", "slow", "--players", "2", "--deals", "40m", "-q")
    assert (ran.code, ran.err) == (130, "Stopped before the first batch of deals was finished; nothing is kept.\n")


@pytest.mark.skipif(os.name != "posix", reason="needs POSIX signals")
def test_a_second_signal_ends_a_stuck_run_and_leaves_no_draft(tmp_path):
    words = [sys.executable, stand_in_module.__file__, "simulate", "--bots", "stuck", "--out", str(tmp_path / "run1")]
    child = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        wait_for(lambda: list(tmp_path.iterdir()))
        time.sleep(0.5)  # the draft is made just before signals are handled
        child.send_signal(signal.SIGINT)
        time.sleep(0.5)
        assert child.poll() is None
        child.send_signal(signal.SIGINT)
        out, err = child.communicate(timeout=20)
    finally:
        child.kill()
    assert (child.returncode, out, err) == (130, "", "")
    assert not list(tmp_path.iterdir())


def wait_for(condition, seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.05)


def test_a_bot_that_breaks_the_rules_ends_the_run_and_what_was_before_is_kept(tmp_path):
    ran = run("simulate", "--bots", "cheat,random", "--deals", "20k", "--out", str(tmp_path / "run1"))
    assert ran.code == 1
    assert "chose 9 of 2 options in deal 5000" in ran.err
    assert "The 4,992 deals before it are kept." in ran.err
    assert "Stopped after 4,992 of 20,000 deals" in ran.out
    assert load(tmp_path / "run1").error.startswith("The bot 'cheat'")
