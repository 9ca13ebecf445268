"""The documents, what they teach, and where it is in the app."""

from collections.abc import Mapping
from typing import NamedTuple
from urllib.parse import urlencode

from core.model.positions import SCHEMES
from pages.controls.examples import CHEF

NOTE, TEXTBOOK, FNLP, SEQ2SEQ = "CS 224N note", "Textbook", "FNLP slides", "Seq2seq slides"

DOCUMENTS = {
    NOTE: "The lecture note on self-attention and Transformers of CS 224N, Natural Language Processing with "
    "Deep Learning, as of 2023; two scans of one text that differ in single signs",
    TEXTBOOK: "Russell and Norvig, *Artificial Intelligence: A Modern Approach*, 4th edition: section 24.4, "
    "*The Transformer Architecture*, from self-attention to a layer of a Transformer",
    FNLP: "Lecture slides of FNLP on self-attention, several heads and the Transformer, after the tutorial "
    "of Bloem (2019)",
    SEQ2SEQ: "Lecture 10 of USC CSCI 544, Applied NLP, fall 2024, by Swabha Swayamdipta: "
    "*Sequence-to-Sequence Modeling with Encoder-Decoder Architectures*",
}
"""The documents by the names that equations and slips are cited with."""


class Link(NamedTuple):
    """A place in the app: what the link says, the address of the page, and its parameters there."""

    label: str
    address: str
    parameters: Mapping[str, str | int] = {}

    @property
    def path(self) -> str:
        """The link as a browser takes it."""
        return f"/{self.address}{'?' if self.parameters else ''}{urlencode(self.parameters)}"


class Concept(NamedTuple):
    """Something the documents teach: where in each of them, and where in the app; nowhere as yet if empty."""

    title: str
    treated: Mapping[str, str]
    links: tuple[Link, ...] = ()


def _explorer(label: str, **parameters: str | int) -> Link:
    return Link(f"Explorer: {label}", "explorer", parameters)


def _distance(label: str, parameters: Mapping[str, str | int]) -> Link:
    return Link(f"Interaction distance: {label}", "interaction-distance", parameters)


def _order(view: str) -> Link:
    return Link(f"Order invariance: {view}", "order-invariance", {"view": view})


def _blocks(view: str) -> Link:
    return Link(f"Blocks: {view}", "blocks", {"view": view})


def _steps(part: str) -> Link:
    return Link(f"Step by step: {part}", "step-by-step", {"view": part})


def _positions(scheme: str) -> Link:
    return Link(f"Positions: {scheme}", "positions", {"view": scheme})


def _masking(view: str) -> Link:
    return Link(f"Masking: {view}", "masking", {"view": view})


def _architectures(view: str, label: str = "", **parameters: str | int) -> Link:
    name = f"Architectures: {label or view}"
    return Link(name, "architectures", {"view": view, **parameters})


def _translation(view: str, label: str = "", **parameters: str | int) -> Link:
    return Link(f"Translation: {label or view}", "translation", {"view": view, **parameters})


def _gradients(view: str) -> Link:
    return Link(f"Gradients: {view}", "gradients", {"view": view})


def _generation(view: str, **parameters: str | int) -> Link:
    return Link(f"Generation: {view}", "generation", {"view": view, **parameters})


def _classification(view: str, **parameters: str | int) -> Link:
    return Link(f"Classification: {view}", "classification", {"view": view, **parameters})


def _heads(about: str) -> Link:
    return Link(f"Heads: {about}", "heads", {"view": about})


STEPS = Link("Step by step", "step-by-step")

CONCEPTS: dict[str, Concept] = {
    "C1": Concept(
        "Softmax over the last axis",
        {NOTE: "eq 2–3"},
        (_explorer("from scores to weights", view="stages"), STEPS),
    ),
    "C2": Concept(
        "Recurrent networks and LSTMs as language models",
        {NOTE: "eq 4, 18–20", SEQ2SEQ: "recap of recurrent nets, LSTMs"},
        (
            _distance("trained ones beside attention", {"view": "agreement"}),
            _architectures("recurrent", "RNN"),
            _architectures("recurrent", "LSTM", network="LSTM"),
            _gradients("gates"),
            _generation("memory", writer="LSTM"),
        ),
    ),
    "C3": Concept(
        "Serial operations of an unrolled network",
        {NOTE: "Figure 1", SEQ2SEQ: "parallelizability"},
        (_distance("serial operations", {"count": "serial operations"}), _generation("cost")),
    ),
    "C4": Concept(
        "Interaction distance, and its price",
        {NOTE: "Figure 2"},
        (
            _distance("from *tea*", {"from": 5, "to": 1}),
            _distance("from *chef* to *is*", {"text": CHEF, "from": 2}),
            _distance("the price", {"view": "price"}),
        ),
    ),
    "C5": Concept(
        "Query, key and value; weights; weighted average; matrices",
        {
            NOTE: "eq 7–8, 25–26",
            TEXTBOOK: "section 24.4",
            FNLP: "more advanced self-attention",
            SEQ2SEQ: "self-attention",
        },
        (_explorer("one weight's calculation", view="matrix", model="random", query=2, key=1), STEPS),
    ),
    "C6": Concept(
        "Self-attention without parameters, and why a word attends to itself",
        {TEXTBOOK: "section 24.4", FNLP: "self-attention"},
        (_steps("without parameters"),),
    ),
    "C7": Concept(
        "Scores are not symmetric once queries differ from keys",
        {TEXTBOOK: "section 24.4"},
        (_explorer("scores both ways", view="stages", mask="bidirectional"), _steps("Q = K")),
    ),
    "C8": Concept(
        "Attention as a soft look-up among keys and values",
        {NOTE: "section 2", SEQ2SEQ: "lookup tables"},
        (_steps("soft lookup"),),
    ),
    "C9": Concept(
        "Order invariance",
        {NOTE: "eq 9–11", FNLP: "self-attention"},
        (_order("one word"), _order("every setting")),
    ),
    "C10": Concept(
        "Positions: learned, sinusoidal, linear bias",
        {NOTE: "eq 12–13", FNLP: "position encodings"},
        (
            _positions("all schemes"),
            *(_positions(name) for name, scheme in SCHEMES.items() if scheme.injection_point()),
        ),
    ),
    "C11": Concept(
        "Two layers of attention without a nonlinearity are one",
        {NOTE: "eq 14–16", SEQ2SEQ: "weighted averages"},
        (_blocks("two layers in one"),),
    ),
    "C12": Concept(
        "The feed-forward layer acts on each position alone",
        {NOTE: "eq 17", TEXTBOOK: "section 24.4.2", FNLP: "the Transformer"},
        (_blocks("one position"),),
    ),
    "C13": Concept(
        "Masking of the future",
        {NOTE: "eq 21, footnote 4, Figure 3", FNLP: "masking", SEQ2SEQ: "future information"},
        (*map(_masking, ("paint", "mask values", "gradient")),),
    ),
    "C14": Concept(
        "Several heads: standard, narrow and wide",
        {NOTE: "eq 22–26", TEXTBOOK: "section 24.4", FNLP: "multi-head attention", SEQ2SEQ: "heads"},
        (
            *map(_heads, ("one and many", "two things", "three kinds", "reshape", "rank")),
            _explorer("all heads"),
        ),
    ),
    "C15": Concept(
        "Layer normalisation of each token",
        {NOTE: "eq 27–28", FNLP: "the Transformer"},
        (_blocks("layer norm"),),
    ),
    "C16": Concept(
        "Residual connections, pre- and post-norm, gradients at the start",
        {NOTE: "eq 29–31", TEXTBOOK: "section 24.4.2", FNLP: "the Transformer"},
        tuple(map(_blocks, ("residual connections", "residual stream", "depth", "warm-up"))),
    ),
    "C17": Concept(
        "Division of the scores by √d",
        {NOTE: "eq 32", TEXTBOOK: "section 24.4", FNLP: "scaling the dot product"},
        (Link("Scaling", "scaling"), _explorer("without the division", view="stages", scale="false")),
    ),
    "C18": Concept(
        "Encoder, decoder, and the two together by cross-attention",
        {NOTE: "eq 33–36, Figures 4–6"},
        (
            *map(_architectures, ("encoder", "decoder", "encoder–decoder", "parameters")),
            _translation("cross-attention"),
            _translation("knock out"),
        ),
    ),
    "C19": Concept(
        "From states to probabilities: the next word, a masked word",
        {NOTE: "section 3.5", SEQ2SEQ: "RNN language models"},
        (
            _explorer("from a state to probabilities", view="probabilities"),
            _explorer("a masked word", view="probabilities", mask="bidirectional"),
            _explorer("the words a model expects", view="matrix"),
        ),
    ),
    "C20": Concept(
        "Generation word by word",
        {FNLP: "masking", SEQ2SEQ: "generation with RNN language models"},
        (
            *map(_generation, ("side by side", "surprisal", "cost", "fed back")),
            _translation("translate", "sampled", way="sampled"),
            _translation("translate", "beam search", way="beam"),
        ),
    ),
    "C21": Concept(
        "Classification of a sentence: last state, mean, maximum",
        {FNLP: "movie classification", SEQ2SEQ: "sequence classification"},
        (
            _classification("one review"),
            _classification("contributions"),
            _classification("flips"),
            _classification("forgetting"),
        ),
    ),
    "C22": Concept(
        "Recurrent encoder and decoder, the bottleneck, and attention between them",
        {FNLP: "encoder-decoder with attention", SEQ2SEQ: "attention mechanism, variants"},
        (
            _architectures("recurrent", "the fixed vector", network="encoder–decoder"),
            _architectures("recurrent", "attention added to it", network="with attention"),
            _translation("bottleneck"),
            _translation("alignment for free"),
            _translation("cross-attention", "cross-attention of an LSTM", translator="LSTM"),
            _translation("teacher forcing"),
        ),
    ),
    "C23": Concept(
        "Vanishing gradients, and what the LSTM changes",
        {FNLP: "encoder-decoder with attention", SEQ2SEQ: "vanishing gradient"},
        (
            Link("Gradients: distance", "gradients"),
            _gradients("Jacobians"),
            _gradients("gates"),
            _gradients("clipping"),
            _distance("influence of every word", {"view": "influence"}),
        ),
    ),
    "C24": Concept(
        "The models with names: BERT, GPT-2, BLOOM, BART, T5",
        {NOTE: "sections 2.2, 3.5–3.7", SEQ2SEQ: "summary of sequence-to-sequence"},
        (
            _explorer("real weights", model="real"),
            _explorer("similarity", view="similarity", model="real"),
            Link("Step by step: real weights", "step-by-step", {"size": "full", "model": "real"}),
        ),
    ),
}
"""Every concept by its number, in the order in which it is taught."""
