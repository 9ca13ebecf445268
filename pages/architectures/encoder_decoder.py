"""Encoder–decoder: both stacks drawn as they compute, and cross-attention between them."""

from collections.abc import Mapping

from core.learning.tasks import TRANSLATION
from core.measures.architectures.diagram import diagram
from core.measures.architectures.models import (
    Counts,
    ModelRun,
    counts,
    pair_model,
    random_pair,
    run_pair,
    trained_pair,
)
from core.model.config import PairConfig
from core.model.models import EncoderDecoder
from core.programs import Call
from core.programs.tensors import read_and_fed, tensors_program
from core.sources.trained import load_translator
from pages.architectures.drawing import PRINTS, model_picture, no_translation, sizes
from pages.architectures.encoder_or_decoder import MOST, SHARED_TABLE
from pages.architectures.part import about_part, ask_part, drawn_place, panel, parameters_fold
from pages.contract.ask import Ask
from pages.contract.caching import cached_for_all
from pages.contract.examples import MARIA
from pages.contract.look import STACKED
from pages.contract.model_descriptions import RANDOM, in_words, trained_on
from pages.contract.question import Estimate
from pages.contract.question_builders import mistakes
from pages.contract.scene import Scene
from pages.contract.sheet import Caption, Columns, Program, Sheet, Text
from pages.contract.static_questions import static_question
from pages.contract.switches import WITHOUT_WINDOW, Architecture
from pages.contract.view import view
from words import counted, each_of

OF_ATTENTION = ("queries", "keys", "values", "output projection")

TRAINED = "The model was trained to translate: see the page [Translation](/translation?view=cross-attention)."
UNTRAINED = (
    "No encoder–decoder was trained with these switches, so its weights are random and have learned nothing."
)
TRAINED_ONES = "Trained models have rotary positions, pre-norm, one or two layers and everything in place."

CROSS_ATTENTION = (
    "Every block of the decoder attends twice. Masked self-attention attends to the words written so far, "
    "and **cross-attention** to the output of the encoder. The decoder writes Verano, a language made for "
    "this app. Its verb comes first: *Maria met Zuko* is *ha enkontrit maria zuko*."
)
"""Explanation of the drawing."""


@view(
    question="How does a decoder use what an encoder has read?",
    sentence=MARIA,
    switches=WITHOUT_WINDOW - {"model", "mask"},
    about="head",
    defaults={"positions": "rotary", "layer": 2},  # these switches have a trained model
)
def encoder_decoder(ask: Ask, scene: Scene) -> Sheet:
    """Draw both stacks on the left, and open the chosen part of them on the right."""
    seen, n_parameters = _seen(scene.words, scene.switches)
    boxes = diagram(seen.anatomy, scene.layer)
    chosen = ask_part(ask, seen, boxes, "decoder: cross-attention")
    drawing = model_picture(seen, boxes, chosen.box, scene.layer)
    n, m, is_trained = len(seen.source), len(seen.target), seen.trained is not None
    return Sheet(
        headline=f"{headline(n, m)} {drawn_place(chosen, scene)}",
        unknown=tuple(seen.unknown),
        caption=Caption(models=lambda: (_described(seen),)),
        notes=(*(() if is_trained else (Text(UNTRAINED, "info"),)), *no_translation(seen.why_no_translation)),
        parts=(
            Columns(
                (
                    (
                        drawing,
                        Text(sizes(seen), "remark"),
                        Text(CROSS_ATTENTION),
                        about_part(seen, chosen, scene),
                        parameters_fold(n_parameters, describe_parameters(n_parameters, seen)),
                        Text(TRAINED if is_trained else TRAINED_ONES, "remark"),
                    ),
                    panel(seen, chosen, scene.head),
                ),
                (3, 2),
                alone=True,
                headline_in=1 if ask.look.page >= STACKED else None,
            ),
        ),
        questions=lambda: (static_question("queries_and_keys"), cross_weights(n, m)),
        program=lambda: Program(lambda: _program(scene, seen), prints=PRINTS),
    )


@cached_for_all()
def _seen(words: tuple[str, ...], switches: Architecture) -> tuple[ModelRun, Mapping[str, Counts]]:
    """Return the translator of the collection for these switches, or else random weights."""
    trained = trained_pair(switches.config)
    if trained is None:
        pair = random_pair(switches.config, switches.seed)
    else:
        model = load_translator(trained, words).model
        assert isinstance(model, EncoderDecoder), "two stacks are a pair"
        pair = model
    by_stack = {stack: counts(pair, stack=stack) for stack in ("encoder", "decoder")}
    return run_pair(pair, words, trained=trained), {**by_stack, "both": counts(pair)}


def _described(seen: ModelRun) -> str:
    """Return the pair in words."""
    return in_words(seen.config, RANDOM if seen.trained is None else trained_on(TRANSLATION.name))


def headline(n: int, m: int) -> str:
    """Return how an encoder of `n` words and a decoder of `m` positions are connected."""
    words = "the one word" if n == 1 else f"all {n} words"
    subject = each_of(m, "position").capitalize()
    return f"{subject} of the decoder attends to {words} of the encoder."


def describe_parameters(found: Mapping[str, Counts], seen: ModelRun) -> str:
    """Return how many parameters attention has in a block of each stack, and where the output counts."""
    encoder, decoder = (
        sum(found[stack].get(part, 0) for part in OF_ATTENTION) // seen.config_of(stack).n_layers
        for stack in ("encoder", "decoder")
    )
    is_tied = seen.config_of("decoder").tied
    return (
        f"Attention has {encoder:,} parameters in a block of the encoder and {decoder:,} in a block of the "
        f"decoder, which attends twice.{SHARED_TABLE if is_tied else ''}"
    )


def _program(scene: Scene, seen: ModelRun) -> str:
    if seen.trained is not None:
        model = Call(load_translator, seen.trained, scene.plain, part=".model")
    else:
        assert isinstance(seen.config, PairConfig), "what was seen is a pair"
        model = Call(pair_model, seen.config, scene.switches.seed)
    return tensors_program(model, read_and_fed(scene.plain, seen.target))


def cross_weights(n_source: int, n_target: int) -> Estimate | None:
    """Ask for the weights of a head of cross-attention; None if all matrices are equally large."""
    right = n_target * n_source
    known = mistakes(
        right,
        (n_source**2, "That is the self-attention of the encoder: its words attend to each other."),
        (n_target**2, "That is the self-attention of the decoder: its words attend to each other."),
    )
    if not known:
        return None
    positions = counted(n_target, "position")
    return Estimate(
        text=(
            f"The encoder reads {counted(n_source, 'word')}, and the decoder has {positions}. How many "
            "attention weights does a head of cross-attention compute?"
        ),
        right=right,
        bounds=(0, MOST),
        mistaken=known,
        because=f"Each position of the decoder attends to each word of the source: {n_target} × {n_source}.",
    )
