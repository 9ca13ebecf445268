"""Train the collection, or some of it: python -m core.learning.collection [NAME …] [--jobs 2].

With --measure what is there is only measured again, with --check compared with the hashes in the index.
"""

import argparse
import multiprocessing
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from functools import partial
from pathlib import Path
from typing import Any

import torch
from tqdm import tqdm

from core.learning.collection.making import measure_again, train
from core.learning.collection.members import MEMBERS
from core.learning.collection.shelf import FOLDER, altered, is_there, write_index


def main(arguments: Sequence[str] | None = None) -> None:
    """Train what is asked for and not done yet, or measure again what is, then bring the index up to date."""
    options = _options(arguments)
    options.folder.mkdir(exist_ok=True)
    if options.check:
        _check(options)
        return
    done = {name: is_there(name, options.folder) for name in options.names}
    if options.measure:
        _each([name for name in done if done[name]], measure_again, options)
    else:
        _each(
            [name for name in done if not done[name]],
            partial(train, steps=options.steps, progress=options.jobs == 1),
            options,
        )
    write_index(options.folder)


def _check(options: argparse.Namespace) -> None:
    """End with an error that names the files which are not those that the index lists."""
    names = altered(options.names, options.folder)
    if names:
        raise SystemExit(f"not as the index in {options.folder} lists them: {', '.join(names)}")


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m core.learning.collection", description=__doc__)
    add = parser.add_argument
    add("names", nargs="*", metavar="NAME", choices=[*MEMBERS, []], help="one model; all by default")
    add("--jobs", type=int, default=1, help="how many to train at once, one thread each")
    add("--steps", type=int, help="steps for each, for a trial; by default those of its recipe")
    add("--measure", action="store_true", help="train nothing: write anew what those that are there can do")
    add("--check", action="store_true", help="do nothing but compare the files with the hashes in the index")
    add("--folder", type=Path, default=FOLDER, help="where the checkpoints go")
    options = parser.parse_args(arguments)
    options.names = options.names or list(MEMBERS)
    return options


def _each(names: Sequence[str], work: Callable[[str, Path], None], options: argparse.Namespace) -> None:
    """Do the work on every name, one after the other or several at once."""
    if options.jobs == 1:
        for name in tqdm(names, unit="model"):
            work(name, options.folder)
        return
    context = multiprocessing.get_context("spawn")
    one_thread: dict[str, Any] = {"initializer": torch.set_num_threads, "initargs": (1,)}
    with ProcessPoolExecutor(options.jobs, mp_context=context, **one_thread) as pool:
        started = [pool.submit(work, name, options.folder) for name in names]
        for done in tqdm(as_completed(started), total=len(started), unit="model"):
            done.result()


if __name__ == "__main__":
    main()
