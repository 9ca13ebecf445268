"""The probe of a translator's fixed vector, or a sentence on why there is none."""

from core.learning.probes import ProbeRecord, StaleError, WordProbe, name_of_probe, take_probe
from core.learning.weights.source import UnavailableError
from core.recurrent_pair import RecurrentPairConfig


def load_probe(config: RecurrentPairConfig) -> tuple[WordProbe, ProbeRecord]:
    """The probe of a translator and what is known of it; shared by all visitors: nothing may change it.

    Raises UnavailableError where there is none, where its file is damaged, and where its translator has been
    trained again since.
    """
    name = name_of_probe(config)
    command = f"`python -m core.learning.probes {name}` trains it in a minute."
    try:
        return take_probe(name)
    except FileNotFoundError as error:
        raise UnavailableError(f"There is no probe of this vector yet. {command}") from error
    except StaleError as error:
        raise UnavailableError(
            f"The probe is of another model than the one that is there. {command}"
        ) from error
    except OSError as error:
        raise UnavailableError(f"The file of the probe is damaged. {command}") from error
