"""What is said of the ways to write a translation."""

from core.measures.translation.writing import Strategy


def how(strategy: Strategy) -> str:
    """How each word is chosen."""
    if strategy.way == "beam":
        kept = "one hypothesis" if strategy.width == 1 else f"{strategy.width} hypotheses"
        return (
            f"A beam keeps the {kept} of the largest log-probability so far (the number under a word) and "
            "goes on with each of them. It is not divided by the length, and each further word lowers it: "
            "shorter translations are preferred."
        )
    if strategy.way == "sampled":
        return (
            "Each word is drawn by chance: logits are divided by the temperature, then the words beyond top "
            "k and top p are left out. The same seed draws the same words. The probabilities of words and of "
            "sentences are the model's own, at temperature 1."
        )
    begun = ", after the words it begins with" if strategy.prefix else ""
    return f"Greedy: the likeliest word each time{begun}, given the source and the words written before."
