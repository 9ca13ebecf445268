"""The order of the words: position schemes and masks."""

from pages.terms.term import Term

POSITIONS = (
    Term(
        name="position",
        sentence="The position of a word is its number in the sequence.",
        shown=("positions", "all schemes"),
        symbol="i",
    ),
    Term(
        name="position scheme",
        also=("scheme", "position encoding"),
        switches=("positions",),
        sentence="A position scheme is a way of telling a Transformer where each word stands, which "
        "attention alone does not know.",
        shown=("positions", "all schemes"),
    ),
    Term(
        name="no positions",
        also=("without positions",),
        switches=("positions=none",),
        sentence="A model with no positions gets word vectors alone, so that without a mask it cannot tell "
        "one order of the words from another.",
        shown=("order_invariance", "one word"),
    ),
    Term(
        name="learned positions",
        switches=("positions=learned",),
        sentence="With learned positions every position has a vector of parameters that is added to the "
        "word there.",
        shown=("positions", "learned"),
        symbol="P_i",
        shape="max_len × d_model",
        formula=r"\tilde{x}_i = x_i + P_i",
    ),
    Term(
        name="sinusoidal positions",
        also=("sinusoidal",),
        switches=("positions=sinusoidal",),
        sentence="Sinusoidal positions add to each word the values of sine and cosine waves of many "
        "wavelengths at its position.",
        shown=("positions", "sinusoidal"),
        shape="max_len × d_model",
        formula=r"P_{i,2m} = \sin\!\left(i / 10000^{2m/d}\right)",
    ),
    Term(
        name="ALiBi",
        also=("alibi", "linear bias"),
        switches=("positions=alibi",),
        sentence="ALiBi, attention with linear biases, lowers each score in proportion to the distance "
        "between query and key.",
        shown=("positions", "alibi"),
        formula=r"s_{ij} - m_h\,\lvert i - j\rvert",
    ),
    Term(
        name="slope",
        beside="ALiBi",
        sentence="The slope of a head under ALiBi is the number by which one word of distance lowers a "
        "score.",
        shown=("positions", "alibi"),
        symbol="m_h",
        formula="m_h = 2^{-8h/H}",
    ),
    Term(
        name="rotary positions",
        also=("rotary", "rotates"),
        switches=("positions=rotary",),
        sentence="Rotary positions turn queries and keys by angles that grow with the position, so that a "
        "score depends on the distance of the two words and not on their places.",
        shown=("positions", "rotary"),
        formula=r"s_{ij} = q_i\,R_{i-j}\,k_j^\top",
    ),
    Term(
        name="relative bias",
        also=("relative position",),
        switches=("positions=relative",),
        sentence="A relative bias is a learned number for each distance and each head that is added to the "
        "score.",
        shown=("positions", "relative"),
        formula="s_{ij} + b_h(j - i)",
    ),
    Term(
        name="bucket",
        sentence="A bucket holds neighbouring distances that share one learned bias.",
        shown=("positions", "relative"),
    ),
    Term(
        name="length extrapolation",
        sentence="Length extrapolation is how well a model reads sequences longer than any it was trained "
        "on.",
        shown=("positions", "length extrapolation"),
    ),
    Term(
        name="order invariance",
        also=("order invariant", "invariant"),
        sentence="A function is invariant to order if its output stays the same when its inputs change "
        "places.",
        shown=("order_invariance", "one word"),
    ),
    Term(
        name="equivariant",
        also=("equivariance",),
        sentence="A function is equivariant if its outputs change places exactly as its inputs do.",
        shown=("order_invariance", "one word"),
        formula="f(Px) = P f(x)",
    ),
    Term(
        name="bag of words",
        sentence="A bag of words says which words a text has and how often, but nothing of their order.",
        shown=("order_invariance", "every setting"),
    ),
    Term(
        name="mask",
        switches=("mask",),
        also=("masked", "masking", "unmask"),
        sentence="A mask says which keys each query may attend to; the score of a forbidden key is set to "
        "−∞ before the softmax, so that its weight is 0.",
        shown=("masking", "paint"),
        symbol="M_{ij}",
        shape="query × key",
        formula=r"\operatorname{softmax}(S + M)",
    ),
    Term(
        name="causal mask",
        also=("causal", "future mask"),
        switches=("mask=causal",),
        sentence="A causal mask lets every word attend to itself and to earlier words only.",
        shown=("masking", "the future"),
        formula=r"M_{ij} = -\infty \text{ for } j > i",
    ),
    Term(
        name="bidirectional",
        switches=("mask=bidirectional",),
        sentence="A bidirectional model has no mask, so that every word may attend to the words on both "
        "sides.",
        shown=("order_invariance", "every setting"),
    ),
    Term(
        name="prefix mask",
        also=("prefix",),
        switches=("mask=prefix",),
        sentence="A prefix mask shows the first words of a sequence to all words and is causal after them.",
        shown=("masking", "paint"),
    ),
    Term(
        name="padding",
        also=("padded",),
        sentence="Padding fills shorter sentences of a batch up to the length of the longest, and a mask "
        "hides it.",
        shown=("masking", "paint"),
    ),
    Term(
        name="window",
        switches=("window",),
        sentence="A window lets a word attend to the nearest words only, the given number on either side.",
        shown=("masking", "paint"),
    ),
)
