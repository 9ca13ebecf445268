"""The keys that one word attends to when the same words stand in two orders."""

from torch import Tensor

from core.programs.forward import attention, attention_input, head, layer, n, tokens, words

order = [4, 1, 3, 2, 0]  # where each word of the first order stands in the second
chosen = 1


def attended(tokens: list[int]) -> Tensor:
    """Return the weights of the head for words in this order."""
    *_, pattern, _ = attention(attention_input(tokens), f"blocks.{layer}.attention")
    return pattern[head]


other = [0] * n
for token, place in zip(tokens, order, strict=True):
    other[place] = token

rows = {
    "first order": attended(tokens)[chosen],
    "second order": attended(other)[order[chosen]][order],  # back in the order of the first
}
print(f"{words[chosen]} attends to", *words)
for name, row in rows.items():
    print(f"{name:>12}", *(f"{weight:.3f}" for weight in row.tolist()))
