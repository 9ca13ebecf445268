"""Linear probes of the fixed vector: which words of a source sentence can still be told from it?"""

from core.learning.probes.probe import WordProbe
from core.learning.probes.probe_store import PROBES, ProbeRecord, StaleError, name_of_probe, take_probe
from core.learning.probes.told import Told, content_words

__all__ = [
    "PROBES",
    "ProbeRecord",
    "StaleError",
    "Told",
    "WordProbe",
    "content_words",
    "name_of_probe",
    "take_probe",
]
