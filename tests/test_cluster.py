"""Dask: real schedulers and workers on this machine; workers die, come late, are slow or of another version."""

import os
import shlex
import socket
import subprocess
import sys
import threading

import numpy as np
import pytest
from command_line import run

from lostlegacy_sim import cluster as cluster_module
from lostlegacy_sim.cluster import Cluster, Round, shares
from lostlegacy_sim.errors import ClusterError
from lostlegacy_sim.games import find_game
from lostlegacy_sim.games.lost_legacy.bots import roster
from lostlegacy_sim.games.lost_legacy.cards.composition import load_set
from lostlegacy_sim.result import load
from lostlegacy_sim.run_folder import begin, reopen
from lostlegacy_sim.runner import play
from lostlegacy_sim.studies.simulate import experiment_of
from lostlegacy_sim.studies.targets import read_target
from lostlegacy_sim.studies.until import play_until

pytestmark = pytest.mark.skipif(os.name != "posix", reason="needs processes that can be killed")

WORKER = "import sys; from distributed.cli.dask_worker import main; {before}; sys.exit(main())"
SLOW = (
    "import time; from lostlegacy_sim.runner import Run; plain = Run.play_batch; "
    "Run.play_batch = lambda run, *words: (time.sleep({seconds}), plain(run, *words))[1]"
)
OTHER = "from lostlegacy_sim import identity; identity.__version__ = '0.0.1'"
UNTRIED = "from lostlegacy_sim.games.lost_legacy.bots import roster; roster.try_bot = lambda *words: {}"


class Machines:
    """A scheduler and its workers, each a process of its own."""

    def __init__(self):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.address = f"tcp://127.0.0.1:{free.getsockname()[1]}"
        self.scheduler = self.start("-m", "distributed.cli.dask_scheduler", "--host", self.address, "--no-dashboard")
        self.workers = []
        self.processes = [self.scheduler]

    def start(self, *words):
        return subprocess.Popen([sys.executable, *words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def add(self, before="pass"):
        """Start a worker of one thread; `before`: what it does first."""
        words = ("--no-nanny", "--no-dashboard", "--nthreads", "1", "--host", "127.0.0.1", "--memory-limit", "0")
        worker = self.start("-c", WORKER.format(before=before), self.address, *words)
        self.processes.append(worker)
        return worker

    def wait(self, n_workers):
        """Return when so many workers are there."""
        import distributed

        with distributed.Client(self.address, timeout=60, set_as_default=False) as client:
            client.wait_for_workers(n_workers, timeout=60)

    def close(self):
        for process in self.processes:
            process.kill()
        for process in self.processes:
            process.wait()


@pytest.fixture
def machines():
    found = Machines()
    yield found
    found.close()


@pytest.fixture(scope="module")
def game():
    return find_game("lost_legacy")


def asked(game, deals, names=("random",), players=2):
    return experiment_of(game, load_set("starship"), players, names, deals, 1)


@pytest.fixture(scope="module")
def experiment(game):
    return asked(game, 60_000)


@pytest.fixture(scope="module")
def whole(game, experiment):
    return play(experiment, game, 1)


def same(found, whole):
    return found.tally == whole.tally and np.array_equal(found.exemplars, whole.exemplars) and found.status == whole.status


def test_workers_count_what_one_thread_counts(machines, game, experiment, whole):
    for _ in range(2):
        machines.add()
    machines.wait(2)
    with Cluster(machines.address) as cluster:
        moves = []
        found = cluster.play(experiment, game, on_progress=lambda *move: moves.append(move))
        assert same(found, whole)
        assert found.provenance["threads"] == 2
        assert moves == sorted(moves)
        assert moves[-1] == (60_000, 60_000)
        # until a target is met, and with more seats and other bots
        budget, targets = asked(game, 200_000), [read_target("turns +/- 0.05")]
        stopped = play_until(budget, game, targets, 1)
        assert 0 < stopped.deals < budget.deals
        assert same(play_until(budget, game, targets, player=cluster.play), stopped)
        other = asked(game, 3000, ("careful", "random", "random"), 3)
        assert same(cluster.play(other, game), play(other, game, 1))
    assert machines.scheduler.poll() is None  # it was not ours to end


def test_a_killed_worker_a_late_one_and_a_slow_one_cost_nothing_and_count_nothing_twice(machines, tmp_path, game, experiment, whole):
    machines.add(SLOW.format(seconds=0.05))
    victim = machines.add(SLOW.format(seconds=0.02))
    machines.wait(2)
    struck = []

    def strike(done, planned):
        if done > planned // 8 and not struck:
            victim.kill()
            struck.append(machines.add())

    with Cluster(machines.address) as cluster, begin(tmp_path / "run", [experiment], game) as place:
        found = cluster.play(experiment, game, on_progress=strike, journal=place.journals[0])
        spans = place.journals[0].spans
    assert struck
    assert victim.wait() != 0
    assert cluster.failure is None
    assert same(found, whole)
    assert sum(span.n_blocks for span in spans) == experiment.blocks


def test_when_the_scheduler_is_lost_what_is_done_is_kept_and_can_go_on(machines, tmp_path, game, experiment, whole, monkeypatch):
    monkeypatch.setattr(cluster_module, "LOST_SECONDS", 1)
    machines.add(SLOW.format(seconds=0.02))
    machines.wait(1)
    with Cluster(machines.address) as cluster, begin(tmp_path / "run", [experiment], game) as place:
        strike = lambda done, planned: machines.scheduler.kill() if done > planned // 8 else None  # noqa: E731
        found = cluster.play(experiment, game, on_progress=strike, journal=place.journals[0])
        place.finish([found])
    assert str(cluster.failure) == f"The dask scheduler {machines.address} is gone. What is done is kept."
    assert 0 < found.batches < experiment.batches
    assert np.array_equal(load(tmp_path / "run").tally.counts, whole.tally.counts[: found.batches])
    with reopen(tmp_path / "run") as place:
        place.finish([play(experiment, game, 1, journal=place.journals[0])])
    assert same(load(tmp_path / "run"), whole)


def test_a_stopped_run_keeps_a_prefix(machines, game, experiment, whole):
    machines.add(SLOW.format(seconds=0.02))
    machines.wait(1)
    stop = threading.Event()
    with Cluster(machines.address) as cluster:
        found = cluster.play(experiment, game, on_progress=lambda done, planned: stop.set() if done > planned // 8 else None, stop=stop)
    assert 0 < found.batches < experiment.batches
    assert np.array_equal(found.tally.counts, whole.tally.counts[: found.batches])


def test_workers_of_another_version_are_refused(machines):
    machines.add(OTHER)
    machines.wait(1)
    with pytest.raises(ClusterError, match=r"^tcp://127.0.0.1:[0-9]+ has lostlegacy_sim 0.0.1, and this is .* Install the same there"):
        Cluster(machines.address)


def test_a_late_worker_of_another_version_stops_the_run(machines, game, experiment):
    with Cluster(machines.address) as cluster:
        threading.Timer(0.5, lambda: machines.add(OTHER)).start()
        found = cluster.play(experiment, game)
    assert found.deals == 0
    assert str(cluster.failure).startswith("A worker has lostlegacy_sim 0.0.1")
    assert str(cluster.failure).endswith("What is done is kept.")


def test_a_bot_that_breaks_the_rules_is_found_at_the_same_deal(machines, game, tmp_path, monkeypatch):
    bot = tmp_path / "late.py"
    bot.write_text(
        "import numba\n@numba.njit\ndef decide(cards, public, private, question):\n"
        "    return -1 if private.word % 5000 == 7 else 0\n"
    )
    monkeypatch.setattr(roster, "try_bot", lambda *words: {})
    experiment = asked(game, 20_000, (str(bot), "random"))
    here = play(experiment, game, 1)
    assert 0 < here.batches < experiment.batches
    for _ in range(2):
        machines.add(UNTRIED)
    machines.wait(2)
    with Cluster(machines.address) as cluster:
        found = cluster.play(experiment, game)
    assert found.error == here.error
    assert same(found, here)


def test_processes_of_this_machine(tmp_path):
    words = ("simulate", "--bots", "random", "--players", "2", "--deals", "20k", "-q")
    ran = run(*words, "--scheduler", "local:2", "--out", str(tmp_path / "run"))
    assert (ran.code, ran.err) == (0, "")
    assert ran.out == run(*words, "--threads", "1").out
    assert load(tmp_path / "run").status == "complete"


@pytest.fixture(scope="module")
def standing():
    found = Machines()
    for _ in range(2):
        found.add()
    found.wait(2)
    yield found
    found.close()


@pytest.mark.parametrize(
    "words",
    [
        "compare starship flying-garden --players 3 --deals 2k",
        "compare players=2 players=3 --until 'nobody +/- 2pp'",
        "balance starship --cards search,assault --effects blank,copy --deals 2k",
        "explore --family guidelines --members 4 --deals 2k",
        "tournament --bots random,careful --players 3 --deals 2k",
        "simulate --ladder --bots random,careful --deals 2k",
    ],
)
def test_every_command_that_plays_counts_the_same_on_a_cluster(standing, tmp_path, monkeypatch, words):
    there, plain = [], Round.play
    monkeypatch.setattr(Round, "play", lambda self, *words: (there.append(self.run.experiment), plain(self, *words)))
    words = [*shlex.split(words), "--seed", "5", "-q", *([] if "--bots" in words else ["--bots", "random"])]
    here = run(*words, "--threads", "1")
    assert (here.code, here.err, there) == (0, "", [])
    assert run(*words, "--scheduler", standing.address, "--out", str(tmp_path / "kept")) == here
    assert there


@pytest.mark.parametrize("address", ["", "local", "local:0", "local:1000", "here", "tcp://", "tcp://host", "http://host:1", "tcp://a b:1"])
def test_what_is_no_address(address):
    ran = run("simulate", "--scheduler", address, "--deals", "20")
    assert ran.code == 2
    assert ran.err == f"--scheduler {address}: write tcp://host:port of a dask scheduler, or local:N for N processes on this machine.\n"


def test_nobody_answers(monkeypatch, tmp_path):
    monkeypatch.setattr(cluster_module, "CONNECT_SECONDS", 1)
    ran = run("simulate", "--scheduler", "tcp://127.0.0.1:1", "--deals", "20", "--bots", "random", "--out", str(tmp_path / "run"))
    assert ran.code == 2
    assert ran.err.startswith("No dask scheduler answers at tcp://127.0.0.1:1: ")
    assert len(ran.err.splitlines()) == 1
    assert not list(tmp_path.iterdir())


def test_shares_cover_everything_in_order():
    for n in (1, 5, 128, 500):
        todo = list(range(3, 3 + n))
        assert [number for share in shares(todo, 128) for number in share] == todo
        assert len(shares(todo, 128)) == min(n, 128)


def test_without_dask_it_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    ran = run("simulate", "--scheduler", "local:2", "--deals", "20", "--bots", "random")
    assert ran.err == "--scheduler needs dask.distributed: pip install 'lostlegacy_sim[cluster]'.\n"
