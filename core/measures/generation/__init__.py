"""Language models that write: texts, probabilities, memory, and costs."""
