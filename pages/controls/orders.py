"""The same words in another order."""

from collections import Counter

from core.text.tokenizer import words_of


def another_order(text: str, *wanted: str) -> str:
    """The first of the `wanted` sentences that has the words of `text` in another order.

    Where none has, all but the last word in reverse: that word is compared first. `text` itself where its
    words have one order alone.
    """
    words = words_of(text)
    reversals = (" ".join((*words[-2::-1], *words[-1:])), " ".join(words[::-1]))
    others = (each for each in (*wanted, *reversals) if words_of(each) != words)
    return next((each for each in others if Counter(words_of(each)) == Counter(words)), text)
