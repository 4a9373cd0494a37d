"""One module a command: `COMMAND` and `handle`."""
