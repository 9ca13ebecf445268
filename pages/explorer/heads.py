"""Heads: every layer and head in one figure, and beside it the chosen one as a matrix or as lines."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

from core.measures.heads.sinks import most_focused_head
from core.sources.spelling import CONTINUES, words_of_pieces
from core.text.tokenizer import MAX_WORDS, too_long
from pages import STEP_BY_STEP
from pages.contract.ask import SIDEBAR, Ask
from pages.contract.items import PageLink
from pages.contract.look import STACKED, Look
from pages.contract.parameter import in_link
from pages.contract.parameters import options_of
from pages.contract.prose import Typed
from pages.contract.question import Estimate
from pages.contract.question_builders import unique_labels
from pages.contract.scene import Scene
from pages.contract.sheet import (
    Caption,
    Changes,
    Columns,
    Controls,
    Drawing,
    Fold,
    LinkValues,
    Part,
    PicturePart,
    Point,
    Sheet,
    Table,
    Text,
)
from pages.contract.switches import OWN, WITHOUT_WINDOW
from pages.contract.view import view
from pages.explorer.calculation import calculation
from pages.explorer.explored import EXPLORED, with_rows
from pages.explorer.knocked_out import Silenced, ask_prediction, prediction_parts, prediction_program
from pages.explorer.linking import linking
from pages.explorer.named import TITLE, named_heads
from pages.explorer.notes import notes_of
from pages.explorer.predictions import NOTHING_LEARNED, why_not_predicted
from pages.explorer.weights import (
    CELL,
    HEAD,
    Selection,
    ShownWeights,
    ask_cell,
    ask_kind,
    asked_row,
    describe_weights,
    find_weights,
    matrix_picture,
    opens,
    selection,
)
from pages.path.stops import STOP, read_stop
from viz.heads import Heads, HeadsInBlocks
from viz.picture import Picture
from viz.tables import matrix_table
from viz.tiles import tile_at
from viz.word_lines import describe_lines, strongest
from words import counted

MATRIX, LINES = options_of("drawn")
SCRIPT = Path(__file__).with_name("lines.js")

MANY_HEADS = 8
"""Greatest number of heads whose column is narrower than the column of the chosen head."""

MANY_LAYERS = 12
"""Greatest number of layers for which the calculation of a cell stands near its matrix."""

SHOW, STANDS_OUT = "show", "stands_out"
"""Spots of the menu of views, and of the head that stands out."""

HOW_TO_READ = (
    "Each small square is one attention head: its rows are queries, and its columns are keys. The stronger "
    "the colour of a cell, the larger its weight. Click a square to open its head."
)
CALCULATION = "How this weight is calculated"
NEEDS = "What the model predicts, and which heads it needs for that"
MOVES = "How far knocked-out heads move the states after the last layer"
OF_LINES = (
    "The thicker a line, the larger the attention weight. Point at a word, or reach it with the Tab and "
    "arrow keys, to see its lines alone. Click it or press Enter to keep them."
)
LEFT_ASIDE = ", special tokens left aside as queries and as keys"
FIRST_ASIDE = ", the first {} left aside as a query and as a key"
UNTRAINED = "These weights are random: the picture shows how attention works, not what a model learns."

TENTHS = 10
"""Per cent below which a weight is given with one decimal."""


@view(**EXPLORED)
def heads(ask: Ask, scene: Scene) -> Sheet:
    """Show all heads on the left; a click opens one on the right, and a cell of it its calculation."""
    scene = with_rows(ask, scene)
    attention, look = scene.attention, ask.look
    with ask.at(SHOW):
        kind = ask_kind(ask)
        wants_lines = ask.choice("drawn", hide_label=True) == LINES
        as_lines = wants_lines and len(attention.labels) <= MAX_WORDS
        mass = ask.choice("mass", label=_share(scene)) / 100 if as_lines else 0.0
    if scene.pieces is not None:
        with ask.at(STANDS_OUT):
            _point_out(ask, scene)
    cell = ask_cell(ask, scene)
    at, silenced = ask_prediction(ask, scene)
    selected = selection(ask, scene, cell)
    with ask.at(CELL):
        _link_to_steps(ask, scene)

    shown = find_weights(scene, kind)
    many = scene.switches.config.n_heads > MANY_HEADS
    is_tall = scene.switches.config.n_layers > MANY_LAYERS  # all heads, taller than the window
    weights = (2.0, 3.0) if is_tall else (1.0, 1.0) if many else (4.0, 5.0)
    is_alone = look.fills and is_tall and as_lines  # in a hall, the tiles of many heads are specks
    left, right = look.columns(weights, alone=is_alone)
    picture = (
        _lines(scene, shown, mass, selected, right)
        if as_lines
        else matrix_picture(shown, scene, right, on_click=opens(predicts=at is not None), selected=cell)
    )
    unfit = too_long("Lines are drawn for", MAX_WORDS, len(attention.labels), attention.unit)
    too_many = (Text(f"{unfit} So the matrix is shown.", "info"),) if wants_lines and not as_lines else ()
    grid = _grid(scene)
    # A cell may be chosen at a stop of the path.
    at_stop = cell is not None and ask.parsed(STOP, read_stop, default=None, instead="no stop") is not None
    steps = calculation(scene, shown, cell, left, has_cells=not as_lines)
    links = linking(scene, shown, cell, is_open=not at_stop)
    if is_tall and at_stop:  # its questions stand below all this
        steps = (Fold(CALCULATION, steps, key="calculated"),)
    said = notes_of(scene) if kind == HEAD else ""
    notes = (Text(said),) if said else ()
    named: tuple[Part, ...] = ()
    if scene.pieces is not None and scene.switches.weights.trained and kind == HEAD:
        named = (Fold(TITLE, partial(named_heads, scene), is_open=cell is not None, key="named"),)
    overview = (grid, Controls(STANDS_OUT))
    head = (*too_many, Controls(SHOW), *picture)
    needed: Part = Text(NOTHING_LEARNED, "remark")
    if at is not None or why_not_predicted(scene):
        needed = Fold(
            MOVES if at is None else NEEDS,
            partial(_needed, scene, at, silenced, None if is_tall else weights),
            is_open=bool(silenced),
            key="needed",
        )
    below_heads = (*steps, Controls(CELL))
    # The first screen of a stop has room for either the cell that its link names or all heads.
    first = (*below_heads, *overview) if at_stop else (*overview, *below_heads)
    columns = Columns((first, (*head, *named, *notes, *links)), weights)
    if is_tall:
        beside = (*head, *named, Controls(CELL), *steps, *links, *notes, needed)
        columns = Columns((beside, overview) if is_alone else (overview, beside), weights, alone=is_alone)
    if look.page < STACKED:  # the chosen head stands right below all heads
        rest = columns.columns[1] if is_tall else (*head, *named, *notes, *steps, Controls(CELL), *links)
        columns = Columns(((*overview, *rest),))
    random = f" {UNTRAINED}" * (scene.switches.source == "random")
    return Sheet(
        headline=describe_weights(
            shown,
            attention.names,
            attention.allowed,
            selected,
            unit=attention.unit,
            of_shown=attention.of_shown,
        ),
        parts=(
            columns,
            *(() if is_tall else (needed,)),
            Text(f":small[{HOW_TO_READ}{f' {OF_LINES}' * as_lines}{random}]"),
        ),
        unknown=tuple(scene.reading.unknown),
        questions=lambda: (
            equal_scores(*_row(scene, shown, selected)) if attention.merged_groups is None else None,
        ),
        program=lambda: prediction_program(scene, silenced),
    )


def _needed(
    scene: Scene, at: int | None, silenced: Silenced, weights: tuple[float, ...] | None
) -> tuple[Part, ...]:
    """Return the prediction, and the effect of each head beside it, or below it without `weights`."""
    expected, effect = prediction_parts(scene, at, silenced)
    return (Columns((expected, effect), weights),) if expected and weights else (*expected, *effect)


def _share(scene: Scene) -> str:
    """Return the label of the share; hidden special tokens leave a smaller whole."""
    query = "word" if scene.pieces is None else "query"
    hides_some = scene.rows is not None and sum(map(len, scene.rows.groups)) < len(scene.words)
    left = " to the keys shown" * hides_some
    return f"Show the keys that hold this share of each {query}'s attention{left} (%)"


def _point_out(ask: Ask, scene: Scene) -> None:
    """Suggest the head of a real model that stands out: the first of its many is seldom interesting."""
    assert scene.pieces is not None, "a real model reads tokens"
    found = most_focused_head(scene.largest_shares, scene.equal_share)
    if found is None:
        return
    named = f"Layer {found.layer + 1} · head {found.head + 1} stands out"
    special = bool(scene.pieces.special)
    first = FIRST_ASIDE.format(scene.attention.unit) * bool(scene.left_aside and not special)
    if (found.layer, found.head) == (scene.layer, scene.head):
        ask.caption(
            f"{named}: its largest weights, one for each row, have a mean of {found.share:.2f}, and equal "
            f"weights would give {scene.equal_share:.2f}{LEFT_ASIDE * special}{first}."
        )
    else:
        ask.button(
            f"{named}: open it",
            _opened(found.layer, found.head),
            key=STANDS_OUT,
            tertiary=True,
        )


def _link_to_steps(ask: Ask, scene: Scene) -> None:
    """Add a link to every stage of this head; not for a model or a text that *Step by step* cannot show."""
    switches = scene.switches
    if switches.source == OWN or switches.window is not None or len(scene.words) > MAX_WORDS:
        return
    changed = {
        one.parameter.name: in_link(one.value)[0]
        for one in ask.asked([SIDEBAR])
        if one.value != one.parameter.default and one.parameter.name in WITHOUT_WINDOW | {"real"}
    }
    place = {"layer": str(scene.layer + 1), "head": str(scene.head + 1)}
    link = {"view": "one head", "size": "full", "text": scene.text, **changed, **place}
    ask.add(PageLink("This head, step by step", STEP_BY_STEP, link, icon=":material/stairs:"))


def _grid(scene: Scene) -> PicturePart:
    """Return the tiles of all heads; a long text has blocks, because it has too many weights."""
    config, seen, attention = scene.switches.config, scene.overview, scene.attention
    shared: dict[str, Any] = {
        "title": "Attention weights, every layer and head",
        "selected": (scene.layer, scene.head),
        "unit": attention.unit,
    }
    picture: Picture
    if seen is None:
        picture = Heads(
            patterns=attention.patterns, words=attention.labels, allowed=attention.allowed, **shared
        )
    else:
        picture = HeadsInBlocks(
            patterns=seen.blocks,
            allowed=seen.allowed,
            side=seen.side,
            bits=seen.bits,
            largest=seen.largest,
            distance=seen.distance,
            n=len(attention.labels),
            **shared,
        )
    open_tile = partial(_open_tile, n_layers=config.n_layers, n_heads=config.n_heads)
    return PicturePart("heads_grid", picture, on_click=open_tile)


def _open_tile(points: Sequence[Point], link: LinkValues, *, n_layers: int, n_heads: int) -> Changes:
    tile = tile_at(points[-1]["x"], points[-1]["y"], n_layers=n_layers, n_heads=n_heads)
    return {} if tile is None else _opened(*tile)


def _opened(layer: int, head: int) -> Changes:
    return {"layer": layer + 1, "head": head + 1}


def _lines(
    scene: Scene, shown: ShownWeights, share: float, selected: Selection, look: Look
) -> tuple[Part, ...]:
    """Return the lines that carry this share of each row's sum; on a large page they fill the room."""
    attention = scene.attention
    kept = strongest(shown.pattern, mass=share)
    chosen = [["query", selected.query], ["key", selected.key]]
    whole = words_of_pieces(attention.labels) if look.fills else attention.labels
    data = {
        "words": [label.replace(CONTINUES, "…", 1) if look.fills else label for label in whole],
        "lines": kept.to_numpy().tolist(),
        "alt": describe_lines(kept, attention.labels, title=shown.heading, unit=attention.unit),
        "room": [look.width, look.height] if look.fills else None,
        "grows": not look.fills,
        "narrow": look.for_picture.width,
        "chosen": next((one for one in chosen if one[1] is not None), None),
        "colours": {name: value for name, value in asdict(look.theme).items() if isinstance(value, str)},
    }
    title = f"Attention weights as lines, {shown.place}"
    held = f"lines hold {'at least ' * (share < 1)}{share:.0%} of the weight of each row".replace("%", " %")
    return (
        Drawing("lines", SCRIPT, data, title=title, on_click=keep, caption=Caption(notes=(held,))),
        Table(
            "lines",
            lambda: matrix_table(
                shown.pattern, attention.labels, allowed=shown.open_under(attention.allowed)
            ),
        ),
    )


def keep(said: Mapping[str, Any]) -> Changes:
    """Select the word whose lines are kept, or nothing."""
    selected = {"query": None, "key": None}
    if said.get("side") not in selected:
        return selected
    return {**selected, str(said["side"]): int(said["place"]) + 1}


def _row(scene: Scene, shown: ShownWeights, selected: Selection) -> tuple[Typed, int, str]:
    """Return the word of the selected row, the number of words it may attend to, and their name."""
    at = asked_row(scene, shown, selected)
    return (
        unique_labels(scene.attention.names)[at],
        int(scene.attention.allowed[at].sum()),
        scene.attention.unit,
    )


def equal_scores(word: Typed, n: int, unit: str) -> Estimate | None:
    """Ask what the softmax makes of equal scores, which some readers take for nothing."""
    if n < 2:
        return None
    equal = 100 / n
    return Estimate(
        text=(
            f"*{word}* may attend to {counted(n, unit)}. Suppose that all its scores were 0. How large would "
            "each weight be?"
        ),
        right=equal,
        bounds=(0, 100),
        unit="%",
        decimals=int(equal < TENTHS),
        near=equal / 5,
        mistaken=((0, "exp(0) = 1 for each of them, and the softmax divides by the sum."),),
        because=f"Equal scores, of any size, share the attention equally: 1/{n}.",
    )
