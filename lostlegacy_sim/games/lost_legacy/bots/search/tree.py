"""A search tree: the situations met, and what each option in them has brought the seat that was asked.

A fixed number of nodes in one record, found by the number of the situation (open addressing). A node's arms, one an option,
lie side by side. When it is full, nothing new is added.
"""

import numpy as np

from lostlegacy_sim.games.lost_legacy.kernel.state import record
from lostlegacy_sim.jit import inlined, kernel, out_of_line

N_NODES = 4096
N_ARMS = 4 * N_NODES
N_SLOTS = 2 * N_NODES
LONGEST = 64  # choices in the tree in one deal; after them the deal is finished without it
NO_NODE = -1
ROOT = 0

# Found by playing: no rule says so.
CURIOSITY = 0.34  # weight of what is little known; UCB1 would have 1.39 for logarithms to base 2

TREE_FIELDS = (
    ("n_nodes", "i8", (), "situations met"),
    ("n_arms", "i8", (), "their options"),
    ("slot", "i2", (N_SLOTS,), "1 + a node, at its key or behind; 0 is empty"),
    ("key", "u8", (N_NODES,), "which situation a node is"),
    ("first", "i4", (N_NODES,), "its first arm"),
    ("n", "i4", (N_NODES,), "how many it has"),
    ("visits", "i4", (N_NODES,), "choices made there"),
    ("tried", "i4", (N_ARMS,), "how often an option was chosen"),
    ("weight", "f8", (N_ARMS,), "the weight of the worlds it was chosen in"),
    ("won", "f8", (N_ARMS,), "of it, where the seat won"),
    ("depth", "i8", (), "choices of the deal being played"),
    ("path_node", "i4", (LONGEST,), "where each was made"),
    ("path_arm", "i4", (LONGEST,), "which arm it was"),
    ("path_seat", "i4", (LONGEST,), "and who made it"),
)
TREE = record(TREE_FIELDS)


@kernel
def clear_tree(tree):
    """Nothing has been met yet."""
    out_of_line()
    for place in range(N_SLOTS):
        tree.slot[place] = 0
    tree.n_nodes, tree.n_arms, tree.depth = 0, 0, 0


@kernel
def find_slot(tree, key, n_options):
    """Where the node of a situation stands, or the empty slot where it would; as many options, too, so that no arm can be missed."""
    out_of_line()
    place = np.int64(key & np.uint64(N_SLOTS - 1))
    while tree.slot[place]:
        node = tree.slot[place] - 1
        if tree.key[node] == key and tree.n[node] == n_options:
            break
        place = (place + 1) & (N_SLOTS - 1)
    return place


@kernel
def add_node(tree, place, key, n_options):
    """A node for a situation met for the first time; NO_NODE if the tree is full."""
    out_of_line()
    node, first = tree.n_nodes, tree.n_arms
    if node == N_NODES or first + n_options > N_ARMS:
        return np.int64(NO_NODE)
    tree.slot[place] = node + 1
    tree.key[node], tree.first[node], tree.n[node], tree.visits[node] = key, first, n_options, 0
    for arm in range(first, first + n_options):
        tree.tried[arm], tree.weight[arm], tree.won[arm] = 0, 0.0, 0.0
    tree.n_nodes, tree.n_arms = node + 1, first + n_options
    return np.int64(node)


@inlined
def length(number):
    """Binary digits of a number: its logarithm, the same on every machine."""
    digits = np.int64(0)
    while number > 0:
        number >>= 1
        digits += 1
    return digits


@kernel
def choose_arm(tree, node):
    """The option with the best upper bound (UCB); at the root each is tried once, elsewhere one not tried counts as the mean of those that were."""
    out_of_line()
    first, n_options = np.int64(tree.first[node]), np.int64(tree.n[node])
    weight, won = 0.0, 0.0
    for arm in range(first, first + n_options):
        weight += tree.weight[arm]
        won += tree.won[arm]
    mean = won / weight if weight > 0.0 else 0.5
    best, chosen, bonus = -1.0, np.int64(0), CURIOSITY * length(tree.visits[node])
    for arm in range(first, first + n_options):
        value, tried = mean, np.int64(tree.tried[arm])
        if tried == 0 and node == ROOT:
            return np.int64(arm - first)
        if tried:
            value = tree.won[arm] / tree.weight[arm]
        value += np.sqrt(bonus / max(1, tried))
        if value > best:
            best, chosen = value, np.int64(arm - first)
    return chosen


@inlined
def note_choice(tree, node, option, seat):
    """A seat has chosen an option at a node."""
    tree.path_node[tree.depth], tree.path_arm[tree.depth], tree.path_seat[tree.depth] = node, tree.first[node] + option, seat
    tree.depth += 1


@kernel
def learn(tree, winner, weight):
    """The deal is over: all its choices learn whether they won, and the next deal begins."""
    out_of_line()
    for number in range(tree.depth):
        arm = tree.path_arm[number]
        tree.visits[tree.path_node[number]] += 1
        tree.tried[arm] += 1
        tree.weight[arm] += weight
        tree.won[arm] += weight if tree.path_seat[number] == winner else 0.0
    tree.depth = 0


@kernel
def most_tried(tree, node):
    """The option chosen most often; of equals the first."""
    first, chosen = tree.first[node], np.int64(0)
    for option in range(tree.n[node]):
        if tree.tried[first + option] > tree.tried[first + chosen]:
            chosen = np.int64(option)
    return chosen
