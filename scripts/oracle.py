"""The kernel against the rulebook on a million deals: every question, card and piece of knowledge, after every step.

    python scripts/oracle.py [--deals 1000000] [--seed 1] [--processes N]
    python scripts/oracle.py --seed S --job J          one job again, as a difference names it

Exits 1 with the first difference: the deal in words, and its card file.
"""

import argparse
import multiprocessing
import os
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from lockstep import Different, Job, play

DEALS_A_JOB = 20


def try_job(job: Job) -> tuple[int, str]:
    """Questions answered, and the difference if there is one."""
    try:
        return play(job).total(), ""
    except Different as difference:
        return 0, str(difference)


def duration(seconds: float) -> str:
    """A time for people."""
    return f"{seconds:.0f} s" if seconds < 120 else f"{seconds / 60:.0f} min"


def judge_all(jobs: list[Job], processes: int) -> int:
    """Play all jobs; the exit code."""
    start, questions, last = time.perf_counter(), 0, 0.0
    with multiprocessing.get_context("spawn").Pool(processes) as pool:
        for number, (answered, difference) in enumerate(pool.imap_unordered(try_job, jobs, chunksize=4), 1):
            if difference:
                print(f"\n{difference}", flush=True)
                return 1
            questions += answered
            seconds = time.perf_counter() - start
            if seconds - last > 1 or number == len(jobs):
                last = seconds
                left = duration(seconds / number * (len(jobs) - number))
                line = f"{number * DEALS_A_JOB:,} of {len(jobs) * DEALS_A_JOB:,} deals, {questions:,} questions, {left} left   "
                print(f"\r{line}", end="", flush=True)
    print(f"\nKernel and reference agree ({duration(time.perf_counter() - start)}).")
    return 0


def main() -> int:
    """Parse and run."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--deals", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--job", type=int, help="play this one job only")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    asked = parser.parse_args()
    if asked.deals < 1 or asked.processes < 1:
        parser.error("--deals and --processes are at least 1.")
    first = Job(asked.seed, asked.job or 0, DEALS_A_JOB)
    answered, difference = try_job(first)  # compiles once, before the processes start
    if difference or asked.job is not None:
        print(difference or f"Job {asked.job}: {answered} questions, no difference.")
        return bool(difference)
    n_jobs = -(-asked.deals // DEALS_A_JOB)
    return judge_all([Job(asked.seed, number, DEALS_A_JOB) for number in range(n_jobs)], asked.processes)


if __name__ == "__main__":
    sys.exit(main())
