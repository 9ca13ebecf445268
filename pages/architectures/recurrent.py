"""Recurrent: language models and encoder–decoders without self-attention, drawn as they compute."""

from collections.abc import Mapping

from core.learning.tasks import TRANSLATION
from core.measures.architectures.models import Counts, counts
from core.measures.architectures.unrolled import (
    LANGUAGE_MODELS,
    Row,
    Unrolled,
    pair_config,
    unrolled_language_model,
    unrolled_pair,
)
from core.model.recurrent_pair import RecurrentEncoderDecoder
from core.programs import Call
from core.programs.tensors import read_and_fed, tensors_program
from core.sources.trained import load_rival, load_translator
from core.text.language import encode
from pages.architectures.descriptions import formula_of
from pages.architectures.drawing import PRINTS, no_translation
from pages.architectures.encoder_or_decoder import MOST, SHARED_TABLE
from pages.architectures.part import line_of, parameters_fold
from pages.architectures.unrolled import (
    ATTENDS,
    DRAWN,
    FIXED,
    LSTM,
    READ,
    RNN,
    cell_parts,
    title_of,
    unrolled_picture,
)
from pages.contract.ask import Ask, numbered
from pages.contract.caching import cached_for_all
from pages.contract.examples import MARIA
from pages.contract.model_descriptions import in_words, member, trained_on
from pages.contract.question import Estimate
from pages.contract.question_builders import mistakes
from pages.contract.scene import Scene
from pages.contract.sheet import Caption, Columns, Controls, Part, PicturePart, Program, Sheet, Text
from pages.contract.view import view
from pages.contract.words import marked
from viz.architectures.unrolled import MOST as MOST_DRAWN
from viz.architectures.values import Vectors
from words import counted, each_of

PART, CELL_WORD = "part", "cell_word"
"""Spot of the menu of rows, and parameter of the word that an LSTM reads."""

MORE: Mapping[str, str] = {
    RNN: "Each box of a layer is a step. It makes a new state, a vector, from two vectors: the state on its "
    "left and the vector below.",
    LSTM: "Every box passes on a cell with its state. Three gates have values from 0 to 1. They decide how "
    "much of the cell is kept, how much is added, and how much the state shows. The other drawing is the "
    "inside of one box.",
    ATTENDS: "A learned matrix makes one vector from the state and the context, and the output layer reads "
    "this vector. Cross-attention in a Transformer also makes a weighted sum of vectors of the encoder. A "
    "step is drawn over the word that it has read, and writes the next word.",
}
"""Further explanation of a drawing."""

PARAMETERS_TOLD = "All steps share the same parameters: a longer sentence needs no more of them."

LANGUAGE: Mapping[str, str] = {RNN: LANGUAGE_MODELS["rnn"], LSTM: LANGUAGE_MODELS["lstm"]}
"""The language models of the collection by their networks; the other networks translate."""


@view(question="How did recurrent networks read, and translate, before the Transformer?", sentence=MARIA)
def recurrent(ask: Ask, scene: Scene) -> Sheet:
    """Draw a network unrolled over the words, and the results of one of its rows."""
    network = ask.choice("network", hide_label=True)
    seen, n_parameters = _seen(scene.words, network)
    n, m, step = len(seen.source), len(seen.target), None
    if network == ATTENDS:
        shown, usual = seen.target[:MOST_DRAWN], peak_step(seen)
        step = ask.word("decoder_step", shown, unchosen=numbered(shown, usual))
        step = usual if step is None else step
    row = _ask_row(ask, seen)
    cell: tuple[Part, ...] = ()
    if network == LSTM:
        with ask.at(READ):
            read = ask.word(CELL_WORD, scene.words, usual=len(scene.words) // 2) or 0
        cell = cell_parts(scene, seen, read, layer_of(row.name))
    # A hall sees the formula of no row, so the row at first has no frame there.
    chosen = row.name if not ask.look.fills or ask.parameters.spellings(PART) else ""
    drawn: tuple[Part, ...] = (
        unrolled_picture(network, seen, chosen, step or 0),
        *further_remarks(network, n, m),
    )
    is_inside_asked = bool(ask.parameters.spellings(CELL_WORD))
    columns = (*cell, *drawn) if ask.look.fills and is_inside_asked else (*drawn, *cell)
    return Sheet(
        headline=headline(network, n, m, seen.config.d_model),
        notes=no_translation(seen.why_no_translation),
        unknown=tuple(seen.unknown),
        caption=Caption(models=lambda: (_described(network),)),
        parts=(
            Columns(
                (
                    (
                        *columns,
                        parameters_fold(
                            {DRAWN[network]: n_parameters},
                            f"{PARAMETERS_TOLD}{'' if network in LANGUAGE else SHARED_TABLE}",
                        ),
                        Text(weights(network, seen.config.n_layers), "remark"),
                    ),
                    _row(network, seen, row),
                ),
                (3, 2),
                alone=True,
            ),
        ),
        questions=lambda: (recurrence_question(network, seen),),
        program=lambda: Program(lambda: _program(scene, seen, network), prints=PRINTS),
    )


def _described(network: str) -> str:
    """Return the network in words."""
    if network in LANGUAGE:
        return member(LANGUAGE[network])
    return in_words(pair_config(attends=network == ATTENDS), trained_on(TRANSLATION.name))


def _ask_row(ask: Ask, seen: Unrolled) -> Row:
    titles = {title_of(name): name for name in seen.rows}
    first = next(title for title in titles if title.endswith("states") or "layer 1" in title)
    with ask.at(PART):
        return seen.rows[titles[ask.menu("part", options=list(titles), default=first, width=300)]]


@cached_for_all()
def _seen(words: tuple[str, ...], network: str) -> tuple[Unrolled, Counts]:
    if network in LANGUAGE:
        language_model = load_rival(LANGUAGE[network])
        return unrolled_language_model(language_model, words), counts(language_model)
    model = load_translator(pair_config(attends=network == ATTENDS), words).model
    assert isinstance(model, RecurrentEncoderDecoder), "the configuration says so"
    return unrolled_pair(model, words), counts(model)


def peak_step(seen: Unrolled) -> int:
    """Return the drawn step with the largest weight."""
    assert seen.alignment is not None, "asked of a network with attention alone"
    return int(seen.alignment[: len(seen.target[:MOST_DRAWN])].max(axis=1).argmax())


def layer_of(row: str) -> int:
    """Return the layer of a row, counted from 0; 0 for a row of no layer."""
    return int(row.split(".")[1]) if row.startswith("layers.") else 0


def headline(network: str, n: int, m: int, d_model: int) -> str:
    """Return how this network handles `n` words of the source and `m` positions of a decoder."""
    steps = "one word is one step" if n == 1 else f"{n} words are {n} steps, one after the other"
    return {
        RNN: f"Every state of layer 1 is computed from the state before it and one word: {steps}.",
        LSTM: f"Every state of layer 1 is computed from one word and the state and cell before it: {steps}.",
        FIXED: f"All that the decoder knows about {counted(n, 'word')} passes through one vector of "
        f"{d_model} numbers, however long the sentence is. This is the bottleneck.",
        ATTENDS: f"In {each_of(m, 'step')}, the decoder compares its state with "
        f"{counted(n, 'state')} of the encoder and takes a weighted sum of the states.",
    }[network]


def further_remarks(network: str, n: int, m: int) -> tuple[Text, ...]:
    """Return the further explanation of the drawing."""
    cut = f"The drawing shows the first {MOST_DRAWN} words." if max(n, m) > MOST_DRAWN else ""
    said = " ".join(filter(None, (MORE.get(network, ""), cut)))
    return (Text(said),) if said else ()


def weights(network: str, n_layers: int) -> str:
    """Return the training task of the network."""
    if network in LANGUAGE:
        layers = counted(n_layers, "layer")
        return f"Trained to predict the next word: `{LANGUAGE[network]}`, which comes with the app, {layers}."
    attention = "" if network == ATTENDS else "&attention=none"
    return f"Trained to translate: see the page [Translation](/translation?translator=RNN{attention})."


def _row(network: str, seen: Unrolled, row: Row) -> tuple[Part, ...]:
    """Return the formula of a row, its vectors and its line in the program."""
    end = row.name.rpartition(".")[2]
    of_encoder = row.name.startswith("encoder.") or not seen.target
    words = marked(seen.source, seen.unknown) if of_encoder else seen.target
    if end == "vector":
        words = ("fixed vector",)
    formula = formula_of(end, seen.config)
    heading = f"{DRAWN[network]}, {title_of(row.name).replace(': ', ', ')}"
    return (
        Controls(PART),
        *((formula,) if formula is not None else ()),
        PicturePart("computed", Vectors(title=heading, values=row.value, words=words)),
        *line_of(row.place),
    )


def _program(scene: Scene, seen: Unrolled, network: str) -> str:
    if network in LANGUAGE:
        model = Call(load_rival, LANGUAGE[network])
        return tensors_program(model, Call(encode, scene.plain, part=".tokens"))
    model = Call(load_translator, pair_config(attends=network == ATTENDS), scene.plain, part=".model")
    return tensors_program(model, read_and_fed(scene.plain, seen.target))


def recurrence_question(network: str, seen: Unrolled) -> Estimate | None:
    """Ask how a sentence is read, or how it reaches the decoder; None for a single word."""
    n, m = len(seen.source), len(seen.target)
    if n == 1:
        return None
    if network == ATTENDS:
        return n_alignment_weights_question(n, m)
    if network == FIXED:
        handed = sum(row.value.size for name, row in seen.rows.items() if name.endswith(".vector"))
        return fixed_vector_size_question(n, seen.config.d_model, handed)
    return n_steps_question(network, n)


def n_steps_question(network: str, n_words: int) -> Estimate:
    """Ask how many steps a recurrent network takes to read a sentence."""
    return Estimate(
        text=(
            f"A layer of an {network} reads {counted(n_words, 'word')}. How many of its steps come one after "
            "the other?"
        ),
        right=n_words,
        bounds=(0, MOST),
        mistaken=mistakes(n_words, (1, "A recurrent network does not read all words at once.")),
        because=(
            f"Each state is computed from the state{' and cell' * (network == LSTM)} before it and one word, "
            "so each step waits for the step before."
        ),
    )


def fixed_vector_size_question(n_words: int, d_model: int, handed: int) -> Estimate:
    """Ask how many numbers a decoder without attention gets for a sentence, in all layers."""
    return Estimate(
        text=(
            f"An RNN encoder has a state of {d_model} numbers for {each_of(n_words, 'word')}. "
            "How many numbers does it pass to a decoder without attention?"
        ),
        right=handed,
        bounds=(0, MOST),
        mistaken=mistakes(
            handed, (n_words * d_model, "That is what attention reads from: every state of the encoder.")
        ),
        because=(
            "It passes only its last state. Everything about the sentence has to fit into it: the bottleneck."
        ),
    )


def n_alignment_weights_question(n_source: int, n_target: int) -> Estimate:
    """Ask how many weights attention between two recurrent networks has."""
    right = n_source * n_target
    return Estimate(
        text=(
            f"An encoder reads {counted(n_source, 'word')}, and its decoder takes "
            f"{counted(n_target, 'step')}. How many attention weights are there?"
        ),
        right=right,
        bounds=(0, MOST),
        mistaken=mistakes(
            right,
            (n_source, "Each step has its own weights."),
            (n_target, "A step does not choose one word: it has a weight for each."),
        ),
        because=f"Each step has a weight for each word of the source: {n_target} × {n_source}.",
    )
