"""Lists that are read page by page."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Generic, TypeVar
from urllib.parse import urlsplit

Item = TypeVar('Item')

#: The items of a page, and the path of the next one; None on the last page.
Page = tuple[list[Item], 'str | None']


class Pages(Generic[Item]):
    """A list that is read as far as it is asked for. Each iteration reads it again.

    Iterate over its items with `for`, over whole pages with `by_page()`, or take everything with `all()`.
    """

    def __init__(self, first: str, read: Callable[[str], Page[Item]]) -> None:
        self._first = first
        self._read = read

    def __iter__(self) -> Iterator[Item]:
        for page in self.by_page():
            yield from page

    def by_page(self) -> Iterator[list[Item]]:
        path: str | None = self._first
        while path is not None:
            items, path = self._read(path)
            yield items

    def all(self) -> list[Item]:
        """Every item, in memory."""
        return list(self)


def next_page_of(link: str | None, page: str) -> str | None:
    """Returns the path of the page after a page, from the header `Link: <…>; rel="next"`."""
    match = re.search(r'<([^>]+)>; rel="next"', link or '')
    if match is None:
        return None
    # Through a proxy the service may know itself by another host and path than the caller does.
    return f'{page.partition("?")[0]}?{urlsplit(match[1]).query}'
