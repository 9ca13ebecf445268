"""The position schemes looked at one by one: what each adds, where, and how far it carries."""
