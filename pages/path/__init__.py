"""The path through the app: its stops in their order, each with a goal and lines to remember."""
