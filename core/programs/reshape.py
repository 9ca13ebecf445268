"""From n × d to k × n × d/k: the vectors of all heads as one matrix, a row for each word."""

from core.programs.forward import d_head, k, n, q, v, words

which = "q"

vectors = q if which == "q" else k if which == "k" else v
flat = vectors.transpose(0, 1).reshape(n, -1)  # n × d, as one product of the words returns it
cut = flat.view(n, -1, d_head)  # n × k × d/k
heads = cut.transpose(0, 1)  # k × n × d/k
assert heads.equal(vectors)
for word, row in zip(words, flat.tolist(), strict=True):
    print(f"{word:>12}", *(f"{number:.3f}" for number in row))
