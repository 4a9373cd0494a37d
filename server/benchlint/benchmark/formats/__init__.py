"""One module per format of tasks."""
