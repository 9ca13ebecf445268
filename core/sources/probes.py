"""The probe of a translator's fixed vector, or a sentence on why there is none."""

from collections.abc import Iterable

from core.learning.probes.probe import WordProbe
from core.learning.probes.probe_store import PROBES, ProbeRecord, name_of_probe, take_probe
from core.model.recurrent_pair import RecurrentPairConfig
from core.sources.missing_models import PROBE, absent, missing_reason
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
        raise UntrainedError(f"{missing_reason(type(error), name, kind=PROBE)}.") from error
    except OSError as error:
        raise UnavailableError(f"{missing_reason(type(error), name, kind=PROBE)}.") from error


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
    return " ".join(f"{missing_reason(reason, *names, kind=PROBE)}." for reason, names in reasons.items())
