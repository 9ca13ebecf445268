"""Linear probes of the fixed vector: which words of a source sentence can be recovered from it?"""

from core.learning.probes.probe import ProbeCounts, WordProbe, content_words
from core.learning.probes.probe_store import PROBES, ProbeRecord, StaleError, name_of_probe, take_probe

__all__ = [
    "PROBES",
    "ProbeCounts",
    "ProbeRecord",
    "StaleError",
    "WordProbe",
    "content_words",
    "name_of_probe",
    "take_probe",
]
