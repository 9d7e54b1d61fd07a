"""Charts: every number they show stands in their table, and their files are what they seem."""

import csv
import io
import re
from dataclasses import replace
from xml.etree import ElementTree

import numpy as np
import pytest
from matplotlib.text import Text

from lostlegacy_sim.report.charts import (
    canvas,
    composition,
    dumbbell,
    effects,
    forest,
    heatmap,
    lengths,
    picture,
    places,
    seats,
    sweep,
    ways,
)
from lostlegacy_sim.report.charts.chart import Chart, side
from lostlegacy_sim.stats.intervals import Interval

SVG = "{http://www.w3.org/2000/svg}"
NAN = float("nan")


def around(value: float, half: float = 0.005) -> Interval:
    return Interval(value, value - half, value + half)


ABOVE, BELOW, UNSURE = around(0.02), around(-0.03), around(0.001)

CHARTS: dict[str, Chart] = {
    "seats": seats.chart(
        [seats.Profile("2 players", 0.49, (around(0.51), around(0.46), around(0.491)), (ABOVE, BELOW, UNSURE), 1000),
         seats.Profile("$x^2$ & <b>", 0.24, (around(0.26),), (ABOVE,), 10)]),
    "ways": ways.chart([ways.Shares(label, (("last", around(0.1)), ("seen", around(0.3)), ("nobody", around(0.6))), 500) for label in "AB"],
                       "ways", "Ways a deal ends"),
    "lengths": lengths.chart([lengths.Lengths("A", (0, 5, 10, 5), around(2.0)), lengths.Lengths("B", (0, 0, 3, 7), around(2.7))]),
    "legacy": places.chart(
        [places.Places("A", (places.Place("in a hand", "seat 1", around(0.7)), places.Place("in a hand", "seat 9", around(0.0, 0.0)),
                             places.Place("in the ruins", "card 1", around(0.3))), 100)], "legacy", "Where the Legacy was"),
    "forest": forest.chart(
        [forest.Effect("Search", ABOVE, around(0.06), 100), forest.Effect("Wound", BELOW, None, 100), forest.Effect("Map", UNSURE, ABOVE, 100)],
        forest.Words("forest", "What the text does", "points of win rate", "set", "card", "blank")),
    "dumbbell": dumbbell.chart(
        [dumbbell.Change("nobody", "rate", around(0.1), around(0.12), ABOVE, 100, 0.005),
         dumbbell.Change("turns", "turns", around(9), around(8.5), Interval(-0.5, -0.6, -0.4), 100)],
        dumbbell.Words("dumbbell", "Before and after", "old", "new")),
    "matchups": heatmap.chart(
        [heatmap.Matchup(row, column, advantage, 50)
         for row, column, advantage in (("a", "b", ABOVE), ("b", "a", BELOW), ("a", "c", UNSURE), ("c", "a", UNSURE), ("b", "c", ABOVE))],
        heatmap.Words("matchups", "Who gains", "one seat", "other seats")),
    "composition": composition.chart(
        [composition.Mix(f"mix {number}", around(number / 100), around(0.5 - number / 200), kind, 100)
         for number, kind in enumerate(["printed", "best", "worst", *[""] * 40])],
        composition.Goal("seat_gap", "gap, points", "difference"), composition.Goal("nobody", "nobody, %", "rate")),
    "effects": effects.chart(
        [effects.Effect(label, goal, change, told, 32, group)
         for label, group in (("14 cards", "G1"), ("15 cards", "G1"), ("a fourth copy: & more", "G3"))
         for goal, change, told in (("nobody", ABOVE, effects.WORSE), ("turns", Interval(0.5, 0.25, 0.75), effects.BETTER), ("skill", UNSURE, effects.UNTOLD))],
        [effects.Goal("nobody", "deals nobody won", "lower is better", "difference", 0.01), effects.Goal("turns", "turns of a deal", "higher is better", "turns"),
         effects.Goal("skill", "win rate of one careful in shares of par", "higher is better", "ratio")],
        effects.Words("effects", "What breaks", "way", "guideline")),
    "sweep": sweep.chart(
        [sweep.Point(place, line, (around(0.1 * number), Interval(number, number - 1, number + 1), around(0.5)), 500)
         for line in ("2 players", "4 players") for number, place in enumerate("123")],
        [sweep.Goal("nobody", "deals nobody won", "rate"), sweep.Goal("turns", "turns of a deal", "turns"), sweep.Goal("by_found", "deals won in the investigation", "rate")],
        "search.copies"),
}  # fmt: skip


@pytest.mark.parametrize("name", CHARTS)
def test_an_svg_has_a_title_a_description_and_text_that_is_text(name):
    chart = replace(CHARTS[name], context="some set")
    root = ElementTree.fromstring(picture.to_svg(chart))
    assert root.tag == f"{SVG}svg"
    assert root.find(f"{SVG}title").text == chart.title
    assert root.find(f"{SVG}desc").text == chart.description
    ids = {element.get("id") for element in root.iter()}
    assert set(root.get("aria-labelledby").split()) <= ids
    assert root.get("role") == "img"
    texts = ["".join(element.itertext()).strip() for element in root.iter(f"{SVG}text")]
    assert chart.title in texts
    assert "some set" in texts
    sizes = [float(size) for size in re.findall(r"font(?:-size)?: [^;]*?([\d.]+)px", picture.to_svg(chart))]
    assert len(sizes) == len(texts)
    assert min(sizes) >= 7  # points of a sheet 7.2 inches wide


@pytest.mark.parametrize("name", CHARTS)
def test_an_element_of_a_page_names_no_place_outside_and_has_the_colours_of_the_page(name):
    text = picture.to_page(CHARTS[name])
    assert "http" not in text
    assert "<style" not in text
    assert "var(--ink)" in text
    assert canvas.INK not in text
    root = ElementTree.fromstring(text)
    ids = [element.get("id") for element in root.iter() if element.get("id")]
    assert len(ids) == len(set(ids))
    assert all(one.startswith(f"{name}-") for one in ids)
    targets = re.findall(r"url\(#([^)]+)\)", text) + re.findall(r'href="#([^"]+)"', text)
    assert set(targets) <= set(ids)
    assert CHARTS[name].title not in ["".join(element.itertext()).strip() for element in root.iter("text")]  # the page writes it


@pytest.mark.parametrize("name", CHARTS)
def test_a_png_is_a_picture_on_white(name):
    from matplotlib.image import imread

    pixels = imread(io.BytesIO(picture.to_png(CHARTS[name])))
    assert pixels.shape[1] == round(canvas.WIDTH * picture.DOTS)
    assert np.all(pixels[0] > 0.99)
    assert np.all(pixels[:, -1] > 0.99)  # nothing is cut at the edges
    assert np.all(pixels[-1] > 0.99)
    assert len(np.unique(pixels.reshape(-1, pixels.shape[-1]), axis=0)) > 10


@pytest.mark.parametrize("name", CHARTS)
def test_the_same_chart_is_the_same_file(name):
    assert picture.to_svg(CHARTS[name]) == picture.to_svg(CHARTS[name])
    assert picture.to_png(CHARTS[name]) == picture.to_png(CHARTS[name])


def shown(name: str) -> list[str]:
    """All texts of a drawing, with plain minus signs."""
    root = ElementTree.fromstring(picture.to_svg(CHARTS[name]))
    return [line.strip().replace("−", "-") for element in root.iter(f"{SVG}text") for line in element.itertext()]


def rows(name: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(CHARTS[name].table.to_csv())))


@pytest.mark.parametrize(
    ("name", "column", "form"),
    [
        ("seats", "win_rate", "{:.1f}"),
        ("ways", "share", "{:.1f}"),
        ("lengths", "share", "{:.1f}"),
        ("legacy", "share", "{:.1f}"),
        ("forest", "blank", "{:+.2f}"),
        ("matchups", "advantage", "{:+.1f}"),
    ],
)
def test_numbers_in_the_drawing_are_those_of_the_table(name, column, form):
    texts = shown(name)
    found = [form.format(100 * float(row[column])) for row in rows(name)]
    assert len(found) >= 2
    for number in found:
        assert any(text.split(" ")[0] == number for text in texts), (number, texts)
    assert not any(text.split(" ")[0] == form.format(12.3456) for text in texts)


def test_differences_of_rates_are_points_and_those_of_turns_are_turns():
    assert "+2.00 (+1.50 to +2.50)" in shown("dumbbell")
    assert "-0.50 (-0.60 to -0.40)" in shown("dumbbell")


def test_a_place_where_the_legacy_never_was_is_left_out():
    assert [row["which"] for row in rows("legacy")] == ["seat 1", "card 1"]


def test_the_interval_decides_what_is_said():
    assert [side(interval) for interval in (ABOVE, BELOW, UNSURE, Interval(1.0, NAN, NAN))] == [1, -1, 0, 0]
    assert side(Interval(0.3, 0.2, 0.4), par=0.1) == 1
    assert heatmap.sure_part(ABOVE) == ABOVE.low
    assert heatmap.sure_part(BELOW) == BELOW.high
    assert heatmap.sure_part(UNSURE) == 0


def test_better_and_worse_are_told_and_rates_are_in_points():
    assert {row["goal"]: row["verdict"] for row in rows("effects")} == {"nobody": "worse", "turns": "better", "skill": "not told apart"}
    assert {float(row["change"]) for row in rows("effects") if row["goal"] == "nobody"} == {0.02}
    words = CHARTS["effects"].description
    assert "deals nobody won: better with none. Worse with 14 cards; 15 cards; a fourth copy: & more." in words
    assert [text for text in shown("effects") if text in ("G1", "G3")] == ["G1", "G3"]


def test_a_sweep_has_a_line_for_each_way_to_set_the_rest():
    assert {"2 players", "4 players", "deals nobody won, %", "turns of a deal"} <= set(shown("sweep"))
    assert shown("sweep").count("search.copies") == 3
    assert len(rows("sweep")) == 18
    looks = [sweep.look(number) for number in range(25)]
    assert len(set(looks)) == 25


def test_a_forest_is_sorted_by_lower_bounds_group_by_group():
    effects = [forest.Effect("wide", Interval(0.09, -0.01, 0.19), None, 1, "x"), forest.Effect("sure", Interval(0.05, 0.04, 0.06), None, 1, "x"),
               forest.Effect("none", Interval(0.5, NAN, NAN), None, 1, "x"), forest.Effect("first", BELOW, None, 1, "w")]  # fmt: skip
    words = forest.Words("forest", "title", "points", "set", "card", "blank")
    assert [effect.label for effect in forest.ordered(effects, words)] == ["sure", "wide", "none", "first"]
    assert [effect.label for effect in forest.ordered(effects, replace(words, is_ranked=False))] == ["wide", "sure", "none", "first"]


def test_a_heatmap_puts_those_who_play_alike_side_by_side():
    strength = {"weak 1": -0.2, "strong 1": 0.2, "weak 2": -0.19, "strong 2": 0.21, "middle": 0.0}
    matchups = [heatmap.Matchup(row, column, around(strength[row] - strength[column]), 9) for row in strength for column in strength if row != column]
    order = heatmap.ordered(matchups)
    assert sorted(order) == sorted(strength)
    assert {frozenset(order[:2]), frozenset(order[-2:])} == {frozenset({"weak 1", "weak 2"}), frozenset({"strong 1", "strong 2"})}
    assert order[2] == "middle"
    assert order[0].startswith("strong")


def test_names_on_the_map_hide_neither_each_other_nor_named_dots():
    close = [composition.Mix(f"name {number}", around(0.1 + number / 5000), around(0.1), "best") for number in range(6)]
    others = [composition.Mix("other", around(number / 100), around(number / 100)) for number in range(30)]
    chart = composition.chart([*close, *others], composition.Goal("x", "x", "rate"), composition.Goal("y", "y", "rate"))
    figure = chart.draw()
    axes = figure.axes[0]
    figure.draw_without_rendering()
    from matplotlib.text import Text

    boxes = [Text.get_window_extent(text) for text in axes.texts]
    assert len(boxes) == 6
    assert not any(one.overlaps(other) for number, one in enumerate(boxes) for other in boxes[:number])
    dots = [axes.transData.transform((100 * mix.x.value, 100 * mix.y.value)) for mix in close]
    assert not any(box.contains(*dot) for box in boxes for dot in dots)


def test_too_few_deals_draw_no_bars_and_break_nothing():
    nothing = Interval(NAN, NAN, NAN)
    few = Interval(0.5, NAN, NAN)
    for chart in (
        seats.chart([seats.Profile("one", 0.5, (few, few), (nothing, nothing), 1)]),
        forest.chart([forest.Effect("card", few, nothing, 1)], forest.Words("forest", "title", "points", "set", "card", "blank")),
        lengths.chart([lengths.Lengths("one", (0, 0, 1, 0), few)]),
    ):
        assert picture.to_svg(chart).startswith("<?xml")
        assert None in chart.table.rows[0] or "low" not in chart.table.columns


def test_a_long_key_fits_on_the_sheet_and_long_names_keep_their_ends():
    figure = canvas.sheet(1)
    with canvas.style():
        canvas.key(figure, [canvas.dot(canvas.INK, f"a very long explanation {number}") for number in range(8)])
    assert figure.legends[0].get_window_extent().width <= canvas.WIDTH * figure.dpi
    assert len(figure.legends) == 1
    assert canvas.shortened(["a bot with a rather long name 12", "short"], 20) == ["a bot with a…name 12", "short"]


def test_labels_keep_what_tells_them_apart():
    long = [f"careful, others file:/a/long/way/to/a/{name}/with/a/bot/in/it/my_bot.py" for name in ("folder", "father")]
    for lines in (1, 2):
        assert len(set(canvas.shortened(long, 26, lines))) == 2
        assert all(label.startswith("careful") for label in canvas.shortened(long, 26, lines))
    assert canvas.shortened(["file:/x/a/my_bot.py", "file:/x/b/my_bot.py"], 24) == ["a/my_bot.py", "b/my_bot.py"]
    assert canvas.shortened(["seat 1 and what it does in the end", "b"], 20, 2) == ["seat 1 and what it\ndoes in the end", "b"]
    few = Interval(0.5, 0.4, 0.6)
    shown = [
        forest.chart([forest.Effect(label, few, None, 9) for label in long], forest.Words("forest", "title", "points", "set", "card", "blank")),
        ways.chart([ways.Shares(label, (("last", few), ("nobody", few)), 9) for label in long], "ways", "Ways a deal ends"),
        lengths.chart([lengths.Lengths(label, (0, 1, 2), few) for label in long]),
        seats.chart([seats.Profile(label, 0.5, (few, few), (few, few), 9) for label in long]),
        places.chart([places.Places(label, (places.Place("in a hand", "seat 1", few),), 9) for label in long], "legacy", "Where the Legacy was"),
        heatmap.chart([heatmap.Matchup(long[0], long[1], few, 9), heatmap.Matchup(long[1], long[0], few, 9)], heatmap.Words("m", "title", "one", "others")),
        dumbbell.chart([dumbbell.Change("turns", "turns", few, few, few, 9)], dumbbell.Words("dumbbell", "title", *long)),
        effects.chart([effects.Effect(label, "turns", few, 0, 9) for label in long], [effects.Goal("turns", "turns", "lower is better", "turns")],
                      effects.Words("effects", "title", "change")),
        sweep.chart([sweep.Point(place, line, (few,), 9) for line in long for place in ("1", "2")], [sweep.Goal("turns", "turns", "turns")], "copies"),
    ]  # fmt: skip
    for chart in shown:
        texts = [text.get_text().replace("\n", " ") for text in chart.draw().findobj(Text)]
        assert len({text for text in texts if text.startswith("careful")}) == 2, chart.name


@pytest.mark.parametrize("colour", canvas.TEXT_ON)
def test_numbers_on_colours_can_be_read(colour):
    def luminance(text: str) -> float:
        parts = [int(text[place : place + 2], 16) / 255 for place in (1, 3, 5)]
        red, green, blue = (part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    dark, light = sorted((luminance(colour), luminance(canvas.TEXT_ON[colour])))
    assert (light + 0.05) / (dark + 0.05) >= 4.5
