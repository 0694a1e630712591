"""When a request is sent again."""

from __future__ import annotations

import random
import time
from collections.abc import Mapping
from email.utils import parsedate_to_datetime

_FIRST_WAIT = 0.1
_LONGEST_WAIT = 5.0


def wait_before_retry(
    status: int | None, headers: Mapping[str, str], attempt: int, may_arrive_twice: bool
) -> float | None:
    """Returns the seconds to wait before the request is sent again; None: it is not.

    429 is refused before anything is done, so every request is repeated. After 503, without an answer (status None), and
    while the first request under the same Idempotency-Key runs (409 with Retry-After), only a request is repeated that
    may arrive twice.
    """
    after = _retry_after(headers.get('retry-after'))
    is_passing = status is None or status == 503 or (status == 409 and after is not None)
    if status != 429 and not (is_passing and may_arrive_twice):
        return None
    backoff = min(_LONGEST_WAIT, _FIRST_WAIT * 2.0**attempt) * (0.5 + random.random() / 2)
    return max(after or 0.0, backoff)


def _retry_after(text: str | None) -> float | None:
    """The header is a number of seconds or a date."""
    if text is None:
        return None
    if text.isdigit():
        return float(text)
    try:
        return parsedate_to_datetime(text).timestamp() - time.time()
    except ValueError:
        return None
