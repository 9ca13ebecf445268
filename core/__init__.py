"""The Transformer, its recurrent rivals and what can be measured on them; no screen in sight."""
