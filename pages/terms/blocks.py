"""The parts that a Transformer is built of around attention."""

from pages.terms.term import Term

BLOCKS = (
    Term(
        name="Transformer",
        sentence="A Transformer is a network whose layers alternate between attention, which moves "
        "information between words, and feed-forward layers, which work on each word alone.",
        shown=("architectures", "encoder"),
    ),
    Term(
        name="neural network",
        also=("network", "net"),
        sentence="A neural network is a function made of linear maps and nonlinearities whose parameters "
        "are learned from examples.",
        shown=("interaction_distance", "networks"),
    ),
    Term(
        name="row vector",
        sentence="In all formulas of this app the vector of a word is a row, as in the pictures and in the "
        "code, so that a matrix stands on its right.",
        shown=("step_by_step", "one head"),
        formula="q_i = x_i Q",
    ),
    Term(
        name="tensor",
        sentence="A tensor is an array of numbers with any number of axes: a vector has one, a matrix two.",
        shown=("heads", "reshape"),
    ),
    Term(
        name="reshape",
        also=("reshaped",),
        sentence="To reshape an array is to arrange the same numbers, in the same order, in another shape.",
        shown=("heads", "reshape"),
    ),
    Term(
        name="layer",
        also=("block", "Transformer block"),
        switches=("layers",),
        sentence="A layer takes a vector for each word and gives a new one: a recurrent layer, or a block of "
        "a Transformer, which holds attention and a feed-forward layer with norms and residual connections.",
        shown=("blocks", "residual stream"),
    ),
    Term(
        name="d_model",
        also=("width d",),
        sentence="The width d_model is the number of dimensions of the vector that stands for a word inside "
        "the model.",
        shown=("heads", "reshape"),
        symbol=r"d_\text{model}",
    ),
    Term(
        name="d_head",
        sentence="The width d_head is the number of dimensions of the queries, keys and values of one head.",
        shown=("scaling", "heads"),
        symbol=r"d_\text{head}",
        formula=r"d_\text{head} = d_\text{model} / h",
    ),
    Term(
        name="residual connection",
        also=("residual",),
        switches=("residual",),
        sentence="A residual connection adds the input of a part of the network to its output, so that the "
        "part only has to learn a change.",
        shown=("blocks", "residual stream"),
        formula="y = x + f(x)",
    ),
    Term(
        name="residual stream",
        sentence="The residual stream is the vector of each word that runs through all blocks, each of "
        "which adds to it.",
        shown=("blocks", "residual stream"),
        symbol="x",
        shape="words × d_model",
    ),
    Term(
        name="feed-forward layer",
        also=("feed-forward",),
        switches=("mlp",),
        sentence="A feed-forward layer is a small network of two linear maps with a nonlinearity between "
        "them, applied to each word alone.",
        shown=("blocks", "one position"),
        formula=r"\sigma(x W_1 + b_1)\,W_2 + b_2",
    ),
    Term(
        name="layer norm",
        also=("layer normalisation",),
        switches=("norm",),
        sentence="Layer norm shifts and scales the vector of each word to mean 0 and standard deviation 1, "
        "and then applies a learned gain and bias.",
        shown=("blocks", "layer norm"),
        formula=r"\gamma \odot \frac{x - \mu}{\sigma} + \beta",
    ),
    Term(
        name="gain",
        beside="norm",
        sentence="The gain of a layer norm is a learned factor for each dimension.",
        shown=("blocks", "layer norm"),
        symbol=r"\gamma",
        shape="d_model",
    ),
    Term(
        name="bias",
        sentence="A bias is a number or a vector, usually learned, that is added whatever the input is.",
        shown=("blocks", "layer norm"),
        symbol="b",
    ),
    Term(
        name="pre-norm",
        switches=("norm=pre",),
        sentence="In pre-norm the layer norm stands before attention and feed-forward layer, inside the "
        "residual connection.",
        shown=("blocks", "depth"),
        formula=r"x + f(\operatorname{LN}(x))",
    ),
    Term(
        name="post-norm",
        switches=("norm=post",),
        sentence="In post-norm the layer norm stands after the residual sum, as in the first Transformer.",
        shown=("blocks", "depth"),
        formula=r"\operatorname{LN}(x + f(x))",
    ),
    Term(
        name="nonlinearity",
        also=("nonlinear",),
        sentence="A nonlinearity is a function that is not linear, such as ReLU, without which layers of "
        "linear maps would be one linear map.",
        shown=("blocks", "two layers in one"),
    ),
    Term(
        name="ReLU",
        sentence="The ReLU, rectified linear unit, keeps positive numbers and makes negative ones 0.",
        shown=("blocks", "two layers in one"),
        formula=r"\max(0, x)",
    ),
    Term(
        name="embedding",
        also=("word vector", "word embedding"),
        sentence="The embedding of a word is the vector of parameters that the model looks up for it; some "
        "models then multiply it by a fixed factor.",
        shown=("step_by_step", "one head"),
        symbol="E",
        shape="vocabulary × d_model",
        formula="e = w E",
    ),
    Term(
        name="one-hot vector",
        also=("one-hot",),
        sentence="A one-hot vector has a 1 at the number of a word and 0 elsewhere.",
        shown=("step_by_step", "one head"),
        symbol="w",
        shape="vocabulary",
    ),
    Term(
        name="parameter",
        sentence="A parameter is a number of the model that training sets.",
        shown=("architectures", "parameters"),
    ),
    Term(
        name="encoder",
        sentence="An encoder is a network that turns a text into a vector for each word: a Transformer whose "
        "mask hides no later words, or a recurrent one.",
        shown=("architectures", "encoder"),
    ),
    Term(
        name="decoder",
        sentence="A decoder is a network that writes a text word by word from the words before: a "
        "Transformer with a causal mask, or a recurrent one.",
        shown=("architectures", "decoder"),
    ),
    Term(
        name="encoder–decoder",
        also=("encoder-decoder",),
        sentence="An encoder–decoder reads a source text with one network and writes a target text with "
        "another, which gets the last state of the first, attends to its states, or both.",
        shown=("architectures", "encoder–decoder"),
    ),
    Term(
        name="state",
        also=("hidden state",),
        sentence="The state at a word is the vector that a network has computed there from that word and "
        "from the others that it may use.",
        shown=("architectures", "recurrent"),
        symbol="h_t",
    ),
    Term(
        name="output layer",
        sentence="The output layer maps the last state of a word to a logit for every word of the "
        "vocabulary.",
        shown=("architectures", "decoder"),
        symbol=r"W_\text{out}",
        shape="d_model × vocabulary",
    ),
    Term(
        name="logit",
        sentence="A logit is the number that a model gives to a word before the softmax turns all logits "
        "into probabilities.",
        shown=("explorer", "probabilities"),
        symbol="y",
        formula=r"p = \operatorname{softmax}(y)",
    ),
)
