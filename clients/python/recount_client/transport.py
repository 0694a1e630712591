"""Sends requests: retries, Idempotency-Keys, positions, errors. The methods of the API build on it."""

from __future__ import annotations

import json
import time
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypedDict, TypeVar
from urllib.parse import quote, urlencode

import urllib3

from .errors import ConnectionError, to_api_error
from .pages import Page, Pages, next_page_of
from .positions import Positions
from .retries import wait_before_retry

Item = TypeVar('Item')
Query = Mapping[str, Any]


class RequestOptions(TypedDict, total=False):
    """Options that each method takes as `options`."""

    idempotency_key: str | None
    """For POST. Default: a key of its own for each call; None: none, and the request is not repeated after a 503."""
    if_match: str
    """The ETag that the resource must still have: `recount.metadata(resource).etag`."""
    request_id: str
    """Your own correlation id; the service makes one otherwise."""
    as_of: str
    """For reads that have a past: answers as it was at this moment of recorded time, as RFC 3339."""


@dataclass(frozen=True)
class Metadata:
    """The headers of an answer that its body does not have."""

    etag: str | None
    request_id: str | None
    #: Whether the read lacks something that was written before it.
    is_stale: bool


class Answer(dict[str, Any]):
    """An object that the service answered. It is a dict, and knows the headers that it came with."""

    metadata: Metadata


@dataclass(frozen=True)
class _Response:
    status: int | None
    headers: dict[str, str]
    body: Any


class Transport:
    """Threads may share it; connections are kept and used again.

    :param base_url: the address of the service, without `/api`
    :param retry_for: for so many seconds a request is sent again that failed in passing; 0: never
    :param retry_throttled_for: the same after 429, which says when to come back; None: as `retry_for`
    :param timeout: the longest time that one attempt may wait for data, in seconds
    :param http: sends the requests instead of a pool of its own, such as a `urllib3.ProxyManager`
    """

    def __init__(
        self,
        base_url: str,
        api_key: str,
        *,
        retry_for: float = 30.0,
        retry_throttled_for: float | None = None,
        timeout: float = 60.0,
        http: urllib3.PoolManager | None = None,
    ) -> None:
        self.base_url = base_url.rstrip('/')
        self._api_key = api_key
        self._retry_for = retry_for
        self._retry_throttled_for = retry_for if retry_throttled_for is None else retry_throttled_for
        self._timeout = timeout
        # urllib3 1.26 has no types.
        self._http: Any = http if http is not None else urllib3.PoolManager(maxsize=16)
        self._positions = Positions()

    @property
    def position(self) -> str | None:
        """The positions of recent writes. Give them to a client in another process, and it sees these writes too."""
        return self._positions.header()

    def see_at_least(self, position: str) -> None:
        """Every read from now on sees at least these positions, which another client had."""
        for one in position.split(','):
            self._positions.note(one.strip())

    @staticmethod
    def metadata(answer: Mapping[str, Any]) -> Metadata:
        """The headers of the answer that this object is. Raises TypeError for any other object."""
        if not isinstance(answer, Answer):
            raise TypeError('only an object that this client returned has metadata')
        return answer.metadata

    def request(
        self,
        method: str,
        path: str,
        *,
        query: Query | None = None,
        body: Any = None,
        options: RequestOptions | None = None,
        is_repeatable: bool = False,
    ) -> Any:
        """Sends a request, also one that no method has.

        :param path: it begins with `/api/`
        :param is_repeatable: whether it may arrive twice without an Idempotency-Key
        :raises ApiError: for an answer other than 2xx
        :raises ConnectionError: when no answer came
        """
        return self._send(method, _with_query(path, query, options), body, options, is_repeatable).body

    def pages(self, path: str, *, query: Query | None = None, options: RequestOptions | None = None) -> Pages[Any]:
        """Reads a list along the links to its next pages."""

        def read(page: str) -> Page[Any]:
            response = self._send('GET', page, None, options, False)
            return response.body, next_page_of(response.headers.get('link'), page)

        return Pages(_with_query(path, query, options), read)

    def _send(
        self, method: str, path: str, body: Any, options: RequestOptions | None, is_repeatable: bool
    ) -> _Response:
        name = f'{method} {path.partition("?")[0]}'
        headers = self._headers_of(method, body, options or {}, is_repeatable)
        data = None if body is None else json.dumps(body, allow_nan=False).encode()
        may_arrive_twice = method == 'GET' or is_repeatable or 'Idempotency-Key' in headers
        began = time.monotonic()
        attempt = 0
        while True:
            failure: urllib3.exceptions.HTTPError | None = None
            try:
                response = self._attempt(method, path, headers, data)
            except urllib3.exceptions.LocationValueError:
                raise
            except urllib3.exceptions.HTTPError as error:
                failure, response = error, _Response(None, {}, None)
            # A failed command may have written.
            self._positions.note(response.headers.get('x-recount-position'))
            status = response.status
            if status is not None and 200 <= status < 300:
                return response
            wait = wait_before_retry(status, response.headers, attempt, may_arrive_twice)
            longest = self._retry_throttled_for if status == 429 else self._retry_for
            if wait is None or time.monotonic() + wait > began + longest:
                if status is None:
                    raise ConnectionError(f'{name}: {failure}') from failure
                raise to_api_error(name, status, response.headers, response.body)
            time.sleep(wait)
            attempt += 1

    def _headers_of(
        self, method: str, body: Any, options: RequestOptions, is_repeatable: bool
    ) -> dict[str, str]:
        default = str(uuid.uuid4()) if method == 'POST' and not is_repeatable else None
        sent = {
            'X-API-KEY': self._api_key,
            'Content-Type': None if body is None else 'application/json',
            'Idempotency-Key': options.get('idempotency_key', default) if method == 'POST' else None,
            'If-Match': options.get('if_match'),
            'X-Request-Id': options.get('request_id'),
            'X-Recount-Position': self.position if method == 'GET' else None,
        }
        return {name: value for name, value in sent.items() if value is not None}

    def _attempt(self, method: str, path: str, headers: Mapping[str, str], data: bytes | None) -> _Response:
        answer = self._http.request(
            method,
            self.base_url + path,
            body=data,
            headers=dict(headers),
            timeout=self._timeout,
            retries=False,
            redirect=False,
        )
        names = {name.lower(): value for name, value in answer.headers.items()}
        return _Response(answer.status, names, _body_of(answer.data, names))


def _body_of(data: bytes, headers: Mapping[str, str]) -> Any:
    """JSON is parsed, files are bytes, anything else is text."""
    kind = headers.get('content-type', '')
    if any(part in kind for part in ('pdf', 'xml', 'zip', 'octet-stream')):
        return data
    text = data.decode('utf-8', 'replace')
    try:
        body = json.loads(text)
    except ValueError:
        return text
    if isinstance(body, dict):
        body = Answer(body)
        body.metadata = Metadata(
            headers.get('etag'), headers.get('x-request-id'), headers.get('x-recount-stale') == 'true'
        )
    return body


def _with_query(path: str, query: Query | None, options: RequestOptions | None) -> str:
    """A list is a parameter for each item; a list of objects is one JSON text, as filters are."""
    pairs: list[tuple[str, str]] = []
    for name, value in {**(query or {}), 'as_of': (options or {}).get('as_of')}.items():
        if value is None:
            continue
        values = value if isinstance(value, (list, tuple)) else [value]
        if any(isinstance(one, dict) for one in values):
            pairs.append((name, json.dumps(value)))
        else:
            pairs.extend((name, _text(one)) for one in values)
    return path + ('?' + urlencode(pairs) if pairs else '')


def _text(value: Any) -> str:
    return ('true' if value else 'false') if isinstance(value, bool) else str(value)


def segment(text: str) -> str:
    """A part of a path."""
    return quote(text, safe='')
