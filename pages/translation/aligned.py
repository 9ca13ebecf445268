"""Alignment of a translation's words with those of the source, by heads and score functions."""

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import pandas as pd

from core.learning.collection.translators import TranslatorConfig
from core.learning.evaluation.translation import SENTENCES
from core.measures.translation.alignment import (
    TranslatorQuality,
    chance,
    cost,
    judged,
    n_right,
    pair_of,
    rates_of_test_set,
    share_aligned,
    targets_of,
)
from core.model.alignment import SCORE_FUNCTIONS
from core.model.recurrent_pair import RecurrentPairConfig
from core.sources.trained import load_translator, record_of_translator
from core.text.language import START
from core.text.translation import Translation
from pages.contract.caching import cached_for_all
from pages.contract.loading import load_available
from pages.contract.sheet import Changes, Fold, LinkValues, Part, PicturePart, Point, Table, Text
from pages.translation.source_sentence import SourceSentence
from viz.bar_rows import BarRows
from viz.named_bars import spelt_head
from viz.theme import Role
from words import per_cent

N_TESTED = 2 * SENTENCES
"""Number of sentences on which alignment is measured, as in the records of translators."""

NOT_MEASURED = "not measured"

ALIGNED = (
    "Attention aligns a content word (noun, name, adjective or verb) if the word attends most to a source "
    f"word that it translates. Measured on {N_TESTED} test sentences."
)


@cached_for_all(saying="Aligning test sentences …")
def rates_of(pair: TranslatorConfig) -> pd.DataFrame:
    """Return the alignment error rates of every head of a translator on the test sentences."""
    return rates_of_test_set(load_translator(pair, (START,)).model)


def judged_by_score() -> dict[str, TranslatorQuality]:
    """Return the records of the available LSTMs, by their score functions."""
    return load_available(
        lambda score: judged(record_of_translator(pair_of(score))),
        {score: score for score in SCORE_FUNCTIONS},
    )


def compared_shares(
    here: SourceSentence, rates: pd.DataFrame, layers: np.ndarray, exact: Translation | None
) -> tuple[Part, ...]:
    """Return bars for every head, or for every score function; a click chooses one."""
    pair, scene = here.translator.pair, here.scene
    if isinstance(pair, RecurrentPairConfig):
        known = {score: one.hits for score, one in judged_by_score().items() if not np.isnan(one.hits)}
        if pair.attention not in known or pair != pair_of(pair.attention):
            return ()
        scores = list(known)
        shares = {"test sentences": list(known.values())}
        chosen = scores.index(pair.attention)
        return _bars(shares, scores, "score function", chosen, lambda at: {"attention": scores[at]})
    n_heads = here.translator.config.n_heads
    names = [spelt_head(*head) for head in zip(rates["layer"], rates["head"], strict=True)]
    shares = {"test sentences": [share_aligned(float(rate)) for rate in rates["content words"]]}
    if exact is not None and (n := len(targets_of(exact, content=True))):
        heads = (head for layer in layers for head in layer)
        shares["this sentence"] = [n_right(head, exact, content=True) / n for head in heads]

    def choose_head(at: int) -> Changes:
        return {"layer": at // n_heads + 1, "head": at % n_heads + 1}

    return _bars(shares, names, "head", scene.layer * n_heads + scene.head, choose_head)


def _bars(
    shares: Mapping[str, Sequence[float]],
    names: Sequence[str],
    of: str,
    chosen: int,
    choose_one: Callable[[int], Changes],
) -> tuple[Part, ...]:
    """Return the shares of content words aligned, by head or by score function, below their title."""
    title = f"Share of content words that each {of} aligns"
    roles: tuple[Role, ...] = ("attention", "output")
    picture = BarRows(
        title=title,
        shares=np.array(list(shares.values())),
        rows=dict(zip(shares, roles, strict=False)),
        columns=names,
        chosen=chosen,
        of=of,
    )

    def on_click(points: Sequence[Point], link: LinkValues) -> Changes:
        return choose_one(points[-1]["data"][1])

    return Text(f"**{title}**"), PicturePart("aligned", picture, on_click)


def best_aligned(rates: pd.DataFrame) -> str:
    """Return the head that aligns content words best, chosen on other sentences than it is rated on."""
    best = rates[rates["best"]].iloc[0]
    share = per_cent(share_aligned(float(best["content words"])))
    return (
        f"Head {best['head']:.0f} of layer {best['layer']:.0f} was chosen as the best on {SENTENCES} other "
        f"sentences. On these {N_TESTED} it aligns {share}."
    )


def error_rates(subject: str, row: pd.Series, placed: TranslatorQuality) -> Fold:
    """Return the alignment error rates of a head and of the baseline, with a definition."""
    rates = [row["content words"], row["all words"], placed.content_error, placed.error]
    content, every, content_by_place, by_place = (per_cent(float(rate)) for rate in rates)
    told = (
        "The *alignment error rate* is 1 − 2 · right links / (links found + links by the rules). Each word "
        "of the translation links to the source word that it attends to most. "
        f"{subject[:1].upper()}{subject[1:]}: {content} on content words, {every} on all words. A guess by "
        f"position, the source word at the same relative place: {content_by_place} and {by_place}. A source "
        f"word at random is right for {per_cent(chance())} of content words. The model is given the right "
        "translation to write."
    )
    return Fold("Alignment error rate and baselines", (Text(told, "remark"),))


def score_functions(known: Mapping[str, TranslatorQuality]) -> tuple[Part, ...]:
    """Return the table of the available score functions: formula, cost and accuracy."""
    heads = (
        "score function",
        "formula",
        "parameters",
        "multiplications",
        "sentences right",
        "content words it aligns",
    )
    rows = [" | ".join(heads), "--- | --- | --: | --: | --: | --:"]
    for score, one in known.items():
        about, counted_cost = SCORE_FUNCTIONS[score].about, cost(score)
        worth = (NOT_MEASURED if np.isnan(share) else per_cent(share) for share in (one.right, one.hits))
        counts = (f"{counted_cost.parameters:,}", f"{counted_cost.multiplications:,}")
        rows.append(" | ".join((about.title, f"${about.formula}$", *counts, *worth)))
    sources = "; ".join(dict.fromkeys(SCORE_FUNCTIONS[score].about.source for score in known))
    told = (
        "$q$ is a state of the decoder, and $h_j$ a state of the encoder. A softmax over $j$ follows, except "
        "for *linear*. Multiplications are counted for one pair of states. All numbers are of LSTMs. "
        f"*Linear*: {SCORE_FUNCTIONS['linear'].about.says} Its colours have their own scale, and a word is "
        "aligned with the source word whose weight has the largest absolute value. Formulas: "
        f"{sources}."
    )
    table = Table("scores", "\n".join(f"| {row} |" for row in rows), title="Score functions")
    return (Fold("Score functions: formula, cost and worth", (table, Text(told, "remark"))),)
