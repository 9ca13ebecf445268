"""How many: accuracies and attention of models with 1, 2, 4 and 8 heads, and the cost of heads."""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from core.learning.collection.members import HEADS
from core.learning.evaluation.phenomena import baseline, is_no_better
from core.measures.heads.several import (
    PHENOMENA,
    HeadCounts,
    configs_by_n_heads,
    distance_to_torch,
    kinds_table,
    patterns_by_n_heads,
    records_table,
)
from core.model.masks import NEXT_WORD
from core.programs import render_program
from pages.contract.ask import Ask
from pages.contract.caching import cached_for_all
from pages.contract.examples import MARIA
from pages.contract.loading import load_available, loaded_with_each
from pages.contract.question import Arrange, Choose, Option
from pages.contract.question_builders import arrange, choose
from pages.contract.scene import Scene
from pages.contract.sheet import (
    Caption,
    Changes,
    Columns,
    Controls,
    Fold,
    Part,
    PicturePart,
    Point,
    Program,
    Sheet,
    Text,
    no_models,
)
from pages.contract.switches import WITHOUT_WINDOW, Architecture
from pages.contract.view import view
from pages.contract.weights import absent_of, hidden_words, missing_notes
from viz.bar_rows import BarRows
from viz.head_blocks import HeadBlocks, Kind
from viz.heads import HeadsByCount, head_hit
from viz.matrices import HeadMatrix
from viz.theme import Role
from words import counted, distance, enumerated, per_cent, quantity

COST = "cost"
"""Spot of the menus of the cost."""

ROUNDING = 1e-9
"""Largest difference of outputs that is rounding in double precision."""

WEIGHTS = (2.0, 3.0)
HEADS_DRAWN = (4.0, 3.0)

KINDS = {
    "standard": "standard: the whole vector to d/k dimensions",
    "narrow": "narrow: a slice of the vector to d/k dimensions",
    "wide": "wide: the whole vector to d dimensions",
}

UNTRAINED = "These weights are random: no head has learned anything, with any number of heads."
INTACT = " with everything in place"
"""Said of numbers of the trained models if the picture shows an ablation."""

DIFFER = "The models differ in their number of heads{same}. Each was trained once. "
ABILITIES = (
    "*Agreement*: is the verb singular or plural, as its subject is? One word tells: the subject. *Names*: "
    "which of two names {asked}, as in *Maria met Zuko and Zuko praised …*? Several words tell: which "
    "names there are, and which of them already stands before the verb."
)


_kinds, _distance = cached_for_all()(kinds_table), cached_for_all()(distance_to_torch)


@view(sentence=MARIA, switches=WITHOUT_WINDOW, about="head")
def how_many(ask: Ask, scene: Scene) -> Sheet:
    """Draw the models' accuracies beside the cost of heads, and below them their attention weights."""
    with ask.at(COST):
        d, n = ask.menu("d_model", width=180), ask.menu("n", width=180)
    switches, n_heads = scene.switches, scene.switches.config.n_heads
    missing = absent_of(switches.source, configs_by_n_heads(switches.config).values())
    seen = _read(scene.words, switches, scene.layer, missing)
    records, costs = _records(switches), _kinds(HEADS, d_model=d, n_words=n)
    own, standard = costs[costs["heads"] == n_heads].set_index("kind"), costs[costs["kind"] == "standard"]
    has_matrix = n_heads in seen.counts and not ask.look.fills  # a hall has it below its picture
    drawn = f" The matrix of weights shows head {scene.head + 1} of {scene.layer_place}."
    told = headline(records, n_heads, is_ablated=bool(switches.ablations), is_hall=ask.look.fills)
    return Sheet(
        headline=f"{told}{drawn * has_matrix}",
        notes=missing_notes(missing),
        unknown=seen.unknown,
        parts=(
            Columns(
                (_abilities(records, switches, is_hall=ask.look.fills), _cost(costs, n_heads, d, n)),
                WEIGHTS,
                alone=not records.empty,
            ),
            _attention(seen, scene),
            Fold("A check", (Text(checked(_distance(d_model=d, n_heads=n_heads))),)),
        ),
        questions=lambda: (
            parameters_of_heads(dict(zip(standard["heads"], standard["parameters"], strict=True)), d),
            kinds_in_order({kind: int(own["parameters"][kind]) for kind in KINDS}, n_heads),
        ),
        program=lambda: Program(
            lambda: render_program(
                "kinds",
                "Standard, narrow and wide heads: weights and operations of one attention layer.",
                d=d,
                k=n_heads,
                n=n,
            ),
            prints="the parameters and operations of each kind of head",
        ),
    )


@cached_for_all()
def _read(words: tuple[str, ...], switches: Architecture, layer: int, missing: str) -> HeadCounts:
    return patterns_by_n_heads(
        loaded_with_each(words, switches, configs_by_n_heads(switches.config)), layer=layer
    )


def _records(switches: Architecture) -> pd.DataFrame:
    """Return the accuracies of the available models; no rows for untrained ones."""
    records = load_available(switches.weights.record, configs_by_n_heads(switches.config))
    return records_table({n_heads: record for n_heads, record in records.items() if record is not None})


def with_each(switches: Architecture, counts: Sequence[int], *, chosen: bool = True) -> Caption:
    """Return the caption of a picture of the models with each number of heads."""
    return Caption(
        models=lambda: (switches.described("n_heads"),),
        notes=(f"a model each with {enumerated(counts)} heads" if len(counts) > 1 else "one model",),
        chosen=chosen,
    )


def headline(records: pd.DataFrame, n_heads: int, *, is_ablated: bool, is_hall: bool = False) -> str:
    """Return the accuracy of the chosen model, beside the one with the fewest heads or the most.

    A hall hears only about the question that it sees.
    """
    if records.empty:
        return UNTRAINED
    shares = records.set_index("heads")
    counts = [int(count) for count in shares.index]
    own = n_heads if n_heads in counts else counts[-1]
    others = [count for count in (counts[0], counts[-1]) if count != own][:1]
    asked = [_widest(records)] if is_hall and _widest(records) in PHENOMENA else ["names", "agreement"]
    right = [[per_cent(float(shares[name][count])) for name in asked] for count in (own, *others)]
    begins = "Before the ablation, with" if is_ablated else "With"
    of_each = " and ".join(f"{share} of *{name}*" for share, name in zip(right[0], asked, strict=True))
    told = f"{begins} {counted(own, 'head')} {of_each} are right."
    if is_ablated:
        return told
    compared = "".join(f" With {counted(n, 'head')} it is {' and '.join(right[-1])}." for n in others)
    return f"{told}{compared}"


def _widest(records: pd.DataFrame) -> str:
    """Return the column in which the models differ most."""
    names = ["task", *PHENOMENA]
    return names[int(np.nan_to_num(np.ptp(records[names].to_numpy(), axis=0)).argmax())]


def _abilities(records: pd.DataFrame, switches: Architecture, *, is_hall: bool) -> tuple[Part, ...]:
    """Draw the accuracies of every model: on its task, and on the questions about earlier words.

    A hall sees the question alone in which the models differ most.
    """
    if records.empty:
        return (Text("Choose trained weights to see what several heads learn."),)
    config = switches.config
    counts, heading = list(records["heads"]), "## What they can do"
    intact = INTACT * bool(switches.ablations)
    rows: dict[str, Role] = {config.objective: "muted", **dict.fromkeys(PHENOMENA, "query")}
    shares = records[["task", *PHENOMENA]].to_numpy().T
    if is_hall:
        widest = ["task", *PHENOMENA].index(_widest(records))
        name, role = list(rows.items())[widest]
        rows, shares, heading = {"accuracy": role}, shares[[widest]], f"## Accuracy on {name}"
    picture = BarRows(
        shares=shares,
        rows=rows,
        columns=[counted(int(count), "head") for count in counts],
        title=f"Accuracy on unseen sentences{intact}, by number of heads",
        chosen=counts.index(config.n_heads) if config.n_heads in counts else None,
        make_table=lambda: records.rename(columns={"task": config.objective}),
    )
    same = "" if config.positions == "relative" else ", not in their number of parameters"
    grey = (
        f" Grey bars: the task of the training, {config.objective.replace(' ', '-')} prediction"
        f"{hidden_words(config.mask)}."
    )
    differ = DIFFER.format(same=same) * (len(counts) > 1)
    is_asked = "comes next" if config.objective == NEXT_WORD else "is masked"
    told = (
        f"{differ}{ABILITIES.format(asked=is_asked)} Without reading a sentence, "
        f"{per_cent(baseline('names'))} of *names* and {per_cent(baseline('agreement'))} of *agreement* can "
        f"be right{near_chance(records)}."
        f"{grey * (not is_hall)}"
    )
    return (
        Text(heading),
        PicturePart("abilities", picture, caption=with_each(switches, counts, chosen=False)),
        Text(told),
    )


def near_chance(records: pd.DataFrame) -> str:
    """Return which models are no better at names than without reading; empty if each is better."""
    alike = [
        counted(int(row.heads), "head")
        for row in records.dropna(subset=["names"]).itertuples()
        if is_no_better(row.names, baseline("names"))
    ]
    models, are = ("model", "is") if len(alike) == 1 else ("models", "are")
    return f"; at *names*, the {models} with {enumerated(alike)} {are} not clearly better" if alike else ""


def _cost(costs: pd.DataFrame, n_heads: int, d: int, n: int) -> tuple[Part, ...]:
    """Draw the query matrices of three kinds of heads to scale, with the cost of a layer of each."""
    kinds = []
    for row in costs[costs["heads"] == n_heads].itertuples():
        height, width = map(int, row.matrix.split(" × "))
        cost = (f"{row.parameters:,} parameters in all", f"{quantity(row.operations)} operations")
        kinds.append(Kind(name=row.kind, shape=(height, width), n_heads=n_heads, costs=cost))
    sizes = f"{counted(n_heads, 'head')}, width {d}, {n} words"
    caption = Caption(models=no_models, notes=(sizes,), chosen=False)
    title = f"Query matrices of {enumerated([kind.name for kind in kinds])} heads, to scale"
    picture = HeadBlocks(kinds=kinds, d_model=d, title=title, make_table=lambda: costs)
    return (
        Text("## What they cost"),
        PicturePart("query_matrices", picture, caption=caption),
        Controls(COST),
        Text(SORTS),
        Fold("Count the parameters", (Text(FOUR_MATRICES),)),
    )


FOUR_MATRICES = (
    "Standard heads cost the same, whatever their number. Each has four matrices of d × d/k: for queries, "
    "keys, values and its part of the output. So k heads have 4 × k × d × d/k = 4d² parameters."
)
SORTS = (
    "The drawing shows the query matrices alone, to scale. The parameters count all four matrices of each "
    "head: for queries, keys, values and its part of the output. **Standard**, as in most models: each head "
    "makes d/k numbers from the whole vector of d numbers. **Narrow**: each head makes d/k numbers from its "
    "own d/k numbers of the vector. **Wide**: each head makes d numbers from the whole vector."
)


def checked(from_torch: float) -> str:
    """Return whether our standard heads compute the same as torch's."""
    both = "Our standard heads and torch's `nn.MultiheadAttention` with the same weights"
    if from_torch <= ROUNDING:
        return f"{both} give the same output, up to rounding."
    return f"{both} differ by at most {distance(from_torch)}."


def _attention(seen: HeadCounts, scene: Scene) -> Columns:
    """Draw all heads of the models as tiles, a row for each model, and the chosen head beside them."""
    n_heads, counts = scene.switches.config.n_heads, seen.counts
    chosen = (counts.index(n_heads), scene.head) if n_heads in counts else None
    labels = scene.marked(seen.unknown)
    many = counted(counts[0], "head") if len(counts) == 1 else f"{enumerated(counts)} heads"
    tiles = HeadsByCount(
        patterns=seen.patterns,
        title=f"Attention weights of models with {many}, {scene.layer_place}",
        counts=counts,
        words=labels,
        selected=chosen,
        allowed=seen.allowed,
    )
    opened: Part = Text(f"There is no model with {counted(n_heads, 'head')} and these switches.")
    if chosen is not None:
        title = f"Attention weights, {scene.place} of {n_heads}"
        matrix = HeadMatrix(pattern=seen.patterns[chosen], words=labels, title=title, allowed=seen.allowed)
        opened = PicturePart("counts_head", matrix)
    heading = Text("## What each head attends to")
    shown = PicturePart(
        "counts",
        tiles,
        on_click=lambda points, link: open_head(points, counts),
        caption=with_each(scene.switches, list(counts)),
    )
    return Columns(((heading, shown), (opened,)), HEADS_DRAWN)


def open_head(points: Sequence[Point], counts: Sequence[int]) -> Changes:
    """Return the change to the model and the head whose tile was clicked; none beside the tiles."""
    hit = head_hit(points[-1]["x"], points[-1]["y"], counts)
    return {} if hit is None else {"heads": hit[0], "head": hit[1] + 1}


def parameters_of_heads(standard: Mapping[int, int], d: int) -> Choose | None:
    """Ask if more heads have more parameters."""
    most = max(standard)
    if 1 not in standard or most == 1:
        return None
    width, more = d // most, standard[most] - standard[1]
    return choose(
        f"Vectors have {d} dimensions. One attention layer has {most} standard heads, another has one. Which "
        "has more parameters?",
        Option("neither", more == 0 or None),
        Option(
            f"the layer with {most} heads",
            more > 0,
            f"{most} heads are not {most} times the parameters: each has only d/k = {width} dimensions, "
            f"and {most} · {width} = {d}.",
        ),
        Option(
            "the layer with one head",
            more < 0,
            f"One head has {d} dimensions, and so have {most} heads of {width} together.",
        ),
        because=f"Both have {standard[most]:,}: heads share out the same matrices.",
    )


def kinds_in_order(parameters: Mapping[str, int], n_heads: int) -> Arrange | None:
    """Ask for the three kinds by their parameters; None for one head, for which all are the same."""
    ranked = sorted(parameters, key=lambda kind: -parameters[kind])
    told = ", ".join(f"{parameters[kind]:,} ({kind})" for kind in ranked)
    return arrange(
        f"Put three kinds of k = {n_heads} heads in the order of their parameters, the largest first.",
        {KINDS[kind]: count for kind, count in parameters.items()},
        because=f"{told}.",
    )
