"""What is said about each stage: its title, its meaning, and where its formula stands."""

from dataclasses import dataclass, replace

from core.measures.stages import Stage
from pages.controls.prose import in_units

NOTE = "CS 224N note"


@dataclass(frozen=True)
class Told:
    """A stage in words. `short` stands below its small picture, `role` is a colour of the theme.

    `source` has its formula, perhaps with columns in place of rows. `slips` are names of SLIPS.
    """

    short: str
    title: str
    role: str
    says: str
    source: str
    slips: tuple[str, ...] = ()


def _projected(letter: str, name: str, role: str, what: str) -> Told:
    big = letter.upper()
    return Told(
        letter,
        name,
        role,
        f"{what} Each row is the vector of a word times the matrix {big} of this head.",
        f"{NOTE}, section 2.1; in matrix form eq 25–26",
    )


TOLD: dict[str, Told] = {
    "embeddings": Told(
        "words",
        "Embeddings",
        "ink",
        "w is one-hot: 1 at the number of its word in the vocabulary, 0 elsewhere. So the product w·E is "
        "the word's row of the embedding table E, of which only the rows of this sentence are shown. "
        "Position and other words do not matter.",
        f"{NOTE}, section 1.1",
    ),
    "states": Told(
        "states",
        "States from below",
        "ink",
        "The output of the layer below: a vector for each word. It depends on all words to which that layer "
        "let the word attend.",
        f"{NOTE}, section 2.3",
    ),
    "segments": Told(
        "segment",
        "Segment added",
        "ink",
        "The model was trained on pairs of sentences and has a vector for each of the two. That of the first "
        "is added to every word.",
        "Devlin et al. 2019, Figure 2",
    ),
    "positions": Told(
        "positions",
        "Positions added",
        "ink",
        "A vector for the position is added to the vector of the word.",
        f"{NOTE}, section 2.2",
    ),
    "embedding norm": Told(
        "norm",
        "Embeddings normalised",
        "ink",
        "What enters the first layer is normalised: each row has its mean subtracted and is divided by its "
        "standard deviation. Then each dimension gets a learned gain and bias.",
        f"Devlin et al. 2019, code; the formula: {NOTE}, eq 28",
    ),
    "norm": Told(
        "norm",
        "Layer normalisation",
        "ink",
        "The mean of each row is subtracted, and the row is divided by its standard deviation. Then each "
        "dimension gets a learned gain and bias, the same for all words.",
        f"{NOTE}, eq 28 and 30; gain and bias: Ba et al. 2016",
    ),
    "q": _projected("q", "Queries", "query", "What each word asks for."),
    "k": _projected("k", "Keys", "key", "What each word can be matched by."),
    "v": _projected("v", "Values", "value", "What each word passes on to the words that attend to it."),
    "scores": Told(
        "scores",
        "Scores",
        "query",
        "The dot product of every query with every key: a row for each query, a column for each key.",
        f"{NOTE}, eq 8 and 25",
    ),
    "scale": Told(
        "scale",
        "Scale",
        "query",
        "The standard deviation of a dot product grows as the root of its number of terms, so each score is "
        "divided by that root.",
        f"{NOTE}, eq 32",
        ("E10",),
    ),
    "bias": Told(
        "bias",
        "Position bias",
        "query",
        "A number that depends on the positions of query and key is added to each score.",
        f"{NOTE}, section 2.2",
    ),
    "mask": Told(
        "mask",
        "Mask",
        "query",
        "A key that the query may not attend to gets the score −∞, which the softmax turns into weight 0.",
        f"Seq2seq slides, future information; {NOTE}, section 2.4 with its footnote 4",
    ),
    "softmax": Told(
        "softmax",
        "Attention weights",
        "query",
        "Each row becomes weights that sum to 1: exp of every score, divided by the sum over the row.",
        f"{NOTE}, eq 8 and 25",
    ),
    "weighted sum": Told(
        "sum",
        "Weighted sum",
        "value",
        "The output of a word is the sum of all values, each multiplied by its attention weight.",
        f"{NOTE}, eq 7, 22 and 26",
        ("E7", "E12"),
    ),
    "heads": Told(
        "heads",
        "Heads concatenated",
        "output",
        "The outputs of all heads are concatenated: each head fills a slice of every row.",
        f"{NOTE}, eq 24",
        ("E4", "E11"),
    ),
    "output": Told(
        "output",
        "Output projection",
        "output",
        "One more matrix mixes the outputs of the heads. The result is the attention output of the layer.",
        f"{NOTE}, eq 24",
    ),
}
"""Every stage by its name in the walk and in the link."""

BY_ROOT_MEAN_SQUARE = Told(
    "norm",
    "Root mean square normalisation",
    "ink",
    "Each row is divided by its root mean square; no mean is subtracted. Then each dimension gets a learned "
    "gain, the same for all words.",
    "Beyond the sources: Zhang & Sennrich 2019, eq 4",
)
"""What is said of a norm that leaves the mean where it is."""

WITH_BIAS = " The model adds a vector b as well, which the note leaves out."


def told_of(stage: Stage, unit: str = "word") -> Told:
    """What is said about this very stage: more where positions enter or a bias vector is added.

    What a row stands for is called `unit`.
    """
    told = TOLD[stage.name]
    if stage.rule == "normalise" and stage.operands[0].before == "RMS":
        told = BY_ROOT_MEAN_SQUARE
    if stage.positions is not None:
        told = replace(told, says=f"{told.says} {stage.positions.says}", slips=stage.positions.slips)
    if any(operand.name == "b" for operand in stage.operands):
        told = replace(told, says=told.says + WITH_BIAS)
    return replace(told, says=in_units(told.says, unit), short=in_units(told.short, unit))


ROLES = {
    "q": "query",
    "Q": "query",
    "k": "key",
    "kᵀ": "key",
    "K": "key",
    "v": "value",
    "V": "value",
    "α": "query",
    "S": "query",
    "S scaled": "query",
    "S biased": "query",
    "S masked": "query",
    "O": "output",
    "Z": "output",
}
"""The colour of a matrix by its name; the others are in ink."""
