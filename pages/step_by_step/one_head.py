"""One head: its stages, one of them open, with back, next and play, and entries that can be changed."""

from collections.abc import Sequence
from dataclasses import astuple
from urllib.parse import quote_plus

import numpy as np
import pandas as pd

from core.measures.stages.stage import Stage, one_word
from core.measures.stages.walk import is_small
from pages.contract.ask import Ask
from pages.contract.parameters import options_of
from pages.contract.question import Estimate
from pages.contract.question_builders import mistakes
from pages.contract.scene import Scene
from pages.contract.sheet import (
    Changes,
    Code,
    Columns,
    Formula,
    LinkValues,
    Part,
    PicturePart,
    Point,
    Program,
    Sheet,
    Strip,
    Table,
    Text,
)
from pages.contract.static_questions import static_question
from pages.contract.view import view
from pages.step_by_step.latex import calculation, of_all_words, of_one_word
from pages.step_by_step.stages import describe, describe_stage, drawn
from pages.step_by_step.walking import (
    EDIT,
    LARGEST_VALUE,
    OF_HEAD,
    HeadWalk,
    about_head,
    about_others,
    add_change,
    ask_changes,
    ask_word,
    caption,
    walked,
)
from viz.layout.downsampling import cell_of
from viz.matrices import StagePanel, Stages
from viz.text import unique_words
from words import counted

ALL, ONE = options_of("form")

OF_ALL_WORDS = ("k", "v")
"""Stages with all rows in the form for one word: its query meets every key, and it mixes every value."""

OF_ALL_HEADS = ("heads", "output")
"""Stages that join the heads of a layer."""

FROM_SCORES_TO_WEIGHTS = ("scores", "scale", "bias", "mask", "softmax")
"""Stages below which the whole matrices of a trained head stand side by side."""

BOOKS = "the books near the lamp are"
TRY = (
    "Another sentence for this head: "
    f"[{BOOKS}](/step-by-step?text={quote_plus(BOOKS)}), where *are* asks for a plural noun."
)
WHY_THREE = "[Why three matrices?](/step-by-step?view=why+three+matrices&matrices=three)"


@view(**OF_HEAD)
def one_head(ask: Ask, scene: Scene) -> Sheet:
    """Show the stages of a head as a strip, and the open one with its formula and its numbers."""
    changes = ask_changes(ask, scene)
    seen = walked(scene, changes)
    names = [stage.name for stage in seen.walk.stages]
    opened = names.index(ask.menu("stage", options=names, width=240))
    is_one = ask.choice("form", hide_label=True) == ONE
    word = ask_word(ask, scene) if is_one else None
    stages = seen.walk.stages
    if word is not None:
        stages = tuple(one if one.name in OF_ALL_WORDS else one_word(one, word) for one in stages)
    whole, shown = seen.walk.stages[opened], stages[opened]
    said = " ".join(filter(None, [about_head(seen), about_others(seen)]))
    return Sheet(
        headline=headline(
            shown,
            place=f"layer {scene.layer + 1}"
            if shown.name in OF_ALL_HEADS
            else f"head {scene.head + 1} of layer {scene.layer + 1}",
            unit=scene.unit,
            word="" if word is None else f"*{scene.unique_names[word]}*",
        ),
        unknown=tuple(seen.walk.unknown),
        caption=caption(seen, *(() if word is None else (f"row of “{scene.unique_names[word]}”",))),
        parts=(
            _strip(seen, stages, opened, word),
            *([Text(said)] if said else []),
            *_side_by_side(seen, whole),
            *_formulas(whole, scene.unit),
            *([Text(_try(scene))] if seen.is_by_hand and not changes else []),
            Table("steps", lambda: _table(shown)),
            Code(lambda: calculation(shown), "latex", key="latex", title="LaTeX"),
        ),
        questions=lambda: (
            n_scores_question(len(scene.names), scene.unit, is_masked=seen.stage("mask") is not None),
            static_question("mixed"),
        ),
        program=lambda: Program(
            lambda: scene.subject.shown(
                "stages",
                f"The stage {whole.name} of {scene.place}.",
                stage=whole.name,
                changes=[astuple(one) for one in changes],
            )
        ),
    )


def _try(scene: Scene) -> str:
    """Suggest another sentence to the first head, unless it is the one shown, and the next view."""
    return WHY_THREE if scene.head or " ".join(scene.plain) == BOOKS else f"{TRY} {WHY_THREE}"


def headline(stage: Stage, *, place: str, unit: str, word: str = "") -> str:
    """Return a sentence on the result of a stage for each word, or for the one word shown."""
    matrix = stage.result.matrix
    n, who = counted(matrix.shape[1], "number"), word or f"each {unit}"
    all_scores = "the only score" if matrix.size == 1 else f"each of the {matrix.size} scores"
    if stage.result.computed is not None:
        all_scores = "each score that you have not set"
    every = f"each score of {word}" if word else all_scores
    hidden = f"{int(np.isneginf(matrix).sum())} of {counted(matrix.size, 'score')}"
    said = {
        "embeddings": f"{who} becomes a vector of {n}",
        "states": f"{who} comes from the layer below as a vector of {n}",
        "segments": f"a vector of the segment is added to the vector of {who}",
        "positions": f"a vector of its position is added to the vector of {who}",
        "embedding norm": f"the vector of {who} is normalised",
        "norm": f"the vector of {who} is normalised",
        "raw q": f"{who} gets a query of {n}, which is normalised next",
        "raw k": f"{who} gets a key of {n}, which is normalised next",
        "q": f"{who} gets a query of {n}",
        "k": f"the query of {word} meets a key of every {unit}: {n} each"
        if word
        else f"{who} gets a key of {n}",
        "v": f"{word} mixes the values of each {unit} that it may attend to: {n} each"
        if word
        else f"{who} gets a value of {n}",
        "scores": f"the query of {who} is compared with each key: {counted(matrix.size, 'dot product')}",
        "scale": f"{every} is divided by √d_head",
        "bias": f"a number that depends on the positions is added to {every}",
        "mask": f"the mask hides {hidden}{f' of {word}' * bool(word)}",
        "softmax": f"the scores of {who} become weights that sum to 1",
        "weighted sum": f"{who} gets the weighted sum of the values: {n}",
        "heads": f"the output of the only head is passed on: {n} for {who}"
        if len(stage.operands) == 1
        else f"the outputs of all heads stand side by side: {n} for {who}",
        "output": f"one more matrix makes the attention output of the layer: {n} for {who}",
    }[stage.name]
    return f"In {place}, {said}."


def _strip(seen: HeadWalk, stages: tuple[Stage, ...], opened: int, word: int | None) -> Strip:
    unit, n_changes, whole = seen.scene.unit, len(seen.changes), seen.walk.stages[opened]
    return Strip(
        stages=tuple(drawn(stage, unit, word) for stage in stages),
        opened=whole.name,
        changed=counted(n_changes, "change") if n_changes else "",
        largest=LARGEST_VALUE,
        alt=describe(stages[opened]),
        title=f"{describe_stage(whole).title}{_set_by_hand(whole)}, {seen.scene.place}",
        on_change=add_change,
        reset={EDIT: None},
    )


def _set_by_hand(stage: Stage) -> str:
    computed = stage.result.computed
    if computed is None:
        return ""
    n = int(np.isfinite(computed).sum())
    return f", {n} {'entry' if n == 1 else 'entries'} set by hand"


def _side_by_side(seen: HeadWalk, opened: Stage) -> tuple[PicturePart, ...]:
    """Return scores to weights side by side, for a full model; the strip shows a small one whole."""
    config = seen.walk.config
    if opened.name not in FROM_SCORES_TO_WEIGHTS or seen.is_by_hand or is_small(config):
        return ()
    picture = Stages(
        stages=_panels(seen),
        words=seen.labels,
        title=f"From scores to attention weights, {seen.scene.place}",
        unit=seen.scene.unit,
    )
    return (PicturePart("side_by_side", picture, on_click=_opens_row),)


def _panels(seen: HeadWalk) -> list[StagePanel]:
    """Return the matrices that this head has: a bias or a mask only if the model has one."""
    stages = {stage.name: stage for stage in seen.walk.stages}
    scaled = stages.get("scale", stages["scores"])
    title = "q·k / √d" if "scale" in stages else "q·k"
    panels = [StagePanel(title, scaled.result.matrix, "scores")]
    if "bias" in stages:
        panels.append(StagePanel("bias", stages["bias"].operands[1].grid.matrix, "scores", sign="+"))
    if "mask" in stages:
        panels.append(StagePanel("mask", seen.walk.allowed, "mask", sign="+"))
    return [*panels, StagePanel("softmax", stages["softmax"].result.matrix, "weights")]


def _opens_row(points: Sequence[Point], link: LinkValues) -> Changes:
    """Show only the row of the clicked word."""
    query, _ = cell_of(points[-1]["x"], points[-1]["y"], points[-1]["data"])
    return {"form": ONE, "word": query + 1}


def _formulas(stage: Stage, unit: str) -> tuple[Part, ...]:
    """Return the formula in both forms, and the formula of the positions."""
    told, scheme = describe_stage(stage, unit), stage.positions
    both = Columns(
        (
            (
                Formula(
                    of_all_words(stage),
                    " · ".join(filter(None, (f"All {unit}s at once, a row for each", told.source))),
                ),
            ),
            (Formula(of_one_word(stage), f"The same for one {unit}, i"),),
        )
    )
    positions = [] if scheme is None else [Formula(scheme.formula, f"The positions · {scheme.source}")]
    return (both, *positions)


def _table(stage: Stage) -> pd.DataFrame:
    grid = stage.result
    index = pd.Index(unique_words(grid.rows), name=stage.symbol)
    return pd.DataFrame(grid.matrix, index=index, columns=unique_words(grid.columns))


def n_scores_question(n: int, unit: str, *, is_masked: bool) -> Estimate | None:
    """Ask how many scores a head computes, before its mask if it has one; fewer than 3 words are too few."""
    if n < 3:
        return None
    return Estimate(
        text=f"A sentence of {counted(n, unit)}: how many scores does one head compute"
        f"{', before the mask' * is_masked}?",
        right=n * n,
        bounds=(0, 10 * n * n),
        unit="scores",
        because=f"Every query meets every key, its own too: {n} × {n}."
        f"{' The mask then hides some of them.' * is_masked}",
        mistaken=mistakes(
            n * n,
            (n, f"This would be one score for each {unit}, but each query meets all keys."),
            (n * (n - 1) // 2, "This counts each pair once, but i scores j, and j scores i differently."),
            (n * (n - 1), f"A {unit} also meets its own key."),
        ),
    )
