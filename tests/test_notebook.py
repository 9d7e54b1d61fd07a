"""The Python door: what it imports, that it says what the command line says, and its errors."""

import json
import re
import subprocess
import sys

import numpy as np
import pytest
from command_line import run

import lostlegacy_sim as ll
from lostlegacy_sim.notebook import asking, words

HEAVY = ("numpy", "numba", "pandas", "scipy", "matplotlib", "click", "rich", "lostlegacy_sim.cli", "lostlegacy_sim.games")
LONG = ["measure", "seat", "bot", "estimate", "low", "high", "n"]


@pytest.fixture(autouse=True)
def work_folder(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)


@pytest.fixture(scope="module")
def simulated():
    return ll.simulate("starship", 4, ["hunter", "careful"], 8000, 3, threads=1)


# --- what is imported -----------------------------------------------------------------------------------


def imported(code: str) -> set[str]:
    ran = subprocess.run([sys.executable, "-c", f"import sys\n{code}\nprint(*sys.modules)"], capture_output=True, text=True, check=True)
    return set(ran.stdout.split())


def test_the_package_alone_imports_nothing_heavy():
    assert imported("import lostlegacy_sim as ll; dir(ll); ll.__version__; ll.LlsimError").isdisjoint(HEAVY)
    assert {"numpy", "lostlegacy_sim.games"} <= imported("import lostlegacy_sim as ll; ll.simulate")  # the list would catch it


def test_every_public_name_is_there():
    for name in ll.__all__:
        assert getattr(ll, name) is not None
    assert set(ll.__all__) == {*ll.ROOMS, "__version__"} <= set(dir(ll))
    with pytest.raises(AttributeError, match="has no attribute 'simulat'"):
        ll.simulat  # noqa: B018


# --- the same as the command line -----------------------------------------------------------------------


def test_it_says_what_the_command_line_says(simulated):
    line = ("simulate", "--bots", "hunter,careful", "--deals", "8000", "--seed", "3", "--threads", "1")
    document = json.loads(run(*line, "--json").out)
    (one,) = document["results"]
    assert one["experiment_hash"] == simulated.experiment.hash
    for name, found in one["measures"].items():
        assert simulated[name].to_plain() == found
    assert simulated.verdicts == one["verdicts"]
    assert run(*line, "-q").out.startswith(str(simulated))


def test_comparing_says_what_the_command_line_says():
    found = ll.compare("starship", "flying-garden", bots="random", deals=3000, margin=["1pp", "turns=0.1"], measures=["nobody", "turns"], threads=1)
    line = ("compare", "starship", "flying-garden", "--bots", "random", "--deals", "3000", "--margin", "1pp", "--margin", "turns=0.1",
             "--measure", "nobody", "--measure", "turns", "--threads", "1")  # fmt: skip
    document = json.loads(run(*line, "--json").out)
    assert [one.to_plain()["measures"] for one in found.comparisons] == [one["measures"] for one in document["comparisons"]]
    assert run(*line, "-q").out.strip() == str(found).strip()
    assert list(found.table()["verdict"]) == [row["verdict"] for row in document["comparisons"][0]["measures"]]
    found.save("both")
    assert ll.compare(*ll.load("both"), measures=["nobody"]).comparisons[0].rows[0].verdict.interval.value == found.table()["difference"][0]


def test_a_side_says_what_differs(simulated):
    found = ll.compare({"bots": "random"}, {"bots": ["careful", "random"], "players": 4}, {"set": "megamix"}, bots="random", deals=400, threads=1)
    assert [result.experiment.bots[0] for result in found.results] == ["random", "careful", "random"]
    assert len({result.blocks for result in found.results}) == 1  # the same deals
    assert len(found.comparisons) == 2
    mixed = ll.compare(simulated, {"bots": ["random", "careful"]}, deals=8000, seed=3, threads=1)
    assert mixed.comparisons[0].contrast.pairing.is_paired
    assert mixed.sides[0].deals == simulated.deals


def test_exploring_says_what_the_command_line_says(tmp_path):
    (tmp_path / "sweep.toml").write_text('bots = "random"\n[sweep]\n"search.copies" = [1, 3]\n')
    found = ll.explore("sweep.toml", goals=["nobody", "turns:low"], deals=500, threads=1)
    line = ("explore", "sweep.toml", "--goal", "nobody", "--goal", "turns:low", "--deals", "500", "--threads", "1")
    assert run(*line, "-q").out.strip() == str(found).strip()
    found.save("kept")
    assert str(ll.load("kept")) == str(found)
    assert ll.load("kept").table().equals(found.table())
    assert list(found.table()["value"]) == [row["value"] for row in ll.load("kept").table("sweep").sort_values(
        ["search.copies", "goal"], kind="stable").to_dict("records")]  # fmt: skip


def test_balance_says_what_the_command_line_says():
    found = ll.balance("starship", bots="random", deals=800, cards=["search", "assault"], effects=["blank", "copy"], threads=1)
    line = ("balance", "starship", "--bots", "random", "--deals", "800", "--cards", "search,assault", "--effects", "blank,copy", "--threads", "1")
    assert run(*line, "-q").out.strip() == str(found).strip()
    found.save("kept")
    again = ll.load("kept")
    assert str(again) == str(found)
    for name in found.tables:
        assert again.table(name).equals(found.table(name))
    assert set(found.table()["card"]) == {"Search", "Assault"} or set(found.table()["card"]) == {"search", "assault"}
    assert {effect.effect for effect in found.effects} == {"one", "blank", "fewer", "more"}


@pytest.mark.parametrize("ladder", [False, True])
def test_a_tournament_says_what_the_command_line_says(ladder):
    found = ll.tournament(["random", "careful"], players=[2, 3], deals=300, ladder=ladder, threads=1)
    line = ("tournament", "--bots", "random,careful", "--players", "2,3", "--deals", "300", "--threads", "1", *(["--ladder"] if ladder else []))
    assert run(*line, "-q").out.strip() == str(found).strip()
    found.save("kept")
    assert str(ll.load("kept")) == str(found)
    assert len(found.table()) > 0
    for name in found.tables:
        assert list(ll.load("kept").table(name).columns) == list(found.table(name).columns)


def test_until_has_intervals_that_hold_at_every_look():
    found = ll.simulate(bots="random", until=["turns +/- 0.2"], threads=1)
    assert found.deals < 50_000
    assert found["nobody"].method == "beta-binomial sequence"
    assert found["turns"].high - found["turns"].value <= 0.2


def test_threads_change_nothing():
    one, two = (ll.simulate(bots="random", deals=5000, threads=threads).result for threads in (1, 2))
    assert one.tally == two.tally


# --- tables ---------------------------------------------------------------------------------------------


def test_the_seats_are_a_long_table(simulated):
    seats = simulated.table("seats")
    assert list(seats.columns) == LONG
    for row in seats.to_dict("records"):
        found = simulated[f"{row['measure']}[{row['seat']}]"]
        assert (row["estimate"], row["low"], row["high"], row["n"]) == (found.value, found.low, found.high, found.n)
    assert seats["bot"].isna().all()  # both bots sit there in turn
    assert set(ll.simulate(bots="random", deals=500, threads=1).table("seats")["bot"]) == {"random"}
    wins = seats[seats.measure == "win_seat"]
    assert list(wins["seat"]) == [1, 2, 3, 4]
    total = wins["estimate"].sum() + simulated["nobody"].value
    assert total == pytest.approx(1)


def test_bots_and_measures(simulated):
    bots = simulated.table("bots")
    assert list(bots.columns) == LONG
    assert set(bots["bot"]) == {"hunter", "careful"}
    assert bots.set_index(["measure", "bot"])["estimate"]["win_bot", "hunter"] == simulated["win_bot[hunter]"].value
    measures = simulated.table().set_index("measure")
    assert tuple(measures.index) == simulated.measures
    assert measures["estimate"]["turns"] == simulated["turns"].value
    assert measures["unit"]["turns"] == "turns"


def test_cards_are_a_table_where_they_were_counted(simulated):
    found = ll.simulate(bots="random", deals=2000, detail="cards", threads=1)
    cards = found.table("cards")
    assert {"search", "assault"} <= set(cards["card"])
    by_name = cards.set_index(["measure", "card"])["estimate"]
    assert by_name["oh_win", "search"] == found["oh_win[search]"].value
    assert "cards" not in simulated.tables


def test_every_table_there_is_can_be_had(simulated):
    for name in simulated.tables:
        assert len(simulated.table(name)) > 0
    several = ll.simulate(players=[2, 3], bots="random", deals=500, threads=1)
    for name in several.tables:
        assert len(several.table(name)) > 0
    assert list(several.table("seats").columns) == ["result", "players", *LONG]
    assert several.table("seats").query("measure == 'win_seat'").groupby("players").size().to_dict() == {2: 2, 3: 3}


def test_files(simulated, tmp_path):
    import pandas

    simulated.to_csv("seats.csv", "seats")
    read = pandas.read_csv("seats.csv")
    assert read["estimate"].tolist() == simulated.table("seats")["estimate"].tolist()
    simulated.report("seats.png", chart="seats")
    assert (tmp_path / "seats.png").read_bytes().startswith(b"\x89PNG")
    simulated.report("page.html")
    assert (tmp_path / "page.html").read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    with pytest.raises(ll.ResultError, match=r"seats.csv exists already; name another file, or say replace=True."):
        simulated.to_csv("seats.csv")
    simulated.to_csv("seats.csv", replace=True)
    assert len(pandas.read_csv("seats.csv")) == len(simulated.measures)


def test_parquet(simulated):
    pandas, _ = pytest.importorskip("pandas"), pytest.importorskip("pyarrow")
    simulated.to_parquet("seats.parquet", "seats")
    assert pandas.read_parquet("seats.parquet")["estimate"].tolist() == simulated.table("seats")["estimate"].tolist()


def test_without_pyarrow_a_sentence_names_the_extra(simulated, monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(ll.UsageError, match=r"Parquet files need pyarrow; install it with: pip install 'lostlegacy_sim\[parquet\]'."):
        simulated.to_parquet("seats.parquet", "seats")
    assert list(tmp_path.iterdir()) == []


def test_what_is_kept_is_what_was_played(simulated):
    simulated.save("kept")
    again = ll.load("kept")
    assert again.result.tally == simulated.result.tally
    assert str(again) == str(simulated)
    with pytest.raises(ll.ResultError, match="kept exists already; name a folder that does not exist yet."):
        simulated.save("kept")
    several = ll.simulate(players=[2, 3], bots="random", deals=500, threads=1)
    several.save("several")
    assert [one.experiment for one in ll.load("several")] == [one.experiment for one in several]


# --- a measure of one's own -----------------------------------------------------------------------------


def test_a_measure_of_ones_own_has_the_interval_of_the_jackknife(simulated):
    own = simulated.measure(lambda counts: counts["nobody"] / counts["deals"], least=0, most=1)
    for number in ("value", "low", "high"):
        assert getattr(own, number) == pytest.approx(getattr(simulated["nobody"], number), rel=1e-12)
    assert (own.method, own.n) == ("jackknife", 8000)
    anywhere = simulated.measure(lambda counts: counts["nobody"] / counts["deals"])
    assert own.low < anywhere.low < anywhere.high < own.high
    assert simulated.measure("nobody") == simulated["nobody"]

    def first_seat(counts):  # of one set of counts: written for these, not for arrays of them
        return counts["won"].sum(axis=(0, 1))[0] / counts["deals"]

    found = simulated.measure(first_seat)
    assert (found.name, found.value) == ("first_seat", pytest.approx(simulated["win_seat[1]"].value))
    assert found.high == pytest.approx(simulated["win_seat[1]"].high, abs=1e-4)  # of which it is not known what it lies between


def test_a_measure_that_cannot_be_one_is_a_sentence(simulated):
    for wrong, sentence in (
        (lambda counts: counts["nobdy"], "There is no count 'nobdy' here. Did you mean 'nobody'? Valid: deals,"),
        (lambda counts: counts["won"], "A measure is a single number; this function of the counts returned an array of shape (3, 6, 6)."),
        (lambda counts: "many", "A measure is a single number; this function of the counts returned a str."),
        ("nobdy", "There is no measure 'nobdy' here. Did you mean 'nobody'?"),
    ):
        with pytest.raises(ll.UsageError, match=re.escape(sentence)):
            simulated.measure(wrong)


def test_nothing_to_divide_by_gives_no_interval(simulated):
    found = simulated.measure(lambda counts: counts["void"] / counts["void"])
    assert np.isnan(found.value)
    assert found.method == "none"


def test_what_has_not_varied_has_an_interval_if_it_is_said_how_far_it_can_go(simulated):
    void = simulated.measure(lambda counts: counts["void"] / counts["deals"])
    assert (void.value, void.method) == (0, "none")
    void = simulated.measure(lambda counts: counts["void"] / counts["deals"], least=0, most=1)
    assert (void.low, void.method) == (0, "constant")
    assert 0 < void.high < 0.01
    with pytest.raises(ll.UsageError, match="to lie between 0 and 1, and is 8000; give it the ends it has"):
        simulated.measure(lambda counts: counts["deals"], least=0, most=1)


# --- errors ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("ask", "sentence"),
    [
        (lambda: ll.simulate("starshp"), "There is no set 'starshp'. Did you mean 'starship'?"),
        (lambda: ll.simulate(players=9), "Lost Legacy is for 2 to 6 players, not 9."),
        (lambda: ll.simulate(players=[]), r"players = \[\]: name at least one number of players."),
        (lambda: ll.simulate(players="4"), "players = '4': that is not a whole number."),
        (lambda: ll.simulate(bots="carful"), "There is no bot 'carful'. Did you mean 'careful'?"),
        (lambda: ll.simulate(bots=["careful"] * 5), "5 bots do not fit at a table of 4 players"),
        (lambda: ll.simulate(deals=1.5), "deals = 1.5: that is not a whole number."),
        (lambda: ll.simulate(deals=float("nan")), "deals = nan: that is not a whole number."),
        (lambda: ll.simulate(deals=0), "0 deals cannot be played; ask for at least 1."),
        (lambda: ll.simulate(seed=-1), "The seed -1 is out of range"),
        (lambda: ll.simulate(detail="all"), "detail = 'all' is unknown."),
        (lambda: ll.simulate(until="seat_gap"), "write a measure and how exactly it is to be known"),
        (lambda: ll.simulate(until="nobdy +/- 1pp"), "There is no measure 'nobdy' here. Did you mean 'nobody'?"),
        (lambda: ll.load_set("custom", {1: "starshi"}), "there is no set 'starshi'. Did you mean 'starship'?"),
        (lambda: ll.load_set("starship", {1: "starship"}), "--pick chooses cards of a custom set"),
        (lambda: ll.compare("starship"), "A comparison takes two sides or more"),
        (lambda: ll.compare("starship", {"bot": "random"}), "A side cannot say 'bot'. Did you mean 'bots'?"),
        (lambda: ll.compare("starship", "megamix", measures=["turnz"]), "'turnz'"),
        (lambda: ll.compare("starship", "megamix", margin="many"), "write the largest difference that does not matter"),
        (lambda: ll.explore("mixs"), "There is no family 'mixs'. Did you mean 'mixes'?"),
        (lambda: ll.explore("gone.toml"), "gone.toml"),
        (lambda: ll.explore("mixes", goals="nobdy"), "There is no goal 'nobdy' here. Did you mean 'nobody'?"),
        (lambda: ll.balance("starship", cards=["serch"]), "'serch'"),
        (lambda: ll.balance(effects=["blnk"]), "There is no effect 'blnk'. Did you mean 'blank'?"),
        (lambda: ll.balance(players=7), "not 7."),
        (lambda: ll.tournament(["careful"]), "A tournament is between two bots or more"),
        (lambda: ll.tournament(ladder=True, all_mixtures=True), "leave out all_mixtures."),
        (lambda: ll.load("gone"), "There is no result folder gone."),
    ],
)  # fmt: skip
def test_a_wrong_word_is_a_sentence_before_anything_is_played(monkeypatch, ask, sentence):
    def refuse(*_, **__):
        raise AssertionError("deals are played")

    for name in ("play", "play_until", "play_balance", "play_in_turn", "Compared"):
        monkeypatch.setattr(asking, name, refuse)
    with pytest.raises(ll.LlsimError, match=sentence) as caught:
        ask()
    assert "\n" not in str(caught.value)


def test_a_table_or_chart_that_is_not_there(simulated):
    with pytest.raises(ll.UsageError, match="There is no table 'seat' here. Did you mean 'seats'?"):
        simulated.table("seat")
    with pytest.raises(ll.UsageError, match="this result has no such chart. Did you mean 'seats'?"):
        simulated.report("x.png", chart="seat")
    with pytest.raises(ll.UsageError, match="a page is a file ending in .html."):
        simulated.report("x.pdf")
    with pytest.raises(ll.UsageError, match="There is no measure"):
        simulated["nothing"]
    assert simulated.require("nobody < 90%") == "met"
    assert simulated.require("nobody > 90%") == "broken"


def test_a_bot_that_breaks_the_rules_is_named(tmp_path):
    import fake_game

    with pytest.MonkeyPatch.context() as patch:
        for module in (asking, words):
            patch.setattr(module, "find_game", lambda name: fake_game.FAKE)
        with pytest.raises(ll.BotError, match="in deal 5000"):
            ll.simulate(bots="cheat", deals=20_000, threads=1)
