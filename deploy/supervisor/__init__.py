"""What starts the processes of the app and nginx, watches over them, and exchanges them for new ones."""
