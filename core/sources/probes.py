"""The probe of a translator's fixed vector, or a sentence on why there is none."""

from collections.abc import Iterable

from core.learning.collection.checkpoint_store import AlteredError, IndexMissingError, UnlistedError
from core.learning.probes import PROBES, ProbeRecord, StaleError, WordProbe, name_of_probe, take_probe
from core.learning.probes.probe_store import INDEX
from core.model.recurrent_pair import RecurrentPairConfig
from core.sources.missing_models import absent, join_names, path_in_words
from core.sources.source import UntrainedError
from core.unavailable import UnavailableError


def load_probe(config: RecurrentPairConfig) -> tuple[WordProbe, ProbeRecord]:
    """Return the probe of a translator and its record, shared by all; raises UnavailableError."""
    name = name_of_probe(config)
    if of_translator := absent([PROBES[name]]):
        raise UnavailableError(of_translator)
    try:
        return take_probe(name)
    except FileNotFoundError as error:
        raise UntrainedError(_why(type(error), name)) from error
    except OSError as error:
        raise UnavailableError(_why(type(error), name)) from error


def absent_probes(configs: Iterable[RecurrentPairConfig]) -> str:
    """Return a sentence for each reason why probes of translators cannot be read; empty if all can."""
    reasons: dict[type[OSError], list[str]] = {}
    for name in map(name_of_probe, configs):
        if absent([PROBES[name]]):
            continue
        try:
            take_probe(name)
        except OSError as error:
            reasons.setdefault(type(error), []).append(name)
    return " ".join(_why(reason, *names) for reason, names in reasons.items())


def _why(reason: type[OSError], *names: str) -> str:
    """Return why these probes cannot be loaded, and what to do."""
    command = f"`python -m core.learning.probes {' '.join(names)}`"
    s = "s" * (len(names) > 1)
    probes, files = f"probe{s} {join_names(names)}", f"file{s} {join_names(map(path_in_words, names))}"
    (has, is_, it, does) = ("has", "is", "it", "does") if len(names) == 1 else ("have", "are", "them", "do")
    trains = f"restore {it}, or {command} trains {it} again in a minute."
    if issubclass(reason, FileNotFoundError):
        return f"The {probes} {has} not been trained yet. {command} trains {it} in a minute."
    if issubclass(reason, StaleError):
        return f"The {probes} {is_} for another model. {command} trains {it} anew."
    if issubclass(reason, AlteredError):
        return f"The {files} {does} not match `checkpoints/{INDEX}`: {trains}"
    if issubclass(reason, UnlistedError | IndexMissingError):
        return f"The {files} {is_} not listed in `checkpoints/{INDEX}`: {command} does that."
    return f"The {files} {is_} damaged: {trains}"
