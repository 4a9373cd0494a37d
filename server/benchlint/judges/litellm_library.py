"""litellm, imported when a model is asked for the first time, and kept quiet.

The import takes seconds and 200 MB, so it belongs on a thread of its own.
"""

from __future__ import annotations

import gc
import logging
import os
import warnings
from typing import Any, Final

MISSING: Final = "litellm is not installed: pip install 'benchlint[llm]'"

_ENVIRONMENT: Final = {
    "LITELLM_LOCAL_MODEL_COST_MAP": "True",  # else prices are fetched at import
    "LITELLM_LOCAL_ANTHROPIC_BETA_HEADERS": "True",
    "LITELLM_MODE": "PRODUCTION",  # else a .env file beside the code is loaded
    "LITELLM_LOG": "CRITICAL",
}
_LOGGERS: Final = ("LiteLLM", "LiteLLM Router", "LiteLLM Proxy", "LiteLLM.diagnostics")
_HERE: Final = ("localhost", "127.0.0.1", "::1")


def load() -> Any:
    """Return the module. ImportError where it is not installed.

    It sends no telemetry, fetches nothing, writes nothing and keeps no
    records of calls. Proxies of the environment are not used for this
    machine. What the import has made is put aside from garbage collection,
    which would stop everything for a fifth of a second now and then.
    """
    os.environ.update(_ENVIRONMENT)
    for name in ("NO_PROXY", "no_proxy"):
        known = [part for part in os.environ.get(name, "").split(",") if part.strip()]
        os.environ[name] = ",".join([*known, *(host for host in _HERE if host not in known)])
    import litellm

    # a call that is cancelled at its start leaves one behind
    warnings.filterwarnings("ignore", r"coroutine '.*completion' was never awaited", RuntimeWarning)
    litellm.telemetry = False
    litellm.suppress_debug_info = True
    litellm.set_verbose = False
    litellm.num_retries = None
    for name in _LOGGERS:
        logger = logging.getLogger(name)
        logger.handlers[:] = [logging.NullHandler()]
        logger.propagate = False
        logger.setLevel(logging.CRITICAL + 1)
    gc.collect()
    gc.freeze()
    return litellm
