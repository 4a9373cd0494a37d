"""What keeps judges from being asked, as a message to the user."""

from __future__ import annotations


class JudgeError(Exception):
    """Judges that cannot be asked as it is wanted; the message says why and what to do."""
