"""The Python client of Recount, a pricing and billing engine for usage-based pricing."""

from .errors import (
    ApiError,
    AuthenticationError,
    ConflictError,
    ConnectionError,
    IdempotencyKeyReusedError,
    InvalidRequestError,
    NotFoundError,
    PermissionDeniedError,
    PreconditionFailedError,
    RecountError,
    ThrottledError,
    UnavailableError,
)
from .generated.client import Recount
from .pages import Pages
from .transport import Metadata, RequestOptions

__all__ = [
    'ApiError',
    'AuthenticationError',
    'ConflictError',
    'ConnectionError',
    'IdempotencyKeyReusedError',
    'InvalidRequestError',
    'Metadata',
    'NotFoundError',
    'Pages',
    'PermissionDeniedError',
    'PreconditionFailedError',
    'Recount',
    'RecountError',
    'RequestOptions',
    'ThrottledError',
    'UnavailableError',
]
