"""A text continued word by word by several models: the model, the word, and its probability."""

from random import Random

import torch

from core.decoding import Sampling, next_word_distribution, sample_by_inverse_cdf
from core.learning.collection import load_listed_member
from core.text import language

given = ["the", "chef", "who"]
# Each model, with its words chosen by hand, by step.
models: dict[str, dict[int, str]] = {"next-word-rnn": {}, "next-word-lstm": {}}
room = 8  # greatest number of words
ends: list[str] = ["."]
is_sampled = False
seed = 0
temperature = 1.0
top_k: int | None = None
top_p = 1.0

known = language.vocabulary()
for name, by_hand in models.items():
    model, words = load_listed_member(name), list(given)
    if is_sampled:
        chance = Random(seed)
    for step in range(room):
        with torch.inference_mode():
            logits = model(language.encode(words).tokens)[0, -1]
        if is_sampled:
            number = sample_by_inverse_cdf(
                next_word_distribution(logits, Sampling(temperature=temperature, top_k=top_k, top_p=top_p)),
                chance.random(),
            )
        else:
            number = int(logits.argmax())
        words.append(by_hand.get(step, known.words[number]))
        p = logits.double().softmax(-1)[known.encode(words[-1:]).item()]
        print(f"{name:12} {words[-1]:12} {p:.3f}")
        if ends and words[-1] in ends:
            break
