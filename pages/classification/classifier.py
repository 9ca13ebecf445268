"""The switch of the models that classify, in place of those of the explorer."""

from dataclasses import dataclass

from core.device import choose_device, describe
from core.learning.collection.classifiers import name_of_classifier
from core.learning.evaluation.classification import SEEN
from core.measures.classification import baselines
from core.measures.classification.verdicts import CLASSIFIERS
from core.model.classifier import ClassifierConfig
from core.model.config import ModelConfig
from core.sources import UnavailableError
from core.sources.absent import absent
from core.sources.classifiers import load_classifier, record_of_classifier
from pages.classification.how_measured import learned
from pages.contract.ask import Ask
from pages.contract.sheet import Notice
from pages.controls.switches import Architecture
from pages.controls.weights import not_there
from pages.shell import View
from pages.shell.loading import those_there
from viz.theme import Theme

CLASSIFIER = "classifier"
"""The switch that a view has whose numbers are those of one classifier."""

USUAL = list(CLASSIFIERS)[-1]


@dataclass(frozen=True)
class Classifier(Architecture):
    """A model of the collection that classifies, by its title."""

    title: str = USUAL

    @property
    def classifier(self) -> ClassifierConfig:
        """What it is made of."""
        return CLASSIFIERS[self.title]


def choose_classifier(ask: Ask, view: View) -> Classifier:
    """The classifier that the switch names; a view that shows all of them has no switch."""
    title = USUAL
    if CLASSIFIER in view.switches:
        title = ask.menu(CLASSIFIER, options=list(CLASSIFIERS), width="stretch")
        ask.caption(_learned(title))
        ask.caption(f"Computed on {describe(choose_device())}.")
    encoder = CLASSIFIERS[title].encoder
    layers = ModelConfig(vocab_size=encoder.vocab_size, n_layers=1, n_heads=1, positions="none")
    shown = encoder if isinstance(encoder, ModelConfig) else layers
    return Classifier(config=shown, source="trained", seed=0, title=title)


def _learned(title: str) -> str:
    """A sentence on what the model has learned."""
    try:
        record = record_of_classifier(CLASSIFIERS[title])
    except UnavailableError as error:
        return not_there(error)
    one_word = baselines.shares(baselines.BY_LAST_OPINION)[SEEN].value
    return learned(record.accuracies[SEEN], one_word)


def available() -> dict[str, ClassifierConfig]:
    """The classifiers that are there, by title. Raises UnavailableError where none is."""
    found = those_there(lambda config: load_classifier(config, (".",)), CLASSIFIERS)
    if not found:
        load_classifier(list(CLASSIFIERS.values())[-1], (".",))
    return {title: CLASSIFIERS[title] for title in found}


def absent_classifiers() -> str:
    """A sentence for each reason why classifiers are not there; empty where all are."""
    return absent(map(name_of_classifier, CLASSIFIERS.values()))


def missing(absent: str) -> tuple[Notice, ...]:
    """The note above a view on the classifiers that it goes without; none where all are there."""
    return (Notice(absent, "warning"),) if absent else ()


def colour_of(title: str, theme: Theme) -> str:
    """Recurrence has the colour of the key, that of an LSTM the value's, attention that of the query."""
    network = title.partition(" ")[0]
    return {"RNN": theme.recurrence, "LSTM": theme.value}.get(network, theme.attention)
