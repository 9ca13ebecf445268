"""Learned positions: a table with a vector for each position."""

from core.model.positions.base import PositionScheme, SchemeDescription, Sizes, Vectors


class Learned(PositionScheme):
    """A learned vector per position, added to the word vector (CS 224N note eq 12)."""

    about = SchemeDescription(
        title="learned positions",
        name="learned",
        in_brief="+ a learned vector",
        says="Each position has a vector of parameters, like each word.",
        source="Gehring et al. 2017",
        formula=r"P \in \mathbb{R}^{N \times d} \ \text{learned, a row } P_i \text{ for each position } i",
    )
    initial_deviation = 0.5**0.5
    """Standard deviation of sinusoids, whose squares are one half on average."""

    def __init__(self, sizes: Sizes) -> None:
        super().__init__(sizes)
        self.table = self.drawn(sizes.max_len, sizes.d_model)

    def embed(self, x: Vectors) -> Vectors:
        n, longest = x.shape[1], len(self.table)
        if n > longest:
            raise ValueError(f"learned positions end at max_len = {longest}, got {n} words")
        return x + self.table[:n]

    @classmethod
    def longest(cls, sizes: Sizes) -> int:
        return sizes.max_len

    @classmethod
    def program_lines(cls, sizes: Sizes) -> str:
        return 'x = x + weights["positions.table"][:n]'
