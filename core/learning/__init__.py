"""How models learn, what they learn, and where trained weights lie."""
