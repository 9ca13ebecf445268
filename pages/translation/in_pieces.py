"""Cross-attention of a pretrained encoder–decoder: what it writes, piece by piece, and what it attends to."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from jaxtyping import Float

from core.measures.translation.in_pieces import MOST_WRITTEN, InPieces, attending_in_pieces, share_of
from core.programs.pairs import pretrained_pair_program
from core.sources.pairs import load_pair, tasks_of
from core.sources.pretrained import folder_in_programs, title_of
from pages.contract.ask import Ask
from pages.contract.look import Look
from pages.contract.sheet import Changes, Columns, Link, Point, Remark, Sheet, Shown, Text
from pages.controls.memory import remembered
from pages.controls.prose import Typed, in_units, literal
from pages.shell import Program, Scene
from pages.translation.kinds import CROSS, DECODER, ENCODER, ROWS, heading_of, roles_of
from pages.translation.real_pair import RealPair
from viz.alignment import alignment
from viz.heads import heads
from viz.text import counted
from viz.tiles import tile_at
from viz.units import per_cent

WIDTH, HEADS_WIDTH = 560, 420

MOST_TASKS = 6
"""How many tasks are named; T5 itself has four."""

LONGEST_QUOTE = 400
"""Characters of what was written; the figure has all of it."""

GREEDY = (
    f"Written greedily, the likeliest piece each time, {MOST_WRITTEN} at most: beams, penalties and lengths "
    "that the folder may ask for are left aside."
)
A_COLUMN = "A column is a piece of the source, and a row sums to 1."
A_SQUARE = "Each small square is one attention head: click it to open the head."


@dataclass(frozen=True)
class Choices:
    """The kind of attention, and what the translation is to begin with, as it was typed."""

    kind: str
    begins: str


@dataclass(frozen=True)
class Found:
    """What a model of this `name` wrote, and the kind of attention whose weights are shown.

    `tasks` are what its folder says that a text can begin with.
    """

    scene: Scene
    name: str
    text: InPieces
    kind: str
    tasks: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        """The model as sentences name it."""
        return literal(title_of(self.name))

    @property
    def layers(self) -> Float[np.ndarray, "layer head query key"]:
        """The weights of every head."""
        found = self.text.attending
        return {CROSS: found.cross, ENCODER: found.encoder, DECODER: found.decoder}[self.kind]

    @property
    def pattern(self) -> Float[np.ndarray, "query key"]:
        """Attention weights of the chosen head."""
        return np.asarray(self.layers[self.scene.layer, self.scene.head])

    @property
    def sources(self) -> tuple[str, ...]:
        """The pieces of the source as a figure names them."""
        pieces = self.scene.pieces
        assert pieces is not None, "a real model reads pieces"
        return self.scene.marked(pieces.unknown)

    @property
    def queries(self) -> Sequence[str]:
        """What rows stand for."""
        found = self.text.attending
        return {CROSS: found.written, ENCODER: self.sources, DECODER: found.fed}[self.kind]

    @property
    def keys(self) -> Sequence[str]:
        """What columns stand for."""
        return self.text.attending.fed if self.kind == DECODER else self.sources


def ask(ask: Ask, scene: Scene) -> Choices:
    """The kind of attention: encoder and decoder may have different numbers of layers and heads."""
    kind = ask.choice("kind", hide_label=True, clears=("layer", "head"))
    return Choices(kind, ask.entry("begins", placeholder="words of your own"))


def find(scene: Scene, choices: Choices) -> Found:
    """What is written, and a head that there is, should the menus have been of the other side."""
    assert isinstance(scene.switches, RealPair), "others are translators of the collection"
    name = scene.switches.name
    found = Found(scene, name, _written(name, scene.plain, choices.begins), choices.kind, tasks_of(name))
    n_layers, n_heads = found.layers.shape[:2]
    layer, head = min(scene.layer, n_layers - 1), min(scene.head, n_heads - 1)
    return replace(found, scene=replace(scene, layer=layer, head=head))


@remembered(saying="The model writes …")
def _written(name: str, pieces: tuple[str, ...], begins: str) -> InPieces:
    return attending_in_pieces(load_pair(name, pieces), begins)


def sheet(found: Found, look: Look) -> Sheet:
    """One head's weights on the left, what was written and all heads on the right."""
    pieces, (left, right) = found.scene.pieces, look.columns((5, 4), alone=True)
    assert pieces is not None, "a real model reads pieces"
    tasks = tasks_named(found.title, found.tasks, found.scene.text)
    return Sheet(
        answer=answer(found.title, found.text),
        unknown=tuple(pieces.unknown),
        below_sentence=(Remark(tasks),) if tasks else (),
        parts=(
            Columns(
                (
                    (_weights(found, left),),
                    (
                        Text(what_is_written(found.title, found.text)),
                        _heads(found, right),
                        Text(" ".join(filter(None, [_resting(found), *how_to_read(found.kind)]))),
                        Remark(GREEDY),
                    ),
                ),
                (5, 4),
                alone=True,
            ),
        ),
    )


def _weights(found: Found, look: Look) -> Shown:
    """The weights of the chosen head."""
    picture = alignment(
        found.pattern,
        found.queries,
        found.keys,
        title=f"{heading_of(found.kind)}, {found.scene.place}",
        short=f"{found.kind.capitalize()}, {found.scene.place}",
        theme=look.theme,
        roles=roles_of(found.kind),
        size=look.room(WIDTH),
    )
    return Shown("alignment", picture)


def _heads(found: Found, look: Look) -> Shown:
    """Every head of this kind of attention; a click opens one."""
    layers, chosen = found.layers, (found.scene.layer, found.scene.head)
    picture = heads(
        layers,
        title=f"{heading_of(found.kind)}, every layer and head",
        theme=look.theme,
        words=found.queries,
        keys=found.keys,
        unit="piece",
        selected=chosen,
        size=look.room(HEADS_WIDTH),
    )

    def open_head(points: Sequence[Point], link: Link) -> Changes:
        n_layers, n_heads = layers.shape[:2]
        tile = tile_at(points[-1]["x"], points[-1]["y"], n_layers=n_layers, n_heads=n_heads)
        return {} if tile is None else {"layer": tile[0] + 1, "head": tile[1] + 1}

    return Shown("heads_grid", picture, on_click=open_head)


def tasks_named(title: str, tasks: tuple[str, ...], text: str) -> str:
    """What the text can begin with, if the folder names anything and the text begins with none of it."""
    if not tasks or text.strip().startswith(tasks):
        return ""
    named = ", ".join(f"*{Typed(task)}*" for task in tasks[:MOST_TASKS])
    return f"{title} was trained with the task before the text. Its folder names: {named}."


def answer(title: str, found: InPieces) -> str:
    """How many pieces the model writes, and why it ends."""
    written = f"{title} wrote {counted(len(found.target), 'piece')}"
    one_by_one = ", one after the other," if len(found.target) > 1 else ""
    if found.ended:
        return f"{written}{one_by_one} and ended by itself."
    return f"{written}{one_by_one} and was cut off without having come to an end."


def what_is_written(title: str, found: InPieces) -> str:
    """What the model writes, and what of it was not chosen."""
    quoted = literal(found.text, longest=LONGEST_QUOTE).strip()
    writes = f"**{title} writes** *{quoted}*." if quoted else f"**{title} writes** special tokens alone."
    return f"{writes} {given(found)}".strip()


def given(found: InPieces) -> str:
    """What of the target was not chosen."""
    if not found.n_given:
        return ""
    first = " ".join(f"**{Typed(piece)}**" for piece in found.attending.written[: found.n_given])
    cut = f" {counted(found.n_too_many, 'piece')} more had no room." if found.n_too_many else ""
    return f"Given, not chosen: {first}.{cut}"


def how_to_read(kind: str) -> tuple[str, ...]:
    """What rows and columns are."""
    return (in_units(ROWS[kind], "piece"), *((A_COLUMN,) if kind == CROSS else ()), A_SQUARE)


def _resting(found: Found) -> str:
    """The share of the attention that the special tokens of the source get."""
    pieces = found.scene.pieces
    if found.kind == DECODER or pieces is None or not pieces.special:
        return ""
    named = ", ".join(f"**{Typed(pieces.labels[at])}**" for at in sorted(pieces.special))
    share = per_cent(share_of(found.pattern, pieces.special))
    return f"{found.scene.title} leaves **{share}** of its attention with the special tokens {named}."


def program(found: Found) -> Program:
    """The weights of the chosen head, by the library that the model is from."""
    text, scene = found.text, found.scene
    return Program(
        lambda: pretrained_pair_program(
            folder_in_programs(found.name),
            scene.plain,
            text.source,
            (text.start, *text.target[: text.n_given]),
            ends=text.ends,
            longest=text.longest,
            kind=found.kind,
            layer=scene.layer,
            head=scene.head,
        )
    )
