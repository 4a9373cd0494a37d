"""The libraries that only an audit needs."""

from importlib.util import find_spec
from typing import Final

from benchlint.audit.errors import AuditError

NEEDED: Final = ("numpy", "polars", "scipy")


def require() -> None:
    """Say how to install what an audit needs. Raises `AuditError` where something is missing."""
    missing = [name for name in NEEDED if find_spec(name) is None]
    if missing:
        raise AuditError(f"an audit needs {' and '.join(missing)}: pip install 'benchlint[audit]'")
