"""The nginx that stands before the processes of the app, and its configuration."""
