"""Memory of a real model: the keys and values that it keeps of a text, and the saving by shared keys."""

from dataclasses import replace

import pandas as pd

from core.measures.generation.costs import BYTES, cache_bytes, memory_table
from core.model.config import ModelConfig
from pages.contract.ask import Ask
from pages.contract.loading import loaded
from pages.contract.prose import literal
from pages.contract.scene import Scene
from pages.contract.sheet import Caption, Columns, Formula, PicturePart, Program, Sheet, Text
from pages.generation.writer import why_not_written
from viz.curves import Curves
from viz.matrices import HeadMatrix
from viz.text import unique_words
from words import counted, memory, per_cent

KEEPS_NONE = "This model does not continue a text, so it keeps no keys and values for a next token."
OWN_KEYS, MULTI_QUERY = "own keys", "one key head"
LENGTHS = tuple(2**power for power in range(14))
"""Numbers of pieces in the chart, as far as the model has positions."""

CACHE = Formula(
    r"\text{bytes} = n_\text{layers} \cdot 2 \cdot n_\text{key heads} \cdot d_\text{head} "
    rf"\cdot n_\text{{tokens}} \cdot {BYTES}",
    f"a key and a value of each token, in each layer and for each key head: {BYTES} bytes, single precision",
)


def with_other_keys(config: ModelConfig) -> dict[str, ModelConfig]:
    """Return the model with a key head for each head, and with one for all, if its own number differs."""
    found = {}
    if config.n_key_heads < config.n_heads:
        found[OWN_KEYS] = replace(config, n_kv_heads=config.n_heads)
    if config.n_key_heads > 1:
        found[MULTI_QUERY] = replace(config, n_kv_heads=1)
    return found


def describe_cache(title: str, config: ModelConfig, n: int) -> str:
    """Return the bytes that a model keeps of `n` tokens."""
    n_bytes = memory(cache_bytes(config, n))
    return (
        f"{literal(title)} keeps {n_bytes} of keys and values for {counted(n, 'token')}, in single precision"
    )


def describe_key_sharing(config: ModelConfig, n: int) -> str:
    """Return the factors of the cache, and the saving by shared keys."""
    factors = (
        f"{counted(config.n_layers, 'layer')} · 2 · {counted(config.n_key_heads, 'key head')} · "
        f"{config.d_head} numbers · {counted(n, 'token')} · {BYTES} bytes = {cache_bytes(config, n):,} bytes."
    )
    if config.n_key_heads == config.n_heads:
        return f"{factors} Each of its {config.n_heads} heads has its own keys and values."
    whole = cache_bytes(with_other_keys(config)[OWN_KEYS], n)
    saved = 1 - cache_bytes(config, n) / whole
    return (
        f"{factors} Its {config.n_heads} query heads share {counted(config.n_key_heads, 'key head')}: with a "
        f"key head for each it would keep {memory(whole)}, so sharing saves {per_cent(saved)}."
    )


def real_memory(ask: Ask, scene: Scene) -> Sheet:
    """Show a head's weights over the text on the left, and on the right the bytes of the cache."""
    one, config, n = scene.switches.weights.pretrained, scene.switches.config, len(scene.words)
    assert one is not None, "the text is in tokens"
    model = loaded(scene.plain, scene.switches)
    if why_not := why_not_written(model, KEEPS_NONE, unit=scene.unit):
        return Sheet(notes=(Text(why_not, "info"),))
    if config.n_heads > 1:
        head = ask.menu("head", options=range(1, config.n_heads + 1), default=1)
        scene = replace(scene, head=head - 1)
    row = scene.pattern[-1]
    most = int(row.argmax())
    name = literal(unique_words(scene.labels)[most])
    last = literal(unique_words(scene.labels)[-1])
    variants = with_other_keys(config)
    lengths = sorted({*(one for one in LENGTHS if one <= config.max_len), n})
    table = memory_table({one.title: config, **variants}, lengths).rename(columns={"words": "tokens"})
    weights = HeadMatrix(
        pattern=scene.pattern,
        words=scene.labels,
        unit="token",
        title=f"Attention weights, {scene.place}",
        short=f"{scene.place[0].upper()}{scene.place[1:]}",
        allowed=scene.attention.allowed,
        selected=(n - 1, most),
    )
    return Sheet(
        headline=(
            f"{describe_cache(one.title, config, n)}. In {scene.place}, *{last}* "
            f"attends {'most ' * (n > 1)}to *{name}*, with {per_cent(float(row[most]))}."
        ),
        parts=(
            Columns(
                (
                    (PicturePart("attended", weights),),
                    (
                        _chart(table, one.title, list(variants), n),
                        Text(describe_key_sharing(config, n)),
                        CACHE,
                    ),
                )
            ),
        ),
        program=lambda: Program.calling(
            "Bytes of the keys and values of a text.",
            cache_bytes,
            config,
            n,
            prints="the bytes of keys and values that the model keeps",
        ),
    )


def _chart(table: pd.DataFrame, title: str, variants: list[str], n: int) -> PicturePart:
    picture = Curves(
        rows=table,
        title="Memory of keys and values against text length",
        x="tokens",
        y="bytes",
        by="network",
        say=memory,
        colours=dict.fromkeys([title, *variants], "attention"),
        dashed=variants,
        x_title="tokens in the text so far",
        y_title="memory kept",
        log=True,
        mark=n,
        mark_name=f"{counted(n, 'token')} read",
    )
    return PicturePart("memory", picture, caption=Caption(models=lambda: (title,), chosen=False))
