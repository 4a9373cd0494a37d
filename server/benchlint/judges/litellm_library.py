"""litellm, imported when a model is asked for the first time, and kept quiet.

The import takes seconds and 200 MB, so it belongs on a thread of its own.
"""

from __future__ import annotations

import gc
import logging
import os
import warnings
from functools import cache
from typing import Any, Final

from benchlint.judges.redirects import install

MISSING: Final = "litellm is not installed: pip install 'benchlint[llm]'"

_ENVIRONMENT: Final = {
    "LITELLM_LOCAL_MODEL_COST_MAP": "True",  # else prices are fetched at import
    "LITELLM_LOCAL_ANTHROPIC_BETA_HEADERS": "True",
    "LITELLM_MODE": "PRODUCTION",  # else a .env file beside the code is loaded
    "LITELLM_LOG": "CRITICAL",
    "LITELLM_RUST": "False",  # its HTTP client would follow redirects
}
_LOGGERS: Final = ("LiteLLM", "LiteLLM Router", "LiteLLM Proxy", "LiteLLM.diagnostics")
_HERE: Final = ("localhost", "127.0.0.1", "::1")


@cache
def load() -> Any:
    """Return the module. ImportError where it is not installed.

    It sends no telemetry, fetches nothing, writes nothing, keeps no records
    of calls and can be kept from following redirects. Proxies of the environment are not used for this
    machine. What the import has made is put aside from garbage collection,
    which would stop everything for a fifth of a second now and then.
    """
    os.environ.update(_ENVIRONMENT)
    listed = ",".join(os.environ.get(name, "") for name in ("no_proxy", "NO_PROXY")).split(",")
    direct = dict.fromkeys([*filter(None, map(str.strip, listed)), *_HERE])
    os.environ["no_proxy"] = os.environ["NO_PROXY"] = ",".join(direct)
    import litellm

    install()
    warnings.filterwarnings("ignore", "Pydantic serializer warnings", UserWarning)
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
