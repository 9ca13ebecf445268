"""Training: the loss of every step, and then what the words attend to."""

import math

import torch
from torch.nn.functional import cross_entropy

from core.learning.tasks import TASKS
from core.learning.training import predictions, scored_positions
from core.model.config import ModelConfig
from core.model.initialisation import initialise
from core.model.models import Transformer
from core.model.trace import Trace

words = ["the", "chef", "who", "went", "to", "the", "stores", "is"]
layer = 0
head = 0
task_name = "next word"
config = ModelConfig(vocab_size=587, d_model=48)
seed = 0
steps = 2000  # number of steps planned
last = 3  # the step after which this program stops
batch_size = 32
learning_rate = 0.003
warm_up = 100
weight_decay = 0.01
clip = 1.0

task = TASKS[task_name]
model = Transformer(config)
initialise(model, seed=seed)
optimiser = torch.optim.AdamW(model.parameters(), betas=(0.9, 0.98), weight_decay=weight_decay)

for step in range(last):
    batch = task.batch(seed, step, batch_size)
    # The learning rate rises from 0 during the warm-up, and falls along a cosine.
    cosine = (1 + math.cos(math.pi * step / steps)) / 2
    for group in optimiser.param_groups:
        group["lr"] = learning_rate * min(1, (step + 1) / warm_up) * (0.05 + 0.95 * cosine)
    wanted = scored_positions(model, batch)  # the positions with a question whose answer the mask hides
    loss = cross_entropy(predictions(model, batch)[wanted], batch.targets[wanted])
    optimiser.zero_grad()
    loss.backward()  # type: ignore[no-untyped-call]
    torch.nn.utils.clip_grad_norm_(model.parameters(), clip)
    optimiser.step()
    print(f"step {step + 1}: loss {loss.item():.3f}")

trace = Trace()
with torch.inference_mode():
    model(task.vocabulary().encode(words), trace=trace)
for word, row in zip(words, trace[f"blocks.{layer}.attention.pattern"][0, head].tolist(), strict=True):
    print(f"{word:>12}", *(f"{weight:.3f}" for weight in row))
