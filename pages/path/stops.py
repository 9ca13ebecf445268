"""The stops of the path: where each leads, what one will be able to do after it, and what one has seen."""

from dataclasses import dataclass

from pages.syllabus.concepts import Link

STOP = "stop"
"""The parameter that has the number of a stop, counted from 1."""


@dataclass(frozen=True, kw_only=True)
class Stop:
    """A stop: `goal` completes "you will be able to", and `seen` says what its views show.

    The first of its `views` opens it; the others belong to it.
    """

    title: str
    goal: str
    seen: str
    views: tuple[Link, ...]


STOPS = (
    Stop(
        title="What is attention?",
        goal="follow one head from words to its output, number by number",
        seen="Scores of queries and keys become weights, and the output is the values mixed by them.",
        views=(
            Link("one head", "step-by-step", {"view": "one head"}),
            Link("soft lookup", "step-by-step", {"view": "soft lookup"}),
        ),
    ),
    Stop(
        title="Why not a recurrent network?",
        goal="count the operations from one word to another in both",
        seen="A recurrent network needs one operation for every word on the way, the first and the last too. "
        "A layer of self-attention needs one in all, and computes n² scores for it.",
        views=(
            Link("the way of one word", "interaction-distance", {"view": "networks"}),
            Link("the price", "interaction-distance", {"view": "price"}),
        ),
    ),
    Stop(
        title="Order and positions",
        goal="say what changes when words swap their positions, and what position encodings add",
        seen="Without positions and without a mask every word gets the same output in any order. Position "
        "encodings tell orders apart. A causal mask does so in part: with one layer a word agrees if the "
        "same words stand before it, with two layers they have to stand in the same order too.",
        views=(
            Link("two orders", "order-invariance", {"view": "one word"}),
            Link("masks and layers", "order-invariance", {"view": "every setting"}),
            Link("position encodings", "positions", {"view": "all schemes"}),
        ),
    ),
    Stop(
        title="Masks",
        goal="say which words a word may attend to, and why the mask is −∞",
        seen="A mask sets scores to −∞ before the softmax: masked keys get the weight 0, and each row still "
        "sums to 100 %.",
        views=(
            Link("paint a mask", "masking", {"view": "paint"}),
            Link("why −∞", "masking", {"view": "mask values"}),
        ),
    ),
    Stop(
        title="Several heads",
        goal="say what two heads can do that one cannot, and what they cost",
        seen="Heads divide the dimensions of a layer among them: each has attention weights of its own, and "
        "all together have the parameters of one.",
        views=(
            Link("two things at once", "heads", {"view": "two things"}),
            Link("what they cost", "heads", {"view": "three kinds"}),
            Link("one and many", "heads", {"view": "one and many"}),
        ),
    ),
    Stop(
        title="Why divide by √d?",
        goal="say what long vectors do to the softmax",
        seen="The standard deviation of dot products grows as √d. Divided by √d, scores stay close enough "
        "together for several keys to keep a weight, and for the softmax to keep its gradient.",
        views=(
            Link("random vectors", "scaling", {"view": "random vectors"}),
            Link("the softmax and its gradient", "scaling", {"view": "softmax"}),
        ),
    ),
    Stop(
        title="Blocks",
        goal="say what layer norm does, where pre-norm and post-norm put it, and what residual "
        "connections are for",
        seen="A layer norm keeps the states of every word at one scale, the feed-forward layer works on each "
        "word alone, and residual connections let gradients pass. Pre-norm normalises what a part reads, "
        "post-norm the sum after it.",
        views=(
            Link("layer norm", "blocks", {"view": "layer norm"}),
            Link("residual connections", "blocks", {"view": "residual connections"}),
            Link("pre-norm and post-norm", "blocks", {"view": "depth"}),
            Link("warm-up", "blocks", {"view": "warm-up"}),
            Link("feed-forward", "blocks", {"view": "one position"}),
        ),
    ),
    Stop(
        title="What does a weight mean?",
        goal="say why a large attention weight need not mean that a word matters",
        seen="A weight says how much of a value is mixed in. How much the prediction depends on a word is "
        "measured by hiding it.",
        views=(Link("hiding words", "explorer", {"view": "hiding"}),),
    ),
    Stop(
        title="Encoder, decoder, cross-attention",
        goal="draw all three and say who attends to whom",
        seen="Words of an encoder attend to all others, words of a decoder to those before. In "
        "cross-attention the decoder asks with its queries, and the encoder gives keys and values.",
        views=(
            Link("all three", "architectures", {"view": "encoder–decoder"}),
            Link("the encoder alone", "architectures", {"view": "encoder"}),
            Link("the decoder alone", "architectures", {"view": "decoder"}),
        ),
    ),
    Stop(
        title="The bottleneck",
        goal="say what one vector costs an encoder–decoder, and what attention adds",
        seen="A recurrent encoder hands on one vector, however long the sentence. Attention lets the decoder "
        "read the state of every source word.",
        views=(
            Link("accuracy and length", "translation", {"view": "bottleneck"}),
            Link("alignment", "translation", {"view": "alignment for free"}),
        ),
    ),
    Stop(
        title="Writing text",
        goal="follow a model as it writes word by word",
        seen="A model writes one word a step: it chooses from its probabilities, and reads the chosen word "
        "with all those before.",
        views=(
            Link("word by word", "generation", {"view": "side by side"}),
            Link("from a state to probabilities", "explorer", {"view": "probabilities"}),
        ),
    ),
    Stop(
        title="A real model",
        goal="read a sentence with a pretrained model, if one is there",
        seen="A pretrained model has the same parts, more of them and larger, and reads pieces of words. The "
        "map has pre-norm; models of the BERT family are post-norm, with a norm after each sum.",
        views=(
            Link("a sentence read", "explorer", {"view": "matrix", "model": "real"}),
            Link("which models are there", "models"),
        ),
    ),
)
"""The path, in its order."""


def path_to(number: int) -> str:
    """The link to a stop, which asks what one expects before it shows what is."""
    return path_at(STOPS[number - 1].views[0], number)


def path_at(view: Link, number: int) -> str:
    """The link to a view of a stop, which asks first as the stop does."""
    return Link("", view.address, {**view.parameters, STOP: number, "predict": "true"}).path


def read_stop(spelling: str) -> int:
    """The stop that a link names. Raises ValueError where there is none."""
    if spelling not in map(str, range(1, len(STOPS) + 1)):
        raise ValueError(f"it can be 1 to {len(STOPS)}")
    return int(spelling)


def read_stops(spelling: str) -> tuple[int, ...]:
    """The stops that a link names with dots between them, as 1.2.5. Raises ValueError for others."""
    return tuple(sorted({read_stop(one) for one in spelling.split(".")})) if spelling else ()
