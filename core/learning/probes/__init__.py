"""Linear probes of the fixed vector: which words of a source sentence can still be told from it?"""

from core.learning.probes.probe import WordProbe, fixed_vectors, words_in
from core.learning.probes.probe_store import PROBES, ProbeRecord, StaleError, name_of_probe, take_probe
from core.learning.probes.told import FOLLOWED_BY, Told, content_words, measure_told
from core.learning.probes.training import ProbeRecipe, train_probe

__all__ = [
    "FOLLOWED_BY",
    "PROBES",
    "ProbeRecipe",
    "ProbeRecord",
    "StaleError",
    "Told",
    "WordProbe",
    "content_words",
    "fixed_vectors",
    "measure_told",
    "name_of_probe",
    "take_probe",
    "train_probe",
    "words_in",
]
