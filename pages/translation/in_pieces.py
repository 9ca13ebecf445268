"""Cross-attention of a pretrained encoder–decoder: its text, piece by piece, and its attention."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from core.measures.translation.attending import MOST_WRITTEN, PieceTranslation, attending_in_pieces, share_of
from core.programs import Call
from core.sources.pairs import load_pair, tasks_of
from core.sources.pretrained import title_of
from pages.contract.ask import Ask
from pages.contract.caching import cached_for_all
from pages.contract.prose import Typed, in_units, literal
from pages.contract.question import Question
from pages.contract.scene import Scene
from pages.contract.sheet import Changes, Columns, LinkValues, PicturePart, Point, Program, Sheet, Text
from pages.translation.kinds import CROSS, DECODER, ENCODER, PARTS, ROWS, heading_of, roles_of
from pages.translation.translator import RealPair
from viz.heads import Heads
from viz.matrices import Alignment
from viz.tiles import tile_at
from words import counted, per_cent

MOST_TASKS = 6
"""Greatest number of named tasks; T5 itself has four."""

LONGEST_QUOTE = 400
"""Greatest number of quoted characters of the text; the figure has all of it."""

GREEDY = (
    f"The model writes the likeliest token at each step (*greedy*), {MOST_WRITTEN} tokens at most. Beams, "
    "penalties and lengths in its folder are ignored."
)
A_COLUMN = "A column is a token of the source, and a row sums to 1."
A_SQUARE = "Each small square is one attention head: click it to open the head."


def real_cross_attention(ask: Ask, scene: Scene, question: Question) -> Sheet:
    """Show one head's weights on the left, and the text and all heads on the right."""
    assert isinstance(scene.switches, RealPair), "others are translators of the collection"
    # Encoder and decoder may have different numbers of layers and heads.
    kind = str(ask.choice("kind", hide_label=True, clears=("layer", "head")))
    begins = ask.entry("begins", placeholder="words of your own")
    name, pieces = scene.switches.name, scene.pieces
    text = _written(name, scene.plain, begins)
    assert pieces is not None, "a real model reads tokens"
    found = text.attending
    weights = {CROSS: found.cross, ENCODER: found.encoder, DECODER: found.decoder}[kind]
    head = min(scene.layer, len(weights) - 1), min(scene.head, weights.shape[1] - 1)
    scene = replace(scene, layer=head[0], head=head[1])
    sources = scene.marked(pieces.unknown)
    queries = {CROSS: found.output, ENCODER: sources, DECODER: found.decoder_input}[kind]
    keys = found.decoder_input if kind == DECODER else sources
    picture = Alignment(
        values=weights[head],
        queries=queries,
        keys=keys,
        title=f"{heading_of(kind)}, {scene.place}",
        short=f"{kind.capitalize()}, {scene.place}",
        roles=roles_of(kind),
        unit="token",
    )
    title = literal(title_of(name))
    resting = "" if kind == DECODER else on_special(scene, share_of(weights[head], pieces.special))
    told = (
        Text(what_is_written(title, text)),
        _heads(weights, kind, queries, keys, head),
        Text(" ".join(filter(None, [resting, *how_to_read(kind)]))),
        Text(GREEDY, "remark"),
    )
    tasks = tasks_named(title, tasks_of(name), scene.text)
    return Sheet(
        headline=headline(title, text),
        unknown=tuple(pieces.unknown),
        below_sentence=(Text(tasks, "remark"),) if tasks else (),
        parts=(Columns(((PicturePart("alignment", picture),), told), (5, 4), alone=True),),
        questions=lambda: (question,),
        program=lambda: Program.calling(
            "Attention while a pretrained encoder–decoder writes: a row for every token.",
            attending_in_pieces,
            Call(load_pair, name, scene.plain),
            begins,
            shows=(f".attending.{PARTS[kind]}[{scene.layer}, {scene.head}]",),
        ),
    )


@cached_for_all(saying="The model writes …")
def _written(name: str, pieces: tuple[str, ...], begins: str) -> PieceTranslation:
    return attending_in_pieces(load_pair(name, pieces), begins)


def _heads(
    weights: np.ndarray,
    kind: str,
    queries: Sequence[str],
    keys: Sequence[str],
    chosen: tuple[int, int],
) -> PicturePart:
    """Return every head of this kind of attention; a click opens one."""
    picture = Heads(
        patterns=weights,
        title=f"{heading_of(kind)}, every layer and head",
        words=queries,
        keys=keys,
        unit="token",
        selected=chosen,
    )
    n_layers, n_heads = weights.shape[:2]

    def open_head(points: Sequence[Point], link: LinkValues) -> Changes:
        tile = tile_at(points[-1]["x"], points[-1]["y"], n_layers=n_layers, n_heads=n_heads)
        return {} if tile is None else {"layer": tile[0] + 1, "head": tile[1] + 1}

    return PicturePart("heads_grid", picture, on_click=open_head)


def tasks_named(title: str, tasks: tuple[str, ...], text: str) -> str:
    """Return the tasks that the folder names; nothing if it names none or the text begins with one."""
    if not tasks or text.strip().startswith(tasks):
        return ""
    named = ", ".join(f"*{Typed(task)}*" for task in tasks[:MOST_TASKS])
    return f"{title} was trained with the task before the text. Its folder names: {named}."


def headline(title: str, found: PieceTranslation) -> str:
    """Return how many tokens the model writes, and why it ends."""
    n = len(found.target) - found.n_given
    after = f"After {counted(found.n_given, 'given token')}, " if found.n_given else ""
    written = f"{after}{title} wrote {counted(n, 'token')}"
    one_by_one = ", one after the other," if n > 1 else ""
    if found.ended:
        return f"{written}{one_by_one} and ended by itself."
    return f"{written}{one_by_one} and was cut off before the end."


def what_is_written(title: str, found: PieceTranslation) -> str:
    """Return the text of the model, and its given part."""
    quoted = literal(found.text, longest=LONGEST_QUOTE).strip()
    begins = "The whole text is" if found.n_given else f"{title} writes"
    writes = f"**{begins}** *{quoted}*." if quoted else f"**{title} writes** special tokens alone."
    return f"{writes} {given(found)}".strip()


def given(found: PieceTranslation) -> str:
    """Return the pieces that were given to the model; nothing if it chose all."""
    if not found.n_given:
        return ""
    first = " ".join(f"**{Typed(piece)}**" for piece in found.attending.output[: found.n_given])
    cut = f" {counted(found.n_too_many, 'token')} more had no room." if found.n_too_many else ""
    return f"Given, not chosen: {first}.{cut}"


def how_to_read(kind: str) -> tuple[str, ...]:
    """Return the meaning of rows and columns."""
    return (in_units(ROWS[kind], "token"), *((A_COLUMN,) if kind == CROSS else ()), A_SQUARE)


def on_special(scene: Scene, share: float) -> str:
    """Return a sentence on the share of attention on special tokens of the source, if it has any."""
    pieces = scene.pieces
    if pieces is None or not pieces.special:
        return ""
    named = ", ".join(f"**{Typed(pieces.labels[at])}**" for at in sorted(pieces.special))
    place = f"Head {scene.head + 1} of layer {scene.layer + 1}"
    return f"{place} gives **{per_cent(share)}** of its attention to the special tokens {named}."
