"""What stands before the processes of the app, and its configuration."""
