"""The words of Lost Legacy: places, questions, triggers, verbs, conditions, traits, each with its meaning.

Everything that speaks of a card or a position uses these words: the card files, the kernel, the
reference, the bots and the reports. Numbers are for records; words are for people.
"""

from lostlegacy_sim.cardset import Field, Trigger, Verb, Vocabulary

# --- sizes ---------------------------------------------------------------------------------------
MAX_SEATS = 6
MAX_CARDS = 48
MAX_KINDS = 24
MAX_STEPS = 8  # steps in one trigger of one card
X = 9  # the speed printed as X; it is never called
NO_CARD = 0  # kind 0
NOBODY = -1  # seat -1; inside seats count from 0, people see them from 1
TURNS_PER_CARD = 8  # a deal that passes 8 N turns is void (L32)

# --- places: where a hidden card can lie -----------------------------------------------------------
N_PLACES = 64
HAND = 0  # HAND + seat: the card a seat holds
DRAWN = 6  # the card the seat on turn has just drawn
RUINS = 8  # RUINS + i: the ruins from the left; the row grows to the right
DECK_END = 64  # the deck lies at DECK_END - size .. DECK_END - 1; its top card has the lowest place
# In the investigation the deck is empty: place DECK_END - 1 - k then stands for the k-th face-down
# card of the discard rows (seat by seat, from the left), for sets with `investigate_rows` (L6).

# --- focus: the card later steps speak of; a place, or one of these ---------------------------------
FOCUS_ROW_CARD = 64  # a card in a discard row
FOCUS_ROW = 65  # a whole discard row
FOCUS_NONE = 255

# --- phases of a deal -----------------------------------------------------------------------------
DRAW, PLAYING, EFFECT, INVESTIGATION, OVER = range(5)

# --- questions: what a seat can be asked, and what an option stands for -----------------------------
PLAY, LOOK, CHOOSE, ROW, EXCHANGE, SHUFFLE, NAME, REVEAL = range(1, 9)
QUESTIONS = {
    PLAY: ("play", "which of two cards to play: 0 the held one, 1 the drawn one"),
    LOOK: ("look", "which hidden card to look at: a place"),
    CHOOSE: ("choose", "which card of the discard rows: counted from 0, seat by seat, left to right"),
    ROW: ("row", "whose whole discard row: a seat"),
    EXCHANGE: ("exchange", "exchange the hand card with the card in focus: 0 no, 1 yes"),
    SHUFFLE: ("shuffle", "shuffle the pile: 0 no, 1 yes"),
    NAME: ("name", "which speed to name: 1-8"),
    REVEAL: ("reveal", "which card to reveal in the investigation: a place"),
}

# --- how a deal ends ------------------------------------------------------------------------------
WAY_NOBODY, WAY_LAST, WAY_SEEN, WAY_FOUND, WAY_VOID = range(5)
WAYS = {
    WAY_NOBODY: ("nobody", "the Legacy was not found, or no seat was left: nobody wins"),
    WAY_LAST: ("last", "the last seat in the game wins"),
    WAY_SEEN: ("seen", "a seat saw the Legacy with a card that wins at once"),
    WAY_FOUND: ("found", "a seat revealed the Legacy in the investigation"),
    WAY_VOID: ("void", "the deal passed its bound on turns and does not count"),
}

# --- triggers: when a card's steps happen -----------------------------------------------------------
ON_PLAY, ON_SEEN, ON_ELIMINATED, ON_OUT, ON_ROW = range(5)
TRIGGERS = (
    Trigger("play", ON_PLAY, "it is played"),
    Trigger("seen", ON_SEEN, "it lies in a hand and the effect of a played card looks at it"),
    Trigger("eliminated", ON_ELIMINATED, "its owner is eliminated while it is the hand card"),
    Trigger("out", ON_OUT, "its owner has just been eliminated while it lies face up in the own row"),
    Trigger("row", ON_ROW, "it comes to lie face up in the row of a seat in the game"),
)

# --- the numbers of the words in a step -------------------------------------------------------------
AT_HANDS, AT_RUINS, AT_DECK, AT_ROWS, AT_WHOLE_ROW = 1, 2, 4, 8, 16
PLACES = {
    "hands": (AT_HANDS, "the hand of another seat in the game"),
    "ruins": (AT_RUINS, "a card of the ruins"),
    "deck": (AT_DECK, "the top card of the deck"),
    "rows": (AT_ROWS, "one card of any discard row, face down or not"),
    "whole_row": (AT_WHOLE_ROW, "all cards of another seat's discard row"),
}
WHO_OWNER, WHO_LOOKER, WHO_OTHERS, WHO_EVERYONE = range(4)
WHO = {
    "owner": (WHO_OWNER, "who holds the card in focus, or in whose row or hand this card lies"),
    "looker": (WHO_LOOKER, "who played the card"),
    "others": (WHO_OTHERS, "every seat in the game but the one who played the card"),
    "everyone": (WHO_EVERYONE, "every seat in the game"),
}
IF_ALWAYS, IF_X, IF_LEGACY, IF_NAMED = range(4)
CONDITIONS = {
    "always": (IF_ALWAYS, "always"),
    "x": (IF_X, "the card in focus has speed X"),
    "legacy": (IF_LEGACY, "the card in focus is the Lost Legacy"),
    "named": (IF_NAMED, "the card in focus has the named speed"),
}
TO_RUINS, TO_DECK = range(2)
ZONES = {"ruins": (TO_RUINS, "the ruins, at their right end"), "deck": (TO_DECK, "the top of the deck")}
CARD_FOCUS, CARD_SELF = range(2)
CARD = {
    "focus": (CARD_FOCUS, "the card in focus (all cards of a whole row)"),
    "self": (CARD_SELF, "this card itself"),
}

_IF = Field("choice", tuple(CONDITIONS), "always", "only if this holds")
_MAY = Field("flag", (), False, "the seat decides")

# --- verbs: what a step does ------------------------------------------------------------------------
(V_LOOK, V_CHOOSE, V_NAME, V_EXCHANGE, V_MOVE, V_SHUFFLE, V_ELIMINATE, V_DISCARD, V_TAKE_HAND, V_WIN,
 V_FLIP, V_RETURN) = range(1, 13)  # fmt: skip
VERBS = (
    Verb("look", V_LOOK, "look at a hidden card, which comes into focus; a hand card's seen trigger happens",
         ("play",), {
             "at": Field("list", ("hands", "ruins", "deck"), None, "where the card may lie"),
             "cards": Field("count", (1, 2), 1, "how many different cards, one after the other"),
             "cancels": Field("choice", ("nothing", "x"), "nothing", "seen triggers of cards at X do not happen"),
         }),
    Verb("choose", V_CHOOSE, "choose a card of the discard rows, or a whole row, which comes into focus",
         ("play",), {"at": Field("list", ("rows", "whole_row"), None, "one card, or a whole row; not both")}),
    Verb("name", V_NAME, "name a speed from 1 to 8", ("play",), {}),
    Verb("exchange", V_EXCHANGE, "exchange the hand card with the card in focus", ("play",), {"may": _MAY}),
    Verb("move", V_MOVE, "put a card into the ruins or onto the deck",
         ("play", "eliminated", "out", "row"), {
             "card": Field("choice", tuple(CARD), "focus", "which card"),
             "to": Field("choice", tuple(ZONES), None, "where to"),
             "face": Field("choice", ("down",), "down", "how it lies there; every hidden pile lies face down"),
         }),
    Verb("shuffle", V_SHUFFLE, "shuffle the ruins or the deck", ("play", "seen", "eliminated", "out", "row"), {
        "zone": Field("choice", tuple(ZONES), None, "which pile"),
        "may": _MAY,
    }),
    Verb("eliminate", V_ELIMINATE, "put a seat out of the game", ("play", "seen", "row"), {
        "who": Field("choice", tuple(WHO), None, "which seat"),
        "if": _IF,
        "copies": Field("count", (1, 48), 1, "only with so many face-up cards of this kind in the row"),
    }),
    Verb("discard", V_DISCARD, "discard the hand card face up, without its effect", ("play", "seen"), {
        "who": Field("choice", ("owner", "looker"), None, "which seat"),
    }),
    Verb("take_hand", V_TAKE_HAND, "take the hand card of another seat", ("play", "seen"), {
        "who": Field("choice", ("owner", "looker"), None, "which seat takes it"),
        "from": Field("choice", ("owner", "looker"), None, "whose card"),
    }),
    Verb("win", V_WIN, "win at once", ("play",), {"if": _IF}),
    Verb("flip", V_FLIP, "turn this card face down where it lies", ("out", "row"), {}),
    Verb("return", V_RETURN, "the owner is back in the game with the deck's top card as hand card", ("out",), {}),
)  # fmt: skip

VOCABULARY = Vocabulary(
    game="lost_legacy",
    triggers=TRIGGERS,
    verbs=VERBS,
    flags={
        "playable": Field("flag", (), True, "false: the card cannot be played"),
        "legacy": Field("flag", (), False, "true: this is the Lost Legacy"),
        "from_hand": Field("flag", (), False, "its `out` trigger also acts when the elimination itself "
                           "discards it from the hand (L25)"),
        "counts": Field("choice", ("on_landing", "always"), "on_landing",
                        "when its `row` trigger is looked at: as it lands, or also when its owner "
                        "is back in the game (L15)"),
        "into_row": Field("choice", ("refused", "as_eliminated"), "refused",
                          "an exchange that would lay this Legacy into a discard row: not offered, "
                          "or it goes where its `eliminated` trigger says (L13)"),
    },
    rules={
        "investigate_rows": Field("flag", (), False, "face-down cards of the discard rows can be "
                                  "revealed in the investigation (L6)"),
    },
    max_steps=MAX_STEPS,
    max_kinds=MAX_KINDS,
    max_cards=MAX_CARDS,
)  # fmt: skip

# --- traits: what a card does, as bits, derived from its steps ----------------------------------------
TRAP = 1  # a seen trigger can put the looker out
FRAGILE = 2  # being seen puts the owner out
KILLS = 4  # playing it can put another seat out by its own text
LOOKS_HANDS = 8
LOOKS_RUINS = 16
LOOKS_DECK = 32
MOVES = 64  # it can exchange the hand card
WINS = 128
UNPLAYABLE = 256
LEGACY = 512
STACKS = 1024  # face-up copies in the own row put the owner out
PROTECTS = 2048  # face up in the own row it brings its owner back
CANCELS_X = 4096
NAMES = 8192  # it names a speed
KILLS_LEGACY = 16384  # playing it puts a holder of the Legacy out
KILLS_X = 32768  # playing it puts a holder of an X out
SHUFFLES_RUINS = 65536
INTO_ROW_AS_ELIMINATED = 1 << 17
FROM_HAND = 1 << 18
COUNTS_ALWAYS = 1 << 19
TRAITS = {
    "trap": TRAP, "fragile": FRAGILE, "kills": KILLS, "looks_hands": LOOKS_HANDS, "looks_ruins": LOOKS_RUINS,
    "looks_deck": LOOKS_DECK, "moves": MOVES, "wins": WINS, "unplayable": UNPLAYABLE, "legacy": LEGACY,
    "stacks": STACKS, "protects": PROTECTS, "cancels_x": CANCELS_X, "names": NAMES,
    "kills_legacy": KILLS_LEGACY, "kills_x": KILLS_X, "shuffles_ruins": SHUFFLES_RUINS,
    "into_row_as_eliminated": INTO_ROW_AS_ELIMINATED, "from_hand": FROM_HAND, "counts_always": COUNTS_ALWAYS,
}  # fmt: skip


def speed_word(speed: int) -> str:
    """A speed as printed: 1-8 or X."""
    return "X" if speed == X else str(speed)
