"""Recurrent networks unrolled: the inputs of each step, and the inside of a cell."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float
from torch import Tensor

from core.arrays import array_of
from core.device import device_of
from core.learning.collection.translators import recurrent_pair
from core.measures.architectures.models import decoder_input
from core.measures.architectures.wiring import ComputationGraph, Place, record_operations
from core.measures.gradients.gates import steps_of
from core.model.recurrent import Network, RecurrentConfig, RecurrentLanguageModel
from core.model.recurrent_pair import FIXED_VECTOR, RecurrentEncoderDecoder, RecurrentPairConfig
from core.text import language, translation
from core.text.tokenizer import Vocabulary

Units = Float[np.ndarray, "unit"]


@dataclass(frozen=True, eq=False)
class CellStep:
    """One step of a layer: cell = forget ⊙ before + write ⊙ candidate, hidden = output ⊙ tanh(cell)."""

    before: Units
    forget: Units
    write: Units
    candidate: Units
    output: Units
    cell: Units
    hidden: Units


def cell_step(model: RecurrentLanguageModel, words: Sequence[str], *, layer: int, position: int) -> CellStep:
    """Return the step at a position of an LSTM's layer, both counted from 0."""
    steps = steps_of(model, language.encode(words).tokens.to(device_of(model)), layer)
    at = {name: value[position].cpu().numpy() for name, value in steps._asdict().items()}
    before = steps.cell[position - 1].cpu().numpy() if position else np.zeros_like(at["cell"])
    return CellStep(
        before=before,
        forget=at["forget_gate"],
        write=at["input_gate"],
        candidate=at["candidate"],
        output=at["output_gate"],
        cell=at["cell"],
        hidden=at["hidden"],
    )


Step = tuple[str, int]
"""A box: its row, by recorded name, and its place in the row."""

LANGUAGE_MODELS: Mapping[Network, str] = {"rnn": "next-word-rnn", "lstm": "next-word-lstm"}
"""The members of the collection that are drawn without a partner."""

ATTENTION = "dot"
"""The score function of the pair with attention."""


@dataclass(frozen=True, eq=False)
class Row:
    """The vectors recorded under `name`, one for each step, and the line that computes them."""

    name: str
    value: np.ndarray
    place: Place | None

    @property
    def shape(self) -> tuple[int, ...]:
        return self.value.shape


@dataclass(frozen=True, eq=False)
class Unrolled:
    """The rows of a recurrent model in the order in which they were computed, and arrows between steps."""

    config: RecurrentConfig | RecurrentPairConfig
    rows: Mapping[str, Row]
    arrows: tuple[tuple[Step, Step], ...]
    source: tuple[str, ...]
    target: tuple[str, ...]
    expected: tuple[str, ...]
    probabilities: np.ndarray
    alignment: np.ndarray | None = None
    unknown: tuple[int, ...] = ()
    why_no_translation: str = ""


def unrolled_language_model(model: RecurrentLanguageModel, words: Sequence[str]) -> Unrolled:
    """Return a recurrent language model at work on `words`."""
    encoding = language.encode(words)
    with record_operations(model) as wiring:
        model(encoding.tokens.to(device_of(model)), trace=wiring.recorded)
    rows, arrows = _drawn(wiring)
    expected = _expected(wiring.recorded["logits"], language.vocabulary())
    return Unrolled(model.config, rows, arrows, tuple(words), (), *expected, unknown=encoding.unknown)


def unrolled_pair(model: RecurrentEncoderDecoder, words: Sequence[str]) -> Unrolled:
    """Return a recurrent translator reading `words` and fed their translation, or its start without one."""
    target, why_no_translation = decoder_input(words)
    encoding, device = language.encode(words), device_of(model)
    given = encoding.tokens.to(device), translation.vocabulary().encode(target).to(device)
    with record_operations(model) as wiring:
        model(given, trace=wiring.recorded)
    rows, arrows = _drawn(wiring)
    expected = _expected(wiring.recorded["decoder.logits"], translation.vocabulary())
    recorded = wiring.recorded
    alignment = array_of(recorded["alignment"][0, 0]) if "alignment" in recorded else None
    return Unrolled(
        model.config,
        rows,
        arrows,
        tuple(words),
        target,
        *expected,
        alignment,
        encoding.unknown,
        why_no_translation,
    )


def _expected(logits: Tensor, vocabulary: Vocabulary) -> tuple[tuple[str, ...], np.ndarray]:
    found = logits[0].softmax(dim=-1).max(dim=-1)
    return tuple(vocabulary.decode(found.indices)), array_of(found.values)


def pair_config(*, attends: bool) -> RecurrentPairConfig:
    """Return the configuration of the pair that is drawn, with attention or without."""
    return recurrent_pair("rnn", ATTENTION if attends else FIXED_VECTOR)


LEFT_OUT = ("scores", "allowed", "alignment", "vector_cell", "gate", "candidate", "cell")
"""Ends of recorded names that have no row: they are inside a step, or (target, source)."""


def _drawn(wiring: ComputationGraph) -> tuple[dict[str, Row], tuple[tuple[Step, Step], ...]]:
    """Return the rows, and the inputs of every step."""
    recorded = wiring.recorded
    names = [name for name in recorded if not name.endswith(LEFT_OUT)]
    steps = _steps(wiring, names)
    known = {key: f"{name}@{at}" for (name, at), tensors in steps.items() for key in map(id, tensors)}
    known |= {key: f"{name}@{at}" for name in names for key, at in wiring.pieces(recorded[name]).items()}
    arrows: dict[tuple[Step, Step], None] = {}
    for step, tensors in steps.items():
        # The fixed vector is cut out of all states at once; `_by_columns` finds its state.
        for tensor in tensors if not step[0].endswith(".vector") else ():
            for source in wiring.sources(tensor, known):
                start = _step(source)
                if start != step:
                    arrows[start, step] = None
    arrows |= dict.fromkeys(_by_columns(wiring, names, set(steps)))
    rows = {
        name: Row(name, _vectors(recorded[name]), next(iter(recorded.places[name]), None)) for name in names
    }
    return rows, tuple(arrows)


def _steps(wiring: ComputationGraph, names: Sequence[str]) -> dict[Step, tuple[Tensor, ...]]:
    """Return the tensors computed one step after the other: hidden states, with the cells beside them."""
    steps: dict[Step, tuple[Tensor, ...]] = {}
    recorded = wiring.recorded
    for name in names:
        cells = recorded.get(name.replace(".hidden", ".cell")) if name.endswith(".hidden") else None
        beside = wiring.stacked(cells) if cells is not None else ()
        for at, tensor in enumerate(wiring.stacked(recorded[name])):
            steps[name, at] = (tensor, beside[at]) if beside else (tensor,)
        if name.endswith(".vector"):
            cell = recorded.get(f"{name}_cell")
            steps[name, 0] = (recorded[name],) if cell is None else (recorded[name], cell)
    return steps


def _by_columns(
    wiring: ComputationGraph, names: Sequence[str], one_by_one: set[Step]
) -> list[tuple[Step, Step]]:
    """Return the arrows of tensors computed for all steps at once: each comes from the same step below."""
    recorded = wiring.recorded
    whole = {id(recorded[name]): name for name in names}
    arrows: list[tuple[Step, Step]] = []
    for name in names:
        sources = wiring.sources(recorded[name], {key: one for key, one in whole.items() if one != name})
        if name.endswith(".vector"):
            arrows += [((one, recorded[one].shape[1] - 1), (name, 0)) for one in sources]
        elif (name, 0) not in one_by_one:
            for one in sources:
                arrows += _columns(one, name, recorded[one].shape[1], recorded[name].shape[1])
    return arrows


def _columns(source: str, target: str, n_sources: int, n_targets: int) -> list[tuple[Step, Step]]:
    if target == "context" and source.startswith("encoder."):
        return [((source, key), (target, query)) for query in range(n_targets) for key in range(n_sources)]
    return [((source, at), (target, at)) for at in range(n_targets)]


def _step(spelt: str) -> Step:
    name, _, at = spelt.rpartition("@")
    return name, int(at)


def _vectors(tensor: Tensor) -> np.ndarray:
    """Return a row of numbers for each step; the fixed vector is one step."""
    return array_of(tensor[0] if tensor.ndim == 3 else tensor)
