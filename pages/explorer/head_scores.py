"""Head scores: shares of every head's attention in a sample, and a sentence that shows one."""

from collections.abc import Sequence

import pandas as pd

from core.measures.heads.sample import (
    ROWS,
    SAMPLE,
    SAMPLE_IN_PIECES,
    shown_texts,
)
from core.measures.heads.scores import (
    ENTROPY,
    FOCUS,
    INDUCTION,
    SPECIAL,
    above_chance,
    measure_heads,
)
from core.measures.heads.sinks import clearly_above
from core.model.masks import NEXT_WORD
from core.text.language import vocabulary
from pages.contract.ask import Ask
from pages.contract.attention import WORDS
from pages.contract.caching import cached_for_all
from pages.contract.loading import loaded
from pages.contract.look import Look
from pages.contract.scene import Scene
from pages.contract.sheet import Changes, Fold, LinkValues, PicturePart, Point, Sheet, Text
from pages.contract.static_questions import static_question
from pages.contract.switches import Architecture
from pages.contract.view import view
from pages.explorer.explored import EXPLORED, weights_program
from pages.explorer.predictions import predicts_next
from viz.head_scores import HeadScores
from words import per_cents

CLEAR = 2
"""Smallest ratio of a share of attention to its share under equal weights that counts as clear."""

LOOKED_AT = {
    "previous word": "the word before",
    "next word": "the word after",
    "itself": "the query word itself",
    "first word": "the first word, from all other words that may attend to it",
    "full stop": "the mark at the end, from all other words that may attend to it",
    "same word": "other mentions of the query word",
    "subject": "a verb's subject",
    "antecedent": "the word that a pronoun stands for",
    "earlier mention": "an earlier mention of the same noun or name",
    SPECIAL: "special tokens, from all words",
    INDUCTION: "the token after an earlier copy of the query token, in repeated random tokens",
}
"""The words whose share of the attention is a score."""

MEANINGS = {
    **{name: f"the share of attention on {what}" for name, what in LOOKED_AT.items()},
    FOCUS: "1 − entropy / the largest possible: 0 if all words get equal weights, 1 if one word gets all",
    ENTROPY: "the entropy of the weights, in bits",
}
"""The meaning of every score."""

SAMPLED = f"Scores are means over {SAMPLE} sentences that no model was trained on."
SAMPLED_IN_PIECES = (
    f"Scores are means over {SAMPLE_IN_PIECES} sentences of a small artificial English. The model reads "
    "tokens, which are merged into words."
)
ON_RANDOM_TOKENS = (
    f"*{INDUCTION.capitalize()}* is measured on {ROWS} rows of random tokens, each repeated once. There only "
    "the earlier copy tells which token comes next (Olsson et al. 2022, section 4)."
)
SOUGHT = "*Subject*, *antecedent* and *earlier mention* are measured at"
SOUGHT_BEFORE = f"{SOUGHT} the word before the verb, the pronoun or the mention."
SOUGHT_THERE = f"{SOUGHT} the verb, the pronoun or the mention itself."
MEASURING = "Measuring every head …"
HOW_TO_READ = (
    "Point at a tile to see what it measures. Click it to open that head on the sentence that shows it best."
)
UNTRAINED = (
    "Random weights attend to nothing in particular: scores differ from equal weights by chance{}. "
    "Choose trained weights to see heads that specialise."
)


@view(question="What does each head attend to, over many sentences?", **EXPLORED)
def head_scores(ask: Ask, scene: Scene) -> Sheet:
    """Show the scores of all heads in one figure."""
    table = cached_head_scores(scene.switches)
    sample = SAMPLED if scene.pieces is None else SAMPLED_IN_PIECES
    sought = SOUGHT_BEFORE if predicts_next(scene) else SOUGHT_THERE
    on_random = [ON_RANDOM_TOKENS] if INDUCTION in set(table["score"]) else []
    near = ", or by ALiBi, which favours near words" * (scene.switches.config.positions == "alibi")
    said = specialist(table) if scene.switches.weights.trained else UNTRAINED.format(near)
    return Sheet(
        headline=describe_head(table, scene.layer, scene.head),
        parts=(
            _picture(scene, table, _drawn(table, ask.look)),
            Text(f"{said} {HOW_TO_READ}"),
            Fold("How heads are measured", (Text(" ".join([sample, sought, *on_random])),)),
        ),
        unknown=tuple(scene.reading.unknown),
        questions=lambda: (static_question("more_than_equal_weights"),),
        program=lambda: weights_program(scene),
    )


@cached_for_all(saying=MEASURING)
def cached_head_scores(switches: Architecture) -> pd.DataFrame:
    """Return the scores of every head of a model; those of a real one take seconds."""
    words = () if switches.weights.pretrained is not None else vocabulary().words
    return measure_heads(loaded(words, switches), width=switches.window)


def _drawn(table: pd.DataFrame, look: Look) -> pd.DataFrame:
    """Return the scores that have tiles: a hall sees only those that equal weights have too."""
    return table[~table["score"].isin((ENTROPY, FOCUS) if look.fills else (ENTROPY,))]


def _picture(scene: Scene, table: pd.DataFrame, drawn: pd.DataFrame) -> PicturePart:
    columns = {
        "measures": table["score"].map(MEANINGS),
        "best shown by": table["sentence"].map(shown_texts().__getitem__),
    }
    top = _top(table, scene.layer, scene.head)
    picture = HeadScores(
        title="Scores of every attention head",
        scores=drawn,
        meanings=MEANINGS,
        make_table=lambda: table.drop(columns=["sentence", "query", "key"]).assign(**columns),
        selected=(scene.layer, scene.head),
        marked=str(top["score"]) if top["above"] > 0 else "",
    )
    return PicturePart(
        "head_scores", picture, on_click=lambda points, link: opened_tile(scene, drawn, points, link)
    )


def opened_tile(scene: Scene, drawn: pd.DataFrame, points: Sequence[Point], link: LinkValues) -> Changes:
    """Return the changes of a click on a tile: its head opens, at the cell that shows the score best."""
    line = points[-1]["data"]
    if line is None or line < 0:  # beside the heads
        return {}
    row = next(drawn.iloc[[line]].itertuples())
    text = shown_texts()[row.sentence]
    if row.score == SPECIAL:  # a control shows or hides its column
        row = row._replace(query=pd.NA, key=pd.NA)
    place = row.query if pd.isna(row.query) else _asked(scene, text, int(row.query))
    places = {"query": row.query, "key": row.key, "place": place}
    cell = {name: None if pd.isna(at) else int(at) + 1 for name, at in places.items()}
    at_head = {"text": text, "layer": row.layer, "head": row.head, "view": "heads", "show": None}
    return {**at_head, **_in_words(scene), **cell}


def _asked(scene: Scene, text: str, word: int) -> int:
    """Return the position of the prediction at a word: its last piece, or its first if it is masked."""
    one = scene.switches.weights.pretrained
    if one is None:
        return word
    pieces = one.split(text)
    words = [group for group in pieces.groups if not pieces.special.issuperset(group)]
    return words[word][-1 if one.objective == NEXT_WORD else 0]


def _in_words(scene: Scene) -> Changes:
    """Return changes that make rows and columns words, which the scores count."""
    if scene.pieces is None:
        return {}
    return {"tokens": WORDS} | ({"special": False} if scene.pieces.special else {})


def describe_head(table: pd.DataFrame, layer: int, head: int) -> str:
    """Return a sentence on the share of a head, counted from 0, that is furthest above equal weights."""
    top = _top(table, layer, head)
    named = f"Head {head + 1} of layer {layer + 1}"
    if top["above"] <= 0:
        return f"{named} puts no more attention on anything measured here than equal weights would."
    return f"{named} {_told_share(top)}."


def _top(table: pd.DataFrame, layer: int, head: int) -> pd.Series:
    """Return the share of a head, counted from 0, that is furthest above equal weights."""
    shares = above_chance(table).query("layer == @layer + 1 and head == @head + 1").dropna(subset=["value"])
    return shares.loc[shares["above"].idxmax()]


def specialist(table: pd.DataFrame) -> str:
    """Return a sentence on the largest share of the table above equal weights, and on its head."""
    shares = above_chance(table).dropna(subset=["value"])
    top = shares.loc[shares["above"].idxmax()]
    named = f"head {top['head']} of layer {top['layer']}"
    if len(table[["layer", "head"]].drop_duplicates()) == 1:
        return f"The only head {_told_share(top)}."
    if top["above"] <= 0:
        return "No head puts more attention on anything measured here than equal weights would."
    if top["value"] >= CLEAR * top["baseline"] or clearly_above(top["value"], top["baseline"]):
        return f"Of all heads, {named} is furthest above equal weights: it {_told_share(top)}."
    return f"No head clearly stands out. Furthest above equal weights is {named}: it {_told_share(top)}."


def _told_share(row: pd.Series) -> str:
    """Return the verb of a sentence on a share, with the numbers of the table."""
    value, equal = per_cents([float(row["value"]), float(row["baseline"])])
    return (
        f"puts {value} of its attention on {LOOKED_AT[row['score']]}. Equal weights would put {equal} there"
    )
