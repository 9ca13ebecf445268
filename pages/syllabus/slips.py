"""The places where a source slips, and what is true."""

from typing import NamedTuple


class Slip(NamedTuple):
    """A slip: where a source says something that does not hold, what it says, and what is true.

    `says` and `truth` go on a sentence: they begin in lower case and have no full stop.
    """

    place: str
    says: str
    truth: str


SLIPS: dict[str, Slip] = {
    "E1": Slip(
        "CS 224N note, eq 9–11",
        "its example, *the oven cooked the bread so*, has five words, so α is a vector of R⁵",
        "that example has six words, and the denominator of the softmax runs on to its *so*",
    ),
    "E2": Slip(
        "CS 224N note, eq 13",
        "the linear bias of a word runs from −i to −(n − i)",
        "there is one number too many: counted from 0 it ends at −(n − 1 − i), counted from 1 "
        "it begins at −(i − 1)",
    ),
    "E3": Slip(
        "CS 224N note, eq 15–16",
        "two stacked layers have the weights αⱼₖ Σⱼ αᵢⱼ, a factor from each of them",
        "Σⱼ αᵢⱼ αⱼₖ does not come apart: the weights are the matrix product A₂A₁",
    ),
    "E4": Slip(
        "CS 224N note, eq 24",
        "the values of the heads are concatenated",
        "it is the outputs of the heads, their weighted sums of values, for each word",
    ),
    "E5": Slip(
        "CS 224N note, footnote 4",
        "−10⁵ is a number of float16",
        "float16 ends at 65504, so −10⁵ becomes −∞ there",
    ),
    "E6": Slip(
        "Textbook, section 24.4",
        "several heads cut the sentence in pieces",
        "the vectors are cut, and every head sees every word",
    ),
    "E7": Slip(
        "Textbook, section 24.4",
        "the context is a sum over the positions before",
        "it runs over all positions unless a mask forbids it",
    ),
    "E8": Slip(
        "FNLP slides",
        "self-attention is invariant to the order of the words",
        "it is equivariant: words in another order give the same outputs in that order",
    ),
    "E9": Slip(
        "FNLP slides",
        "the feed-forward layer and the softmax are the only two sources of nonlinearity",
        "layer normalisation is a third: it divides by a deviation that depends on its input",
    ),
    "E10": Slip(
        "CS 224N note, eq 32",
        "the scores are divided by √d",
        "a dot product of one of k heads has d/k terms, so the divisor is √(d/k)",
    ),
    "E11": Slip(
        "CS 224N note, section 3.1",
        "the output of a head has the shape d × d/k, and the heads concatenated d × d",
        "there is a row for each of the n words: n × d/k for a head, and n × d for all heads",
    ),
    "E12": Slip(
        "Seq2seq slides, self-attention",
        "the output is oᵢ = Σᵢ αᵢⱼ vᵢ, a sum over i",
        "the sum runs over the keys j: oᵢ = Σⱼ αᵢⱼ vⱼ",
    ),
    "E13": Slip(
        "CS 224N note, section 2.4",
        "a large negative number added to the scores is equivalent to weights α set to 0",
        "weights set to 0 after the softmax leave a row that sums to less than 1, while a score of −∞ leaves "
        "one that sums to 1",
    ),
}
"""Every slip by the name that a footnote and the page Sources give it."""
