"""Randomness that is keyed, never consumed in order: words, splitting, shuffles.

A *word* is 64 random bits named by what it is for: chance by (seed, block, event), a seat's choices
by (seed, block, repeat, turn), since a turn has one seat. Any split of the work over threads or machines gives the same
words. The mixer is the finaliser of SplitMix64 (Steele, Lea and Flood 2014, Stafford's variant 13).
"""

import numpy as np

from lostlegacy_sim.jit import fold, inlined, kernel, out_of_line

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_WEYL = np.uint64(0xA0761D6478BD642F)
_FLIP = np.uint64(0xE7037ED1A0B428DB)
_BLOCK = np.uint64(0xD1B54A32D192ED03)
_REPEAT = np.uint64(0x8CB92BA72F3D8DD7)
_MUL_1 = np.uint64(0xBF58476D1CE4E5B9)
_MUL_2 = np.uint64(0x94D049BB133111EB)
_S27, _S30, _S31, _S32 = np.uint64(27), np.uint64(30), np.uint64(31), np.uint64(32)
_ONE = np.uint64(1)
_FULL = np.uint64(1 << 30)  # options one word may be split into: the bias stays below 2^-34


@inlined
def mix(word):
    """A bijection of 64-bit words in which every input bit reaches every output bit."""
    word = (word ^ (word >> _S30)) * _MUL_1
    word = (word ^ (word >> _S27)) * _MUL_2
    return word ^ (word >> _S31)


@inlined
def keyed(key, number):
    """Word `number` of a key: one multiplication, so that it is ready when a turn begins."""
    word = key + (np.uint64(number) + _ONE) * _WEYL
    return fold(word, word ^ _FLIP)


@inlined
def chance_key(seed, block):
    """The key of all chance events of a block."""
    return mix(mix(seed ^ _GOLDEN) + block * _BLOCK)


@inlined
def choice_key(chance, repeat):
    """The key of all choices of a block; one-way: a word of it betrays nothing of the chance key."""
    key = chance + repeat * _REPEAT
    return mix(key ^ _MUL_1) + mix(key * _MUL_2 + _GOLDEN)


@inlined
def split(word, n):
    """One of n options, and what is left of the word for the next split."""
    options = np.uint64(n)
    return np.int64(((word >> _S32) * options) >> _S32), word * options


@inlined
def below(private, n):
    """A random number 0 .. n - 1 for a bot; uses up part of `private.word`."""
    index, private.word = split(private.word, n)
    return index


@kernel
def shuffle_inside_out(items, order, n, key):
    """Fill order[:n] with a uniform permutation of items[:n]; draw i belongs to item i.

    Nested: a further item changes one place of what was there and takes that place's item to the end.
    """
    out_of_line()
    word, used, number = np.uint64(0), _FULL, 0
    for item in range(n):
        size = np.uint64(item + 1)
        used *= size
        if used > _FULL:
            word, used, number = keyed(key, number), size, number + 1
        place, word = split(word, size)
        order[np.uint64(item)] = order[np.uint64(place)]
        order[np.uint64(place)] = items[np.uint64(item)]
