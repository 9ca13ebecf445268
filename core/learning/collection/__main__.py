"""Train the collection, or parts of it: python -m core.learning.collection [NAME …] [--jobs 2].

With --measure the present models are only measured again, with --check compared with the hashes in the index,
with --claims measured again and compared with their records.
"""

import argparse
import multiprocessing
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import torch
from tqdm import tqdm

from core.device import compute_on_one_thread
from core.learning.collection.checkpoint_store import (
    FOLDER,
    altered_members,
    is_as_listed,
    is_available,
    path_of,
    write_index,
)
from core.learning.collection.member_training import fail, measure_again, mismatches, train
from core.learning.collection.members import MEMBERS, SHIPPED

T = TypeVar("T")


def main(arguments: Sequence[str] | None = None) -> None:
    """Train missing or unlisted members, or measure them again, then update the index."""
    options = _options(arguments)
    options.folder.mkdir(exist_ok=True)
    if options.check:
        fail(
            [f"not as the index lists it: {name}" for name in altered_members(options.names, options.folder)]
        )
        return
    if options.claims:
        fail([line for found in _each(options.names, mismatches, options) for line in found])
        return
    if options.measure:
        _each([name for name in options.names if is_available(name, options.folder)], measure_again, options)
    else:
        _each(
            [name for name in options.names if not _is_done(name, options.folder)],
            partial(train, steps=options.steps, progress=options.jobs == 1),
            options,
        )
    write_index(options.folder, anew=options.names)


def _is_done(name: str, folder: Path) -> bool:
    """Return whether a member has a checkpoint that the index lists, or that is not listed yet."""
    return is_available(name, folder) and is_as_listed(path_of(name, folder))


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m core.learning.collection", description=__doc__)
    add = parser.add_argument
    add("names", nargs="*", metavar="NAME", choices=[*MEMBERS, []], help="all shipped models by default")
    add("--jobs", type=int, default=1, help="trainings at once, one thread each")
    add("--steps", type=int, help="steps of each training, for a trial")
    add("--measure", action="store_true", help="only measure present models again")
    add("--check", action="store_true", help="only compare files with the index")
    add("--claims", action="store_true", help="only measure the records again")
    add("--folder", type=Path, default=FOLDER, help="where the checkpoints go")
    options = parser.parse_args(arguments)
    options.names = options.names or list(SHIPPED)
    return options


def _each(names: Sequence[str], work: Callable[[str, Path], T], options: argparse.Namespace) -> list[T]:
    """Run the work on every name, one by one or several at once, and return the results."""
    if options.jobs == 1:
        return [work(name, options.folder) for name in tqdm(names, unit="model")]
    context = multiprocessing.get_context("spawn")
    one_thread: dict[str, Any] = {"initializer": torch.set_num_threads, "initargs": (1,)}
    with ProcessPoolExecutor(options.jobs, mp_context=context, **one_thread) as pool:
        started = [pool.submit(work, name, options.folder) for name in names]
        return [done.result() for done in tqdm(as_completed(started), total=len(started), unit="model")]


if __name__ == "__main__":
    compute_on_one_thread()
    main()
