"""Cross-attention: where each word of the translation attends, and how well that aligns the words."""

from collections.abc import Sequence

import numpy as np

from core.measures.translation.alignment import judged_by_place, n_right, share_aligned, targets_of
from core.measures.translation.attending import attending
from core.measures.translation.writing import Strategy
from core.programs import Call
from core.sources.trained import load_translator
from core.text.tokenizer import MAX_WORDS
from core.text.translation import Translation
from pages.contract.ask import Ask
from pages.contract.loading import measured
from pages.contract.parameters import options_of
from pages.contract.prose import literal
from pages.contract.question_builders import exceeds, luck
from pages.contract.scene import Scene
from pages.contract.sheet import Columns, Part, PicturePart, Program, Sheet, Text
from pages.contract.static_questions import static_question
from pages.contract.view import view
from pages.translation.aligned import (
    ALIGNED,
    N_TESTED,
    best_aligned,
    compared_shares,
    error_rates,
    judged_by_score,
    rates_of,
    score_functions,
)
from pages.translation.in_pieces import real_cross_attention
from pages.translation.kinds import CROSS, DECODER, ENCODER, PARTS, ROWS, heading_of, roles_of
from pages.translation.source_sentence import ONE, SourceSentence, source_of, without_attention, written
from pages.translation.translator import RealPair
from viz.matrices import Alignment
from viz.text import unique_words
from words import part_of, per_cent

OWN, REFERENCE = options_of("target")


UNTAUGHT = "The training data do not say which words belong together: the loss counts only the next word."


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
        return real_cross_attention(ask, scene, static_question("who_attends"))
    here = source_of(scene)
    translator = here.translator
    pair, has_heads = translator.pair, translator.is_transformer
    if not translator.attends:
        return without_attention(here)
    kind = str(ask.choice("kind", hide_label=True)) if has_heads else CROSS
    target = _target(ask, here)
    found = measured(attending, load_translator, pair, here.plain, target)
    layers = {CROSS: found.cross, ENCODER: found.encoder, DECODER: found.decoder}[kind]
    queries = {CROSS: found.output, ENCODER: here.labels, DECODER: found.decoder_input}[kind]
    keys = found.decoder_input if kind == DECODER else here.labels
    pattern, place = layers[scene.layer, scene.head], f"head {scene.head + 1} of layer {scene.layer + 1}"
    exact = here.reference.translation
    exact = exact if kind == CROSS and exact is not None and exact.words == target else None
    if kind != CROSS:
        answer = largest_weight(pattern, queries, keys, f"{place} of the {kind}")
        beside: tuple[Part, ...] = (Text(ROWS[kind]),)
    else:
        rates, subject = rates_of(pair), place if has_heads else f"the {translator.name}"
        row = rates[(rates["layer"] == scene.layer + 1) & (rates["head"] == scene.head + 1)].iloc[0]
        answer = headline(subject, share_aligned(float(row["content words"])), judged_by_place().hits)
        here_too = in_this_sentence(pattern, exact, subject) if exact is not None else ""
        best = best_aligned(rates) if has_heads and len(rates) > 1 else ""
        beside = (
            *compared_shares(here, rates, layers, exact),
            Text(" ".join(filter(None, (ROWS[CROSS], UNTAUGHT, ALIGNED, here_too, best)))),
            *(() if has_heads else score_functions(judged_by_score())),
            error_rates(subject, row, judged_by_place()),
        )
    if ask.look.fills and kind == CROSS:  # a hall sees the words, and not the end symbol
        pattern, queries = pattern[:-1], queries[:-1]
    weights = _weights(here, kind, pattern, (queries, keys), exact, is_hall=ask.look.fills)
    return Sheet(
        headline=answer,
        below_sentence=here.below,
        parts=(Columns(((weights,), beside), (5, 4), alone=True),),
        questions=lambda: (static_question("who_attends"), static_question("who_aligns")),
        program=lambda: Program.calling(
            "Attention while a translation is written: a row for every word that is read or written.",
            attending,
            Call(load_translator, pair, here.plain),
            target,
            shows=(f".{PARTS[kind]}[{scene.layer}, {scene.head}]",),
        ),
    )


def _target(ask: Ask, here: SourceSentence) -> tuple[str, ...]:
    """Return the written translation; a menu offers the model's and the rules' if they differ."""
    own = written(here.translator.pair, here.plain, Strategy()).sentence
    exact = here.reference.translation
    if exact is None or exact.words == own:
        return own
    return own if ask.choice("target") == OWN else exact.words


def _weights(
    here: SourceSentence,
    kind: str,
    pattern: np.ndarray,
    sides: tuple[Sequence[str], Sequence[str]],
    exact: Translation | None,
    *,
    is_hall: bool,
) -> PicturePart:
    """Return the weights of the chosen head; the links of the rules are outlined, in a hall the largest."""
    named = heading_of(kind)
    query, key = map(int, np.unravel_index(pattern.argmax(), pattern.shape))
    picture = Alignment(
        values=pattern,
        queries=sides[0],
        keys=sides[1],
        title=f"{named}, {here.scene.place}" if here.translator.is_transformer else named,
        short=f"{kind.capitalize()}, {here.scene.place}",
        gold=[(t, s) for s, t in exact.alignment] if exact is not None else [],
        outlined=[(query, key)] if is_hall else [],
        outlined_as="largest weight",
        signed=here.translator.signed,
        roles=roles_of(kind),
    )
    return PicturePart("alignment", picture)


def headline(subject: str, share: float, by_place: float) -> str:
    """Return for how many content words the source word is found, against a guess by relative position."""
    is_more = exceeds(share, by_place, luck(share, by_place, N_TESTED))
    against = {True: "more than", False: "fewer than", None: "about as many as"}[is_more]
    return (
        f"{subject[:1].upper()}{subject[1:]} finds the source word of {per_cent(share)} of content words, "
        f"{against} a guess by position ({per_cent(by_place)})."
    )


def in_this_sentence(weights: np.ndarray, exact: Translation, subject: str) -> str:
    """Return how many content words of this translation are aligned; nothing if it has none."""
    n, right = len(targets_of(exact, content=True)), n_right(weights, exact, content=True)
    if not n:
        return ""
    aligned = part_of(right, n, "content word")
    return f"{subject[:1].upper()}{subject[1:]} aligns **{aligned}** of the translation."


def largest_weight(pattern: np.ndarray, queries: Sequence[str], keys: Sequence[str], place: str) -> str:
    """Return the largest weight of a head that attends within one language."""
    seen = pattern > 0
    has_choice = seen.sum(axis=1) > 1
    free = np.where(has_choice[:, None], pattern, 0) if has_choice.any() else pattern
    query, key = (int(at) for at in np.unravel_index(free.argmax(), pattern.shape))
    where = "" if has_choice.all() or not has_choice.any() else " of a word with several keys"
    one, other = (literal(unique_words(words)[at]) for words, at in ((queries, query), (keys, key)))
    return f"The largest weight{where} in {place} is {pattern[query, key]:.2f}: *{one}* attends to *{other}*."
