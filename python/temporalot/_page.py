"""HTML pages made by the library: self-contained single files."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Optional

import numpy as np
import numpy.typing as npt

from ._arrays import address
from ._library import Handle, PathLike, check, library, path_bytes


@dataclass
class Row:
    """A row of pictures in a strip.

    Attributes
    ----------
    name : str
        Label of the row.
    frames : ndarray of uint8, shape (count, height, width, 3)
        The pictures.
    steps : ndarray of int, shape (count,)
        The step that each picture shows, increasing.
    length : int
        Total number of steps.
    values : ndarray, shape (length,), optional
        A curve below the pictures.
    match : ndarray of int, shape (length,), optional
        For every step, the matching step of the first row.
    """

    name: str
    frames: npt.NDArray[np.uint8]
    steps: npt.NDArray[np.uint64]
    length: int
    values: Optional[npt.NDArray[np.float64]] = None
    match: Optional[npt.NDArray[np.int32]] = None


def _texts(words: Optional[Sequence[Optional[str]]]) -> Any:
    if words is None:
        return None
    return (ctypes.c_char_p * max(len(words), 1))(*(None if word is None else word.encode() for word in words))


def _addresses(arrays: Sequence[Optional[npt.NDArray[Any]]]) -> Any:
    return (ctypes.c_void_p * len(arrays))(*(None if array is None else address(array) for array in arrays))


class Page(Handle):
    """A page to which elements are appended."""

    _free = "tot_page_free"

    def __init__(self, title: str) -> None:
        super().__init__()
        pointer = ctypes.c_void_p()
        check(library.tot_page_create(ctypes.byref(pointer), title.encode()))
        self._pointer = pointer.value

    def heading(self, words: str, level: int = 1) -> None:
        """Adds the heading of a section (level 1) or subsection (level 2)."""
        check(library.tot_page_add_heading(self._handle(), level, words.encode()))

    def paragraph(self, words: str) -> None:
        """Adds text."""
        check(library.tot_page_add_paragraph(self._handle(), words.encode()))

    def code(self, words: str) -> None:
        """Adds a command to copy."""
        check(library.tot_page_add_code(self._handle(), words.encode()))

    def table(
        self,
        columns: dict[str, bool],
        cells: Sequence[Sequence[str]],
        *,
        title: Optional[str] = None,
        names: Optional[Sequence[Optional[str]]] = None,
        leads: Optional[Sequence[Optional[str]]] = None,
    ) -> None:
        """Adds a sortable table.

        Parameters
        ----------
        columns : dict
            Names of the columns, and whether they are numeric.
        cells : sequence of rows
        names : sequence of str, optional
            Row names for links; several rows may share one.
        leads : sequence of str, optional
            For every row, the row name in another table that it links to; following it shows only those rows.
        """
        numeric = np.array(list(columns.values()), np.uint8)
        check(
            library.tot_flat_page_table(
                self._handle(),
                None if title is None else title.encode(),
                len(columns),
                _texts(list(columns)),
                address(numeric),
                len(cells),
                _texts([cell for row in cells for cell in row]),
                _texts(names),
                _texts(leads),
            )
        )

    def strip(self, title: str, rows: Sequence[Row], value_name: str) -> None:
        """Adds rows of pictures that share a cursor."""
        frames = [np.ascontiguousarray(row.frames) for row in rows]
        steps = [np.ascontiguousarray(row.steps, np.uint64) for row in rows]
        values = [None if row.values is None else np.ascontiguousarray(row.values, np.float64) for row in rows]
        matches = [None if row.match is None else np.ascontiguousarray(row.match, np.int32) for row in rows]
        sizes = np.array([(*row.frames.shape[:3], row.length) for row in rows], np.int64)
        check(
            library.tot_flat_page_strip(
                self._handle(), title.encode(), len(rows), _texts([row.name for row in rows]), _addresses(frames),
                address(sizes), _addresses(steps), _addresses(values), value_name.encode(), _addresses(matches),
            )
        )

    def write(self, path: PathLike) -> None:
        """Writes the page atomically."""
        check(library.tot_page_write(self._handle(), path_bytes(path)))
