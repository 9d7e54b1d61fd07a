"""Dask: real schedulers and workers on this machine; workers die, come late, are slow or of another version."""

import os
import re
import shlex
import signal
import socket
import subprocess
import sys
import threading
import time
from contextlib import contextmanager, suppress
from http.client import HTTPException
from urllib.request import urlopen

import numpy as np
import psutil
import pytest
from command_line import run

from lostlegacy_sim import __version__
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
LACKING = "from lostlegacy_sim import cluster; cluster.find_game = lambda name: __import__('nowhere_at_all')"
UNTRIED = "from lostlegacy_sim.games.lost_legacy.bots import roster; roster.try_bot = lambda *words: {}"


class Machines:
    """A scheduler and its workers, each a process of its own; `tls`: words for both that say where certificates are."""

    def __init__(self, scheme="tcp", tls=()):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.address = f"{scheme}://127.0.0.1:{free.getsockname()[1]}"
        self.tls = tls
        self.scheduler = self.start("-m", "distributed.cli.dask_scheduler", "--host", self.address, "--no-dashboard", *tls)
        self.workers = []
        self.processes = [self.scheduler]

    def start(self, *words):
        return subprocess.Popen([sys.executable, *words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def add(self, before="pass"):
        """Start a worker of one thread; `before`: what it does first."""
        words = ("--no-nanny", "--no-dashboard", "--nthreads", "1", "--host", "127.0.0.1", "--memory-limit", "0", *self.tls)
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
    said = r"tcp://127\.0\.0\.1:[0-9]+ has lostlegacy_sim 0\.0\.1, and this is (\S+): it would count other deals\. Install the same there, then play again\. What is done is kept\."
    named = re.fullmatch(said, str(cluster.failure))
    assert named is not None
    assert named[1] == __version__


def test_a_late_worker_that_lacks_a_library_stops_the_run(machines, game, experiment):
    with Cluster(machines.address) as cluster:
        threading.Timer(0.5, lambda: machines.add(LACKING)).start()
        found = cluster.play(experiment, game)
    assert found.deals == 0
    assert str(cluster.failure) == "A worker cannot play: No module named 'nowhere_at_all'. Install there what is installed here. What is done is kept."


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


WRITE = "write tcp://host:port or tls://host:port of a dask scheduler, or local:N for N processes on this machine."


@pytest.mark.parametrize("address", ["", "local", "local:0", "local:1000", "here", "tcp://", "tcp://host", "tcp://a b:1"])
def test_what_is_no_address(address):
    ran = run("simulate", "--scheduler", address, "--deals", "20")
    assert ran.code == 2
    assert ran.err == f"--scheduler {address}: {WRITE}\n"


@pytest.mark.parametrize("scheme", ["ucx", "ws", "wss", "http", "inproc", "nonsense"])
def test_what_is_not_spoken(scheme):
    ran = run("simulate", "--scheduler", f"{scheme}://127.0.0.1:1", "--deals", "20")
    assert (ran.code, ran.err) == (2, f"--scheduler {scheme}://127.0.0.1:1: {scheme}:// is not spoken here; {WRITE}\n")


@contextmanager
def listening(answer):
    """The port of somebody who listens here; `answer(connection)` is what is done with each who comes."""
    with socket.socket() as door:
        door.bind(("127.0.0.1", 0))
        door.listen(16)
        kept = []

        def serve():
            while True:
                try:
                    connection, _ = door.accept()
                except OSError:
                    return
                kept.append(connection)
                with suppress(OSError):
                    answer(connection)

        threading.Thread(target=serve, daemon=True).start()
        yield door.getsockname()[1]
        door.shutdown(socket.SHUT_RDWR)
    for connection in kept:
        connection.close()


def http(connection):
    connection.recv(1000)
    connection.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")
    connection.close()


NO_DASK = {
    "silent": (lambda connection: None, "no answer in time"),
    "http": (http, "what is there does not speak dask's language"),
    "closes": (lambda connection: connection.close(), "the connection is closed at once; is it a scheduler, and does it want tls://", "no answer in time"),
    "says nonsense": (lambda connection: connection.sendall(b"\1" + bytes(999)), "what is there does not speak dask's language"),
}


@pytest.mark.parametrize("kind", NO_DASK)
def test_who_answers_is_no_dask(monkeypatch, kind, tmp_path):
    monkeypatch.setattr(cluster_module, "CONNECT_SECONDS", 2)
    answer, *reasons = NO_DASK[kind]
    with listening(answer) as port:
        began = time.monotonic()
        ran = run("simulate", "--scheduler", f"tcp://127.0.0.1:{port}", "--deals", "20", "--bots", "random", "--out", str(tmp_path / "run"))
    assert time.monotonic() - began < 10
    assert ran.code == 2
    assert ran.err in [f"No dask scheduler answers at tcp://127.0.0.1:{port}: {why}.\n" for why in reasons]
    assert not list(tmp_path.iterdir())


def test_nobody_answers(monkeypatch, tmp_path):
    monkeypatch.setattr(cluster_module, "CONNECT_SECONDS", 1)
    ran = run("simulate", "--scheduler", "tcp://127.0.0.1:1", "--deals", "20", "--bots", "random", "--out", str(tmp_path / "run"))
    assert (ran.code, ran.err) == (2, "No dask scheduler answers at tcp://127.0.0.1:1: nobody listens there.\n")
    assert not list(tmp_path.iterdir())


def test_no_way_leads_there(monkeypatch):
    monkeypatch.setattr(cluster_module, "CONNECT_SECONDS", 1)
    with socket.socket() as door:  # a door before which so many stand that nobody else is heard
        door.bind(("127.0.0.1", 0))
        door.listen(0)
        crowd = [socket.socket() for _ in range(8)]
        for one in crowd:
            one.setblocking(False)
            one.connect_ex(door.getsockname())
        time.sleep(0.1)
        ran = run("simulate", "--scheduler", f"tcp://127.0.0.1:{door.getsockname()[1]}", "--deals", "20", "--bots", "random")
        for one in crowd:
            one.close()
    assert ran.code == 2
    assert ran.err.endswith(": no answer in time.\n")


def test_there_is_no_such_machine():
    ran = run("simulate", "--scheduler", "tcp://no..such..name:8786", "--deals", "20", "--bots", "random")
    assert ran.code == 2
    assert ran.err.startswith("--scheduler tcp://no..such..name:8786: there is no machine no..such..name (")


def test_a_worker_is_no_scheduler(machines):
    machines.add()
    machines.wait(1)
    import distributed

    with distributed.Client(machines.address, timeout=60, set_as_default=False) as client:
        (worker,) = client.scheduler_info()["workers"]
    ran = run("simulate", "--scheduler", worker, "--deals", "20", "--bots", "random")
    assert (ran.code, ran.err) == (2, f"No dask scheduler answers at {worker}: a dask worker does. Give the address the scheduler says it listens at.\n")


# --- waiting, and being told to stop --------------------------------------------------------------------------


def begin_llsim(*words, **environment):
    return subprocess.Popen(
        [sys.executable, "-m", "lostlegacy_sim", *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=os.environ | environment,
        start_new_session=True,
    )  # fmt: skip


PLAYED = ("simulate", "--bots", "random", "--players", "2", "--deals", "20k")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_the_first_signal_ends_the_wait_for_an_answer(number, tmp_path):
    with listening(lambda connection: None) as port:
        llsim = begin_llsim(*PLAYED, "--scheduler", f"tcp://127.0.0.1:{port}", "--out", str(tmp_path / "run"))
        time.sleep(4)
        llsim.send_signal(number)
        began = time.monotonic()
        out, err = llsim.communicate(timeout=20)
    assert time.monotonic() - began < 3
    assert (llsim.returncode, out, err.strip()) == (130, "", "Stopped.")
    assert not list(tmp_path.iterdir())


def test_it_says_that_it_waits_for_workers_and_for_how_long(machines, monkeypatch, tmp_path):
    monkeypatch.setattr(cluster_module, "LOOK_SECONDS", 0.5)
    monkeypatch.setenv(cluster_module.WORKER_SECONDS, "3")
    ran = run(*PLAYED, "--scheduler", machines.address)
    waits, gives_up = ran.err.splitlines()
    assert re.fullmatch(rf"Waiting for workers: none is at {machines.address}\. If none comes within [1-3] seconds, the run is given up\.", waits)
    assert gives_up == (
        f"No worker came to {machines.address} in 3 seconds. Start some, such as `dask worker {machines.address}`, or set LLSIM_WORKER_SECONDS "
        "to wait longer. What is done is kept."
    )
    assert ran.code == 2
    monkeypatch.setenv(cluster_module.WORKER_SECONDS, "soon")
    said = "LLSIM_WORKER_SECONDS=soon: write how many seconds to wait for workers, a whole number from 1.\n"
    assert run(*PLAYED, "--scheduler", machines.address).err == said


def test_who_waits_for_workers_is_told_and_stops_at_once_and_plays_when_one_comes(machines, whole):
    llsim = begin_llsim(*PLAYED, "--scheduler", machines.address)
    assert llsim.stderr.readline().startswith(f"Waiting for workers: none is at {machines.address}. If none comes within 59")
    llsim.send_signal(signal.SIGTERM)
    began = time.monotonic()
    _, err = llsim.communicate(timeout=20)
    assert time.monotonic() - began < 5
    assert (llsim.returncode, err) == (130, "Stopped before the first batch of deals was finished; nothing is kept.\n")
    llsim = begin_llsim(*PLAYED, "--scheduler", machines.address)
    assert llsim.stderr.readline().startswith("Waiting for workers")
    machines.add()
    out, err = llsim.communicate(timeout=100)
    assert (llsim.returncode, err) == (0, "")
    assert out == run(*PLAYED, "--threads", "1").out


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_the_first_signal_ends_a_run_and_what_is_done_is_kept(machines, number, tmp_path):
    machines.add(SLOW.format(seconds=0.3))
    machines.wait(1)
    llsim = begin_llsim(*PLAYED, "--scheduler", machines.address, "--out", str(tmp_path / "run"))
    end = time.monotonic() + 60
    while not list(tmp_path.glob("run/batches-*")) and time.monotonic() < end:
        time.sleep(0.1)
    llsim.send_signal(number)
    began = time.monotonic()
    _, err = llsim.communicate(timeout=30)
    assert time.monotonic() - began < 5
    assert (llsim.returncode, err) == (130, "")
    kept = load(tmp_path / "run")
    assert 0 < kept.batches < kept.experiment.batches
    assert machines.scheduler.poll() is None


def test_a_scheduler_that_falls_silent_is_lost(machines, game, experiment, whole, monkeypatch):
    monkeypatch.setattr(cluster_module, "LOST_SECONDS", 2)
    monkeypatch.setattr(cluster_module, "LOOK_SECONDS", 1)
    machines.add(SLOW.format(seconds=0.02))
    machines.wait(1)
    with Cluster(machines.address) as cluster:
        strike = lambda done, planned: machines.scheduler.send_signal(signal.SIGSTOP) if done > planned // 8 else None  # noqa: E731
        found = cluster.play(experiment, game, on_progress=strike)
        began = time.monotonic()
    assert time.monotonic() - began < 15
    assert str(cluster.failure) == f"The dask scheduler {machines.address} is gone. What is done is kept."
    assert 0 < found.batches < experiment.batches
    assert np.array_equal(found.tally.counts, whole.tally.counts[: found.batches])


def test_a_ctrl_c_in_the_terminal_ends_local_processes_too_and_nobody_complains(tmp_path):
    words = ("simulate", "--bots", "random", "--players", "2", "--deals", "1e9", "-q", "--scheduler", "local:2", "--out", str(tmp_path / "run"))
    llsim = begin_llsim(*words)
    end = time.monotonic() + 60
    while not list(tmp_path.glob("run/batches-*")) and time.monotonic() < end:
        time.sleep(0.1)
    family = psutil.Process(llsim.pid).children(recursive=True)
    os.killpg(llsim.pid, signal.SIGINT)
    began = time.monotonic()
    _, err = llsim.communicate(timeout=30)
    assert time.monotonic() - began < 5
    assert llsim.returncode == 130
    assert err == "" or re.fullmatch(r"Stopped before the first batch of deals was finished; (nothing is kept\.|what was counted of it is kept: .*)\n", err)
    assert list(tmp_path.glob("run/batches-*"))  # of batches under way, too
    assert len(family) >= 2
    assert not psutil.wait_procs(family, timeout=5)[1]


# --- who can reach it -----------------------------------------------------------------------------------------


def test_local_processes_listen_on_this_machine_only():
    def family():
        return {psutil.Process(), *psutil.Process().children(recursive=True)}

    def doors(processes):
        return {one.laddr for process in processes for one in process.net_connections("inet") if one.status == psutil.CONN_LISTEN}

    others = family()
    before = doors(others)
    with Cluster("local:2") as cluster:
        assert cluster.threads() == 2
        found = doors(family() - others) | doors([psutil.Process()]) - before
        assert len(found) >= 3  # the scheduler and two workers
        assert {door.ip for door in found} == {"127.0.0.1"}
        for door in found:  # and none of them shows a page
            with suppress(OSError, HTTPException), urlopen(f"http://127.0.0.1:{door.port}/status", timeout=5) as page:
                pytest.fail(f"a page is shown: {page.read()[:100]}")


@pytest.fixture(scope="module")
def certificates(tmp_path_factory):
    """A folder with an authority, a certificate it has signed, and another authority."""
    folder = tmp_path_factory.mktemp("tls")

    def openssl(*words):
        subprocess.run(["openssl", *words], cwd=folder, check=True, capture_output=True)

    for name in ("ca", "other"):
        openssl("req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", f"{name}.key", "-out", f"{name}.pem", "-days", "2", "-subj", f"/CN={name}")
    openssl("req", "-newkey", "rsa:2048", "-nodes", "-keyout", "llsim.key", "-out", "llsim.csr", "-subj", "/CN=llsim")
    openssl("x509", "-req", "-in", "llsim.csr", "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial", "-out", "llsim.pem", "-days", "2")
    return folder


def tls(folder, authority="ca.pem"):
    """What the shell says to be heard by tls://, as docs/scale.md has it."""
    place = "DASK_DISTRIBUTED__COMM__TLS__"
    return {f"{place}CA_FILE": str(folder / authority), f"{place}CLIENT__CERT": str(folder / "llsim.pem"), f"{place}CLIENT__KEY": str(folder / "llsim.key")}


def test_tls(certificates):
    words = ("--tls-ca-file", str(certificates / "ca.pem"), "--tls-cert", str(certificates / "llsim.pem"), "--tls-key", str(certificates / "llsim.key"))
    machines = Machines("tls", words)
    try:
        machines.add()

        def ran(address, **environment):
            llsim = begin_llsim(*PLAYED, "--scheduler", address, **environment)
            out, err = llsim.communicate(timeout=100)
            return llsim.returncode, out, err

        assert ran(machines.address, **tls(certificates)) == run(*PLAYED, "--threads", "1")
        no = f"No dask scheduler answers at {machines.address}: "
        needs = (
            "tls:// needs certificates; name their files in DASK_DISTRIBUTED__COMM__TLS__CA_FILE, DASK_DISTRIBUTED__COMM__TLS__CLIENT__CERT "
            "and DASK_DISTRIBUTED__COMM__TLS__CLIENT__KEY.\n"
        )
        assert ran(machines.address) == (2, "", no + needs)
        assert ran(machines.address, **tls(certificates / "nowhere")) == (2, "", no + needs)
        assert ran(machines.address, **tls(certificates, "ca.key")) == (2, "", no + needs)
        untrusted = "its certificate is not signed by the authority you trust (DASK_DISTRIBUTED__COMM__TLS__CA_FILE).\n"
        assert ran(machines.address, **tls(certificates, "other.pem")) == (2, "", no + untrusted)
        plain = machines.address.replace("tls", "tcp")
        assert ran(plain, **tls(certificates)) == (
            2, "", f"No dask scheduler answers at {plain}: the connection is closed at once; is it a scheduler, and does it want tls://.\n",
        )  # fmt: skip
    finally:
        machines.close()
    machines = Machines()
    try:
        machines.add()
        machines.wait(1)
        secret = machines.address.replace("tcp", "tls")
        assert ran(secret, **tls(certificates))[2] == f"No dask scheduler answers at {secret}: it does not speak TLS; try tcp://.\n"
    finally:
        machines.close()


def test_a_share_ends_after_its_time_and_the_rest_of_a_batch_is_played_from_there(machines, tmp_path, game, monkeypatch):
    experiment = asked(game, 400_000)
    machines.add(
        "import time; from lostlegacy_sim import cluster; from lostlegacy_sim.runner import Run; cluster.SHARE_SECONDS = 0.005; "
        "Run.learn_pace = lambda run, *words: (time.sleep(0.003), setattr(run, 'slice_blocks', 400))"
    )
    machines.wait(1)
    handed, plain = [], Round.hand_out
    monkeypatch.setattr(Round, "hand_out", lambda self, share, priority=0: (handed.append([self.run.begun.get(number) for number in share]), plain(self, share, priority)))
    with Cluster(machines.address) as cluster, begin(tmp_path / "run", [experiment], game) as place:
        moves = []
        found = cluster.play(experiment, game, on_progress=lambda *move: moves.append(move), journal=place.journals[0])
    assert same(found, play(experiment, game, 1))
    assert any(begun[0] is not None for begun in handed)
    assert moves == sorted(moves)
    assert moves[-1] == (400_000, 400_000)


def test_shares_cover_everything_in_order():
    for n in (1, 5, 128, 500):
        todo = list(range(3, 3 + n))
        assert [number for share in shares(todo, 128) for number in share] == todo
        assert len(shares(todo, 128)) == min(n, 128)


def test_without_dask_it_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    ran = run("simulate", "--scheduler", "local:2", "--deals", "20", "--bots", "random")
    assert ran.err == "--scheduler needs dask.distributed: pip install 'lostlegacy_sim[cluster]'.\n"
