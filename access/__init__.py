"""Rules for every request, whichever server stands before the app: headers, names of the server, limits."""
