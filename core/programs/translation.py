"""Programs about translation: a translator of the collection on a sentence, word by word."""

from collections.abc import Sequence

from core.analysis.translation.writing import Strategy
from core.learning.collection.translators import TranslatorConfig, name_of_pair
from core.programs.text import literal, program

IMPORTS = """
    import torch

    from core.learning.collection import take
    from core.text import language, translation
"""

_ENDS = """
    known = translation.vocabulary()
    start, end = known.encode(["<s>", "</s>"])[0].tolist()
"""

_GREEDY = """
    target = [start]
    with torch.inference_mode():
        while target[-1] != end and len(target) <= 64:
            log_p = model((source, torch.tensor([target])))[0, -1].double().log_softmax(-1)
            target.append(int(log_p.argmax()))
            print(f"{known.words[target[-1]]:12} {log_p[target[-1]].exp():.3f}")
"""

_SAMPLED = """
    chance, target = Random({seed}), [start]
    with torch.inference_mode():
        while target[-1] != end and len(target) <= 64:
            logits = model((source, torch.tensor([target])))[0, -1]
            target.append(draw(sharpened(logits, {sampling}), chance.random()))
            log_p = logits.double().log_softmax(-1)
            print(f"{{known.words[target[-1]]:12}} {{log_p[target[-1]].exp():.3f}}")
"""

_BEAM = """
    beam = beam_search(begin(model, source), width={width}, start=start, end=end, longest=64)
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
    return program(
        "A translation, word by word.", also[strategy.way], *_translator(config, words), how[strategy.way]
    )


def _translator(config: TranslatorConfig, words: Sequence[str]) -> tuple[str, ...]:
    """Lines that fetch the model and read the sentence."""
    return (
        IMPORTS,
        f'model = take("{name_of_pair(config)}")\n'
        + literal("words", list(words))
        + "\nsource = language.encode(words).tokens",
        _ENDS,
    )
