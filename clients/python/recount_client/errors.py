"""Errors that the client raises. All are a RecountError."""

from __future__ import annotations

import json
from typing import Any


class RecountError(Exception):
    """Any failure that this client raises."""


class ConnectionError(RecountError):  # noqa: A001 -- read as recount_client.ConnectionError
    """No answer came: the network failed, or the time for it was over."""


class ApiError(RecountError):
    """An answer other than 2xx, with the fields of its problem body."""

    def __init__(self, request: str, status: int, headers: dict[str, str], body: Any) -> None:
        problem = body if isinstance(body, dict) else {}
        self.status = status
        #: The machine-readable code, such as `invalid_state`; None when something other than Recount answered.
        self.title: str | None = problem.get('title')
        self.detail: str | None = problem.get('detail')
        #: All wrong fields of the request, each with `attr`, `code` and `detail`; empty when no field is wrong.
        self.validation_errors: list[dict[str, Any]] = problem.get('validation_errors') or []
        #: The correlation id: give it to who operates the service.
        self.request_id: str | None = headers.get('x-request-id') or problem.get('instance')
        #: The body as it was sent, parsed where it is JSON.
        self.body: Any = body
        said = self.detail or (body if isinstance(body, str) else json.dumps(body, default=repr))
        super().__init__(f'{request}: {status} {self.title + ": " if self.title else ""}{said}')


class InvalidRequestError(ApiError):
    """400: a field is wrong, or the operation is not possible in this state."""


class AuthenticationError(ApiError):
    """401: no valid API key."""


class PermissionDeniedError(ApiError):
    """403: the API key lacks the required scope."""


class NotFoundError(ApiError):
    """404: nothing has this id."""


class ConflictError(ApiError):
    """409: a concurrent change, or the first request under this Idempotency-Key still runs."""


class PreconditionFailedError(ApiError):
    """412: the resource no longer has the ETag of If-Match."""


class IdempotencyKeyReusedError(ApiError):
    """422: another request was sent under this Idempotency-Key."""


class ThrottledError(ApiError):
    """429: too many requests."""


class UnavailableError(ApiError):
    """503: a store or a read model is unavailable."""


_CLASSES: dict[int, type[ApiError]] = {
    400: InvalidRequestError,
    401: AuthenticationError,
    403: PermissionDeniedError,
    404: NotFoundError,
    409: ConflictError,
    412: PreconditionFailedError,
    422: IdempotencyKeyReusedError,
    429: ThrottledError,
    503: UnavailableError,
}


def to_api_error(request: str, status: int, headers: dict[str, str], body: Any) -> ApiError:
    """Returns the error of the class of its status."""
    return _CLASSES.get(status, ApiError)(request, status, headers, body)
