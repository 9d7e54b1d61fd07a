"""A bot from a file: refused with one sentence if it is wrong, the same machine code again if it is right."""

import re
import subprocess
import sys
import time
from pathlib import Path

import pytest

from lostlegacy_sim import policy
from lostlegacy_sim.errors import BotError
from lostlegacy_sim.games import find_game
from lostlegacy_sim.games.lost_legacy.bots import roster
from lostlegacy_sim.games.lost_legacy.bots.roster import built_in_bot, file_bot, find_bot
from lostlegacy_sim.games.lost_legacy.cards.composition import load_set
from lostlegacy_sim.games.lost_legacy.kernel.ask import READS_ALL, READS_OPTIONS, READS_VIEW
from lostlegacy_sim.runner import play
from lostlegacy_sim.studies.simulate import Answer, experiment_of

DECIDE = "def decide(cards, public, private, question):\n"
RANDOM = f"from lostlegacy_sim.rng import below\n\n\n{DECIDE}    return below(private, question.n)\n"
MUST = "; it must return the index of an option, a whole number."
WRITES = "; it may write private.word and private.memory."
CONSTANT = ": it does not compile: what is global, or of an enclosing function, is a constant; what a bot notes in a deal belongs in private.memory."
FIRST = "asked 'play' in deal 0, turn 1, `decide`"

BAD = {
    "syntax": ("def decide(cards:\n    return 0\n", ", line 1: Python cannot read it: '(' was never closed."),
    "empty": ("", ": it has no function `decide`; write `def decide(cards, public, private, question):`."),
    "value": ("decide = 7\n", ": `decide` is no function; write `def decide(cards, public, private, question):`."),
    "arity": ("def decide(cards, public):\n    return 0\n",
              ", line 1: `decide` must take the four records (cards, public, private, question), it takes 2."),
    "import": (f"import nowhere_at_all\n{DECIDE}    return 0\n", ", line 1: ModuleNotFoundError: No module named 'nowhere_at_all'."),
    "import_raises": ("\n\nraise ValueError('no good')\n", ", line 3: ValueError: no good."),
    "import_leaves": ("import os\nos._exit(3)\n", ": the process ends while it is imported (exit code 3); a bot must return, not exit."),
    "field": (f"{DECIDE}    return public.decksize\n", ", line 2: it does not compile: the records have no field 'decksize'."),
    "name": (f"{DECIDE}    return help_me(question)\n", ", line 2: it does not compile: NameError: name 'help_me' is not defined."),
    "dictionary": (f"BEST = {{1: 2}}\n{DECIDE}    return BEST[1]\n",
                   ", line 3: it does not compile: Untyped global name 'BEST': Cannot determine Numba type of <class 'dict'>."),
    "type": (f"{DECIDE}    return {{}}[question]\n", ", line 2: it does not compile: the type of a value cannot be determined."),
    "objmode": ("from numba import objmode\n", ", line 1: a bot cannot use objmode; `decide` runs without Python objects."),
    "keeps": (f"import numpy as np\nSEEN = np.zeros(3, np.int64)\n{DECIDE}    SEEN[0] += 1\n    return SEEN[0] % question.n\n", f", line 4{CONSTANT}"),
    "closure": (f"import numpy as np\n\n\ndef made(seen):\n    {DECIDE}        seen[0] += 1\n        return 0\n\n    return decide\n\n\n"
                "decide = made(np.zeros(2))\n", f", line 6{CONSTANT}"),
    "counts": (f"N = 0\n{DECIDE}    global N\n    N += 1\n    return N % question.n\n", f", line 4{CONSTANT}"),
    "generator": (f"import numpy as np\nDICE = np.random.default_rng(1)\n{DECIDE}    return DICE.integers(0, 2)\n",
                  ", line 4: it does not compile: a random generator is not to be had; take all chance from private.word, as below(private, n) does."),
    "float": (f"{DECIDE}    return question.n / 2\n", f": `decide` returns a float64{MUST}"),
    "bool": (f"{DECIDE}    return question.n > 2\n", f": `decide` returns a bool{MUST}"),
    "text": (f"{DECIDE}    return 'left'\n", f": `decide` returns a text{MUST}"),
    "nothing": (f"{DECIDE}    question.n\n", f": `decide` returns nothing{MUST}"),
    "sometimes": (f"{DECIDE}    if question.n > 2:\n        return 1\n", f": `decide` returns nothing in some cases{MUST}"),
    "too_high": (f"{DECIDE}    return question.n\n", f": {FIRST} returns 2; the options are 0 to 1."),
    "negative": (f"{DECIDE}    return -1\n", f": {FIRST} returns -1; the options are 0 to 1."),
    "cheat": (f"{DECIDE}    public.deck_size = 0\n    return 0\n", f": {FIRST} writes into public.deck_size{WRITES}"),
    "forger": (f"{DECIDE}    private.known[3] = 1\n    return 0\n", f": {FIRST} writes into private.known{WRITES}"),
    "printer": (f"{DECIDE}    cards.speed[2] = 1\n    return 0\n", f": {FIRST} writes into cards.speed{WRITES}"),
    "asker": (f"{DECIDE}    question.option[1] = 0\n    return 0\n", f": {FIRST} writes into question.option{WRITES}"),
    "peeker": (f"{DECIDE}    return private.memory[16 + question.n] & 1\n", f": {FIRST} raises IndexError: index is out of bounds."),
    "divides": (f"{DECIDE}    return 5 // (question.n - question.n)\n", f": {FIRST} raises ZeroDivisionError: integer division by zero."),
    "prints": (f"{DECIDE}    print(question.n)\n    return 0\n",
               ": it prints ('2'); a bot is asked millions of times: remove the print."),
}  # fmt: skip


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder to work in."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def refusal(words: str) -> str:
    with pytest.raises(BotError) as caught:
        find_bot(words)
    return str(caught.value)


@pytest.mark.parametrize("name", BAD)
def test_a_bad_bot_is_refused_with_one_sentence(name: str, here: Path) -> None:
    text, said = BAD[name]
    (here / f"{name}_bot.py").write_text(text)
    assert refusal(f"{name}_bot.py") == f"{name}_bot.py{said}"


BRINGS = "which no seed brings back; take all chance from private.word, as below(private, n) does."
RARE = "    if public.turn == 999_999:\n"  # never while it is on trial, nor in any deal
SHUFFLED = """import numpy as np
from numba import njit


@njit
def helper(n):
    order = np.arange(n)
    np.random.shuffle(order)
    return order[0]


"""
OVERLOADED = """import random
from numba.extending import overload


def spice(n):
    pass


@overload(spice)
def compiled_spice(n):
    def implementation(n):
        return int(random.random() * n)

    return implementation


"""
HANDED_ON = """import numpy as np
from numba import njit

from lostlegacy_sim.jit import address_of


@njit
def model(cards, public, private, question):
    return np.random.randint(0, question.n)


"""
FOREIGN = """import ctypes

rand = ctypes.CDLL(None).rand
rand.argtypes, rand.restype = [], ctypes.c_int


"""
DICE = {
    "sample": (f"import numpy as np\n\n\n{DECIDE}{RARE}        return int(np.random.ranf() * 2)\n    return 0\n",
               ", line 6: `decide` uses np.random.ranf, "),
    "numpy": (f"import numpy as np\n\n\n{DECIDE}{RARE}        return np.random.randint(0, question.n)\n    return 0\n",
              ", line 6: `decide` uses np.random.randint, "),
    "python": (f"import random\n\n\n{DECIDE}{RARE}        return random.randrange(question.n)\n    return 0\n",
               ", line 6: `decide` uses random.randrange, "),
    "seeded": (f"import numpy as np\n\n\n{DECIDE}    np.random.seed(private.word & 0xFFFF)\n    return 0\n",
               ", line 5: `decide` uses np.random.seed, "),
    "helper": (f"{SHUFFLED}{DECIDE}{RARE}        return helper(question.n)\n    return 0\n", ", line 8: `helper` uses np.random.shuffle, "),
    "overload": (f"{OVERLOADED}{DECIDE}{RARE}        return spice(question.n)\n    return 0\n", ", line 12: `implementation` uses random.random, "),
    "handed_on": (f"{HANDED_ON}{DECIDE}    return address_of(model, cards, public, private, question) & 1 & (question.n - 1)\n",
                  ", line 9: `model` uses np.random.randint, "),
    "hash": (f"{DECIDE}    return hash('legacy') % question.n\n", ", line 2: `decide` uses the hash of a text, "),
    "set_of_texts": (f"{DECIDE}    for word in {{'a', 'b'}}:\n        return len(word) - 1\n    return 0\n", ": `decide` uses the hash of a text, "),
    "foreign": (f"{FOREIGN}{DECIDE}    return rand() % question.n\n", ", line 8: `decide` uses code from outside, as by ctypes or cffi, "),
}  # fmt: skip


@pytest.mark.parametrize("name", DICE)
def test_dice_of_its_own_are_refused_before_any_deal(name: str, here: Path) -> None:
    text, said = DICE[name]
    (here / "dice.py").write_text(text)
    assert refusal("dice.py") == f"dice.py{said}{BRINGS}"


@pytest.mark.parametrize(
    ("name", "text", "stage"),
    [("loops", f"{DECIDE}    x = 0\n    while question.n > 1:\n        x += 1\n    return x\n", "deals"),
     ("loops_at_once", "while True:\n    pass\n", "import")],
)  # fmt: skip
def test_a_bot_without_an_end_is_ended(name: str, text: str, stage: str, here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(policy.STAGES, stage, 1)
    (here / f"{name}.py").write_text(text)
    began = time.monotonic()
    assert refusal(f"{name}.py") == f"{name}.py: {policy.OVERTIME[stage]}."
    assert time.monotonic() - began < 60


def test_a_bot_that_sleeps_is_ended(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(policy.STAGES, "import", 1)
    monkeypatch.setattr(policy, "WALL_SECONDS", 1)
    (here / "sleeps.py").write_text("import time\ntime.sleep(1000)\n")
    assert refusal("sleeps.py") == "sleeps.py: importing it takes too long."


def test_what_is_no_bot_file(here: Path) -> None:
    (here / "folder.py").mkdir()
    (here / "binary.py").write_bytes(b"\x80\x81")
    (here / "wide.py").write_text(RANDOM, encoding="utf-16")
    (here / "bot.py").write_text(RANDOM)
    assert refusal("none.py") == "There is no bot file none.py. `llsim bots` lists the bots there are."
    assert refusal("folder.py") == "folder.py is a folder, not a bot file. Name the .py file inside it."
    assert refusal("binary.py") == "binary.py is not UTF-8 text (byte 0); a bot is a Python file."
    assert refusal("wide.py") == "wide.py is UTF-16 text and should be UTF-8; a bot is a Python file."
    assert refusal("file:bot") == "file:bot is not a bot file: the path must end in .py."
    assert refusal("bot.py:fast") == "bot.py:fast: a bot file takes one whole number as its parameter, such as bot.py:7."


def test_words_of_the_house() -> None:
    own = " A bot of your own is a path ending in .py."
    assert refusal("carefull") == f"There is no bot 'carefull'. Did you mean 'careful'? Valid: random, careful, hunter, novice, trained, belief, playout, ismcts.{own}"
    assert refusal("careful:memry=no") == "The bot 'careful' has no parameter 'memry'. Did you mean 'memory'? Valid: memory."
    assert refusal("careful:memory=off") == "careful:memory=off: there is no such value. Valid: yes, no."
    assert refusal("random:3") == "The bot 'random' has no parameters; write random alone."
    assert find_bot("careful:memory=yes") == find_bot("careful") == ("careful", "")
    assert find_bot("careful:memory=no") == ("careful:memory=no", "")
    assert built_in_bot("hunter:memory=no").parameter == 1


def test_a_legal_bot_is_tried_once_and_named_by_its_hash(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (here / "bot.py").write_text(RANDOM)
    (here / "same.py").write_text(RANDOM)
    name, source = find_bot("./bot.py")
    assert name == "file:bot.py"
    assert find_bot("bot.py") == find_bot("file:bot.py") == (name, source)
    monkeypatch.setattr(policy, "run_trial", lambda *words: pytest.fail("tried again"))
    assert find_bot("same.py") == ("file:same.py", source)
    assert file_bot(name, source).callback is file_bot("file:bot.py", source).callback


FORGED = ["", "[]", "null", '"legal"', "{}", '{"deals": 300, "sets', '{"deals": "many", "sets": [], "questions": 1, "redealt": 1, "asked": []}', "[" * 100_000,
          '{"deals": 300, "sets": [7], "questions": 1, "redealt": 1, "asked": []}', '{"deals": 1e999, "sets": [], "questions": 1, "redealt": 1, "asked": []}',
          '{"deals": 300, "sets": ["\\u001b[2J"], "questions": 1, "redealt": 1, "asked": []}', '{"problem": "\x9b"}', "\xff"]  # fmt: skip


def test_a_forged_verdict_is_none_and_the_bot_is_tried_anew(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (here / "bot.py").write_text(RANDOM)
    bot, proved = roster.check_file("bot.py")
    folder = policy.bot_folder(bot)
    assert folder is not None
    kept = folder / "verdict0.json"
    right = kept.read_text()
    tried = []
    monkeypatch.setattr(policy, "run_trial", lambda *words: tried.append(words) or proved)
    for number, forged in enumerate(FORGED, 1):
        kept.write_bytes(forged.encode("latin-1"))
        assert roster.check_file("bot.py")[1] == proved
        assert len(tried) == number, forged[:80]
        assert kept.read_text() == right


def test_a_bot_that_writes_its_own_verdict_is_refused_with_a_sentence(here: Path) -> None:
    for number, forged in enumerate(("[]", '{"problem": 7}', '{"deals": "many"}')):
        text = f"import os, sys\nopen(os.path.join(sys.argv[3], 'stage'), 'w').write('heaven')\nopen(os.path.join(sys.argv[3], 'verdict'), 'w').write({forged!r})\nos._exit(0)\n"
        (here / f"liar{number}.py").write_text(text)
        assert re.fullmatch(rf"liar{number}\.py: the (process ends while it is imported|check could not be started).*exit code 0.*\.", refusal(f"liar{number}.py"))


def test_what_a_bot_says_of_itself_does_no_harm(here: Path) -> None:
    (here / "loud.py").write_text("raise ValueError('\x1b[2J\u202e')\n", encoding="utf-8")
    assert refusal("loud.py") == "loud.py, line 1: ValueError: ?[2J?."


def test_a_byte_order_mark_is_no_part_of_a_bot(here: Path) -> None:
    (here / "marked.py").write_text(RANDOM, encoding="utf-8-sig")
    name, source = find_bot("marked.py")
    assert name == "file:marked.py"
    assert file_bot(name, source).callback is not None


def test_a_changed_file_is_not_seated(here: Path) -> None:
    (here / "bot.py").write_text(RANDOM)
    name, source = find_bot("bot.py")
    (here / "bot.py").write_text(RANDOM + "# changed\n")
    with pytest.raises(BotError, match=r"^bot\.py is not the file it was: its SHA-256 began with [0-9a-f]{12} and now begins with [0-9a-f]{12}\."):
        file_bot(name, source)
    (here / "bot.py").unlink()
    with pytest.raises(BotError, match=r"^There is no bot file bot\.py\."):
        file_bot(name, source)


def test_a_random_bot_from_a_file_plays_the_same_deals_as_the_built_in_one(here: Path) -> None:
    (here / "bot.py").write_text(RANDOM)
    game = find_game("lost_legacy")
    own, built_in = (play(experiment_of(game, load_set("megamix"), 3, [words], 2000, 5), game) for words in ("bot.py", "random"))
    assert (own.tally.counts == built_in.tally.counts).all()


@pytest.mark.parametrize(("text", "reads"), [
    (RANDOM, 0),
    (f"{DECIDE}    return question.option[0] % question.n\n", READS_OPTIONS),
    (f"{DECIDE}    return private.ruins_has[1] % question.n\n", READS_VIEW),
    (f"from lostlegacy_sim.games.lost_legacy.bots.quick.careful import decide as careful\n\n\n"
     f"{DECIDE}    return careful(cards, public, private, question)\n", READS_ALL),
])  # fmt: skip
def test_what_a_bot_cannot_name_is_not_written_down(here: Path, text: str, reads: int) -> None:
    (here / "bot.py").write_text(text)
    assert roster.what_it_reads(policy.read_bot("bot.py")) == reads


def test_careful_from_a_file_plays_as_careful_does(here: Path) -> None:
    (here / "bot.py").write_text(
        f"from lostlegacy_sim.games.lost_legacy.bots.quick.careful import decide as careful\n\n\n"
        f"{DECIDE}    return careful(cards, public, private, question)\n"
    )
    game = find_game("lost_legacy")
    own, built_in = (play(experiment_of(game, load_set("starship"), 3, [words], 2000, 5), game) for words in ("bot.py", "careful"))
    assert (own.tally.counts == built_in.tally.counts).all()


def test_the_parameter_arrives(here: Path) -> None:
    (here / "picky.py").write_text(f"{DECIDE}    return private.parameter % question.n\n")
    assert find_bot("picky.py:1")[0] == "file:picky.py:1"
    game = find_game("lost_legacy")
    answer = Answer(play(experiment_of(game, load_set("starship"), 2, ["picky.py", "picky.py:1"], 2000, 1), game), game)
    assert [row.label for row in answer.bots] == ["file:picky.py", "file:picky.py:1"]
    assert answer.bots[0].rate.value != answer.bots[1].rate.value


def test_a_bot_that_raises_too_late_for_the_check_stops_the_run(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (here / "late.py").write_text(f"{DECIDE}    if question.seat == 1:\n        raise ValueError('late')\n    return 0\n")
    monkeypatch.setattr(roster, "try_bot", lambda *words: {})
    game = find_game("lost_legacy")
    result = play(experiment_of(game, load_set("starship"), 2, ["late.py"], 2000, 1), game)
    assert result.error.startswith("file:late.py in seat 2 raised ValueError: late in line 3: at the question 'play' of deal 0, turn 2, of ")


def test_a_second_start_finds_the_machine_code(here: Path) -> None:
    (here / "bot.py").write_text(RANDOM)
    find_bot("bot.py")
    code = (
        "from lostlegacy_sim.games.lost_legacy.bots.roster import built_in_bot, file_bot, find_bot\n"
        "print(file_bot(*find_bot('bot.py')).callback.cache_hits)"
    )
    hits = [subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip() for _ in range(2)]
    assert hits[1] == "1"
