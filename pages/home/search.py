"""Search among the views by names, questions, concepts, controls and terms, as students call them."""

import json
import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from pages import Entry
from pages.terms import TERMS

FILE = Path(__file__).with_name("controls.json")
"""What the controls of each view say, as `python -m pages.home.controls` has written it."""

SYNONYMS = {
    "agreement": "subject-verb agreement, subject verb agreement",
    "antecedent": "coreference, anaphora, induction head, previous-token head",
    "attention sink": "massive attention to the first token",
    "attention weight": "attention map, attention matrix, attention score, heatmap, heat map",
    "autoregressive": "text generation, decoding",
    "beam search": "beam width, hypotheses",
    "BERT": "masked LM, MLM, masked language model, encoder-only",
    "causal mask": "masked self-attention, look-ahead mask, lookahead mask, triangular mask",
    "cell": "cell state",
    "classifier": "sentiment analysis, text classification",
    "clipping": "clip",
    "context vector": "Bahdanau, Luong",
    "CPU": "speed, runtime, wall-clock time",
    "cosine similarity": "sentence embedding, semantic similarity",
    "embedding": "lookup table, embedding matrix",
    "encoder–decoder": "sequence to sequence, encoder decoder",
    "feed-forward layer": "MLP, FFN, feedforward, position-wise, perceptron",
    "fed back": "feedback loop",
    "GPT-2": "GPT, decoder-only",
    "gradient × input": "saliency, attribution, interpretability, explanation",
    "gradient": "backpropagation, backprop, BPTT, backpropagation through time",
    "gradient descent": "SGD, Adam, optimizer, optimiser",
    "greedy": "argmax",
    "head": "multi head, multihead",
    "initialisation": "initialization",
    "interaction distance": "long-range dependency, long-term dependency, path length",
    "intensifier": "negation",
    "key": "QKV, query key value",
    "key–value cache": "kv-cache, caching, inference",
    "knock out": "pruning, head pruning, causal intervention",
    "layer norm": "layernorm, LN, normalization, normalisation, RMSNorm",
    "length extrapolation": "long context, context length, generalisation to longer inputs, context window",
    "Llama": "LLM, large language model",
    "logit": "unembedding, LM head, language model head",
    "loss": "cross entropy, negative log-likelihood, NLL, loss curve, training curve, learning curve",
    "LSTM": "long short-term memory",
    "multi-head attention": "MHA",
    "masked-word prediction": "masked language modeling, masked language modelling",
    "NaN": "infinity, minus infinity",
    "nonlinearity": "activation, activation function",
    "O(n)": "complexity, time complexity, quadratic, quadratic complexity",
    "order invariance": "permutation, bag of words, word order",
    "parameter": "parameter count, number of parameters, model size",
    "piece": "tokenizer, tokeniser, tokenization, tokenisation, word piece, wordpiece, subword, BPE",
    "position scheme": "positional encoding, positional embedding, position embedding, PE",
    "probe": "probing",
    "real weights": "pretraining, pre-training, pretrained model",
    "residual connection": "skip connection, shortcut",
    "rotary positions": "RoPE, rotary embedding",
    "ALiBi": "attention with linear biases",
    "relative bias": "T5 bias",
    "sampling": "stochastic decoding, random sampling",
    "scaling by √d": "sqrt d, sqrt(d), square root, 1/sqrt(d_k), scaled dot-product, d_k",
    "score": "dot product, dot-product attention, similarity of query and key",
    "score function": "general attention, multiplicative attention",
    "serial operation": "parallel, parallelism, parallelization, sequential computation",
    "softmax": "normalised exponential, saturation",
    "sinusoidal positions": "sine, cosine, sin cos",
    "singular value": "SVD, low rank",
    "special token": "CLS, SEP, BOS, EOS",
    "teacher forcing": "exposure bias",
    "top-p": "nucleus sampling",
    "Transformer": "attention is all you need",
    "vanishing gradient": "vanishing gradients",
    "Verano": "machine translation",
    "warm-up": "warmup, learning rate schedule",
    "window": "local attention, sliding window, sparse attention",
}
"""What students call a term of the glossary that its entry does not name, by the name of the entry."""

_WORD = re.compile(r"\w+")


def words_in(text: str) -> list[str]:
    """Return the words of a text as they are compared: in lower case and in the singular."""
    return [_singular(word) for word in _WORD.findall(text.casefold().replace("_", " "))]


def _singular(word: str) -> str:
    if len(word) > 4 and word.endswith("ies"):
        return f"{word[:-3]}y"
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word


def matches(wanted: str, phrases: Iterable[str]) -> bool:
    """Return whether each wanted word begins a word of the phrases, or all together are one of them."""
    asked, known = words_in(wanted), [words_in(phrase) for phrase in phrases]
    begins = {word for phrase in known for word in phrase}
    if all(any(word.startswith(one) for word in begins) for one in asked):
        return True
    return "".join(asked) in {"".join(phrase) for phrase in known}


def phrases_of(entry: Entry, view: str) -> tuple[str, ...]:
    """Return the labels and options of the controls of a view, and the terms that it shows."""
    shown = [term for term in TERMS.values() if (term.view.address, term.view.view) == (entry.address, view)]
    called = [name for term in shown for name in term.spellings]
    called += [name for term in shown for name in SYNONYMS.get(term.name, "").split(", ")]
    return (*_controls()[f"{entry.folder}/{view}"], *called)


@cache
def _controls() -> dict[str, list[str]]:
    found: dict[str, list[str]] = json.loads(FILE.read_text("utf-8"))
    return found
