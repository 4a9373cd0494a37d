"""What cannot be audited, as a message to the user."""


class AuditError(Exception):
    """Data or options that cannot be audited; the message says which and why."""
