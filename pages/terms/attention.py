"""Attention itself: from query and key to the output of a head."""

from pages.terms.term import Term

ATTENTION = (
    Term(
        name="attention",
        sentence="Attention computes for every word a weighted mean of vectors of all words it may see, "
        "with weights that it computes from the words themselves.",
        shown=("step_by_step", "one head"),
        formula=r"\operatorname{softmax}\!\left(\frac{q\,k^\top}{\sqrt{d_\text{head}}} + M\right) v",
    ),
    Term(
        name="self-attention",
        sentence="In self-attention the queries, keys and values all come from the words of one and the "
        "same sequence.",
        shown=("interaction_distance", "networks"),
    ),
    Term(
        name="cross-attention",
        sentence="In cross-attention the queries come from the decoder, and the keys and values from the "
        "output of the encoder.",
        shown=("architectures", "encoder–decoder"),
        shape="target × source",
    ),
    Term(
        name="query",
        sentence="The query of a word is the vector that is compared with the keys of words to find out "
        "which of them to attend to.",
        shown=("step_by_step", "one head"),
        symbol="q_i",
        shape="d_head",
        formula="q_i = x_i Q",
    ),
    Term(
        name="key",
        sentence="The key of a word is the vector that queries are compared with.",
        shown=("step_by_step", "one head"),
        symbol="k_j",
        shape="d_head",
        formula="k_j = x_j K",
    ),
    Term(
        name="value",
        beside="key",
        sentence="The value of a word is the vector that it contributes to the output of every word that "
        "attends to it.",
        shown=("step_by_step", "one head"),
        symbol="v_j",
        shape="d_head",
        formula="v_j = x_j V",
    ),
    Term(
        name="score",
        sentence="The score of a query and a key says how well they fit, before the softmax makes it a "
        "weight: usually it is their dot product, divided by √d.",
        shown=("explorer", "stages"),
        symbol="s_{ij}",
        shape="query × key",
        formula=r"s_{ij} = \frac{q_i \cdot k_j}{\sqrt{d_\text{head}}}",
    ),
    Term(
        name="attention weight",
        sentence="An attention weight is the factor with which the value of one word enters the output of "
        "another; the softmax makes the weights of a query shares that add up to 1.",
        shown=("explorer", "matrix"),
        symbol=r"\alpha_{ij}",
        shape="query × key",
        formula=r"\alpha_{ij} = \frac{e^{s_{ij}}}{\sum_k e^{s_{ik}}}",
    ),
    Term(
        name="weight",
        also=("weighted",),
        sentence="A weight is a factor in a sum: attention weights are computed anew for each text, and the "
        "weights of a model are its parameters.",
        shown=("explorer", "matrix"),
    ),
    Term(
        name="softmax",
        sentence="The softmax turns any row of numbers into positive numbers that add up to 1, the larger "
        "the number, the larger its share.",
        shown=("scaling", "softmax"),
        formula=r"\operatorname{softmax}(s)_j = \frac{e^{s_j}}{\sum_k e^{s_k}}",
    ),
    Term(
        name="attend to",
        also=("attend", "attends", "attends to", "attended to", "attending to", "attends most to"),
        sentence="A word attends to another if the value of the other has a weight in its output that is "
        "not 0.",
        shown=("explorer", "lines"),
    ),
    Term(
        name="head",
        switches=("heads",),
        also=("attention head",),
        sentence="A head is one attention with its own queries, keys and values; several of them work side "
        "by side in a layer.",
        shown=("heads", "one and many"),
    ),
    Term(
        name="multi-head attention",
        sentence="Multi-head attention lets several heads attend at once and joins their outputs into one "
        "vector.",
        shown=("heads", "reshape"),
        formula=r"[\,z^{(1)}; \dots; z^{(h)}\,]\,O",
    ),
    Term(
        name="output projection",
        also=("projection",),
        sentence="The output projection is the matrix that mixes the concatenated outputs of all heads into "
        "a vector as wide as the residual stream.",
        shown=("heads", "three kinds"),
        symbol="O",
        shape="d_model × d_model",
    ),
    Term(
        name="scaling by √d",
        also=("scaled", "divided by √d"),
        switches=("scale",),
        sentence="Dividing scores by the root of the width of a head keeps their spread about the "
        "same at every width, if the numbers of queries and keys are random.",
        shown=("scaling", "random vectors"),
        formula=r"\frac{q \cdot k}{\sqrt{d_\text{head}}}",
    ),
    Term(
        name="soft lookup",
        also=("soft look-up",),
        sentence="A soft lookup compares a query with all keys and returns a weighted mean of all values, "
        "where a dictionary returns the value of the one key that matches.",
        shown=("step_by_step", "soft lookup"),
    ),
    Term(
        name="attention sink",
        also=("sink",),
        sentence="An attention sink is a token, often the first or a special one, that gets much of the "
        "weight of many words, whatever they are.",
        shown=("explorer", "head scores"),
    ),
    Term(
        name="rollout",
        also=("attention rollout",),
        sentence="Attention rollout multiplies the attention matrices of successive layers to estimate how "
        "much of each input word reaches each output.",
        shown=("explorer", "matrix"),
        formula=r"\prod_l \tfrac12 (A_l + I)",
    ),
    Term(
        name="context vector",
        also=("context",),
        beside="decoder",
        sentence="The context vector of a decoder's step is the sum of the encoder's states, weighted by "
        "attention.",
        shown=("architectures", "recurrent"),
        symbol="c_t",
        formula=r"c_t = \sum_j \alpha_{tj} h_j",
    ),
    Term(
        name="score function",
        also=("additive", "bilinear"),
        sentence="A score function says how well a query fits a key: by a dot product, a bilinear form or a "
        "small network that adds the two.",
        shown=("translation", "alignment for free"),
    ),
    Term(
        name="antecedent",
        sentence="The antecedent of a pronoun is the noun or name that it stands for.",
        shown=("explorer", "head scores"),
    ),
)
