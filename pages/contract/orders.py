"""Another order of the same words."""

from collections import Counter

from core.text.tokenizer import words_of


def another_order(text: str, *wanted: str) -> str:
    """The first of the `wanted` sentences that has the words of `text` in another order.

    Where none has, what stands between the first word and the last in reverse: the last word is compared
    first, and a model to which blanks belong reads the first one, which has none, in pieces of its own. Else
    all but the last word in reverse, or all. `text` itself where its words have one order alone.
    """
    words, parts = words_of(text), text.split()
    between = " ".join((*parts[:1], *parts[-2:0:-1], *parts[1:][-1:]))
    reversals = (between, " ".join((*words[-2::-1], *words[-1:])), " ".join(words[::-1]))
    others = (each for each in (*wanted, *reversals) if words_of(each) != words)
    return next((each for each in others if Counter(words_of(each)) == Counter(words)), text)
