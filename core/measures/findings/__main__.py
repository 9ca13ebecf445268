"""Measure shipped findings: python -m core.measures.findings [--measure] [--folder checkpoints].

Measurements of unchanged checkpoints are kept, unless --measure asks for all of them. The model that cheats
is trained if it is missing.
"""

import argparse
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from tqdm import tqdm

from core.device import choose_device
from core.learning.checkpoints import load, read_record, round_to_half, save
from core.learning.collection import FOLDER, MEMBERS, Member, path_of
from core.learning.collection.checkpoint_store import HASH, digest, is_available, read_numbers
from core.learning.collection.member_training import make_record
from core.learning.evaluation.translation import near_to_training
from core.learning.tasks import CLASSIFICATION, MASKED_WORD, NEXT_WORD
from core.learning.training import Model, Recipe, measure
from core.measures.classification import reviews as baselines
from core.measures.findings import FILE, write
from core.measures.masking.future import CHEAT, HONEST, STEPS, UNSEEN, learn, recipe_of, with_mask_and_without
from core.measures.order import exchange
from core.measures.order.exchange import QUESTIONS, replies, replies_key
from core.measures.positions.extrapolation import MEASURES
from core.measures.translation.vector import NEAR_TO_TRAINING, ONE_OF_ALL
from core.model.config import ModelConfig
from core.model.models import Transformer

Entry = dict[str, object]
Measure = Callable[[Any], list[float]]

DECIMALS = 5


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure what is new or changed, and write the findings."""
    parser = argparse.ArgumentParser(prog="python -m core.measures.findings", description=__doc__)
    parser.add_argument("--folder", type=Path, default=FOLDER, help="folder of the checkpoints")
    parser.add_argument("--measure", action="store_true", help="measure everything again")
    options = parser.parse_args(arguments)
    write(entries(options.folder, anew=options.measure), options.folder)


def entries(folder: Path, *, anew: bool = False) -> dict[str, Entry]:
    """Return the findings about the cheat and the members that pages need; with `anew`, all are measured."""
    asked = [name for name in MEMBERS if measures(MEMBERS[name]) and is_available(name, folder)]
    before, found = _before(folder), {}
    for name in tqdm([CHEAT, *asked], unit="model"):
        known = before.get(name, {})
        if name not in before or known[HASH] != digest(path_of(name, folder)):
            known = {}
        elif name != CHEAT:
            known = {what: known[what] for what in (HASH, *measures(MEMBERS[name])) if what in known}
        if anew:
            known = {what: known[what] for what in (HONEST, CHEAT) if what in known}
        measured = _of_the_cheat(folder, known) if name == CHEAT else _measured(name, folder, known)
        rounded = {what: np.round(values, DECIMALS).tolist() for what, values in measured.items()}
        found[name] = {HASH: digest(path_of(name, folder)), **known, **rounded}
    return found


def measures(member: Member) -> Mapping[str, Measure]:
    """Return the measures of a member that pages show at once, by their names in the findings."""
    if member is MEMBERS[ONE_OF_ALL]:
        return {NEAR_TO_TRAINING: partial(_near, recipe=member.recipe)}
    if member.task is CLASSIFICATION:
        of_all = {what: partial(_counted, what=what) for what in baselines.COUNTS}
        return of_all if member is MEMBERS[baselines.ONE_OF_ALL] else {}
    if not isinstance(member.config, ModelConfig) or member.task not in (NEXT_WORD, MASKED_WORD):
        return {}
    answers = {replies_key(question): partial(_replies, question=question) for question in QUESTIONS}
    if member is MEMBERS[exchange.ONE_OF_ALL]:
        answers |= {
            exchange.noun_pairs_key(question): partial(_together, question=question, recipe=member.recipe)
            for question in QUESTIONS
        }
    if member.config.looks_ahead:
        return answers
    return {UNSEEN: with_mask_and_without, **MEASURES, **answers}


def _near(model: Model, *, recipe: Recipe) -> list[float]:
    share = near_to_training(recipe)
    return [share.right, share.n]


def _counted(model: Model, *, what: str) -> list[float]:
    return baselines.counted(what)


def _together(model: Model, *, question: str, recipe: Recipe) -> list[float]:
    found = exchange.count_together(question, recipe)
    return [found.met, found.n]


def _replies(model: Model, *, question: str) -> list[float]:
    return list(map(float, replies(model, question)))


def _measured(name: str, folder: Path, known: Collection[str]) -> dict[str, list[float]]:
    missing = {what: measure for what, measure in measures(MEMBERS[name]).items() if what not in known}
    if not missing:
        return {}
    model = load(path_of(name, folder)).to(choose_device())
    return {what: measure(model) for what, measure in missing.items()}


def _of_the_cheat(folder: Path, known: Collection[str]) -> dict[str, list[float]]:
    if not known:
        return ship(folder)
    return {} if UNSEEN in known else {UNSEEN: measure_again(folder)}


def _before(folder: Path) -> Mapping[str, Mapping[str, object]]:
    try:
        return read_numbers(FILE, folder)
    except OSError:
        return {}


def ship(folder: Path) -> dict[str, list[float]]:
    """Train both models, write the cheat to `folder`, and return both curves and its unseen losses."""
    found = learn()
    cheat = found.cheat
    round_to_half(cheat)
    save(path_of(CHEAT, folder), cheat, make_record(cheat, NEXT_WORD, recipe_of(STEPS), in_detail=False))
    curves = {str(name): list(part["loss"]) for name, part in found.losses.groupby("model", sort=False)}
    return {**curves, UNSEEN: with_mask_and_without(cheat)}


def measure_again(folder: Path) -> list[float]:
    """Write the record of the cheating model's file anew, and return its losses on unseen words."""
    path = path_of(CHEAT, folder)
    cheat, record = load(path).to(choose_device()), read_record(path)
    assert isinstance(cheat, Transformer)
    loss, accuracy = measure(cheat, NEXT_WORD)
    save(path, cheat, replace(record, loss=loss, accuracy=accuracy))
    return with_mask_and_without(cheat)


if __name__ == "__main__":
    main()
