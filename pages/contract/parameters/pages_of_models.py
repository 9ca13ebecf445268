"""The parameters of the explorer and of the pages on trained models."""

from core.live import LARGEST_BATCH, MOST_STEPS
from core.measures.classification.reviews import CLASSIFIERS
from core.measures.generation.writing import WRITERS
from core.measures.gradients.distance import FURTHEST
from core.measures.gradients.gates import GATES
from core.measures.gradients.jacobians import RECURRENCES
from core.measures.translation.writing import WIDEST
from pages.contract.parameter import number, one_of, several, spelt, switch, text, word

OF_MODELS = (
    # Explorer
    word(
        "place",
        "After word",
        "The word after which the next is predicted, or else whose row is shown, counted from 1.",
        also=("After token", "Masked word", "Masked token", "Row of word", "Row of token"),
    ),
    several("silenced", "Knock out heads (layer.head)", "The heads that are knocked out, as layer.head."),
    one_of(
        "show",
        "Show",
        "Whether one head, the mean, or the rollout is shown.",
        ("head", "mean over heads", "rollout"),
    ),
    one_of("drawn", "Drawn as", "Whether weights are a matrix or lines.", ("matrix", "lines")),
    one_of(
        "mass",
        "Show the keys that hold this share of each {} (%)",
        "The share of a row's attention that the drawn lines hold together, in %.",
        (50, 75, 90, 100),
        90,
    ),
    text("against", "Sentences to compare it with, one per line", "The sentences that it is compared with."),
    # Interaction distance
    one_of(
        "count", "In the boxes", "The quantity in the boxes.", ("distance from a word", "serial operations")
    ),
    one_of("costs", "Costs", "Whether costs are counted or measured here.", ("counted", "measured")),
    one_of(
        "far", "Task over long distances", "The task by which networks are compared.", ("agreement", "recall")
    ),
    # Order invariance
    one_of("question", "Question", "The question about the two nouns that change places."),
    # Translation
    one_of(
        "translator",
        "Model",
        "Which kind of model translates.",
        ("Transformer", "LSTM", "RNN", "real"),
        also=("Network",),
        names_model=True,
    ),
    one_of(
        "attention",
        "Attention to the source",
        "How a recurrent translator attends to the source.",
        default="dot",
    ),
    one_of(
        "beam",
        "Width",
        "The number of beginnings that beam search keeps.",
        range(1, WIDEST + 1),
        3,
        caption="width {}",
    ),
    text("begins", "Begins with", "How the translation begins.", default="", caption="given beginning: “{}”"),
    one_of("kind", "Attention", "Which attention is shown.", ("cross-attention", "encoder", "decoder")),
    one_of(
        "target",
        "Translation",
        "Which translation the attention belongs to.",
        ("as the model writes it", "by the rules"),
        "by the rules",
        caption="translation {}",
    ),
    word(
        "hidden",
        "Hide the word",
        "The word that is hidden from the model, or replaced by <unk>, counted from 1.",
        selection=False,
        also=("Replace the word",),
    ),
    several("cut", "Knock out", "The parts of the translator that are knocked out."),
    # Classification
    one_of(
        "classifier",
        "Model",
        "The classifier that is shown.",
        tuple(CLASSIFIERS),
        tuple(CLASSIFIERS)[-1],
        names_model=True,
    ),
    # Gradients
    one_of(
        "follow", "Follow back through", "How gradients go back.", ("long text", "my sentence", "Jacobians")
    ),
    one_of("reach", "Words back", "How many words a gradient goes back.", FURTHEST, FURTHEST[1]),
    one_of(
        "recurrence",
        "Recurrent weights",
        "The origin of the recurrent weights.",
        RECURRENCES,
        caption="recurrent weights: {}",
    ),
    one_of(
        "scale_of_weights",
        "Scale of the weights",
        "The factor of the recurrent weights.",
        ("0.5", "0.8", "1", "1.2", "1.5", "2", "3"),
        caption="recurrent weights times {}",
        unsaid="1",
    ),
    one_of("gate", "Gate", "The gate of the LSTM that is drawn.", GATES),
    one_of("lstm", "LSTM", "Whether the LSTM is trained or random.", ("trained", "random")),
    # Generation
    one_of("writer", "Text written by", "Which language model writes the text.", WRITERS),
    one_of(
        "most",
        "Words at most",
        "The largest number of words to write.",
        (1, 4, 8, 12, 16, 24, 32, 48),
        12,
        also=("Tokens at most",),
    ),
    switch("stops", "Stop at the end of the sentence", "Whether writing stops at the end.", default=True),
    spelt("by_hand", meaning="The words chosen by hand in place of a model's own, in their order."),
    one_of("measure", "Measure", "The quantity drawn for each word.", ("surprisal", "probability")),
    one_of("quantity", "Shown", "The part of the memory that is drawn."),
    one_of(
        "cost", "Cost", "Which cost of a text is shown.", ("memory", "serial operations", "time per word")
    ),
    # Training
    one_of("task", "Task", "The task of the training."),
    number(
        "steps", "Steps", "The number of steps of the training.", smallest=1, largest=MOST_STEPS, default=1500
    ),
    one_of(
        "rate",
        "Learning rate",
        "The learning rate of the training.",
        ("0.0005", "0.001", "0.002", "0.005", "0.01", "0.02", "0.05"),
        "0.005",
    ),
    one_of(
        "batch",
        "Batch",
        "The number of sentences in a step.",
        [n for n in (4, 8, 16, 32, 64) if n <= LARGEST_BATCH],
        32,
    ),
    one_of("at", "Attention after step", "The step after which the attention is drawn."),
    # Exam
    spelt("answers", meaning="The answers of an exam, whose result is shown."),
    # Glossary
    text("term", "Term", "The term whose entry is looked up.", default=""),
    # Sources
    one_of("document", "Of", "The document whose concepts and slips are listed."),
)
