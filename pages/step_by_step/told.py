"""What is said about each stage: its title, its meaning, both forms of its formula, and where they stand."""

from dataclasses import dataclass, replace

from core.measures.stages import Stage
from core.measures.stages.latex import symbol
from pages.controls.prose import in_units

NOTE = "CS 224N note"


@dataclass(frozen=True)
class Told:
    """A stage in words. `short` stands below its small picture, `role` is a colour of the theme.

    `matrix` and `word` are LaTeX: all words at once, and the one word i; ENTERING is what the stage starts
    from. `slips` are names of SLIPS.
    """

    short: str
    title: str
    role: str
    says: str
    matrix: str
    word: str
    source: str
    slips: tuple[str, ...] = ()


def _projected(letter: str, name: str, role: str, what: str) -> Told:
    big = letter.upper()
    return Told(
        letter,
        name,
        role,
        f"{what} Each row is the vector of a word times the matrix {big} of this head.",
        rf"{letter}_{{1:n}} = x_{{1:n}} {big}",
        rf"{letter}_i = {big}^\top x_i",
        f"{NOTE}, section 2.1; in matrix form eq 25–26",
    )


TOLD: dict[str, Told] = {
    "embeddings": Told(
        "words",
        "Embeddings",
        "ink",
        "w is one-hot: 1 at the number of its word in the vocabulary, 0 elsewhere. So the product w·Eᵀ is "
        "the word's row of the embedding table Eᵀ, of which only the rows of this sentence are shown. "
        "Position and other words do not matter.",
        r"x_{1:n} = w_{1:n} E^\top",
        r"x_i = E\, w_i",
        f"{NOTE}, section 1.1",
    ),
    "states": Told(
        "states",
        "States from below",
        "ink",
        "The output of the layer below: a vector for each word. It depends on all words to which that layer "
        "let the word attend.",
        r"x_{1:n} = h_{1:n}^{(\text{layer below})}",
        r"x_i = h_i^{(\text{layer below})}",
        f"{NOTE}, section 2.3",
    ),
    "segments": Told(
        "segment",
        "Segment added",
        "ink",
        "The model was trained on pairs of sentences and has a vector for each of the two. That of the first "
        "is added to every word.",
        r"x'_{1:n} = x_{1:n} + T",
        r"x'_i = x_i + T",
        "Devlin et al. 2019, Figure 2",
    ),
    "positions": Told(
        "positions",
        "Positions added",
        "ink",
        "A vector for the position is added to the vector of the word.",
        r"\tilde{x}_{1:n} = P_{1:n} + x_{1:n}",
        r"\tilde{x}_i = P_i + x_i",
        f"{NOTE}, section 2.2",
    ),
    "embedding norm": Told(
        "norm",
        "Embeddings normalised",
        "ink",
        "What enters the first layer is normalised: each row has its mean subtracted and is divided by its "
        "standard deviation. Then each dimension gets a learned gain and bias.",
        r"\bar{x}_{1:n} = \operatorname{LN}(ENTERING) \odot \gamma + \beta",
        r"\bar{x}_i = \frac{x_i - \hat{\mu}_i}{\hat{\sigma}_i} \odot \gamma + \beta",
        f"Devlin et al. 2019, code; the formula: {NOTE}, eq 28",
    ),
    "norm": Told(
        "norm",
        "Layer normalisation",
        "ink",
        "The mean of each row is subtracted, and the row is divided by its standard deviation. Then each "
        "dimension gets a learned gain and bias, the same for all words.",
        r"\hat{x}_{1:n} = \operatorname{LN}(x_{1:n}) \odot \gamma + \beta",
        r"\hat{x}_i = \frac{x_i - \hat{\mu}_i}{\hat{\sigma}_i} \odot \gamma + \beta",
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
        r"S = q_{1:n}\, k_{1:n}^\top",
        r"s_{ij} = q_i^\top k_j",
        f"{NOTE}, eq 8 and 25",
    ),
    "scale": Told(
        "scale",
        "Scale",
        "query",
        "The standard deviation of a dot product grows as the root of its number of terms, so each score is "
        "divided by that root.",
        r"S_{\text{scaled}} = S / \sqrt{d_{\text{head}}}",
        r"s_{ij} / \sqrt{d_{\text{head}}}",
        f"{NOTE}, eq 32",
        ("E10",),
    ),
    "bias": Told(
        "bias",
        "Position bias",
        "query",
        "A number that depends on the positions of query and key is added to each score.",
        r"S_{\text{biased}} = ENTERING + B",
        r"s_{ij} + B_{ij}",
        f"{NOTE}, section 2.2",
    ),
    "mask": Told(
        "mask",
        "Mask",
        "query",
        "A key that the query may not attend to gets the score −∞, which the softmax turns into weight 0.",
        r"S_{\text{masked}} = ENTERING + M, \quad M_{ij} \in \{0, -\infty\}",
        r"s_{ij} + \begin{cases} 0 & \text{allowed} \\ -\infty & \text{masked} \end{cases}",
        f"Seq2seq slides, future information; {NOTE}, section 2.4 with its footnote 4",
    ),
    "softmax": Told(
        "softmax",
        "Attention weights",
        "query",
        "Each row becomes weights that sum to 1: exp of every score, divided by the sum over the row.",
        r"\alpha = \operatorname{softmax}(ENTERING)",
        r"\alpha_{ij} = \frac{\exp(s_{ij})}{\sum_{j'=1}^{n} \exp(s_{ij'})}",
        f"{NOTE}, eq 8 and 25",
    ),
    "weighted sum": Told(
        "sum",
        "Weighted sum",
        "value",
        "The output of a word is the sum of all values, each multiplied by its attention weight.",
        r"z_{1:n} = \alpha\, v_{1:n}",
        r"z_i = \sum_{j=1}^{n} \alpha_{ij} v_j",
        f"{NOTE}, eq 7, 22 and 26",
        ("E7", "E12"),
    ),
    "heads": Told(
        "heads",
        "Heads concatenated",
        "output",
        "The outputs of all heads are concatenated: each head fills a slice of every row.",
        r"Z = \left[ z^{(1)}_{1:n};\, \ldots;\, z^{(k)}_{1:n} \right]",
        r"Z_i = \left[ z^{(1)}_i;\, \ldots;\, z^{(k)}_i \right]",
        f"{NOTE}, eq 24",
        ("E4", "E11"),
    ),
    "output": Told(
        "output",
        "Output projection",
        "output",
        "One more matrix mixes the outputs of the heads. The result is the attention output of the layer.",
        r"h_{1:n} = Z\, O",
        r"h_i = O^\top Z_i",
        f"{NOTE}, eq 24",
    ),
}
"""Every stage by its name in the walk and in the link."""

ROTATED = {
    "q": (r"q_{1:n} = R\,(x_{1:n} Q)", r"q_i = R_i Q^\top x_i"),
    "k": (r"k_{1:n} = R\,(x_{1:n} K)", r"k_i = R_i K^\top x_i"),
}
"""The two forms where positions rotate what comes out."""

BY_ROOT_MEAN_SQUARE = Told(
    "norm",
    "Root mean square normalisation",
    "ink",
    "Each row is divided by its root mean square; no mean is subtracted. Then each dimension gets a learned "
    "gain, the same for all words.",
    r"\hat{x}_{1:n} = \operatorname{RMS}(x_{1:n}) \odot \gamma",
    r"\hat{x}_i = \frac{x_i}{\sqrt{\frac{1}{d} \sum_m x_{im}^2}} \odot \gamma",
    "Beyond the sources: Zhang & Sennrich 2019, eq 4",
)
"""What is said of a norm that leaves the mean where it is."""

WITH_BIAS = " The model adds a vector b as well, which the note leaves out."


def told_of(stage: Stage, unit: str = "word") -> Told:
    """What is said about this very stage: more where positions enter or a bias vector is added.

    What a row stands for is called `unit`.
    """
    told = TOLD[stage.name]
    if stage.rule == "rotate":
        matrix, word = ROTATED[stage.name]
        told = replace(told, matrix=matrix, word=word)
    if stage.rule == "normalise" and stage.operands[0].before == "RMS":
        told = BY_ROOT_MEAN_SQUARE
    if stage.positions is not None:
        told = replace(told, says=f"{told.says} {stage.positions.says}", slips=stage.positions.slips)
    if any(operand.name == "b" for operand in stage.operands):
        told = replace(told, says=told.says + WITH_BIAS)
    entering = symbol(stage.operands[0].name) if stage.operands else ""
    says, short = in_units(told.says, unit), in_units(told.short, unit)
    return replace(told, says=says, short=short, matrix=told.matrix.replace("ENTERING", entering))


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
