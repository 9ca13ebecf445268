"""The position schemes one by one: what each adds, where, and how far it carries."""
