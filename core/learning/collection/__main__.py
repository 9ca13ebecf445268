"""Train the collection, or some of it: python -m core.learning.collection [NAME …] [--jobs 2]."""

import argparse
import multiprocessing
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path
from typing import Any

import torch
from tqdm import tqdm

from core.learning.collection.making import train
from core.learning.collection.members import MEMBERS
from core.learning.collection.shelf import FOLDER, is_there, write_index


def main(arguments: Sequence[str] | None = None) -> None:
    """Train what is asked for and not done yet, then bring the index up to date."""
    options = _options(arguments)
    options.folder.mkdir(exist_ok=True)
    missing = [name for name in options.names if not is_there(name, options.folder)]
    if options.jobs == 1:
        for name in tqdm(missing, unit="model"):
            train(name, options.folder, steps=options.steps, progress=True)
    else:
        _train_side_by_side(missing, options)
    write_index(options.folder)


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m core.learning.collection", description=__doc__)
    add = parser.add_argument
    add("names", nargs="*", metavar="NAME", choices=[*MEMBERS, []], help="one model; all by default")
    add("--jobs", type=int, default=1, help="how many to train at once, one thread each")
    add("--steps", type=int, help="steps for each, for a trial; by default those of its recipe")
    add("--folder", type=Path, default=FOLDER, help="where the checkpoints go")
    options = parser.parse_args(arguments)
    options.names = options.names or list(MEMBERS)
    return options


def _train_side_by_side(names: Sequence[str], options: argparse.Namespace) -> None:
    context = multiprocessing.get_context("spawn")
    one_thread: dict[str, Any] = {"initializer": torch.set_num_threads, "initargs": (1,)}
    with ProcessPoolExecutor(options.jobs, mp_context=context, **one_thread) as pool:
        started = [pool.submit(train, name, options.folder, steps=options.steps) for name in names]
        for done in tqdm(as_completed(started), total=len(started), unit="model"):
            done.result()


if __name__ == "__main__":
    main()
