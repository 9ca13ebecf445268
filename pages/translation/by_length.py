"""Share of correctly translated sentences by the length of the source, with and without attention."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from math import ceil

import pandas as pd

from core.learning.evaluation.translation import LENGTHS, Share
from core.measures.translation.vector import (
    DIFFERENT_SHORTEST,
    MOST_ERRORS,
    Difference,
    difference,
    rule_of_three_bound,
    share_near_to_training,
)
from core.model.recurrent_pair import FIXED_VECTOR
from pages.contract.model_descriptions import members
from pages.contract.question import Choose, Option
from pages.contract.question_builders import choose, is_near, luck
from pages.contract.sheet import Caption, Fold, Part, PicturePart, Text
from pages.translation.translator import NETWORKS, TRANSFORMER
from viz.curves import Curves
from viz.groups import where
from viz.theme import Role
from words import per_cent

ALONE, WITH = FIXED_VECTOR, "dot"
"""The two kinds of recurrent translators: a network alone has only the fixed vector."""

ALIKE = 0.02
"""Difference up to which two shares are about the same."""

ERRORS = f"{MOST_ERRORS} standard errors"

WHOLE = "A sentence is right only if every word of it is."

NO_RECORDS = "No available translator has been measured by the length of its sentences yet."


def name_of(network: str, kind: str) -> str:
    """Return the name of a recurrent translator in pictures: `LSTM, no attention`."""
    return f"{network}, {'no ' * (kind == ALONE)}attention"


OF_KIND: Mapping[str, Role] = {ALONE: "recurrence", WITH: "attention"}
ROLES: Mapping[str, Role] = {
    **{name_of(network, kind): OF_KIND[kind] for network in NETWORKS for kind in OF_KIND},
    TRANSFORMER: "value",
}
"""The roles of the colours of translators: the key's for recurrence alone, the query's for attention."""


def accuracy_parts(
    table: pd.DataFrame,
    groups: Sequence[Mapping[str, Share]],
    network: str,
    steps: Collection[int],
    names: Iterable[str],
) -> tuple[Part, ...]:
    """Draw the share of correct sentences by the length of the source, with a conclusion."""
    if table.empty:
        return (Text(NO_RECORDS, "info"),)
    places = {row.words: span(pd.Series(row._asdict())) for row in table.itertuples()}
    picture = Curves(
        rows=table,
        title="Whole sentences translated right against length of the source",
        x="words",
        y="share",
        by="model",
        say=per_cent,
        make_table=lambda: table.drop(columns="words"),
        colours=ROLES,
        places=places,
        reach=(0, 1),
        y_title="whole sentences right",
        x_title="words in the source sentence",
        bars="one standard error up and down",
        log="x",
        points=_apart(table, groups, [name_of(network, kind) for kind in OF_KIND]),
    )
    caption = Caption(
        models=lambda: members(names),
        notes=("unseen sentences of one construction; bars: one standard error",),
        chosen=False,
    )
    said = claim(*groups, alone=name_of(network, ALONE), attending=name_of(network, WITH))
    return (
        PicturePart("by_length", picture, caption=caption),
        Text(said),
        how_measured(table, share_near_to_training(), steps, caution=already_there(*groups)),
    )


def _apart(
    table: pd.DataFrame, groups: Sequence[Mapping[str, Share]], names: Sequence[str]
) -> list[tuple[float, float, str]]:
    """Return a named point on each of two curves, at the length at which they are furthest apart."""
    both = both_measured(*groups)
    if not both:
        return []
    furthest = max(both, key=lambda words: abs(both[words][1].value - both[words][0].value))
    rows = table[table["model"].isin(names) & (table.apply(span, axis=1) == furthest)]
    return [(float(row.words), float(row.share), per_cent(float(row.share))) for row in rows.itertuples()]


def by_group(table: pd.DataFrame, model: str) -> dict[str, Share]:
    """Return the counts of one model by the range of words, the shortest first."""
    rows = table[table["model"] == model].sort_values("words")
    return {span(row): Share(int(row["right"]), int(row["n"])) for _, row in rows.iterrows()}


def both_measured(
    single: Mapping[str, Share], attending: Mapping[str, Share]
) -> dict[str, tuple[Share, Share]]:
    """Return the counts without and with attention by the ranges that both have."""
    return {words: (share, attending[words]) for words, share in single.items() if words in attending}


def right_at_longest(network: str, both: Mapping[str, tuple[Share, Share]]) -> str:
    """Return the shares without and with attention at the longest sources that both have."""
    if not both:
        return NO_RECORDS
    words, (alone, attending) = list(both.items())[-1]
    return (
        f"Of sentences with {words} words, the {network} translates {per_cent(attending.value)} wholly right "
        f"with attention and {per_cent(alone.value)} without."
    )


def claim(
    single: Mapping[str, Share], with_attention: Mapping[str, Share], *, alone: str, attending: str
) -> str:
    """Return the shares at the shortest and the longest, and the lengths at which attention helps."""
    both = both_measured(single, with_attention)
    if not both:
        return "One of the two models to compare is not available yet."
    groups = list(both)
    gaps = [difference(second, first) for first, second in both.values()]
    ends = (
        f"Of sentences with {words} words, **{attending}** gets {per_cent(both[words][1].value)} right and "
        f"**{alone}** {per_cent(both[words][0].value)}"
        for words in dict.fromkeys((groups[0], groups[-1]))
    )
    told = ". ".join(ends)
    return " ".join(filter(None, (f"{told}.", better(gaps, groups), WHOLE, none_right(alone, single))))


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


def none_right(alone: str, single: Mapping[str, Share]) -> str:
    """Return that a curve without any right sentence does not show the cost of length."""
    if any(share.right for share in single.values()):
        return ""
    return f"**{alone}** gets none right, however short, so its curve does not show the cost of length."


def already_there(single: Mapping[str, Share], with_attention: Mapping[str, Share]) -> str:
    """Return that the shortest sentences already differ, which length does not explain; or nothing."""
    both = both_measured(single, with_attention)
    if not both or not any(share.right for share in single.values()):
        return ""
    words, (first, second) = next(iter(both.items()))
    if not difference(second, first).sign:
        return ""
    return (
        f" Shares with and without attention differ at {words} words already, so length is not the only "
        "reason."
    )


def how_measured(
    table: pd.DataFrame, near: Share | None, steps: Collection[int], *, caution: str = ""
) -> Fold:
    """Return the meaning of points and bars, the training, and the limits of the curves."""
    n, (first, last) = int(table["n"].iloc[0]), LENGTHS[0]
    none = (
        f" If none of {n} is right the bar has no length: with 95 % confidence the true share is below "
        f"{ceil(1000 * rule_of_three_bound(n)) / 10:g} %."
        if (table["right"] == 0).any()
        else ""
    )
    trained = (
        f" All models had {next(iter(steps)):,} training steps; with more, a network without attention may "
        "come nearer."
        if len(steps) == 1
        else " The models were not trained for the same number of steps."
    )
    like_learned = (
        f" Of {near.n:,} other test sentences, of all constructions, {near.right} have a sentence in "
        "training that differs in one word."
        if near is not None
        else ""
    )
    told = (
        f"Each point is the share of {n} sentences whose greedy translation is right in every word. Training "
        f"never had these sentences, and all have the same construction. With {first}–{last} words, "
        f"{DIFFERENT_SHORTEST} differ from each other; with more words, all do. Bars are one standard error: "
        f"how far a share may vary with other test sentences, not with another training.{none}{trained}"
        f"{like_learned}{caution}"
    )
    return Fold("How this was measured", (Text(told, "remark"),))


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
    handed_on, has = ("state and cell", "have") if network == "LSTM" else ("state", "has")
    return choose(
        f"Of sentences with {words} words the {network} with attention gets {per_cent(attending.value)} "
        f"wholly right. How many does the {network} without attention get right?",
        Option("clearly fewer", None if alike is None else not alike and gap > 0),
        Option("about as many", alike),
        Option("clearly more", None if alike is None else not alike and gap < 0),
        because=(
            f"It gets {per_cent(alone.value)} right. Without attention the last {handed_on} of the encoder "
            f"{has} to hold the whole sentence. With attention the decoder reads the states of all words."
        ),
    )
