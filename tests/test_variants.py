"""Variants: one thing about one kind is changed, and every other card stays where it was dealt."""

import pytest

from lostlegacy_sim.cardset import parse_set
from lostlegacy_sim.errors import SetError, UsageError
from lostlegacy_sim.games.lost_legacy.cards import variants
from lostlegacy_sim.games.lost_legacy.cards.composition import all_mixes, load_set, megamix, printed
from lostlegacy_sim.games.lost_legacy.cards.guidelines import check_guidelines
from lostlegacy_sim.games.lost_legacy.cards.playability import problems
from lostlegacy_sim.games.lost_legacy.vocabulary import VOCABULARY

SETS = ("starship", "flying-garden", "flying-garden-recall", "megamix")


def ids(card_set) -> list[str]:
    """The kind of every slot, by its id."""
    return [card_set.cards[kind - 1].id for kind in card_set.slots()]


def kinds(card_set) -> list[str]:
    return [card.id for card in card_set.cards if not card.flag("legacy")]


def own(*cards: str) -> object:
    """A small set with a Legacy and these cards."""
    legacy = '[[card]]\nid = "legacy"\nspeed = 5\nlegacy = true\nplayable = false\neliminated = [{ do = "move", card = "self", to = "deck" }]\n'
    return parse_set('id = "own"\n' + legacy + "\n".join(f"[[card]]\n{card}" for card in cards), VOCABULARY, where="own")


@pytest.mark.parametrize("word", SETS)
def test_a_blank_keeps_its_slots_and_loses_its_text(word):
    card_set = load_set(word)
    for card_id in kinds(card_set):
        change = variants.blank(card_set, card_id)
        assert change.before is card_set
        assert ids(change.after) == ids(card_set)
        before, after = variants.card_of(card_set, card_id), variants.card_of(change.after, card_id)
        assert after.steps == ()
        assert after.text == ""
        assert (after.speed, after.copies, after.flag("playable"), after.name) == (before.speed, before.copies, before.flag("playable"), before.name)
        others = [[one for one in cards if one.id != card_id] for cards in (card_set.cards, change.after.cards)]
        assert [(one.id, one.steps, one.flags) for one in others[0]] == [(one.id, one.steps, one.flags) for one in others[1]]


def test_a_blank_that_cannot_be_played_still_cannot():
    card_set = own(
        'id = "rock"\nspeed = 2\nplayable = false\nseen = [{ do = "eliminate", who = "owner" }]',
        'id = "halo"\nspeed = 1\nfrom_hand = true\nout = [{ do = "flip" }, { do = "return" }]',
        'id = "search"\nspeed = 7\ncopies = 3',
    )
    # a second unplayable card cannot be in the set with an unplayable Legacy; the flag is what is looked at
    assert not variants.without_text(variants.card_of(card_set, "rock")).flag("playable")
    assert not variants.without_text(variants.card_of(card_set, "halo")).flag("from_hand")


@pytest.mark.parametrize("word", SETS)
def test_the_legacy_is_never_blank_nor_copied(word):
    card_set = load_set(word)
    legacy = next(card.id for card in card_set.cards if card.flag("legacy"))
    for change in (variants.one, variants.blank, variants.more, variants.fewer):
        with pytest.raises(SetError, match="is the Lost Legacy, which"):
            change(card_set, legacy)


def test_a_swap_takes_the_other_sets_kind_and_keeps_every_slot():
    starship, garden = printed("starship"), printed("flying-garden")
    for mine, theirs in ((starship, garden), (garden, starship)):
        for card, other in zip(mine.cards, theirs.cards, strict=True):
            change = variants.swap(mine, card.id)
            assert change.kind_after == other.id
            assert ids(change.after) == [other.id if one == card.id else one for one in ids(mine)]
            assert [finding.holds for finding in check_guidelines(change.after)] == [True] * 5
            assert problems(change.after, "it") == []
    mixes = {mix.hash: mix for mix in all_mixes()}
    found = variants.swap(starship, "assault").after
    assert any([(one.id, one.steps) for one in mix.cards] == [(one.id, one.steps) for one in found.cards] for mix in mixes.values())


def test_a_swap_for_a_kind_that_is_there_already_makes_one_kind_of_both():
    both = megamix(printed("starship"), printed("flying-garden"), "starship")
    change = variants.swap(both, "sneak_attack")
    wound = variants.card_of(change.after, "wound")
    assert (wound.copies, change.kind_after, change.after.n_cards) == (6, "wound", both.n_cards)
    assert ids(change.after) == ["wound" if one == "sneak_attack" else one for one in ids(both)]


def test_a_swap_keeps_the_number_of_copies_of_a_set_of_ones_own():
    card_set = own('id = "curse"\nspeed = 8\ncopies = 2\nplay = [{ do = "look", at = ["deck"] }]', 'id = "search"\nspeed = 7\ncopies = 3')
    change = variants.swap(card_set, "curse")
    assert change.kind_after == "assault"  # of the printed sets the Starship comes first
    assert variants.card_of(change.after, "assault").copies == 2
    other = own('id = "curse"\nspeed = 8', 'id = "assault"\nspeed = 8', 'id = "search"\nspeed = 7\ncopies = 3')
    change = variants.swap(other, "curse")
    assert change.kind_after == "assault@printed"
    assert variants.card_of(change.after, "assault").steps == ()


@pytest.mark.parametrize("word", SETS)
def test_one_copy_more_or_fewer_changes_one_slot(word):
    card_set = load_set(word)
    for card_id in kinds(card_set):
        for change in (variants.more(card_set, card_id), variants.fewer(card_set, card_id)):
            before, after = ids(change.before), ids(change.after)
            slots = [slot for slot, (one, other) in enumerate(zip(before, after, strict=True)) if one != other]
            single = change.kind_after == ""
            assert len(slots) == (0 if single else 1)  # a single copy becomes the blank itself
            assert change.before.n_cards == change.after.n_cards
        more, fewer = variants.more(card_set, card_id), variants.fewer(card_set, card_id)
        copies = variants.card_of(card_set, card_id).copies
        assert variants.card_of(more.after, card_id).copies == copies + 1
        assert more.after.n_cards == card_set.n_cards + 1
        assert fewer.after.n_cards == card_set.n_cards
        assert fewer.before is card_set
        if copies == 1:
            assert fewer.after == variants.blank(card_set, card_id).after  # so that it is played once


@pytest.mark.parametrize("word", SETS)
def test_one_copy_without_its_text_is_dealt_where_it_was(word):
    card_set = load_set(word)
    for card_id in kinds(card_set):
        change = variants.one(card_set, card_id)
        card = variants.card_of(card_set, card_id)
        assert change.before is card_set
        if card.copies == 1:
            assert change == variants.blank(card_set, card_id)
            continue
        before, after = ids(card_set), ids(change.after)
        (slot,) = [slot for slot, (one, other) in enumerate(zip(before, after, strict=True)) if one != other]
        assert (before[slot], after[slot]) == (card_id, change.kind_after)
        assert slot == max(place for place, one in enumerate(before) if one == card_id)
        alone = variants.card_of(change.after, change.kind_after)
        assert (alone.steps, alone.copies, alone.speed, alone.flag("playable")) == ((), 1, card.speed, card.flag("playable"))
        assert variants.card_of(change.after, card_id).steps == card.steps
        assert change.after == variants.fewer(card_set, card_id).after  # so that it is played once


def test_one_copy_that_cannot_be_played_still_cannot():
    two = own('id = "stone"\nspeed = 2\ncopies = 2\nplayable = false\nseen = [{ do = "eliminate", who = "owner" }]', 'id = "search"\nspeed = 7\ncopies = 3')
    card = variants.card_of(two, "stone")
    assert variants.has_text(card)
    assert not variants.blank_alone(card).flag("playable")
    assert variants.blank_beside(card).flag("playable")


def test_a_kind_without_text_has_nothing_to_lose():
    plain = own('id = "plain"\nspeed = 3\ncopies = 2', 'id = "search"\nspeed = 7\ncopies = 3\nplay = [{ do = "look", at = ["ruins"] }]')
    assert not variants.has_text(variants.card_of(plain, "plain"))
    assert ids(variants.one(plain, "plain").after) == ids(plain)
    assert variants.has_text(variants.card_of(plain, "search"))


def test_a_stated_kind_makes_room_instead_of_a_blank():
    card_set = printed("starship")
    more = variants.more(card_set, "search", against="assault")
    assert more.before is card_set
    assert (variants.card_of(more.after, "search").copies, variants.card_of(more.after, "assault").copies) == (4, 2)
    fewer = variants.fewer(card_set, "general", against="search")
    assert fewer.kind_after == ""
    assert "general" not in ids(fewer.after)
    assert fewer.after.n_cards == card_set.n_cards
    for against, sentence in (("search", "name another card"), ("the_starship", "Lost Legac"), ("serch", "Did you mean 'search'")):
        with pytest.raises(SetError, match=sentence):
            variants.fewer(card_set, "search", against=against)


def test_never_bars_one_seat_among_its_equals():
    card_set = printed("starship")
    assert variants.never(card_set, "assault", ("careful",) * 3) == ("careful:never=assault", "careful", "careful")
    with pytest.raises(SetError, match="cannot be played"):
        variants.never(card_set, "the_starship", ("careful",) * 3)
    with pytest.raises(UsageError, match="careful, random are different bots"):
        variants.never(card_set, "assault", ("careful", "random"))


def test_a_variant_that_cannot_be_played_is_refused_in_one_sentence():
    legacy = '[[card]]\nid = "legacy"\nspeed = 5\nlegacy = true\n'
    legacy += "".join(f'{trigger} = [{{ do = "move", card = "self", to = "deck" }}]\n' for trigger in ("play", "eliminated"))
    card_set = parse_set('id = "own"\n' + legacy + '[[card]]\nid = "rock"\nspeed = 2\nplayable = false\n[[card]]\nid = "search"\nspeed = 7\ncopies = 3\n',
                         VOCABULARY, where="own")  # fmt: skip
    with pytest.raises(SetError, match="a hand of two unplayable cards could not play"):
        variants.more(card_set, "rock")
