"""The sets one can ask for: printed sets, Megamix, the 512 mixes, the guidelines, who can play."""

from collections import Counter
from dataclasses import replace
from itertools import islice
from pathlib import Path
from random import Random

import pytest
from card_files import random_card_set
from hypothesis import given
from hypothesis import strategies as st

from lostlegacy_sim.cardset import CardSet, make_set, parse_set
from lostlegacy_sim.errors import SetError, UsageError
from lostlegacy_sim.games.lost_legacy.cards.composition import (
    PAIR,
    PRINTED,
    SET_WORDS,
    SPEEDS,
    all_mixes,
    draw_mix,
    load_set,
    megamix,
    mix,
    parse_picks,
    pick_line,
    printed,
)
from lostlegacy_sim.games.lost_legacy.cards.guidelines import check_guidelines
from lostlegacy_sim.games.lost_legacy.cards.playability import check_seats, problems, seats
from lostlegacy_sim.games.lost_legacy.vocabulary import VOCABULARY, X

COPIES = {1: 1, 2: 1, 3: 1, 4: 1, 5: 1, 6: 2, 7: 3, 8: 3, X: 3}
picks = st.dictionaries(st.sampled_from(SPEEDS), st.sampled_from(PAIR))


def copies_by_speed(card_set: CardSet) -> Counter[int]:
    found: Counter[int] = Counter()
    for card in card_set.cards:
        found[card.speed] += card.copies
    return found


def broken(card_set: CardSet) -> set[str]:
    return {finding.guideline for finding in check_guidelines(card_set) if not finding.holds}


# --- printed sets and Megamix --------------------------------------------------------------------------


@pytest.mark.parametrize("name", PRINTED)
def test_a_printed_set_has_the_official_composition(name: str) -> None:
    card_set = printed(name)
    assert (card_set.id, copies_by_speed(card_set)) == (name, COPIES)
    assert [card.speed for card in card_set.cards if card.flag("legacy")] == [5]
    assert (problems(card_set, name), broken(card_set), seats(card_set)) == ([], set(), (2, 3, 4))


@pytest.mark.parametrize("word", SET_WORDS)
def test_every_set_reads_back_equal(word: str) -> None:
    card_set = load_set(word)
    again = parse_set(card_set.to_toml(), VOCABULARY, where="again")
    assert (again, again.hash) == (card_set, card_set.hash)


def test_megamix_has_31_cards_and_the_first_legacy() -> None:
    both = printed(PAIR[0]).cards + printed(PAIR[1]).cards
    mega = load_set("megamix")
    assert (mega.n_cards, seats(mega)) == (31, (2, 3, 4, 5, 6))
    assert {card.id for card in both} - {card.id for card in mega.cards} == {"the_flying_garden"}
    kept = load_set("megamix", keep="flying-garden")
    assert {card.id for card in both} - {card.id for card in kept.cards} == {"the_starship"}
    assert kept.hash != mega.hash


def test_megamix_of_sets_that_share_ids_names_the_set_behind_them() -> None:
    own = parse_set(printed("starship").to_toml().replace('id = "starship"', 'id = "own"'), VOCABULARY, "own")
    mega = megamix(printed("starship"), own, keep="own")
    assert {"search@starship", "search@own", "the_starship"} <= {card.id for card in mega.cards}
    assert problems(mega, "mega") == []
    with pytest.raises(SetError, match="two sets with different ids, not 'starship' twice"):
        megamix(printed("starship"), printed("starship"), keep="starship")
    with pytest.raises(UsageError, match=r"--keep garden: no set of this Megamix\. Did you mean 'flying-garden'\?"):
        load_set("megamix", keep="garden")


# --- mixes ---------------------------------------------------------------------------------------------


def test_there_are_512_mixes_and_all_keep_the_guidelines() -> None:
    mixes = list(all_mixes())
    assert len({card_set.hash for card_set in mixes}) == 512
    assert all(broken(card_set) == set() and problems(card_set, "mix") == [] for card_set in mixes)
    assert {printed(name).hash for name in PAIR} < {card_set.hash for card_set in mixes}
    assert len({card_set.id for card_set in mixes}) == 512


@given(seed=st.integers(0, 2**63 - 1), fixed=picks)
def test_a_drawn_mix_keeps_the_picks_and_its_line_repeats_it(seed: int, fixed: dict[int, str]) -> None:
    drawn = draw_mix(seed, fixed)
    assert all(card.symbol == fixed.get(card.speed, card.symbol) for card in drawn.cards)
    assert mix(parse_picks(pick_line(drawn))) == drawn == draw_mix(seed, fixed)
    free = draw_mix(seed, {})
    assert all(card in free.cards for card in drawn.cards if card.speed not in fixed)


def test_draws_are_uniform_over_the_mixes_that_keep_the_picks() -> None:
    found = Counter(draw_mix(seed, {1: "starship", 6: "flying-garden"}).id for seed in range(12_800))
    assert len(found) == 128
    # 128 equally likely mixes, 100 expected of each: chi-square with 127 degrees of freedom, mean 127, s.d. 16.
    assert 127 - 4 * 16 < sum((count - 100) ** 2 / 100 for count in found.values()) < 127 + 4 * 16


def test_a_mix_with_recall_takes_all_other_garden_cards_from_that_version() -> None:
    drawn = load_set("custom", {4: "flying-garden-recall"}, seed=11)
    assert {card.symbol for card in drawn.cards} == {"starship", "flying-garden-recall"}
    assert mix(parse_picks(pick_line(drawn))) == drawn


def test_a_mix_of_one_set_is_that_set() -> None:
    assert mix(dict.fromkeys(SPEEDS, "starship")) == printed("starship")
    with pytest.raises(UsageError, match="needs a set for every speed; 1, X is not picked"):
        mix(dict.fromkeys(SPEEDS[1:-1], "starship"))
    with pytest.raises(SetError, match="Megamix of The Starship and The Flying Garden is no mix of printed sets"):
        pick_line(load_set("megamix"))


def test_a_byte_order_mark_is_no_part_of_a_card_file(tmp_path: Path) -> None:
    path = tmp_path / "marked.toml"
    path.write_text(printed("starship").to_toml(), encoding="utf-8-sig")
    assert load_set(str(path)) == printed("starship")
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    assert load_set(str(path)) == printed("starship")


def test_picks_are_read_from_words() -> None:
    assert parse_picks("1=starship, x=flying-garden,") == {1: "starship", X: "flying-garden"}
    assert parse_picks("") == {}


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("9=starship", "--pick 9=starship: there is no speed '9'; write a number from 1 to 8, or X."),
        ("=starship", "--pick =starship: there is no speed ''; write a number from 1 to 8, or X."),
        ("1", "--pick 1: write speed=set, such as 1=starship or X=flying-garden."),
        ("1=starshp", "--pick 1=starshp: there is no set 'starshp'. Did you mean 'starship'?"),
        ("1=starship,1=flying-garden", "--pick 1=flying-garden: speed 1 is already picked from starship; leave one."),
        ("1=flying-garden,4=flying-garden-recall", "A mix takes cards of two sets; flying-garden and flying-garden-recall are two versions of one."),
    ],
)  # fmt: skip
def test_wrong_picks_are_refused_in_a_sentence(line: str, said: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse_picks(line)
    assert str(caught.value).startswith(said)


# --- words and files -----------------------------------------------------------------------------------


def test_a_card_file_is_named_by_its_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("my.toml").write_text(printed("starship").to_toml())
    Path("plain").write_text(printed("starship").to_toml())
    assert load_set("my.toml") == load_set("plain") == load_set("./my.toml") == printed("starship")
    Path("flying-garden").write_text("not TOML")
    assert load_set("flying-garden") == printed("flying-garden")  # a set's word goes before a file of that name


def test_unknown_words_name_the_nearest_set() -> None:
    with pytest.raises(SetError, match="There is no set 'flying-gardn'. Did you mean 'flying-garden'?"):
        load_set("flying-gardn")
    with pytest.raises(SetError, match="There is no printed set 'custom'"):
        printed("custom")
    with pytest.raises(UsageError, match="--pick chooses cards of a custom set; write --set custom, not --set starship"):
        load_set("starship", {1: "starship"})


# --- guidelines ----------------------------------------------------------------------------------------


def changed(**copies: int) -> CardSet:
    """The Starship set with other numbers of copies."""
    base = printed("starship")
    cards = [replace(card, copies=copies.get(card.id, card.copies)) for card in base.cards]
    return make_set("own", "Own", [card for card in cards if card.copies], like=base)


def test_g1_number_of_cards() -> None:
    finding = check_guidelines(changed(search=2))[0]
    assert (finding.holds, finding.there, finding.mend) == (False, "15 cards instead of 16", "add 1 card")
    finding = check_guidelines(changed(search=5))[0]
    assert (finding.holds, finding.there, finding.mend) == (False, "18 cards instead of 16", "take out 2 cards")


def test_g2_one_card_at_each_speed_from_1_to_5() -> None:
    finding = check_guidelines(changed(general=0, swordsman=2))[1]
    assert (finding.guideline, finding.holds) == ("G2", False)
    assert (finding.there, finding.mend) == ("no card at speed 2 and 2 cards at speed 4", "make it 1 at speed 2 and 1 at speed 4")


def test_g3_cards_at_the_speeds_from_6_to_x() -> None:
    own = changed(ancient_map=3, sneak_attack=2)
    assert broken(own) == {"G3"}
    finding = check_guidelines(own)[2]
    assert (finding.there, finding.mend) == ("3 cards at speed 6 and 2 cards at speed X", "make it 2 at speed 6 and 3 at speed X")


def test_g4_no_mixing_inside_a_speed() -> None:
    base, other = printed("starship"), printed("flying-garden")
    cards = [replace(card, copies=2) if card.id == "search" else card for card in base.cards]
    cards.append(replace(other.cards[other.kind("expedition") - 1], copies=1))
    own = make_set("own", "Own", cards, like=base)
    assert broken(own) == {"G4"}
    finding = check_guidelines(own)[3]
    assert (finding.there, finding.mend) == ("speed 7 mixes starship and flying-garden", "take all copies at speed 7 from one set")


def test_g5_at_most_two_sets() -> None:
    base = printed("starship")
    cards = [replace(card, symbol={1: "one", 2: "two"}.get(card.speed, "three")) for card in base.cards]
    own = make_set("own", "Own", cards, like=base)
    assert broken(own) == {"G5"}
    finding = check_guidelines(own)[4]
    assert (finding.there, finding.mend) == ("the cards come from 3 sets: one, three and two", "take all cards from at most 2 sets")


def test_random_card_files_are_playable() -> None:
    # Written from the same rules by another hand: the checks refuse nothing that can be carried out.
    for seed in range(200):
        assert problems(random_card_set(Random(seed)), f"seed {seed}") == []


# --- who can play --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("n_search", "players"), [(3, (2, 3, 4)), (4, (2, 3, 4, 5, 6)), (0, (2, 3, 4))], ids=["16", "17", "13"]
)
def test_seats_follow_from_the_number_of_cards(n_search: int, players: tuple[int, ...]) -> None:
    assert seats(changed(search=n_search)) == players


def test_a_tiny_set_seats_as_many_as_it_has_cards_for() -> None:
    base = printed("starship")
    tiny = make_set("tiny", "Tiny", list(islice(base.cards, 5)), like=base)
    assert seats(tiny) == (2, 3)
    with pytest.raises(SetError, match=r"Tiny has 5 cards; 4 players need at least 6\. Add cards, or seat fewer players\."):
        check_seats(tiny, 4)


def test_six_players_need_more_than_16_cards() -> None:
    check_seats(load_set("megamix"), 6)
    with pytest.raises(SetError, match="The Starship has 16 cards; 5 players need more than 16. Seat at most 4, or play `--set megamix`."):
        check_seats(printed("starship"), 5)
    for n_seats in (1, 7):
        with pytest.raises(SetError, match=f"Lost Legacy is for 2 to 6 players, not {n_seats}."):
            check_seats(load_set("megamix"), n_seats)
