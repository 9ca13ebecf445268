"""The bottleneck: what fits into the one vector that an encoder hands over, and what attention adds."""

from dataclasses import dataclass

import numpy as np
import pandas as pd
from jaxtyping import Float

from core.learning.collection.translators import TranslatorConfig, name_of_pair, recurrent_pair
from core.learning.evaluation.translation import Share
from core.learning.probes import Told
from core.measures.translation.lengths import share_near_to_training, table_by_length, training_steps
from core.measures.translation.vector import (
    FixedVector,
    content,
    contexts,
    fixed_vector,
    table_by_distance,
    told,
)
from core.measures.translation.writing import Strategy
from core.model.recurrent_pair import RecurrentPairConfig
from core.programs.translation import bottleneck_program
from core.sources import UnavailableError
from core.sources.absent import absent
from core.sources.probes import absent_probes, load_probe
from core.sources.translators import load_translator, record_of_translator
from pages.contract.ask import Ask
from pages.contract.look import Look
from pages.contract.question import Question
from pages.contract.sheet import Columns, Notice, Part, Sheet, Text
from pages.controls.memory import remembered
from pages.shell import Program, Scene, View
from pages.shell.five import five
from pages.shell.loading import those_there
from pages.translation import bottleneck_claims as claims
from pages.translation import bottleneck_pictures as pictures
from pages.translation import bottleneck_questions as expected
from pages.translation import bottleneck_said as says
from pages.translation.bottleneck_pairs import ALONE, ATTENTIONS, WITH, name_of, recurrent_pairs
from pages.translation.sentences import SEVERAL
from pages.translation.source_sentence import SourceSentence, said
from pages.translation.translate import written
from pages.translation.translator import NETWORKS, TRANSFORMER, TRANSLATOR, USUAL


@dataclass(frozen=True)
class Found:
    """The sentence as two translators of one `network` read it, and what all translators can do.

    `by_length` are the shares of whole sentences right, `by_distance` those of content words that probes
    tell; `probes` have more of these, and `told` are the probabilities that they give to the words of this
    sentence, by translator. `vector` is all that the decoder without attention gets, and `of_steps` are the
    contexts of the one with attention while it writes `target`. `missing` names the models and probes that
    are not there.
    """

    here: SourceSentence
    network: str
    by_length: pd.DataFrame
    by_distance: pd.DataFrame
    steps: frozenset[int]
    near: Share | None
    probes: dict[str, Told]
    told: dict[str, Float[np.ndarray, "word"]]
    target: tuple[str, ...]
    vector: FixedVector
    of_steps: Float[np.ndarray, "step d_model"]
    missing: tuple[str, ...] = ()

    @property
    def n_numbers(self) -> int:
        """How many numbers go through the bottleneck."""
        return len(self.vector.hidden) + len(self.vector.cell)


def ask(ask: Ask, scene: Scene) -> str:
    """The network."""
    return str(
        ask.choice(TRANSLATOR, label="Network", options=list(NETWORKS), default="LSTM", hide_label=True)
    )


def find(scene: Scene, network: str) -> Found:
    """What the records and probes say, and what goes through the bottleneck of this sentence.

    Raises UnavailableError without one of the two translators compared.
    """
    here, every = said(scene), recurrent_pairs()
    pairs = {kind: recurrent_pair(NETWORKS[network], ATTENTIONS[kind]) for kind in ATTENTIONS}
    if missing := absent(map(name_of_pair, pairs.values())):
        raise UnavailableError(missing)
    others = absent([*map(name_of_pair, every.values()), name_of_pair(USUAL)])
    translators: dict[str, TranslatorConfig] = {**every, TRANSFORMER: USUAL}
    records = those_there(record_of_translator, translators)
    probes = those_there(lambda pair: load_probe(pair)[1], every)
    target = _target(here, pairs[WITH])
    return Found(
        here,
        network,
        table_by_length(records),
        table_by_distance(probes),
        training_steps(records.values()),
        share_near_to_training(),
        {name: record.told for name, record in probes.items()},
        _probabilities(here.plain),
        target,
        _vector(pairs[ALONE], here.plain),
        _of_steps(pairs[WITH], here.plain, target),
        tuple(filter(None, (others, absent_probes(every.values())))),
    )


def _probabilities(words: tuple[str, ...]) -> dict[str, np.ndarray]:
    """What every probe that is there makes of the words."""
    return those_there(lambda pair: _probability(pair, words), recurrent_pairs())


@remembered()
def _probability(pair: RecurrentPairConfig, words: tuple[str, ...]) -> np.ndarray:
    probe, _ = load_probe(pair)
    return told(load_translator(pair, words), probe)


def _target(here: SourceSentence, pair: RecurrentPairConfig) -> tuple[str, ...]:
    """The words to be written: by the rules, or else as the model with attention writes them."""
    translation = here.reference.translation
    if translation is not None:
        return translation.words
    found = written(pair, here.plain, Strategy())
    return found.sentence or found.words


@remembered()
def _of_steps(pair: RecurrentPairConfig, words: tuple[str, ...], target: tuple[str, ...]) -> np.ndarray:
    return contexts(load_translator(pair, words), target)


@remembered()
def _vector(pair: RecurrentPairConfig, words: tuple[str, ...]) -> FixedVector:
    return fixed_vector(load_translator(pair, words))


def sheet(found: Found, look: Look) -> Sheet:
    """Accuracy by length, what is told from the vector, one context beside one for each step, the vector."""
    network, n_words = found.network, len(found.here.words)
    pair = name_of(network, WITH), name_of(network, ALONE)
    half, _ = look.columns((1, 1))
    return Sheet(
        answer=claims.answer(found.by_length, *pair, n_numbers=found.n_numbers, n_words=n_words),
        notes=tuple(Notice(missing, "warning") for missing in found.missing),
        below_sentence=found.here.below,
        parts=(
            Columns((_by_length(found, pair, half), _by_distance(found, half)), (1, 1)),
            *_explanation(found, look),
            Columns(tuple((Text(f"**{title}**"), map_) for title, map_ in _maps(found, half)), (1, 1)),
            Text(says.contexts(network, found.of_steps)),
            Text(says.vector(network, n_words, found.n_numbers)),
            pictures.vector(found.vector, n_words, look),
        ),
    )


def _by_length(found: Found, pair: claims.Pair, look: Look) -> tuple[Part, ...]:
    """Whole sentences right, of the translators that are there."""
    table = found.by_length
    if table.empty:
        return (Notice(says.NOT_MEASURED),)
    return (
        pictures.by_length(table, look),
        Text(f"{claims.claim(table, *pair)} {claims.trained(found.steps)}"),
        says.how_measured(table, found.near),
    )


def _by_distance(found: Found, look: Look) -> tuple[Part, ...]:
    """Content words that probes tell, by how many words follow; without a probe it says so above the page."""
    table = found.by_distance
    if table.empty:
        return ()
    networks = sorted(NETWORKS, key=found.network.__ne__)
    pairs = [(name_of(one, WITH), name_of(one, ALONE)) for one in networks]
    return (
        pictures.by_distance(table, look),
        Text(f"{claims.lost(table, *pairs[0])} {claims.carried(table, pairs)}"),
        says.how_probed(found.probes),
    )


def _explanation(found: Found, look: Look) -> tuple[Part, ...]:
    """What probes tell of each word of the sentence typed."""
    if not found.told:
        return ()
    return (
        pictures.told(found.told, found.here.labels, look),
        Text(says.told(found.told, content(found.here.plain))),
    )


def _maps(found: Found, look: Look) -> tuple[tuple[str, Part], ...]:
    """The figure of the slides: one vector at every step, and beside it a context for each step."""
    titles = pictures.titles(found.network)
    shown = pictures.contexts(found.vector.hidden, found.of_steps, found.target, titles, look)
    return tuple(zip(titles.values(), shown, strict=True))


def questions(found: Found) -> tuple[Question | None, ...]:
    """What the network gets right without attention."""
    network = found.network
    single, attending = (claims.by_group(found.by_length, name_of(network, kind)) for kind in (ALONE, WITH))
    both = {words: (share, attending[words]) for words, share in single.items() if words in attending}
    return (expected.right_without_attention(network, both),)


def program(found: Found) -> Program:
    """The fixed vector of the network without attention, and what its probe tells."""
    pair, words = recurrent_pair(NETWORKS[found.network], ATTENTIONS[ALONE]), found.here.plain
    return Program(
        lambda: bottleneck_program(pair, words), "the fixed vector and what the probe tells of each word"
    )


VIEW = View(
    sheet=five(ask=ask, find=find, sheet=sheet, questions=questions, program=program),
    question="What fits into one vector?",
    **SEVERAL,
)
