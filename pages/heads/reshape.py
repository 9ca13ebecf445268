"""Reshape: one matrix of queries, keys or values whose blocks separate until every head has one."""

from pathlib import Path

from pages.contract.ask import Ask
from pages.contract.examples import MARIA
from pages.contract.question import Choose, Estimate, Option
from pages.contract.question_builders import choose, mistakes
from pages.contract.scene import Scene
from pages.contract.sheet import Caption, Drawing, Program, Sheet, Table, Text
from pages.contract.view import view
from viz.reshape import FORMS, MOST_WORDS, Blocks, Reshape
from viz.theme import Role
from words import counted

PARTS = {"q": "queries", "k": "keys", "v": "values"}
SINGULAR = {"q": "query", "k": "key", "v": "value"}
ROLES: dict[str, Role] = {"q": "query", "k": "key", "v": "value"}

WHY = {
    FORMS[0]: "The columns of all heads stand side by side.",
    FORMS[1]: "Nothing is computed, and nothing moves yet.",
    FORMS[2]: (
        "The heads come first now, like k sentences of n words. The softmax of each head is computed on its "
        "own, all in one operation."
    ),
}


@view(
    sentence=MARIA,
    switches=frozenset({"model", "seed", "positions", "mask", "heads", "norm"}),
    about="layer",
)
def reshape(ask: Ask, scene: Scene) -> Sheet:
    """Draw the vectors of all heads as blocks in the chosen form."""
    form = ask.choice("shape", hide_label=True)
    part = ask.choice("vectors", options=list(PARTS), hide_label=True)
    vectors, words = scene.reading.vectors(scene.layer, part), scene.plain
    n_heads, n_words, d_head = vectors.shape
    name = PARTS[part].capitalize()
    drawn = Reshape(vectors=vectors, words=words, form=form, name=name, role=ROLES[part])
    script, title = Path(__file__).with_suffix(".js"), f"{name} of all heads in the shape {form}"
    cut = f"The drawing shows the first {MOST_WORDS} of {n_words} words. The numbers count all words."
    is_rotated = scene.reading.config.positions == "rotary" and part in ("q", "k")
    return Sheet(
        headline=f"In {scene.layer_place}, {headline(drawn.blocks, form, part, is_rotated=is_rotated)}",
        parts=(
            Drawing("reshape", script, drawn.drawing(ask.look.for_picture), title=title),
            *((Text(cut, "remark"),) if n_words > MOST_WORDS else ()),
            Text(WHY[form]),
            Table("reshape", drawn.table),
        ),
        unknown=tuple(scene.reading.unknown),
        caption=Caption(notes=(scene.layer_place,)),
        questions=lambda: (
            what_a_head_sees(n_words, n_heads, d_head),
            products_for_all_heads(PARTS[part], n_heads),
        ),
        program=lambda: Program(
            lambda: scene.subject.shown(
                "reshape", f"From n × d to k × n × d/k: the vectors {part} of all heads.", which=part
            )
        ),
    )


def headline(blocks: Blocks, form: str, part: str, *, is_rotated: bool = False) -> str:
    """Return the meaning of the form, with its axes as numbers; the vectors may be rotated by positions."""
    rotated = ", and their positions rotate them" * is_rotated
    d, words = blocks.d_head, counted(blocks.n_words, "word")
    meaning = {
        FORMS[
            0
        ]: f"one product of {words} with one matrix gives the {PARTS[part]} of all heads at once{rotated}",
        FORMS[1]: f"every row is cut into {counted(blocks.n_heads, 'slice')} of d/k = {d} dimensions",
        FORMS[2]: f"every head has every word, but only {counted(d, 'number')} of its {SINGULAR[part]}"
        if blocks.n_heads > 1
        else f"the only head has every word, with all {counted(d, 'number')} of its {SINGULAR[part]}",
    }[form]
    return f"{meaning}: {form} = {blocks.shape(form)}."


def what_a_head_sees(n_words: int, n_heads: int, d_head: int) -> Choose | None:
    """Ask which part of the sentence each head gets; None for one head, or one word."""
    if n_heads == 1 or n_words == 1:
        return None
    d = n_heads * d_head
    return choose(
        f"The queries of {n_words} words, {d} numbers each, are divided among {n_heads} heads. What does "
        "each head get?",
        Option(f"{counted(d_head, 'number')} of every word's query", True),
        Option(f"all {d} numbers for a part of the words", False, "Vectors are cut, the sentence is not."),
        Option(
            f"all {d} numbers of every word's query",
            False,
            f"Then {n_heads} heads would have {n_heads} times as many numbers as the queries.",
        ),
        because=f"Each row is cut into {n_heads} slices of {d} / {n_heads} = {d_head}.",
    )


def products_for_all_heads(vectors: str, n_heads: int) -> Estimate | None:
    """Ask how many matrix products give the vectors of all heads; None for a single head."""
    if n_heads == 1:
        return None
    return Estimate(
        text=(
            f"A layer has {counted(n_heads, 'head')}. How many products of two matrices does it take to get "
            f"the {vectors} of all heads?"
        ),
        right=1,
        bounds=(0, 64),
        mistaken=mistakes(1, (n_heads, "The matrices of all heads stand side by side in one.")),
        because="The sentence times one matrix gives all columns at once; heads are cut out of the result.",
    )
