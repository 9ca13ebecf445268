"""Programs about classification: the classifiers of the collection on a review."""

from collections.abc import Sequence

from core.learning.collection.classifiers import name_of_classifier
from core.measures.classification.reviews import EMBED, PATTERN
from core.model.classifier import ClassifierConfig
from core.programs.text import literal, program

_ALL = """
    from core.learning.collection import take
    from core.learning.collection.classifiers import classifiers
    from core.text.language import encode
"""


def verdicts_program(reviews: Sequence[Sequence[str]]) -> str:
    """A program that prints the probability of praise by every classifier, a column for each review."""
    lists = [literal(f"review_{at}", list(words)) for at, words in enumerate(reviews)]
    names = ", ".join(f"review_{at}" for at in range(len(reviews)))
    return program(
        "The probability of praise by every classifier, a row for each; a column for each review.",
        _ALL,
        *lists,
        f"""
        for name in classifiers():
            model = take(name)
            row = [model(encode(words).tokens).double().softmax(-1)[0, 1] for words in [{names}]]
            print(f"{{name:24}}", *(f"{{p:.3f}}" for p in row))
        """,
    )


_ATTENTION = f"""
    pattern = trace["{PATTERN}"][0]
    attention = pattern.mean(dim=(0, 1)).tolist()
"""

_ABLATION = f"""
    def log_odds(tokens, **given):
        blame, praise = model(tokens, **given)[0]
        return praise - blame


    tokens = encode(words).tokens
    vectors = model.encoder.embed(tokens) * getattr(model.encoder, "embed_scale", 1)
    vectors.requires_grad_()
    trace = Trace(edits={{"{EMBED}": lambda x: vectors}})
    whole = log_odds(tokens, trace=trace)
    whole.backward()
    gradient = (vectors * vectors.grad).sum(-1)[0].tolist()
"""


def contributions_program(config: ClassifierConfig, words: Sequence[str]) -> str:
    """A program that prints what each word contributes: by ablation, by gradient × input, by attention."""
    attends = name_of_classifier(config).startswith("review-transformer")
    also = ', f"{attention[at]:.3f}"' if attends else ""
    return program(
        "What each word contributes to the log-odds of praise, by several measures.",
        "from core.learning.collection import take\nfrom core.model.trace import Trace\n"
        "from core.text.language import encode",
        literal("words", list(words)),
        f'model = take("{name_of_classifier(config)}")',
        _ABLATION,
        _ATTENTION if attends else "",
        f"""
        for at, word in enumerate(words):
            without = encode([*words[:at], "<unk>", *words[at + 1 :]]).tokens
            ablation = (whole - log_odds(without)).item()
            print(f"{{word:>12}} {{ablation:.3f}} {{gradient[at]:.3f}}"{also})
        """,
    )
