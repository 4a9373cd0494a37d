"""Models and the offline reader that say what only a reader can see."""
