"""Programs about language models that go on with a text, one word at a time."""

from collections.abc import Mapping, Sequence

from core.measures.generation.writing import ENDS, WRITERS, GenerationSettings, member_of
from core.model.config import ModelConfig
from core.programs.text import literal, program
from core.text.tokenizer import MAX_WORDS

_IMPORTS = """
    import torch

    from core.learning.collection import take
    from core.text import language
"""

_WRITING = """
    known = language.vocabulary()
    for name, by_hand in models.items():
        model, words = take(name), list(given)
        {begin}
        for step in range({room}):
            with torch.inference_mode():
                logits = model(language.encode(words).tokens)[0, -1]
            words.append(by_hand.get(step, known.words[{chosen}]))
            p = logits.double().softmax(-1)[known.encode(words[-1:]).item()]
            print(f"{{name:12}} {{words[-1]:12}} {{p:.3f}}")
            {stop}
"""


def continuing_program(
    given: Sequence[str], config: ModelConfig, manners: Mapping[str, GenerationSettings]
) -> str:
    """A program that continues a text with these writers and prints every word with its probability.

    The manners differ in the words forced alone.
    """
    manner = next(iter(manners.values()))
    by_hand = {member_of(name, config): dict(one.forced) for name, one in manners.items()}
    drawn = manner.way == "sampled"
    written = _WRITING.format(
        begin=f"chance = Random({manner.seed})" if drawn else "",
        room=max(0, min(manner.most, MAX_WORDS - len(given))),
        # Asked also where a word is given, so that chance has the same numbers afterwards.
        chosen=f"draw(sharpened(logits, {manner.sampling!r}), chance.random())"
        if drawn
        else "logits.argmax()",
        stop=f"if words[-1] in {ENDS!r}:\n                break" if manner.stops else "",
    )
    return program(
        "A text continued word by word: the model, the word, and its probability.",
        "from random import Random" if drawn else "",
        _IMPORTS,
        "from core.decoding import Sampling, draw, sharpened" if drawn else "",
        f"{literal('given', list(given))}\nmodels = {by_hand!r}  # and the words chosen by hand, by step",
        "\n".join(line for line in written.splitlines() if line.strip()),
    )


_SURPRISAL = """
    tokens = language.encode(words).tokens
    unknown = language.encode(words).unknown
    for name in models:
        with torch.inference_mode():
            log_p = take(name)(tokens)[0, :-1].double().log_softmax(-1)
        nats = -log_p[range(len(words) - 1), tokens[0, 1:]]
        scored = [at for at in range(1, len(words)) if at not in unknown]
        for at in scored:
            print(f"{name:12} {words[at]:12} {nats[at - 1]:.3f}")
        print(f"{name:12} perplexity {nats[[at - 1 for at in scored]].mean().exp():.3f}")
"""


def surprisal_program(words: Sequence[str], config: ModelConfig, writers: Sequence[str]) -> str:
    """A program that prints the surprisal of every word to these writers, in nats, and their perplexity."""
    return program(
        "How surprising every word of a text is to several models, in nats.",
        _IMPORTS,
        f"{literal('words', list(words))}\nmodels = {[member_of(name, config) for name in writers]!r}",
        _SURPRISAL,
    )


_COUNTING = '''
    def longest(inputs, writing):
        """Operations in a row, along what each state is computed from, until all is known."""
        known = {}
        for word in range(len(words) - 1):
            # While a text is written, a word has to be known before it can be read.
            waits = writing and word >= n_given
            known[0, word] = known[n_layers, word - 1] if waits else 0
            for layer in range(1, n_layers + 1):
                known[layer, word] = 1 + max(known[one] for one in inputs(layer, word))
        if writing:
            return max(known.values())
        # Back: the gradient of a state waits for the state, and for the gradients of what it went into.
        back = {}
        for layer in range(n_layers, 0, -1):
            for word in reversed(range(len(words) - 1)):
                later = [back[one] for one in back if (layer, word) in inputs(*one)]
                back[layer, word] = 1 + max([known[layer, word], *later])
        return max(back.values())

'''

_INPUTS = """
    def recurrent(layer, word):
        return [(layer - 1, word), *([(layer, word - 1)] if word else [])]

    def attention(layer, word):
        return [(layer - 1, other) for other in range(word + 1)]

"""

_PRINTED = """
    for inputs in (recurrent, attention):
        print(inputs.__name__, longest(inputs, writing=False), longest(inputs, writing=True))
"""


def serial_costs_program(words: Sequence[str], n_given: int, *, n_layers: int) -> str:
    """A program that counts operations one after the other: of training on a text, there and back, and of
    writing it."""
    return program(
        "Operations one after the other: to learn from a text, and to write it.",
        f"{literal('words', list(words))}\nn_given, n_layers = {n_given}, {n_layers}",
        *_INPUTS.strip("\n").split("\n\n"),
        _COUNTING,
        _PRINTED,
    )


_KEPT = """
    tokens = language.encode(words).tokens
    for name in models:
        begun = begin_text(take(name), tokens)
        if isinstance(begun, Cached):
            kept = list(begun.kept.values())
        else:
            kept = [state for memory in begun.memories for state in memory]
        print(f"{name:20} {sum(tensor.nbytes for tensor in kept)}")
"""


def kept_program(words: Sequence[str], config: ModelConfig, writers: Sequence[str]) -> str:
    """A program that prints the bytes of what each of these writers keeps of a text."""
    return program(
        "What each model keeps of a text to go on with it, in bytes.",
        "from core.decoding import begin_text\nfrom core.decoding.cached import Cached\n"
        "from core.learning.collection import take\nfrom core.text import language",
        f"{literal('words', list(words))}\nmodels = {[member_of(name, config) for name in writers]!r}",
        _KEPT,
    )


def word_times_program(config: ModelConfig) -> str:
    """A program that measures how long each writer takes for one more word."""
    members = {writer: member_of(writer, config) for writer in WRITERS}
    return program(
        "Seconds for one more word after so many: each model, the words, the median.",
        "from core.learning.collection import take\nfrom core.measures.generation.costs import word_times",
        f"members = {members!r}\nmodels = {{writer: take(member) for writer, member in members.items()}}",
        """
        for one in word_times(models):
            print(f"{one.network:12} {one.words:4} {one.seconds:.2e}")
        """,
    )
