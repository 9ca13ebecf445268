"""The probability of praise by every classifier: a row for each, and a column for each review."""

from core.learning.collection import load_listed_member
from core.learning.collection.classifiers import classifiers
from core.text.language import encode

reviews = [
    ["the", "acting", "was", "good", "."],
    ["the", "acting", "was", "not", "good", "."],
]

for name in classifiers():
    model = load_listed_member(name)
    row = [model(encode(words).tokens).double().softmax(-1)[0, 1] for words in reviews]
    print(f"{name:24}", *(f"{p:.3f}" for p in row))
