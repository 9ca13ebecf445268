"""Load of a class: users for Locust, and `python -m bench.load`, which measures a server with them."""
