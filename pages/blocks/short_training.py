"""A short training of models that differ in the placement of layer norm, started by a button."""

from collections.abc import Iterator, Mapping, Sequence
from math import isfinite

import pandas as pd

from core.measures.blocks.norms import (
    COMPARED,
    D_MODEL,
    LAST,
    RECIPE,
    Loss,
    last_losses,
    short_training,
    small,
)
from core.model.config import ModelConfig, Norm
from pages.blocks.trainings import FREQUENCIES, ROLES, frequencies_loss
from pages.contract.ask import Ask
from pages.contract.measurement import Measurement
from pages.contract.scene import Scene
from pages.contract.sheet import Caption, Fold, Part, PicturePart, Program, Sheet, Text
from viz.curves import Curves
from words import magnitude


def training(ask: Ask, scene: Scene, norms: Sequence[Norm]) -> Sheet:
    """Show the losses of models trained here when the visitor presses a button."""
    switches, seed = scene.switches, scene.switches.seed
    n_layers = ask.menu("train_depth", width=130)
    asked = measurement(switches.config, norms, n_layers, seed)
    found = ask.measure(asked)
    told = Text(recipe(len(norms), n_layers))
    answer: str = invitation(asked.label)
    parts: tuple[Part, ...] = (told,)
    if found.about == asked.about:
        answer = training_headline(last_losses(found.parts))
        parts = (_training_chart(found.parts), Fold("How they were trained", (told,)))
    return Sheet(
        headline=answer,
        parts=parts,
        program=lambda: Program.calling(
            f"Short training of models {n_layers} blocks deep.",
            short_training,
            switches.config,
            n_layers=n_layers,
            seed=seed,
            norms=norms,
            prints="the loss of every step",
        ),
    )


def measurement(config: ModelConfig, norms: Sequence[Norm], n_layers: int, seed: int) -> Measurement:
    """Return the training of a model for each norm; it is about everything that its losses depend on."""

    def losses() -> Iterator[tuple[str, Loss]]:
        for one in short_training(config, n_layers=n_layers, seed=seed, norms=norms):
            yield f"Layer norm {one.norm}: step {one.step}", one

    return Measurement(
        "short_training_losses",
        losses,
        about=(small(config, "pre", n_layers=n_layers), tuple(norms), seed),
        n_parts=len(norms) * RECIPE.steps,
        label=f"Train {'two' if len(norms) == len(COMPARED) else 'three'} models",
        icon=":material/play_arrow:",
        is_shared=True,
    )


def invitation(label: str) -> str:
    """Return what to press before the training."""
    return f"Press *{label}* to see which one learns better."


def _training_chart(losses: Sequence[Loss]) -> PicturePart:
    table = pd.DataFrame([vars(one).values() for one in losses], columns=["layer norm", "step", "loss"])
    numbers = table[table["loss"].astype(float).between(0, float("inf"), inclusive="neither")]
    picture = Curves(
        rows=numbers,
        title="Loss by placement of layer norm against training steps",
        x="step",
        y="loss",
        by="layer norm",
        say=magnitude,
        colours={norm: ROLES[norm] for norm in dict.fromkeys(table["layer norm"])},
        x_title="training steps",
        y_title="loss, nats per word",
        log="y",
        level=(frequencies_loss(), FREQUENCIES),
    )
    trained = "Transformers trained here on next-word prediction: width 32, causal mask"
    caption = Caption(models=lambda: (trained,), chosen=False, measured=True)
    return PicturePart("short_training", picture, caption=caption)


def training_headline(last: Mapping[Norm, float]) -> str:
    """Return the mean loss of the last steps of each model, and which has the lowest."""
    told = ", ".join(
        f"{norm} {magnitude(loss) if isfinite(loss) else 'no longer a number'}" for norm, loss in last.items()
    )
    learned = {norm: loss for norm, loss in last.items() if isfinite(loss)}
    ahead = f"; {min(learned, key=learned.__getitem__)} has the lowest" if learned else ""
    return f"Over the last {LAST} steps the loss in nats is {told}{ahead}."


def recipe(n_models: int, n_layers: int) -> str:
    """Return how the models are trained."""
    return (
        f"{'Two' if n_models == len(COMPARED) else 'Three'} models {n_layers} blocks deep and {D_MODEL} wide "
        "learn next-word prediction in a small artificial English under a causal mask. All learn from the "
        f"same {RECIPE.steps} batches of {RECIPE.batch_size}. The learning rate begins at "
        f"{RECIPE.learning_rate_at(0):g}, without warm-up, and falls to "
        f"{RECIPE.learning_rate_at(RECIPE.steps):g}."
    )
