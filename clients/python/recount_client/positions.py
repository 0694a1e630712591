"""Positions of writes, by which reads see them."""

from __future__ import annotations

import threading
import time

#: Reads are this fresh without a position, or are marked as stale.
_KEPT_SECONDS = 10.0
_MOST = 16


class Positions:
    """The positions of recent writes of all threads.

    Requests that run at once, through several processes of the service, are answered in any order, and only the service
    can compare positions: a read sends all of them, and sees at least the newest.
    """

    def __init__(self) -> None:
        self._held: dict[str, float] = {}
        self._lock = threading.Lock()

    def note(self, position: str | None) -> None:
        if not position:
            return
        with self._lock:
            self._held.pop(position, None)
            self._held[position] = time.monotonic()
            for oldest in list(self._held)[:-_MOST]:
                del self._held[oldest]

    def header(self) -> str | None:
        """The value of the header; None: nothing was written lately."""
        since = time.monotonic() - _KEPT_SECONDS
        with self._lock:
            self._held = {position: at for position, at in self._held.items() if at > since}
            return ', '.join(self._held) or None
