"""What the bottleneck's accuracies and probes come to, as functions of these numbers alone."""

from collections.abc import Collection, Mapping, Sequence

import pandas as pd

from core.learning.evaluation.translation import Share
from core.measures.translation.lengths import MOST_ERRORS, Difference, difference
from viz.groups import where
from viz.text import counted
from viz.units import per_cent

ERRORS = f"{MOST_ERRORS} standard errors"
EVERY_LENGTH = "at every length"

Pair = tuple[str, str]
"""The names of a network with attention and alone."""


def answer(table: pd.DataFrame, with_attention: str, alone: str, *, n_numbers: int, n_words: int) -> str:
    """How much goes through the bottleneck, and what comes of it in the longest sentences measured."""
    vector = f"One vector of {n_numbers} numbers, for {counted(n_words, 'word')} as for any other sentence"
    attending, single = (by_group(table, name) for name in (with_attention, alone))
    groups = [group for group in attending if group in single]
    if not groups:
        return f"{vector}."
    last = groups[-1]
    right = (
        f"{alone} gets {per_cent(single[last].value)} right, with attention {per_cent(attending[last].value)}"
    )
    return f"{vector}: of sentences with {last} words {right}."


def claim(table: pd.DataFrame, with_attention: str, alone: str) -> str:
    """A sentence on where attention gets more sentences right than the fixed vector, and what length does."""
    attending, single = (by_group(table, name) for name in (with_attention, alone))
    groups = [group for group in attending if group in single]
    if not groups:
        return "One of the two models to be compared is not there yet."
    gaps = [difference(attending[group], single[group]) for group in groups]
    ends = (groups[0], groups[-1])
    shares = [[per_cent(of[end].value) for end in ends] for of in (attending, single)]
    sentences = [
        f"At {ends[0]} words **{with_attention}** gets {shares[0][0]} of all sentences right and **{alone}** "
        f"{shares[1][0]}, a difference of {_points(gaps[0])} percentage points; at {ends[1]} words "
        f"{shares[0][1]} and {shares[1][1]}, {_points(gaps[-1])}.",
        _better(gaps, groups),
        _none_right(alone, single),
        _with_length(gaps, groups),
    ]
    return " ".join(filter(None, sentences))


def by_group(table: pd.DataFrame, model: str) -> dict[str, Share]:
    """The counts of one model by the range of words, the shortest first."""
    rows = table[table["model"] == model].sort_values("words")
    return {span(row): Share(int(row["right"]), int(row["n"])) for _, row in rows.iterrows()}


def _points(found: Difference) -> str:
    points = f"{100 * found.value:.0f}".replace("-", "−").replace("−0", "0")
    return f"{points} ± {100 * found.error:.0f}"


def _better(gaps: Sequence[Difference], groups: Sequence[str]) -> str:
    """Lengths at which attention is clearly better, and at which worse."""
    sides = {
        "more": [at for at, gap in enumerate(gaps) if gap.sign > 0],
        "fewer": [at for at, gap in enumerate(gaps) if gap.sign < 0],
    }
    told = [
        f"{how} sentences are right {where(some, groups, all_of_them=EVERY_LENGTH)}"
        for how, some in sides.items()
        if some
    ]
    if not told:
        return f"At no length is the difference more than {ERRORS}."
    rest = sum(map(len, sides.values())) < len(groups)
    others = f"; elsewhere the difference is not more than {ERRORS}" if rest else ""
    return f"**With attention {', and '.join(told)}**{others}."


def _none_right(alone: str, single: Mapping[str, Share]) -> str:
    """What a curve without a single right sentence cannot tell."""
    if any(share.right for share in single.values()):
        return ""
    return f"**{alone}** gets none right, however short, so its curve cannot say what length costs."


def _with_length(gaps: Sequence[Difference], groups: Sequence[str]) -> str:
    """Whether the difference is there from the shortest sentences on, and at which length it is largest."""
    largest = max(range(len(gaps)), key=lambda at: gaps[at].value)
    there = (
        f"The difference is there at {groups[0]} words already, so length is not its only reason."
        if gaps[0].sign
        else f"At {groups[0]} words there is no clear difference."
    )
    if gaps[largest].sign <= 0:
        return there
    return f"{there} It is largest at {groups[largest]} words: {_points(gaps[largest])} percentage points."


def trained(steps: Collection[int]) -> str:
    """A sentence on how long all have learned, and what that leaves open."""
    if len(steps) != 1:
        return "The models were not trained for the same number of steps."
    return (
        f"All models had {next(iter(steps)):,} training steps. What is measured is what they have learned in "
        "these: with more, a network alone may come nearer."
    )


def lost(table: pd.DataFrame, with_attention: str, alone: str) -> str:
    """A sentence on the words that two vectors lose: right before the end, the fewest told, and far back."""
    listed = []
    for name in (alone, with_attention):
        line = table[table["model"] == name].sort_values("words")
        if line.empty:
            continue
        near, fewest, far = line.iloc[0], line.loc[line["share"].idxmin()], line.iloc[-1]
        told = [f"{per_cent(near['share'])} of those just before the full stop"]
        told.append(f"{per_cent(fewest['share'])} (the minimum) when {span(fewest)} words follow")
        if far["first"] != fewest["first"]:
            told.append(f"{per_cent(far['share'])} when {span(far)} follow")
        listed.append(f"**{name}** {', '.join(told)}")
    return f"Share of content words that can be told from the vector: {'; '.join(listed)}." if listed else ""


def carried(table: pd.DataFrame, pairs: Sequence[Pair]) -> str:
    """Whether the vectors of networks with attention carry less than those alone, pair by pair."""
    counts = _counts(table)
    there = [pair for pair in pairs if counts.keys() >= set(pair)]
    if not there:
        return ""
    signs = [difference(counts[attending], counts[alone]).sign for attending, alone in there]
    told = [
        f"{per_cent(counts[alone].value)} from that of {alone} and {per_cent(counts[attending].value)} from "
        f"that of {attending}, {AMOUNTS[sign]}"
        for (attending, alone), sign in zip(there, signs, strict=True)
    ]
    first = told[0].replace("from that of", "can be told from the vector of", 1)
    sentence = f"Of all content words {'; '.join([first, *told[1:]])}."
    if len(set(signs)) > 1:
        return f"{sentence} So whether a decoder attends does not by itself settle what its vector carries."
    return sentence


AMOUNTS = {
    -1: "**less with attention**",
    1: "**more with attention**",
    0: f"no more than {ERRORS} apart",
}


def _counts(table: pd.DataFrame) -> dict[str, Share]:
    """The counts of each model, all its rows together."""
    found = table.groupby("model", sort=False)[["right", "n"]].sum()
    return {str(name): Share(int(row["right"]), int(row["n"])) for name, row in found.iterrows()}


def span(row: pd.Series) -> str:
    """A range of words by its ends: `4–6`."""
    return f"{row['first']}–{row['last']}" if row["first"] < row["last"] else f"{row['first']}"
