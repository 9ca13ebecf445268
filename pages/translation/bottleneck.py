"""The bottleneck: one vector for every step, or a context for each; and what comes of it."""

from collections.abc import Collection, Mapping, Sequence
from math import ceil

import numpy as np
import pandas as pd

from core.learning.collection.translators import TranslatorConfig, name_of_pair, recurrent_pair
from core.learning.evaluation.translation import LENGTHS, Share
from core.learning.probes import Told
from core.measures.translation.vector import (
    DIFFERENT_SHORTEST,
    MOST_ERRORS,
    Difference,
    FixedVector,
    content,
    contexts,
    difference,
    fixed_vector,
    highest_of_none,
    share_near_to_training,
    table_by_length,
    training_steps,
)
from core.measures.translation.vector import told as told_by_probe
from core.measures.translation.writing import Strategy
from core.model.recurrent_pair import FIXED_VECTOR, RecurrentPairConfig
from core.programs import Call, calling
from core.sources import UnavailableError
from core.sources.absent import absent
from core.sources.probes import absent_probes, load_probe
from core.sources.translators import load_translator, record_of_translator
from core.words import counted, per_cent
from pages.contract.ask import Ask
from pages.contract.loading import those_there
from pages.contract.look import Look
from pages.contract.memory import remembered
from pages.contract.predict import choose, is_near, luck
from pages.contract.program import Program
from pages.contract.question import Choose, Option
from pages.contract.scene import Scene
from pages.contract.sheet import Columns, Fold, Notice, Part, Remark, Sheet, Shown, Text
from pages.contract.view import view
from pages.translation.source_sentence import SEVERAL, SourceSentence, source_of, written
from pages.translation.translator import NETWORKS, TRANSFORMER, TRANSLATOR, USUAL
from viz.bar_rows import bars
from viz.curves import chart
from viz.groups import where
from viz.number_map import mapped

ALONE, WITH = FIXED_VECTOR, "dot"
"""The two kinds of recurrent translators: a network alone has the fixed vector and nothing else."""

HEIGHT, LOWEST, ROW = 330, 200, 20
"""Heights in pixels: of the curves, and of a map of contexts at least and for each step."""

ALIKE = 0.02
"""Difference up to which two shares are about the same."""

EVEN = 0.5
"""The probability above which a probe finds a word."""

ERRORS = f"{MOST_ERRORS} standard errors"
NO_RECORDS = "No translator that is there has been measured by the length of its sentences yet."


@view(question="What fits into one vector?", **SEVERAL)
def bottleneck(ask: Ask, scene: Scene) -> Sheet:
    """Show one vector at every step beside a context for each, then accuracy by the length of the source."""
    network = str(
        ask.choice(TRANSLATOR, label="Network", options=list(NETWORKS), default="LSTM", hide_label=True)
    )
    here, every = source_of(scene), pairs()
    alone, attending = every[name_of(network, ALONE)], every[name_of(network, WITH)]
    if lacking := absent(map(name_of_pair, (alone, attending))):
        raise UnavailableError(lacking)
    shown = {name: pair for name, pair in every.items() if pair in (alone, attending)}
    translators: dict[str, TranslatorConfig] = {**shown, TRANSFORMER: USUAL}
    records = those_there(record_of_translator, translators)
    missing = (absent([name_of_pair(USUAL)]), absent_probes(shown.values()))
    table, target, vector = table_by_length(records), _target(here, attending), _vector(alone, here.plain)
    of_steps = _of_steps(attending, here.plain, target)
    n_numbers, half = len(vector.hidden) + len(vector.cell), ask.look.columns((1, 1))[0]
    groups = [by_group(table, name_of(network, kind)) for kind in (ALONE, WITH)]
    return Sheet(
        answer=headline(network, len(target), n_numbers),
        notes=tuple(Notice(one, "warning") for one in missing if one),
        below_sentence=here.below,
        parts=(
            Columns(_maps(network, vector.hidden, of_steps, target, half), (1, 1)),
            Text(what_maps_show(network, len(here.words), n_numbers, of_steps)),
            *_accuracy(table, groups, network, training_steps(records.values()), ask.look),
            *_probed(here, shown, ask.look),
        ),
        questions=lambda: (right_without_attention(network, both_measured(*groups)),),
        program=lambda: Program(
            lambda: calling(
                "The fixed vector of a sentence, and how likely a probe thinks that each word was in it.",
                told_by_probe,
                Call(load_translator, alone, here.plain),
                Call(load_probe, alone, part="[0]"),
                then=[Call(fixed_vector, Call(load_translator, alone, here.plain))],
            ),
            "the fixed vector and what the probe tells of each word",
        ),
    )


def pairs() -> dict[str, RecurrentPairConfig]:
    """Return the recurrent translators by their names in pictures."""
    return {
        name_of(network, kind): recurrent_pair(NETWORKS[network], kind)
        for network in NETWORKS
        for kind in (ALONE, WITH)
    }


def name_of(network: str, kind: str) -> str:
    """Return the name of a recurrent translator in pictures: `LSTM alone`, `LSTM, attention`."""
    return f"{network} alone" if kind == ALONE else f"{network}, attention"


def _target(here: SourceSentence, pair: RecurrentPairConfig) -> tuple[str, ...]:
    """Return the words to be written: by the rules, or else as the model with attention writes them."""
    if here.reference.translation is not None:
        return here.reference.translation.words
    found = written(pair, here.plain, Strategy())
    return found.sentence or found.words


@remembered()
def _of_steps(pair: RecurrentPairConfig, words: tuple[str, ...], target: tuple[str, ...]) -> np.ndarray:
    return contexts(load_translator(pair, words), target)


@remembered()
def _vector(pair: RecurrentPairConfig, words: tuple[str, ...]) -> FixedVector:
    return fixed_vector(load_translator(pair, words))


@remembered()
def _probability(pair: RecurrentPairConfig, words: tuple[str, ...]) -> np.ndarray:
    return told_by_probe(load_translator(pair, words), load_probe(pair)[0])


def _maps(
    network: str, vector: np.ndarray, of_steps: np.ndarray, target: Sequence[str], look: Look
) -> tuple[tuple[Part, ...], ...]:
    """Return the figure of the slides: one vector at every step, and beside it a context for each."""
    both = {
        ALONE: (
            f"Fixed vector at every step, {network} without attention",
            np.tile(vector, (len(target), 1)),
        ),
        WITH: (f"Context at every step, {network} with attention", of_steps),
    }
    limit = float(max(np.abs(values).max() for _, values in both.values()))

    def map_of(kind: str, title: str, values: np.ndarray) -> Shown:
        picture = mapped(
            values,
            title=title,
            x_title="dimension",
            y_title="word to be written",
            theme=look.theme,
            height=max(LOWEST, 76 + ROW * len(target)),
            rows=target,
            row_name="word",
            limit=limit,
        )
        return Shown(f"contexts_{kind}", picture)

    return tuple((Text(f"**{one[0]}**"), map_of(kind, *one)) for kind, one in both.items())


def _accuracy(
    table: pd.DataFrame,
    groups: Sequence[Mapping[str, Share]],
    network: str,
    steps: Collection[int],
    look: Look,
) -> tuple[Part, ...]:
    """Return whole sentences right by the length of the source, and what they come to."""
    if table.empty:
        return (Notice(NO_RECORDS),)
    ticks = {row.words: span(pd.Series(row._asdict())) for row in table.itertuples()}
    picture = chart(
        table,
        title="Whole sentences translated right against length of the source",
        x="words",
        y="share",
        by="model",
        say=per_cent,
        theme=look.theme,
        told_at=ticks,
        behind=lambda: table.drop(columns="words"),
        colours=colours(look),
        x_ticks=ticks,
        y_ticks={share / 4: per_cent(share / 4) for share in range(5)},
        y_title="whole sentences right",
        x_title="words in the source sentence",
        spread=("low", "high"),
        log="x",
        height=HEIGHT,
        within=look.width,
    )
    said = claim(*groups, alone=name_of(network, ALONE), attending=name_of(network, WITH))
    return Shown("by_length", picture), Text(said), how_measured(table, share_near_to_training(), steps)


def colours(look: Look) -> dict[str, str]:
    """Return the colours of translators: the key's for recurrence alone, the query's for attention."""
    by_kind = {ALONE: look.theme.recurrence, WITH: look.theme.attention}
    found = {name_of(network, kind): by_kind[kind] for network in NETWORKS for kind in by_kind}
    return {**found, TRANSFORMER: look.theme.value}


def _probed(here: SourceSentence, shown: Mapping[str, RecurrentPairConfig], look: Look) -> tuple[Part, ...]:
    """Return what a probe finds of the sentence in each vector, in a fold; nothing without a probe."""
    probes = those_there(lambda pair: load_probe(pair)[1].told, shown)
    if not probes:
        return ()
    found = {name: _probability(shown[name], here.plain) for name in probes}
    picture = bars(
        np.stack(list(found.values())),
        {name: colours(look)[name] for name in found},
        here.labels,
        title="Probability of each word by a probe of the last state",
        theme=look.theme,
        table=lambda: pd.DataFrame({"word": list(here.labels), **found}),
        top=1.0,
        narrow=look.is_narrow,
    )
    said = Text(found_in_sentence(found, content(here.plain)))
    return (Fold("What a probe finds in the vector", (Shown("told", picture), said, how_probed(probes))),)


def headline(network: str, n_steps: int, n_numbers: int) -> str:
    """Return the two ways to hand a sentence over: one vector, or a context for each step."""
    return (
        f"Without attention the {network} writes {counted(n_steps, 'word')} from one vector of {n_numbers} "
        "numbers; with attention each step has a context of its own."
    )


def what_maps_show(network: str, n_words: int, n_numbers: int, of_steps: np.ndarray) -> str:
    """Return how the two maps differ."""
    change = np.abs(np.diff(of_steps, axis=0)).mean() if len(of_steps) > 1 else 0.0
    kept = "h, which is drawn, and the cell" if network == "LSTM" else "h, which is drawn"
    return (
        f"In the first map the decoder begins with the last state of the encoder ({kept}: {n_numbers} "
        f"numbers, as many for {counted(n_words, 'word')} as for any other sentence) and gets nothing else "
        "of the source, so all rows are equal. In the second the context $c_t$ of each step is a weighted "
        "mean of the encoder's states. From one step to the next its numbers change by "
        f"{change:.2f} on average."
    )


def by_group(table: pd.DataFrame, model: str) -> dict[str, Share]:
    """Return the counts of one model by the range of words, the shortest first."""
    rows = table[table["model"] == model].sort_values("words")
    return {span(row): Share(int(row["right"]), int(row["n"])) for _, row in rows.iterrows()}


def both_measured(
    single: Mapping[str, Share], attending: Mapping[str, Share]
) -> dict[str, tuple[Share, Share]]:
    """Return the counts without and with attention by the ranges that both have."""
    return {words: (share, attending[words]) for words, share in single.items() if words in attending}


def claim(
    single: Mapping[str, Share], with_attention: Mapping[str, Share], *, alone: str, attending: str
) -> str:
    """Return the shares at the shortest and the longest, and the lengths at which attention helps."""
    both = both_measured(single, with_attention)
    if not both:
        return "One of the two models to be compared is not there yet."
    groups = list(both)
    gaps = [difference(second, first) for first, second in both.values()]
    ends = (
        f"of sentences with {words} words **{attending}** gets {per_cent(both[words][1].value)} right and "
        f"**{alone}** {per_cent(both[words][0].value)}"
        for words in dict.fromkeys((groups[0], groups[-1]))
    )
    told = "; ".join(ends)
    return " ".join(
        filter(
            None,
            (
                f"{told[0].upper()}{told[1:]}.",
                better(gaps, groups),
                caution(alone, single, gaps[0], groups[0]),
            ),
        )
    )


def better(gaps: Sequence[Difference], groups: Sequence[str]) -> str:
    """Return the lengths at which attention is clearly better, and at which worse."""
    sides = {
        "more": [at for at, gap in enumerate(gaps) if gap.sign > 0],
        "fewer": [at for at, gap in enumerate(gaps) if gap.sign < 0],
    }
    told = [
        f"{how} sentences are right {where(some, groups, all_of_them='at every length')}"
        for how, some in sides.items()
        if some
    ]
    if not told:
        return f"At no length is the difference more than {ERRORS}."
    rest = sum(map(len, sides.values())) < len(groups)
    others = f"; elsewhere the difference is not more than {ERRORS}" if rest else ""
    return f"**With attention {', and '.join(told)}**{others}."


def caution(alone: str, single: Mapping[str, Share], shortest: Difference, words: str) -> str:
    """Return what the curves leave open: nothing right, or a difference that length does not explain."""
    if not any(share.right for share in single.values()):
        return f"**{alone}** gets none right, however short, so its curve does not show the cost of length."
    if shortest.sign:
        return f"There is a difference at {words} words already, so length is not its only reason."
    return ""


def how_measured(table: pd.DataFrame, near: Share | None, steps: Collection[int]) -> Fold:
    """Return what points and bars are, and what training was like."""
    n, (first, last) = int(table["n"].iloc[0]), LENGTHS[0]
    none = (
        f" If none of {n} is right the bar has no length: with 95 % confidence the true share is below "
        f"{ceil(1000 * highest_of_none(n)) / 10:g} %."
        if (table["right"] == 0).any()
        else ""
    )
    trained = (
        f" All models had {next(iter(steps)):,} training steps; with more, a network alone may come nearer."
        if len(steps) == 1
        else " The models were not trained for the same number of steps."
    )
    like_learned = (
        f" {near.right} of {near.n:,} test sentences have a sentence in training that differs in one word."
        if near is not None
        else ""
    )
    told = (
        f"Each point is {n} sentences of one construction that training never had ({DIFFERENT_SHORTEST} of "
        f"them different at {first}–{last} words, and all at more), translated greedily, every word right. "
        f"Bars are one standard error, of the sentences and not of another training.{none}{trained}"
        f"{like_learned}"
    )
    return Fold("How this was measured", (Remark(told),))


def found_in_sentence(found: Mapping[str, np.ndarray], is_content: Sequence[bool]) -> str:
    """Return how many content words of this sentence a probe finds in each vector."""
    known = ~np.isnan(next(iter(found.values()))) & np.array(is_content)
    n = int(known.sum())
    if not n:
        return ""
    listed = "; ".join(f"**{name}** {int((values[known] > EVEN).sum())}" for name, values in found.items())
    return f"Found, above {per_cent(EVEN)}, of {counted(n, 'content word')}: {listed}."


def how_probed(found: Mapping[str, Told]) -> Remark:
    """Return what a probe is, and how often it is wrong; there is one at least."""
    every = {name: list(told.by_distance.values()) for name, told in found.items()}
    whole = {name: Share(sum(s.right for s in of), sum(s.n for s in of)) for name, of in every.items() if of}
    shares = ", ".join(f"{name} {per_cent(share.value)}" for name, share in whole.items())
    alarms = ", ".join(f"{name} {per_cent(told.false_alarms.value)}" for name, told in found.items())
    right = ", ".join(f"{name} {per_cent(told.right.value)}" for name, told in found.items() if told.right.n)
    chance = per_cent(next(iter(found.values())).base_rate)
    return Remark(
        "A probe is a linear map from the vector (of an LSTM with its cell) to the logit of “this word was "
        "in the sentence”, trained on training sentences. Of the content words of test sentences it finds: "
        f"{shares}. Of the content words that a sentence does not have it names: {alarms}. Right of all "
        f"words named: {right}; at random {chance} would be. The decoder may find more than a linear map."
    )


def span(row: pd.Series) -> str:
    """Return a range of words by its ends: `4–6`."""
    return f"{row['first']}–{row['last']}" if row["first"] < row["last"] else f"{row['first']}"


def right_without_attention(network: str, shares: Mapping[str, tuple[Share, Share]]) -> Choose | None:
    """Ask for whole sentences right without attention, at the length at which attention helps most.

    `shares` has those right without it and with it, by length; None if there are none.
    """
    if not shares:
        return None
    words, (alone, attending) = max(shares.items(), key=lambda one: one[1][1].value - one[1][0].value)
    gap = attending.value - alone.value
    margin = luck(alone.value, attending.value, min(alone.n, attending.n))
    alike = is_near(gap, 0, within=ALIKE, beyond=margin)
    return choose(
        f"Of sentences with {words} words the {network} with attention gets {per_cent(attending.value)} "
        f"wholly right. How many does the {network} without attention get right?",
        Option("clearly fewer", None if alike is None else not alike and gap > 0),
        Option("about as many", alike),
        Option("clearly more", None if alike is None else not alike and gap < 0),
        because=(
            f"It gets {per_cent(alone.value)} right. Without attention the last state of the encoder has to "
            "hold the whole sentence. With attention the decoder reads the states of all words."
        ),
    )
