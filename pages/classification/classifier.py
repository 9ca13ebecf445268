"""The switch of the classifiers, in place of the explorer's switches."""

from collections.abc import Sequence
from dataclasses import dataclass

from core.device import choose_device, describe
from core.learning.collection.classifiers import name_of_classifier
from core.learning.evaluation.classification import SEEN
from core.measures.classification import reviews as baselines
from core.measures.classification.reviews import CLASSIFIERS, probability
from core.model.classifier import POOLINGS, ClassifierConfig
from core.model.config import ModelConfig
from core.sources import UnavailableError
from core.sources.missing_models import absent
from core.sources.trained import load_classifier, record_of_classifier
from pages.contract.ask import Ask
from pages.contract.caching import cached_for_all
from pages.contract.loading import load_available
from pages.contract.model_descriptions import in_brackets, in_words, trained_on
from pages.contract.sheet import Text
from pages.contract.switches import Architecture
from pages.contract.view import View
from pages.contract.weights import missing_notes, not_there
from words import per_cent

CLASSIFIER = "classifier"
"""Switch of a view whose numbers belong to one classifier."""

USUAL = list(CLASSIFIERS)[-1]


@dataclass(frozen=True)
class Classifier(Architecture):
    """A model of the collection that classifies, with its title."""

    title: str = USUAL

    def described(self, *but: str) -> str:
        """Return the classifier in words."""
        return in_words(self.classifier, trained_on("classification"), but=but)

    @property
    def classifier(self) -> ClassifierConfig:
        """Return its configuration."""
        return CLASSIFIERS[self.title]


def choose_classifier(ask: Ask, view: View) -> Classifier:
    """Return the classifier that the switch names; a view that shows all of them has no switch."""
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
    """Return a sentence on the accuracy of the model, beside a baseline."""
    try:
        right = record_of_classifier(CLASSIFIERS[title]).accuracies[SEEN]
    except UnavailableError as error:
        return not_there(error)
    by_one_word = baselines.shares(baselines.BY_LAST_OPINION)[SEEN].value
    return (
        "Trained on reviews in a small artificial English, each with one label. It gets "
        f"{per_cent(right)} right of unseen reviews of the kinds that training had. A baseline that reads "
        f"only the last opinion gets {per_cent(by_one_word)}."
    )


def available() -> dict[str, ClassifierConfig]:
    """Return the available classifiers, by title. Raises UnavailableError if there is none."""
    found = load_available(lambda config: load_classifier(config, (".",)), CLASSIFIERS)
    if not found:
        load_classifier(list(CLASSIFIERS.values())[-1], (".",))
    return {title: CLASSIFIERS[title] for title in found}


def missing() -> tuple[Text, ...]:
    """Return the note above a view on missing classifiers; none if all are there."""
    return missing_notes(absent(map(name_of_classifier, CLASSIFIERS.values())))


def all_classifiers() -> Sequence[str]:
    """Return the classifiers in words, the recurrent ones together."""
    transformer = in_brackets(CLASSIFIERS[USUAL])
    recurrent = f"RNN and LSTM classifiers (1 layer, pooling: {', '.join(POOLINGS)})"
    return (f"{recurrent}, {transformer}, {trained_on('classification')}",)


@cached_for_all()
def verdict(config: ClassifierConfig, words: tuple[str, ...]) -> float:
    """Return the probability of praise."""
    return probability(load_classifier(config, words))
