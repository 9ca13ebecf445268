"""Recurrent networks and what happens to their gradients."""

from pages.terms.term import Term

RECURRENT = (
    Term(
        name="recurrent network",
        also=("RNN", "recurrent"),
        sentence="A recurrent network, or RNN, reads one word after the other and computes each state from "
        "the state before and the word.",
        shown=("architectures", "recurrent"),
        formula=r"h_t = \tanh(h_{t-1} W + x_t U + b)",
    ),
    Term(
        name="unrolled",
        sentence="A recurrent network is drawn unrolled if every step has a place of its own, side by side.",
        shown=("architectures", "recurrent"),
    ),
    Term(
        name="LSTM",
        sentence="An LSTM, long short-term memory, is a recurrent network with a cell whose contents gates "
        "keep, add to and read.",
        shown=("gradients", "gates"),
    ),
    Term(
        name="cell",
        beside="LSTM",
        sentence="The cell of an LSTM is the vector in which it keeps information: the forget gate shrinks "
        "it, and new content times the input gate is added.",
        shown=("gradients", "gates"),
        symbol="c_t",
        formula=r"c_t = f_t \odot c_{t-1} + i_t \odot \tilde{c}_t",
    ),
    Term(
        name="gate",
        beside="LSTM",
        sentence="A gate of an LSTM is a vector of numbers between 0 and 1 that says, for each unit, how "
        "much passes.",
        shown=("gradients", "gates"),
        formula=r"\sigma(h_{t-1} W + x_t U + b)",
    ),
    Term(
        name="forget gate",
        sentence="The forget gate of an LSTM says how much of each unit of its cell is kept from one word "
        "to the next.",
        shown=("gradients", "gates"),
        symbol="f_t",
    ),
    Term(
        name="unit",
        sentence="A unit is one dimension of the state of a network.",
        shown=("gradients", "gates"),
    ),
    Term(
        name="sigmoid",
        sentence="The sigmoid maps every number to one between 0 and 1.",
        shown=("gradients", "gates"),
        formula=r"\sigma(x) = \frac{1}{1 + e^{-x}}",
    ),
    Term(
        name="tanh",
        sentence="The hyperbolic tangent, tanh, maps every number to one between −1 and 1.",
        shown=("gradients", "Jacobians"),
    ),
    Term(
        name="error carrousel",
        also=("carrousel",),
        sentence="The constant error carrousel is the path through the cell of an LSTM along which a "
        "gradient goes back unchanged while the forget gate is open.",
        shown=("gradients", "gates"),
    ),
    Term(
        name="serial operation",
        also=("serial step",),
        sentence="Serial operations must be done one after the other, because each needs the result of the "
        "one before.",
        shown=("interaction_distance", "operations"),
    ),
    Term(
        name="interaction distance",
        sentence="The interaction distance of two words is the number of operations that information from "
        "one passes through to reach the other.",
        shown=("interaction_distance", "networks"),
    ),
    Term(
        name="O(n)",
        also=("O(1)",),
        sentence="A cost is O(n) if it grows in proportion to the number n of words, and O(1) if it does "
        "not grow.",
        shown=("interaction_distance", "operations"),
    ),
    Term(
        name="bottleneck",
        sentence="The bottleneck of a recurrent translator is the one vector of fixed size through which "
        "the whole source has to pass.",
        shown=("translation", "bottleneck"),
    ),
    Term(
        name="gradient",
        sentence="The gradient of a number is the vector of its derivatives, which says how it changes with "
        "each of its inputs.",
        shown=("gradients", "distance"),
        symbol=r"\nabla",
    ),
    Term(
        name="vanishing gradient",
        also=("gradient vanishes", "gradients vanish", "vanishes"),
        beside="gradient",
        sentence="A vanishing gradient shrinks with every step back, until distant words hardly change what "
        "is learned.",
        shown=("gradients", "Jacobians"),
    ),
    Term(
        name="exploding gradient",
        also=("gradients explode", "gradient explodes"),
        sentence="An exploding gradient grows with every step back, until a step of training may destroy "
        "what was learned.",
        shown=("gradients", "Jacobians"),
    ),
    Term(
        name="clipping",
        also=("gradient clipping", "clipped"),
        sentence="Clipping shortens a gradient that is longer than a threshold to the threshold, without "
        "changing its direction.",
        shown=("gradients", "clipping"),
        formula=r"g \leftarrow g \cdot \min(1, \tau / \lVert g \rVert)",
    ),
    Term(
        name="Jacobian",
        sentence="The Jacobian is the matrix of the derivatives of every output with respect to every input.",
        shown=("gradients", "Jacobians"),
        symbol="J",
        formula=r"J_{ij} = \partial y_i / \partial x_j",
    ),
    Term(
        name="singular value",
        sentence="The largest singular value of a matrix is the factor by which it can lengthen a vector at "
        "most.",
        shown=("gradients", "Jacobians"),
        symbol=r"\sigma_1",
    ),
    Term(
        name="influence",
        sentence="The influence of a word on a state is the norm of the gradient of the state with respect "
        "to the vector of the word.",
        shown=("interaction_distance", "influence"),
        formula=r"\lVert \partial h / \partial x_j \rVert",
    ),
)
