"""Programs about translation: a translator of the collection on a sentence, word by word."""

from collections.abc import Collection, Sequence

from core.learning.collection.translators import TranslatorConfig, name_of_pair
from core.learning.probes import name_of_probe
from core.measures.translation.knock_out import KnockOut
from core.measures.translation.writing import Strategy
from core.model.config import PairConfig
from core.model.recurrent_pair import RecurrentPairConfig
from core.programs.text import literal, program

IMPORTS = """
    import torch

    from core.learning.collection import take
    from core.text import language, translation
"""

PATHS = {
    "cross-attention": "decoder.blocks.{layer}.cross_attention.pattern",
    "encoder": "encoder.blocks.{layer}.attention.pattern",
    "decoder": "decoder.blocks.{layer}.attention.pattern",
}
"""Names under which a trace records each kind of attention."""

_ENDS = """
    known = translation.vocabulary()
    start, end = known.encode(["<s>", "</s>"])[0].tolist()
"""

_GREEDY = """
    target = [start, *given]
    with torch.inference_mode():
        while target[-1] != end and len(target) <= 64:
            log_p = model((source, torch.tensor([target])))[0, -1].double().log_softmax(-1)
            target.append(int(log_p.argmax()))
            print(f"{known.words[target[-1]]:12} {log_p[target[-1]].exp():.3f}")
"""

_SAMPLED = """
    chance, target = Random({seed}), [start, *given]
    with torch.inference_mode():
        while target[-1] != end and len(target) <= 64:
            logits = model((source, torch.tensor([target])))[0, -1]
            target.append(draw(sharpened(logits, {sampling}), chance.random()))
            log_p = logits.double().log_softmax(-1)
            print(f"{{known.words[target[-1]]:12}} {{log_p[target[-1]].exp():.3f}}")
"""

_BEAM = """
    decoding, *read = begin(model, source), start, *given
    for word in read[:-1]:
        _, decoding = decoding.read(torch.tensor([word]))
    longest = 64 - len(given)
    beam = beam_search(decoding, width={width}, start=read[-1], end=end, longest=longest)
    for number in beam.path(beam.best)[1:]:
        one = beam.tree[number]
        print(f"{{known.words[one.word]:12}} {{one.total:.3f}}")
"""


def writing_program(config: TranslatorConfig, words: Sequence[str], strategy: Strategy) -> str:
    """A program that translates a sentence and prints every word with its probability or its total."""
    also = {
        "greedy": "",
        "sampled": "from random import Random\n\nfrom core.decoding import Sampling, draw, sharpened",
        "beam": "from core.decoding import beam_search, begin",
    }
    how = {
        "greedy": _GREEDY,
        "sampled": _SAMPLED.format(seed=strategy.seed, sampling=repr(strategy.sampling)),
        "beam": _BEAM.format(width=strategy.width),
    }
    begins = "given = []"
    if strategy.prefix:
        begins = literal("begins", list(strategy.prefix)) + "\ngiven = known.encode(begins)[0].tolist()"
    return program(
        "A translation, word by word; of a beam with the log-probability so far.",
        also[strategy.way],
        *_translator(config, words),
        begins,
        how[strategy.way],
    )


_ATTENTION = """
    target = known.encode(["<s>", *translated])
    trace = Trace()
    model((source, target), trace=trace)
    pattern = trace["{path}"][0]
"""


def pair_attention_program(
    config: TranslatorConfig,
    words: Sequence[str],
    target: Sequence[str],
    *,
    kind: str,
    layer: int,
    head: int,
) -> str:
    """A program that prints the weights of one head while a translation is written; layer, head from 0."""
    if isinstance(config, PairConfig):
        path = PATHS[kind].format(layer=layer)
    else:
        path, head = "alignment", 0
    return program(
        "Attention while a translation is written: a row for every word that is read or written.",
        "from core.model.trace import Trace",
        *_translator(config, words),
        literal("translated", list(target)),
        _ATTENTION.format(path=path),
        f"""
        for row in pattern.reshape(-1, *pattern.shape[-2:])[{head}]:
            print(*(f"{{weight:.2f}}" for weight in row.tolist()))
        """,
    )


def knock_out_program(config: TranslatorConfig, words: Sequence[str], missing: KnockOut) -> str:
    """A program that prints the translation of a model of which something is missing."""
    shown = f"KnockOut({missing.word!r}, {_set(missing.heads)}, {_set(missing.layers)})"
    return program(
        "A translation without a source word, heads or layers of attention to the source.",
        "from core.learning.collection import MEMBERS\n"
        "from core.measures.translation.knock_out import KnockOut, translate_without\n"
        "from core.sources.translators import load_translator",
        f'config = MEMBERS["{name_of_pair(config)}"].config\n'
        + literal("words", list(words))
        + f"\nmissing = {shown}  # a word, heads (layer, head) and layers, counted from 0",
        "print(*translate_without(load_translator(config, words), missing))",
    )


def _set(places: Collection[object]) -> str:
    return f"frozenset({sorted(places, key=repr)!r})"


def _translator(config: TranslatorConfig, words: Sequence[str]) -> tuple[str, ...]:
    """Lines that fetch the model and read the sentence."""
    return (
        IMPORTS,
        f'model = take("{name_of_pair(config)}")\n'
        + literal("words", list(words))
        + "\nsource = language.encode(words).tokens",
        _ENDS,
    )


_BOTTLENECK = """
    encoded = model.encode(source)
    vector = torch.cat(encoded.ends[-1], dim=-1)[0]
    print("vector", *[f"{number:.3f}" for number in vector.tolist()])
    told = probe(vector).sigmoid()
    for word, token in zip(words, source[0].tolist()):
        print(f"{word:12} {told[token]:.3f}")
"""


def bottleneck_program(config: RecurrentPairConfig, words: Sequence[str]) -> str:
    """A program that prints the fixed vector of a sentence and what the probe tells of each of its words."""
    return program(
        "The fixed vector of a sentence, and how likely a probe thinks that each word was in it.",
        f"{IMPORTS}    from core.learning.probes import take_probe\n",
        f'model = take("{name_of_pair(config)}")\nprobe, record = take_probe("{name_of_probe(config)}")\n'
        + literal("words", list(words))
        + "\nsource = language.encode(words).tokens",
        _BOTTLENECK,
    )
