"""The page of a report: valid, whole, needing nothing else, and saying what the estimates say."""

import json
import re
from dataclasses import replace
from itertools import pairwise

import pytest
from kept_results import answers, keep
from page_reader import PageReader

from lostlegacy_sim.games import find_game
from lostlegacy_sim.games.lost_legacy.game import REMEMBERED
from lostlegacy_sim.report import html, simulated
from lostlegacy_sim.report.commands import replay_line, set_words, simulate_line
from lostlegacy_sim.report.exemplars import CONTRADICTION, exemplars_of
from lostlegacy_sim.report.page import Page, page_of
from lostlegacy_sim.report.screen import percent
from lostlegacy_sim.report.section import Said, Section, all_tables, find_table
from lostlegacy_sim.report.source import labels_of, sources_of
from lostlegacy_sim.report.tables import Table
from lostlegacy_sim.result import manifest_of
from lostlegacy_sim.stats.intervals import student_quantile

SECTIONS = ["answers", "seats", "ways", "length", "legacy", "measures", "origin", "deals"]


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    return keep(tmp_path_factory.mktemp("kept") / "several", (2, 3))


@pytest.fixture(scope="module")
def different_bots(tmp_path_factory):
    return keep(tmp_path_factory.mktemp("kept") / "bots", (4,), ("careful", "random"), 4000)


def page_text(results) -> str:
    sources = sources_of([("last", result) for result in results])
    named = list(zip([source.label for source in sources], answers(results), strict=True))
    return html.render(page_of(sources, simulated.sections(named), find_game("lost_legacy")))


@pytest.fixture(scope="module")
def text(results):
    return page_text(results)


@pytest.fixture(scope="module")
def page(text):
    return PageReader(text)


def test_the_page_is_valid(page, text):
    assert text.startswith("<!DOCTYPE html>\n<html lang=\"en\">")
    assert page.faults == []
    assert len(page.ids) == len(set(page.ids))
    assert set(page.targets) <= set(page.ids)
    assert page.counted["svg"] == 4


def test_a_fault_would_be_seen():
    bad = PageReader('<p id="a" onclick="x"><b></p><img src="http://x/y.png"><p id="a" style="background: url(x.png)">')
    assert len(bad.faults) == 3
    assert bad.ids == ["a", "a"]
    assert len(bad.fetched) == 2


def test_the_page_needs_no_network_and_no_script(page, text):
    assert page.fetched == []
    assert [kind for kind, _ in page.scripts] == ["application/json"]
    outside = re.sub(r'<script type="application/json".*?</script>', "", text, flags=re.DOTALL)
    assert not re.search(r"https?:|//[\w.]+/|@import|url\((?!#)", outside)
    assert "default-src 'none'" in text


def test_all_sections_are_there_in_order(page):
    assert [one for one in page.ids if one in SECTIONS] == SECTIONS
    levels = [level for level, _ in page.headings]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))


def test_tables_can_be_read_aloud(page):
    assert page.cells_without_scope == 0
    assert page.captions == len(page.tables) >= 7
    assert all(len({len(row) for row in table}) == 1 for table in page.tables)


def test_light_and_dark_and_paper(page):
    for words in ("prefers-color-scheme: dark", "@page", "size: A4", "break-inside: avoid"):
        assert words in page.styles
    dark = page.styles.split("@media screen and (prefers-color-scheme: dark)")[1].split("}")[0]
    variables = set(re.findall(r"var\((--\w+)\)", page.styles)) | {"--above", "--below", "--unsure"}
    assert variables <= set(re.findall(r"(--\w+):", dark))


@pytest.mark.parametrize("where", ["light", "dark"])
def test_words_stand_out_from_their_background(page, where):
    light, dark = page.styles.split("@media screen and (prefers-color-scheme: dark)")[:2]
    colours = dict(re.findall(r"(--\w+): (#\w{6})", light if where == "light" else dark.split("@media")[0]))

    def luminance(text: str) -> float:
        parts = [int(text[place : place + 2], 16) / 255 for place in (1, 3, 5)]
        red, green, blue = (part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    for ground in ("--paper", "--tint"):
        for ink, least in (("--ink", 7), ("--muted", 4.5), ("--link", 4.5), ("--above", 3), ("--below", 3), ("--unsure", 3)):
            dark_one, light_one = sorted((luminance(colours[ground]), luminance(colours[ink])))
            assert (light_one + 0.05) / (dark_one + 0.05) >= least, (ground, ink)


def test_the_numbers_are_those_of_the_estimates(page, results):
    for result, answer in zip(results, answers(results), strict=True):
        label = f"{result.experiment.players} players"
        for row in answer.profile:
            low, high = percent(row.rate.low)[:-2], percent(row.rate.high)[:-2]
            wanted = [percent(row.rate.value)[:-2], f"{low}–{high}"]
            seat = row.label.removeprefix("seat ")
            found = [line[2:4] for table in page.tables for line in table if line[:2] == [label, seat]]
            assert wanted in found
        for name in ("nobody", "by_found", "legacy_hand"):
            assert simulated.bounds(answer.estimates[name]) in page.text
        assert f"{label}, {result.deals:,} deals:" in page.text


def test_the_intervals_of_the_seats_hold_all_at_once(results):
    for answer, seats in zip(answers(results), (2, 3), strict=True):
        alone = [row.rate.high - row.rate.low for row in answer.seats]
        together = [row.rate.high - row.rate.low for row in answer.profile]
        wider = student_quantile(1 - 0.05 / seats, 10**6) / student_quantile(0.95, 10**6)
        assert [wide / narrow for wide, narrow in zip(together, alone, strict=True)] == pytest.approx([wider] * seats, rel=0.01)
        assert [row.rate.value for row in answer.seats] == [row.rate.value for row in answer.profile]


def test_every_table_for_programs_holds_the_exact_estimates(results):
    sections = simulated.sections([("a", answers(results)[0]), ("b", answers(results)[1])])
    measures = find_table(sections, "measures")
    for label, answer in zip("ab", answers(results), strict=True):
        for name in answer.estimates.measures:
            estimate = answer.estimates[name]
            (row,) = [row for row in measures.rows if row[:2] == (label, name)]
            assert row[3] == (estimate.value if estimate.value == estimate.value else None)
    seats = find_table(sections, "seats")
    assert [row[2] for row in seats.rows] == [row.rate.value for answer in answers(results) for row in answer.seats]
    assert len({table.name for table in all_tables(sections)}) == len(list(all_tables(sections)))


def test_the_page_carries_what_it_was_made_from(page, results):
    document = json.loads(page.scripts[0][1])
    assert document["schema"] == "llsim.report/1"
    assert document["results"] == json.loads(json.dumps([manifest_of(result) for result in results]))


def test_experiment_seed_versions_and_hashes_are_named(page, results):
    for result in results:
        for words in (result.experiment.hash, result.experiment.set_hash, result.provenance["numba"], simulate_line(result.experiment)):
            assert words in page.text


def test_deals_worth_a_look_are_told(page, results):
    for source in sources_of([("last", result) for result in results]):
        told = exemplars_of(source)
        assert {kind for exemplar in told for kind in exemplar.kinds} == set(REMEMBERED.values())
        for exemplar in told:
            assert exemplar.refusal == ""
            assert exemplar.command in page.text
            assert exemplar.chapters[0].heading.startswith("The deal: seat 1 holds")
            assert all(chapter.heading in page.text for chapter in exemplar.chapters)
            endings = {REMEMBERED["nobody"]: "nobody wins", REMEMBERED["last"]: "the last", REMEMBERED["found"]: "found the Lost Legacy"}
            last_words = exemplar.chapters[-1].sentences[-1]
            assert last_words.startswith("Result: ")
            for kind in exemplar.kinds:
                assert endings.get(kind, "") in last_words


def test_a_deal_that_is_played_differently_now_is_not_told(results):
    (source, _) = sources_of([("last", result) for result in results])
    other = source.result.exemplars.copy()
    place = source.result.categories.index("nobody")
    other[place] = min(deal for name, deal in source.result.deal_of.items() if deal is not None and name.startswith("found"))
    changed = replace(source, result=replace(source.result, exemplars=other))
    assert CONTRADICTION in [exemplar.refusal for exemplar in exemplars_of(changed)]
    assert CONTRADICTION not in [exemplar.refusal for exemplar in exemplars_of(source)]


def test_a_bot_that_is_not_here_is_no_reason_to_have_no_page(results):
    (source, _) = sources_of([("kept", result) for result in results])
    experiment = replace(source.result.experiment, bots=("gone.py", "gone.py"), bot_sources=("ab" * 32, "ab" * 32))
    gone = replace(source, result=replace(source.result, experiment=experiment))
    told = exemplars_of(gone)
    assert all(exemplar.refusal.startswith("This deal cannot be told here. ") for exemplar in told)
    assert all(exemplar.command.startswith("llsim replay kept --players 2 --bots gone.py --deal ") for exemplar in told)


def test_different_bots_get_a_section(different_bots):
    page = PageReader(page_text(different_bots))
    assert page.faults == []
    assert "bots" in page.ids
    (answer,) = answers(different_bots)
    for row in answer.bots:
        assert percent(row.rate.value) in page.text
    assert "careful is above par" in page.text
    assert "random is below par: −" in page.text


def test_names_cannot_write_on_the_page(results):
    nasty = "</script><script>alert(1)</script><b>$x$"
    experiment = replace(results[0].experiment, set_name=nasty)
    sources = sources_of([(nasty, replace(results[0], experiment=experiment))])
    sections = [Section("evil", nasty, (Said(nasty, nasty, 1),), tables=(Table(nasty, (nasty,), ((nasty,),)),), notes=(nasty,))]
    named = simulated.sections([(nasty, answers(results)[0])])
    text = html.render(page_of(sources, [*sections, *named], find_game("lost_legacy")))
    page = PageReader(text)
    assert page.faults == []
    assert len(page.scripts) == 1
    assert "alert(1)" in page.text
    assert json.loads(page.scripts[0][1])["results"][0]["experiment"]["set_name"] == nasty


def test_other_studies_hand_in_their_sections():
    table = Table("made", ("measure", "unit", "before", "after"), (("nobody", "rate", 0.5, 0.25), ("turns", "turns", 9.0, -8.5)), ("", "", "by row", "step"))
    text = html.render(Page("A title", "of something", (Section("one", "Is it so?", (Said("", "It is.", 1),), tables=(table,)),), (), (), ()))
    page = PageReader(text)
    assert page.faults == []
    assert page.tables[0][1:] == [["nobody", "rate", "50.00", "+25.00"], ["turns", "turns", "9.000", "−8.500"]]
    assert "1 deal: It is." in page.text
    assert "origin" not in page.ids


def test_labels_say_what_differs(results):
    one, other = results
    again = replace(one, experiment=replace(one.experiment, seed=7))
    assert labels_of([one]) == ["2 players"]
    assert labels_of([one, other]) == ["2 players", "3 players"]
    assert labels_of([one, again]) == ["seed 1", "seed 7"]
    assert labels_of([one, one]) == ["2 players · result 1", "2 players · result 2"]


def test_what_has_one_name_is_told_apart_by_its_hash(results):
    one = results[0].experiment
    old, new, longer = (replace(results[0], experiment=replace(one, bots=("file:my_bot.py", "random"), bot_sources=(source * 64, ""), seed=seed))
                        for source, seed in (("a", 1), ("b", 1), ("b", 2)))  # fmt: skip
    assert labels_of([old, new]) == ["bot file aaaaaaaa", "bot file bbbbbbbb"]
    assert labels_of([old, longer]) == ["seed 1", "seed 2"]
    assert labels_of([old, new, longer]) == ["seed 1 · bot file aaaaaaaa", "seed 1 · bot file bbbbbbbb", "seed 2 · bot file bbbbbbbb"]
    other = replace(one, set_text=one.set_text.replace("copies = 3", "copies = 2"))
    assert labels_of([results[0], replace(results[0], experiment=other)]) == [f"cards {each.set_hash[:8]}" for each in (one, other)]


@pytest.mark.parametrize("word", ["starship", "flying-garden", "flying-garden-recall", "megamix", "custom"])
def test_commands_name_the_set_so_that_it_is_found_again(word, tmp_path):
    import shlex

    from command_line import run

    (result,) = keep(tmp_path / "kept", (3,), deals=16, set_word=word, seed=5)
    (source,) = sources_of([("kept", result)])
    line = shlex.split(simulate_line(result.experiment))
    again = json.loads(run(*line[1:], "--dry-run", "--json").out)["plans"][0]["experiment_hash"]
    assert again == result.experiment.hash
    told = json.loads(run(*shlex.split(replay_line(source, 3))[1:], "--json").out)
    assert told["deal"] == 3
    assert told["experiment"] == result.experiment.to_plain() | {"deals": 1}


def test_cards_of_ones_own_are_taken_from_a_file(results):
    experiment = replace(results[0].experiment, set_id="mine", set_text=results[0].experiment.set_text.replace("Search", "Seek"))
    assert set_words(experiment) is None
    assert "--set mine.toml" in simulate_line(experiment)
