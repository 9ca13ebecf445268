"""Cross-attention: what each word of the translation attends to, and how well that aligns the words."""

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import pandas as pd

from core.learning.collection.translators import TranslatorConfig
from core.learning.evaluation.translation import SENTENCES
from core.measures.translation.alignment import (
    Judged,
    chance,
    cost,
    judged,
    judged_by_place,
    n_right,
    pair_of,
    rates_of_test_set,
    share_aligned,
    targets_of,
)
from core.measures.translation.attending import Attending, attending
from core.measures.translation.writing import Strategy
from core.model.alignment import SCORE_FUNCTIONS
from core.model.recurrent_pair import RecurrentPairConfig
from core.programs import Call, calling
from core.sources.translators import load_translator, record_of_translator
from core.text.language import START
from core.text.tokenizer import MAX_WORDS
from core.text.translation import Translation
from core.words import counted, per_cent
from pages.contract.ask import Ask
from pages.contract.loading import those_there
from pages.contract.look import Look
from pages.contract.memory import remembered
from pages.contract.parameters import options_of
from pages.contract.predict import choose, exceeds, luck
from pages.contract.program import Program
from pages.contract.prose import literal
from pages.contract.question import Choose, Option
from pages.contract.scene import Scene
from pages.contract.sheet import (
    Changes,
    Columns,
    Fold,
    Link,
    Part,
    Point,
    Remark,
    Sheet,
    Shown,
    Text,
    TextTable,
)
from pages.contract.view import view
from pages.translation.in_pieces import real_cross_attention
from pages.translation.kinds import CROSS, DECODER, ENCODER, PARTS, ROWS, heading_of, roles_of
from pages.translation.source_sentence import ONE, SourceSentence, source_of, without_attention, written
from pages.translation.translator import RealPair
from viz.alignment import alignment
from viz.bar_rows import bars
from viz.head_effects import name_of

OWN, REFERENCE = options_of("target")
WIDTH = 560
N_TESTED = 2 * SENTENCES
"""How many sentences alignment is measured on, as in the records of translators."""

NOT_MEASURED = "not measured"
UNTAUGHT = "Nobody has told the model which words belong together: training asked for the next word alone."
ALIGNED = (
    "Attention aligns a content word (noun, name, adjective or verb) if the word attends most to a source "
    f"word that it translates. Measured on {N_TESTED} test sentences."
)


@view(
    question="Which source words does a translation attend to?",
    about="head",
    defaults={"layer": 2},
    pieces=MAX_WORDS,
    **ONE,
)
def cross_attention(ask: Ask, scene: Scene) -> Sheet:
    """Show the weights of one head, and how well every head or score function aligns words."""
    if isinstance(scene.switches, RealPair):
        return real_cross_attention(ask, scene, who_attends())
    here = source_of(scene)
    translator = here.translator
    pair, has_heads = translator.pair, translator.is_transformer
    if not translator.attends:
        return without_attention(here)
    kind = str(ask.choice("kind", hide_label=True)) if has_heads else CROSS
    target, left_right = _target(ask, here), ask.look.columns((5, 4), alone=True)
    found = _attending(pair, here.plain, target)
    layers = {CROSS: found.cross, ENCODER: found.encoder, DECODER: found.decoder}[kind]
    queries = {CROSS: found.written, ENCODER: here.labels, DECODER: found.fed}[kind]
    keys = found.fed if kind == DECODER else here.labels
    pattern, place = layers[scene.layer, scene.head], f"head {scene.head + 1} of layer {scene.layer + 1}"
    exact = here.reference.translation
    exact = exact if kind == CROSS and exact is not None and exact.words == target else None
    if kind != CROSS:
        answer = largest_weight(pattern, queries, keys, f"{place} of the {kind}")
        beside: tuple[Part, ...] = (Text(ROWS[kind]),)
    else:
        rates, subject = _rates(pair), place if has_heads else f"the {translator.name}"
        row = rates[(rates["layer"] == scene.layer + 1) & (rates["head"] == scene.head + 1)].iloc[0]
        answer = headline(subject, share_aligned(float(row["content words"])), judged_by_place().hits)
        here_too = in_this_sentence(pattern, exact, subject) if exact is not None else ""
        best = best_aligned(rates) if has_heads else ""
        beside = (
            *_compared(here, rates, layers, exact, left_right[1]),
            Text(" ".join(filter(None, (ROWS[CROSS], UNTAUGHT, ALIGNED, here_too, best)))),
            *(() if has_heads else score_functions(_judged())),
            error_rates(subject, row, judged_by_place()),
        )
    weights = _weights(here, kind, pattern, (queries, keys), exact, left_right[0])
    return Sheet(
        answer=answer,
        below_sentence=here.below,
        parts=(Columns(((weights,), beside), (5, 4), alone=True),),
        questions=lambda: (who_attends(), who_aligns()),
        program=lambda: Program(
            lambda: calling(
                "Attention while a translation is written: a row for every word that is read or written.",
                attending,
                Call(load_translator, pair, here.plain),
                target,
                shows=(f".{PARTS[kind]}[{scene.layer}, {scene.head}]",),
            )
        ),
    )


def _target(ask: Ask, here: SourceSentence) -> tuple[str, ...]:
    """Return the translation that is written: asked for if the model's own differs from that of the rules."""
    own = written(here.translator.pair, here.plain, Strategy()).sentence
    exact = here.reference.translation
    if exact is None or exact.words == own:
        return own
    return own if ask.choice("target") == OWN else exact.words


@remembered()
def _attending(pair: TranslatorConfig, words: tuple[str, ...], target: tuple[str, ...]) -> Attending:
    return attending(load_translator(pair, words), target)


@remembered(saying="Aligning test sentences …")
def _rates(pair: TranslatorConfig) -> pd.DataFrame:
    return rates_of_test_set(load_translator(pair, (START,)).model)


def _judged() -> dict[str, Judged]:
    """Return the records of the LSTMs that are there, by their score functions."""
    return those_there(
        lambda score: judged(record_of_translator(pair_of(score))),
        {score: score for score in SCORE_FUNCTIONS},
    )


def _weights(
    here: SourceSentence,
    kind: str,
    pattern: np.ndarray,
    sides: tuple[Sequence[str], Sequence[str]],
    exact: Translation | None,
    look: Look,
) -> Shown:
    """Return the weights of the chosen head; the links of the rules are outlined."""
    named = heading_of(kind)
    picture = alignment(
        pattern,
        *sides,
        title=f"{named}, {here.scene.place}" if here.translator.is_transformer else named,
        short=f"{kind.capitalize()}, {here.scene.place}",
        theme=look.theme,
        exact=[(t, s) for s, t in exact.alignment] if exact is not None else [],
        signed=here.translator.signed,
        roles=roles_of(kind),
        size=look.room(WIDTH),
    )
    return Shown("alignment", picture)


def _compared(
    here: SourceSentence, rates: pd.DataFrame, layers: np.ndarray, exact: Translation | None, look: Look
) -> tuple[Part, ...]:
    """Return bars for every head, or for every score function; a click chooses one."""
    pair, scene = here.translator.pair, here.scene
    if isinstance(pair, RecurrentPairConfig):
        known = {score: one.hits for score, one in _judged().items() if not np.isnan(one.hits)}
        if pair.attention not in known or pair != pair_of(pair.attention):
            return ()
        scores = list(known)
        shares = {"test sentences": list(known.values())}
        chosen = scores.index(pair.attention)
        return _bars(shares, scores, "score function", chosen, lambda at: {"attention": scores[at]}, look)
    n_heads = here.translator.config.n_heads
    names = [name_of(*head) for head in zip(rates["layer"], rates["head"], strict=True)]
    shares = {"test sentences": [share_aligned(float(rate)) for rate in rates["content words"]]}
    if exact is not None and (n := len(targets_of(exact, content=True))):
        heads = (head for layer in layers for head in layer)
        shares["this sentence"] = [n_right(head, exact, content=True) / n for head in heads]

    def choose_head(at: int) -> Changes:
        return {"layer": at // n_heads + 1, "head": at % n_heads + 1}

    return _bars(shares, names, "head", scene.layer * n_heads + scene.head, choose_head, look)


def _bars(
    shares: Mapping[str, Sequence[float]],
    names: Sequence[str],
    of: str,
    chosen: int,
    choose_one: Callable[[int], Changes],
    look: Look,
) -> tuple[Part, ...]:
    """Return the shares of content words aligned, by head or by score function, below their title."""
    values, title = np.array(list(shares.values())), f"Share of content words that each {of} aligns"
    picture = bars(
        values,
        dict(zip(shares, (look.theme.attention, look.theme.selection), strict=False)),
        names,
        title=title,
        theme=look.theme,
        narrow=look.is_narrow,
        table=lambda: pd.DataFrame(values.T, index=pd.Index(names, name=of), columns=list(shares)),
        top=1.0,
        chosen=chosen,
    )

    def on_click(points: Sequence[Point], link: Link) -> Changes:
        return choose_one(points[-1]["data"][1])

    return Text(f"**{title}**{' (layer.head)' if of == 'head' else ''}"), Shown("aligned", picture, on_click)


def headline(subject: str, share: float, by_place: float) -> str:
    """Return how many content words are aligned, against the source word at the same relative place."""
    is_more = exceeds(share, by_place, luck(share, by_place, N_TESTED))
    against = {True: "more than", False: "fewer than", None: "about as many as"}[is_more]
    return (
        f"{subject[:1].upper()}{subject[1:]} aligns {per_cent(share)} of content words, {against} relative "
        f"place does ({per_cent(by_place)})."
    )


def best_aligned(rates: pd.DataFrame) -> str:
    """Return which head aligns content words best, chosen on sentences other than those it is rated on."""
    best = rates[rates["best"]].iloc[0]
    return (
        f"On {SENTENCES} other sentences, head {best['head']:.0f} of layer {best['layer']:.0f} aligns most. "
        f"On these {N_TESTED} it aligns {per_cent(share_aligned(float(best['content words'])))}."
    )


def in_this_sentence(weights: np.ndarray, exact: Translation, subject: str) -> str:
    """Return how many content words of this translation are aligned; nothing if it has none."""
    n, right = len(targets_of(exact, content=True)), n_right(weights, exact, content=True)
    return f"In this translation {subject} aligns **{right} of {counted(n, 'content word')}**." if n else ""


def largest_weight(pattern: np.ndarray, queries: Sequence[str], keys: Sequence[str], place: str) -> str:
    """Return the largest weight of a head that attends within one language."""
    query, key = (int(at) for at in np.unravel_index(pattern.argmax(), pattern.shape))
    return (
        f"The largest weight of {place} is {pattern[query, key]:.2f}: *{literal(queries[query])}* attends to "
        f"*{literal(keys[key])}*."
    )


def error_rates(subject: str, row: pd.Series, placed: Judged) -> Fold:
    """Return the alignment error rates of a head and of the baseline, and what they are."""
    rates = [row["content words"], row["all words"], placed.content_error, placed.error]
    content, every, content_by_place, by_place = (per_cent(float(rate)) for rate in rates)
    told = (
        "The *alignment error rate* is 1 − 2 · right links / (links found + links by the rules). Each word "
        "of the translation links to the source word that it attends to most. "
        f"{subject[:1].upper()}{subject[1:]}: {content} on content words, {every} on all words. The source "
        f"word at the same relative place: {content_by_place} and {by_place}. A source word at random is "
        f"right for {per_cent(chance())} of content words. The model is given the right translation to write."
    )
    return Fold("Alignment error rate and baselines", (Remark(told),))


def score_functions(known: Mapping[str, Judged]) -> tuple[Part, ...]:
    """Return the table of the score functions that are there: formula, cost and worth."""
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
        about, price = SCORE_FUNCTIONS[score].about, cost(score)
        worth = (NOT_MEASURED if np.isnan(share) else per_cent(share) for share in (one.right, one.hits))
        counts = (f"{price.parameters:,}", f"{price.multiplications:,}")
        rows.append(" | ".join((about.title, f"${about.formula}$", *counts, *worth)))
    sources = "; ".join(dict.fromkeys(SCORE_FUNCTIONS[score].about.source for score in known))
    told = (
        "$q$ is a state of the decoder, $h_j$ one of the encoder. A softmax over $j$ follows, except for "
        "*linear*. Multiplications are those for one pair of states. All numbers are of LSTMs. *Linear*: "
        f"{SCORE_FUNCTIONS['linear'].about.says} Its colours have a scale of their own, and the largest "
        f"weight in size counts. Formulas: {sources}."
    )
    table = TextTable("scores", "\n".join(f"| {row} |" for row in rows), title="Score functions")
    return (Fold("Score functions: formula, cost and worth", (table, Remark(told))),)


def who_attends() -> Choose | None:
    """Ask what a row and a column of cross-attention are."""
    return choose(
        "In cross-attention, what attends to what?",
        Option("each word of the translation to the words of the source", True),
        Option(
            "each word of the source to the words of the translation",
            False,
            "The source is read before anything is written. The word to be written is the query.",
        ),
        Option(
            "each word of the source to each other",
            False,
            "Cross-attention has no row for a word of the source.",
        ),
        Option(
            "each word of the translation to those before it",
            False,
            "Cross-attention has no column for a word of the translation.",
        ),
        because="The word that is being written is the query, and the words of the source are the keys.",
    )


def who_aligns() -> Choose | None:
    """Ask what a translator was told of the words that belong together."""
    return choose(
        "Translators learn which word of the source belongs to which word of the translation. From what?",
        Option("from predicting the next word", True),
        Option(
            "from a dictionary", False, "They have none: they are shown sentences with their translations."
        ),
        Option(
            "from links between words in the training data",
            False,
            "The rules give such links, but no translator was shown one.",
        ),
        because="Their loss is computed from the next words alone, and never from links between words.",
    )
