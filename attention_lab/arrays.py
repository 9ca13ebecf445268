"""Attention weights in the forms of other libraries."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from jaxtyping import Bool, Float

from attention_lab.errors import LabError
from attention_lab.weights import Attention, WeightsOrigin
from core.sources.spelling import BEGINS_WORD, CONTINUES, readable, words_of_pieces

IN_CACHE = re.compile(r"(?:.*\.)?blocks\.(\d+)\.(?:attn\.hook_pattern|attention\.pattern)")
"""Names of the weights of a layer, in a cache of TransformerLens and in a trace of `core`."""

BYTE_SIGNS = ("Ġ", "Ċ")
"""Signs for a space and for a line break in a byte-level vocabulary."""

NO_WEIGHTS = (
    "There are no weights. transformers returns them if the model is loaded with "
    'attn_implementation="eager" and called with output_attentions=True.'
)

SLACK, SUM_SLACK = 1e-3, 2e-2
"""Largest rounding errors in half precision: of a weight below 0, and of a query's sum above 1."""


def attention(
    weights: Any,
    words: str | Iterable[Any],
    key_words: str | Iterable[Any] | None = None,
    *,
    allowed: Any = None,
    batch: int | None = None,
    name: str = "",
) -> Attention:
    """Return attention weights with their words, ready to be drawn, measured and saved.

    `weights` is one of: an array or tensor of any library with the axes (query, key), (head, query, key),
    (layer, head, query, key) or (layer, batch, head, query, key); a tuple with a tensor for each layer, such
    as `attentions` or `cross_attentions` of transformers, also from `generate`; an output of transformers
    that has them; a cache of TransformerLens.

    `words` name the queries, `key_words` the keys if these are other words, as in cross-attention. Both are a
    sentence, which is split at spaces, or its words or tokens. `allowed` (query, key) is False for masked
    keys, or "causal"; masked cells are drawn as gaps. `batch` chooses one of several sentences, from 0.
    `name` goes into captions. Raises LabError if shapes and words do not fit, and for numbers that are not
    attention weights.

        >>> lab.attention([[1, 0], [0.3, 0.7]], "hot tea", allowed="causal").heatmap()
        >>> output = model(**inputs, output_attentions=True)
        >>> tokens = tokenizer.convert_ids_to_tokens(inputs["input_ids"][0])
        >>> lab.attention(output.attentions, tokens).heads()
    """
    patterns = _four_axes(_found(weights, crosses=key_words is not None), batch)
    named = [_words(words), *([] if key_words is None else [_words(key_words)])]
    _check(patterns, named)
    texts = tuple(" ".join(each).replace(f" {CONTINUES}", "") for each in named)
    about = WeightsOrigin(
        sentences=texts, call=f"lab.attention(…, {', '.join(map(repr, texts))})", title=name
    )
    return Attention(patterns, *named, allowed=_allowed(allowed, patterns.shape[2:]), about=about)


def _found(weights: Any, *, crosses: bool) -> Float[np.ndarray, "..."]:
    """Return the weights as one array."""
    own = ("cross_attentions",) if crosses else ("attentions", "encoder_attentions")
    if any(hasattr(weights, one) for one in own):
        weights = next((found for one in own if (found := getattr(weights, one, None)) is not None), None)
    elif isinstance(weights, Mapping) or hasattr(weights, "cache_dict"):
        weights = _of_cache(weights)
    if isinstance(weights, list | tuple) and weights and not np.isscalar(weights[0]):
        if isinstance(weights[0], list | tuple) and getattr(weights[0][0], "ndim", 0) > 1:
            return _of_steps(weights)
        layers = [_array(layer) for layer in weights]
        if len({layer.shape for layer in layers}) > 1:
            raise LabError(f"Layers must have one shape, got {', '.join(str(one.shape) for one in layers)}.")
        return np.stack(layers)
    return _array(weights)


def _of_cache(cache: Any) -> list[Any]:
    layers = {int(found[1]): cache[key] for key in cache if (found := IN_CACHE.fullmatch(str(key)))}
    if not layers:
        raise LabError(
            "This mapping has no attention weights, which TransformerLens calls blocks.0.attn.hook_pattern "
            "and so on: run the model with run_with_cache, and keep these names."
        )
    return [layers[layer] for layer in sorted(layers)]


def _of_steps(steps: Sequence[Sequence[Any]]) -> Float[np.ndarray, "layer batch head query key"]:
    """Return the weights of `generate`, a tuple of layers for each step, as one array; later keys have 0."""
    layers = [[_array(step) for step in layer] for layer in zip(*steps, strict=True)]
    n_keys = layers[0][-1].shape[-1]
    room = [
        [np.pad(one, [(0, 0)] * (one.ndim - 1) + [(0, n_keys - one.shape[-1])]) for one in each]
        for each in layers
    ]
    return np.stack([np.concatenate(each, axis=-2) for each in room])


def _array(weights: Any) -> Float[np.ndarray, "..."]:
    """Return an array or tensor of any library as an array of single precision."""
    if weights is None:
        raise LabError(NO_WEIGHTS)
    if hasattr(weights, "detach"):
        weights = weights.detach().float().cpu().numpy()
    try:
        array = np.asarray(weights, dtype=np.float32)
    except (TypeError, ValueError) as error:
        raise LabError(
            f"{type(weights).__name__} is not an array of numbers. Pass an array, a tensor, one tensor "
            "for each layer in a tuple, or a cache of TransformerLens; lab.read takes a model."
        ) from error
    if not array.size:
        raise LabError(NO_WEIGHTS)
    return array


def _four_axes(array: np.ndarray, batch: int | None) -> Float[np.ndarray, "layer head query key"]:
    if array.ndim == 5:
        n = array.shape[1]
        if batch is None and n > 1:
            raise LabError(
                f"These are {n} sentences. Choose one by its place in the batch, as in batch=0, and pass its "
                "words with the padding."
            )
        if batch is not None and batch not in range(n):
            raise LabError(f"batch must be from 0 to {n - 1}, got {batch!r}.")
        return array[:, batch or 0]
    if batch is not None or not 2 <= array.ndim <= 4:
        raise LabError(
            "Weights have the axes (query, key), (head, query, key), (layer, head, query, key) or, with a "
            f"batch, (layer, batch, head, query, key); got the shape {array.shape}."
        )
    return array.reshape((1,) * (4 - array.ndim) + array.shape)


def _words(given: str | Iterable[object]) -> tuple[str, ...]:
    """Return labels of a sentence, which is split at spaces, or of its words or tokens."""
    if isinstance(given, str):
        return tuple(given.split())
    if not isinstance(given, Iterable):
        raise LabError(f"Words are a sentence, or a list of words or tokens; got {given!r}.")
    texts: list[Any] = [getattr(one, "text", one) for one in given]
    for text in texts:
        if not isinstance(text, str):
            raise LabError(
                f"A word must be a text, got {text!r}. The tokenizer's convert_ids_to_tokens turns numbers "
                "into tokens; map(str, numbers) keeps the numbers."
            )
    if not any(text.startswith((*BYTE_SIGNS, *BEGINS_WORD)) for text in texts):
        return tuple(texts)
    in_bytes = any(text.startswith(BYTE_SIGNS) for text in texts)
    return words_of_pieces([readable(text, in_bytes=in_bytes) for text in texts])


def _check(patterns: np.ndarray, named: Sequence[Sequence[str]]) -> None:
    """Raise LabError for words that do not fit, and for numbers that are not attention weights."""
    n_queries, n_keys = patterns.shape[2:]
    if n_queries != n_keys and len(named) == 1:
        raise LabError(
            f"There are {n_queries} queries and {n_keys} keys: pass the words of the keys as key_words."
        )
    for kind, words, n in zip(("queries", "keys"), named, (n_queries, n_keys), strict=False):
        if len(words) != n:
            first = " ".join(words[:6]) + " …" * (len(words) > 6)
            raise LabError(
                f"There are {n} {kind} and {len(words)} words for them ({first}). A word names each row; "
                "special tokens such as [CLS] and <s> have rows too."
            )
    weights = np.nan_to_num(patterns)
    low, high, total = weights.min(), weights.max(), weights.sum(axis=-1).max()
    if low < -SLACK or total > 1 + SUM_SLACK:
        raise LabError(
            f"Attention weights are between 0 and 1, and the weights of a query sum to at most 1. These are "
            f"from {low:.3g} to {high:.3g} and sum to up to {total:.3g}. Take the softmax of scores first; "
            "call model.eval() before a forward pass, or dropout enlarges weights."
        )


def _allowed(allowed: Any, shape: tuple[int, ...]) -> Bool[np.ndarray, "query key"] | None:
    if allowed is None:
        return None
    if isinstance(allowed, str) and allowed != "causal":
        raise LabError(f'allowed must be an array (query, key) or "causal", got {allowed!r}.')
    found = (np.tri(shape[0], shape[1]) if isinstance(allowed, str) else _array(allowed)).astype(bool)
    if found.shape != shape:
        raise LabError(f"allowed must have the shape {shape} of a head's weights, got {found.shape}.")
    return found
