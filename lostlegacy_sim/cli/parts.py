"""What `llsim simulate --part` says: which batches are in the folder now, and what is still missing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any

from lostlegacy_sim.cli.job import Job
from lostlegacy_sim.experiment import Experiment
from lostlegacy_sim.letters import command_line, quoted

SHOWN = 6  # ranges of missing batches that are listed


def part_lines(job: Job) -> Iterator[str]:
    """The lines after a part was played, or stopped."""
    assert job.folder is not None
    assert job.part is not None
    folder = job.folder.folder
    place = quoted(str(folder))
    is_whole = True
    for experiment, missing in job.folder.missing():
        own = job.part.batches(experiment)
        here = [number for number in own if number not in set(missing)]
        yield (f"Part {job.part} · {job.game.title}: {experiment.set_name} · {experiment.players} players · batches {own.start + 1} to {own.stop} "
               f"of {experiment.batches} · {deals_of(experiment, here):,} deals are in {place}")  # fmt: skip
        if missing:
            is_whole = False
            yield f"  still missing in {place}: {len(missing)} of {experiment.batches} batches, {ranges(missing)}"
    if is_whole:
        yield f"  All parts are there: {place} is the whole result. Next: {command_line('llsim', 'report', folder, '-o', 'page.html')}"
    else:
        yield f"  Play the other parts into {place}, copy their batches-*.npy there, or: {command_line('llsim', 'simulate', '--resume', folder)}"


def part_document(job: Job) -> dict[str, Any]:
    """The same as JSON, schema llsim.part/1; batches count from 0."""
    assert job.folder is not None
    assert job.part is not None
    results = [
        {"experiment_hash": experiment.hash, "players": experiment.players, "batches": experiment.batches,
         "part": list(job.part.batches(experiment)), "missing": missing}
        for experiment, missing in job.folder.missing()
    ]  # fmt: skip
    return {"schema": "llsim.part/1", "folder": str(job.folder.folder), "part": job.part.number, "of": job.part.of, "results": results}


def deals_of(experiment: Experiment, batches: Sequence[int]) -> int:
    """Deals in some batches."""
    size = experiment.batch_blocks
    return sum(min(size, experiment.blocks - number * size) for number in batches) * experiment.rotations


def ranges(numbers: Sequence[int]) -> str:
    """Ascending batch numbers in words, counted from 1: "1-3, 7"."""
    runs = [[number for _, number in run] for _, run in groupby(enumerate(numbers), key=lambda pair: pair[1] - pair[0])]
    words = [f"{run[0] + 1}-{run[-1] + 1}" if len(run) > 1 else f"{run[0] + 1}" for run in runs]
    return ", ".join(words[:SHOWN]) + (", ..." if len(words) > SHOWN else "")
