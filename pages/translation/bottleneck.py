"""The bottleneck: one vector for every step, or a context for each; and the accuracy of both by length."""

from collections.abc import Mapping, Sequence

import numpy as np

from core.learning.collection.translators import TranslatorConfig, name_of_pair, recurrent_pair
from core.learning.probes.probe import ProbeCounts, content_words
from core.measures.translation.vector import (
    contexts,
    fixed_vector,
    table_by_length,
    word_probabilities,
)
from core.measures.translation.writing import Strategy
from core.model.recurrent_pair import RecurrentPairConfig
from core.programs import Call
from core.sources import UnavailableError
from core.sources.missing_models import absent
from core.sources.probes import absent_probes, load_probe
from core.sources.trained import load_translator, record_of_translator
from pages.contract.ask import Ask
from pages.contract.caching import cached_for_all
from pages.contract.loading import load_available, measured
from pages.contract.model_descriptions import members
from pages.contract.scene import Scene
from pages.contract.sheet import Caption, Columns, Fold, Part, PicturePart, Program, Sheet, Text
from pages.contract.view import view
from pages.contract.weights import missing_notes
from pages.translation.by_length import (
    ALONE,
    ROLES,
    WITH,
    accuracy_parts,
    both_measured,
    by_group,
    name_of,
    right_at_longest,
    right_without_attention,
)
from pages.translation.source_sentence import SEVERAL, SourceSentence, source_of, written
from pages.translation.translator import NETWORKS, TRANSFORMER, TRANSLATOR, USUAL
from viz.bar_rows import BarRows
from viz.number_map import NumberMap
from words import counted, enumerated, per_cent

VECTORS, BY_LENGTH = SHOWN = ("vectors", "accuracy by length")
"""The two pictures of the view: two maps of vectors, or the share of correctly translated sentences."""

EVEN = 0.5
"""Probability from which a probe finds a word."""


@view(question="What fits into one vector?", **SEVERAL)
def bottleneck(ask: Ask, scene: Scene) -> Sheet:
    """Show one vector at every step beside a context for each, or accuracy by the length of the source."""
    network = str(
        ask.choice(TRANSLATOR, label="Network", options=list(NETWORKS), default="LSTM", hide_label=True)
    )
    shows = ask.choice("shows", options=SHOWN, hide_label=True)
    here, every = source_of(scene), pairs()
    alone, attending = every[name_of(network, ALONE)], every[name_of(network, WITH)]
    if lacking := absent(map(name_of_pair, (alone, attending))):
        raise UnavailableError(lacking)
    shown = {name: pair for name, pair in every.items() if pair in (alone, attending)}
    translators: dict[str, TranslatorConfig] = {**shown, TRANSFORMER: USUAL}
    records = load_available(record_of_translator, translators)
    table = table_by_length(records)
    groups = [by_group(table, name_of(network, kind)) for kind in (ALONE, WITH)]
    if shows == BY_LENGTH:
        names = [name_of_pair(translators[name]) for name in records]
        answer, missing = right_at_longest(network, both_measured(*groups)), absent([name_of_pair(USUAL)])
        parts = accuracy_parts(
            table, groups, network, frozenset(record.recipe.steps for record in records.values()), names
        )
    else:
        target, vector = _target(here, attending), measured(fixed_vector, load_translator, alone, here.plain)
        of_steps = measured(contexts, load_translator, attending, here.plain, target)
        answer = headline(network, len(target), len(vector.hidden) + len(vector.cell))
        missing = absent_probes(shown.values())
        maps = Columns(_maps(network, vector.hidden, of_steps, target), (1, 1))
        parts = (maps, Text(what_maps_show(network, of_steps)), *_probed(here, shown))
    return Sheet(
        headline=answer,
        caption=Caption(models=lambda: members(map(name_of_pair, shown.values()))),
        notes=missing_notes(missing),
        below_sentence=here.below,
        parts=parts,
        questions=lambda: (right_without_attention(network, both_measured(*groups)),),
        program=lambda: Program.calling(
            "A probe's probability that each word was in a sentence, and the fixed vector that it reads.",
            word_probabilities,
            Call(load_translator, alone, here.plain),
            Call(load_probe, alone, part="[0]"),
            then=[Call(fixed_vector, Call(load_translator, alone, here.plain))],
            prints="the probability that the probe gives each word, and the fixed vector",
        ),
    )


def pairs() -> dict[str, RecurrentPairConfig]:
    """Return the recurrent translators by their names in pictures."""
    return {
        name_of(network, kind): recurrent_pair(NETWORKS[network], kind)
        for network in NETWORKS
        for kind in (ALONE, WITH)
    }


def _target(here: SourceSentence, pair: RecurrentPairConfig) -> tuple[str, ...]:
    """Return the words to be written: by the rules, or else by the model with attention."""
    if here.reference.translation is not None:
        return here.reference.translation.words
    found = written(pair, here.plain, Strategy())
    return found.sentence or found.words


@cached_for_all()
def _probability(pair: RecurrentPairConfig, words: tuple[str, ...]) -> np.ndarray:
    return word_probabilities(load_translator(pair, words), load_probe(pair)[0])


def _maps(
    network: str, vector: np.ndarray, of_steps: np.ndarray, target: Sequence[str]
) -> tuple[tuple[Part, ...], ...]:
    """Return the figure of the slides: one vector at every step, and beside it a context for each."""
    both = {
        ALONE: (
            f"Fixed vector, drawn once for each word, {network} without attention",
            np.tile(vector, (len(target), 1)),
        ),
        WITH: (f"Context at every step, {network} with attention", of_steps),
    }
    limit = float(max(np.abs(values).max() for _, values in both.values()))

    def map_of(kind: str, title: str, values: np.ndarray) -> PicturePart:
        picture = NumberMap(
            values=values,
            title=title,
            of="state" if kind == ALONE else "context",
            x_title="dimension",
            y_title="word to be written",
            rows=target,
            limit=limit,
        )
        return PicturePart(f"contexts_{kind}", picture)

    return tuple((Text(f"**{one[0]}**"), map_of(kind, *one)) for kind, one in both.items())


def _probed(here: SourceSentence, shown: Mapping[str, RecurrentPairConfig]) -> tuple[Part, ...]:
    """Return the words that a probe finds in each vector, in a fold; nothing without a probe."""
    probes = load_available(lambda pair: load_probe(pair)[1].counts, shown)
    if not probes:
        return ()
    found = {name: _probability(shown[name], here.plain) for name in probes}
    picture = BarRows(
        title="Probability of each word by a probe of the vector",
        shares=np.stack(list(found.values())),
        rows={name: ROLES[name] for name in found},
        columns=here.labels,
    )
    said = Text(found_in_sentence(found, [word in content_words() for word in here.plain]))
    return (
        Fold("What a probe finds in the vector", (PicturePart("told", picture), said, how_probed(probes))),
    )


def headline(network: str, n_steps: int, n_numbers: int) -> str:
    """Return the two ways to hand a sentence over: one vector, or a context for each step."""
    parts = " (state, which is drawn, and cell)" if network == "LSTM" else ""
    return (
        f"Without attention the {network} has one vector of {n_numbers} numbers{parts} for a translation of "
        f"{counted(n_steps, 'word')}. With attention, each step has its own context."
    )


def what_maps_show(network: str, of_steps: np.ndarray) -> str:
    """Return how the two maps differ."""
    change = np.abs(np.diff(of_steps, axis=0)).mean() if len(of_steps) > 1 else 0.0
    cell = " (and its cell, which is not drawn)" * (network == "LSTM")
    varies = f" From one step to the next its numbers change by {change:.2f} on average." if change else ""
    return (
        f"Without attention the decoder gets only the last state of the encoder{cell}, so all rows are "
        "equal. With attention, the context of each step is a weighted sum of all states of the "
        f"encoder.{varies}"
    )


def found_in_sentence(found: Mapping[str, np.ndarray], is_content: Sequence[bool]) -> str:
    """Return how many content words of this sentence a probe finds in each vector."""
    known = ~np.isnan(next(iter(found.values()))) & np.array(is_content)
    n = int(known.sum())
    if not n:
        return ""
    counts = ((name, int((values[known] > EVEN).sum())) for name, values in found.items())
    listed = enumerated([f"{count or 'none'} in the vector of **{name}**" for name, count in counts])
    which = "" if n == sum(is_content) else " that the probes know"
    return (
        f"Of the {counted(n, 'content word')} (not counting forms of *be*){which}, a probe finds {listed}. "
        f"A word is found if its probability is above {per_cent(EVEN)}."
    )


def how_probed(found: Mapping[str, ProbeCounts]) -> Text:
    """Return the definition of a probe, and how often it is wrong; there is at least one."""
    shares = ", ".join(
        f"{name} {per_cent(told.recall.value)}" for name, told in found.items() if told.recall.n
    )
    alarms = ", ".join(f"{name} {per_cent(told.false_alarms.value)}" for name, told in found.items())
    precisions = {name: told.precision for name, told in found.items() if told.precision.n}
    right = ", ".join(f"{name} {per_cent(share.value)}" for name, share in precisions.items())
    chance = per_cent(next(iter(found.values())).base_rate)
    return Text(
        "A probe is a linear map from the vector (with the cell of an LSTM) to the logit of “this word was "
        "in the sentence”. It was trained on training sentences. Content words are nouns, names, "
        "adjectives and verbs, without forms of *be*. Share of the content words of test sentences that it "
        f"finds: {shares}. Share of the content words not in the sentence that it names: "
        f"{alarms}. Share of the named words that are right: {right}, and {chance} at random. The decoder "
        "may find more than a linear map.",
        "remark",
    )
