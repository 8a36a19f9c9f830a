"""Where an export goes: standard output, a file, or a folder; compressed if wanted."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, TYPE_CHECKING, TypeAlias

from cli.terminal.exits import REFUSED, USAGE, Failure

if TYPE_CHECKING:
    from services.exchange.resume import Whole

Sink: TypeAlias = Callable[[bytes], object]

STDOUT = "-"


class Outlet:
    """An output as it was asked for.

    ``out``: a file, a folder (where the export gets a name of its own), ``-`` or None for
    standard output. ``packed``: with gzip. ``resume``: behind what a file has. ``force``: in
    place of what it has.
    """

    def __init__(self, out: str | None, *, packed: bool, resume: bool, force: bool) -> None:
        self.path = None if out in (None, STDOUT) else Path(out)
        self.packed = packed or (self.path is not None and self.path.suffix == ".gz")
        self._resume = resume
        self._force = force

    def kept(self, name: str, form: str, proofs: int = 0) -> Whole | None:
        """Return what is whole of a file that is to be gone on with; None: there is none.

        ``proofs``: how many lines of proofs stand behind each match.
        """
        from services.exchange.resume import whole_part

        path = self._file(name)
        if not self._resume or path is None or not path.exists():
            return None
        return whole_part(path, form, packed=self.packed, proofs=proofs)

    def cut(self, name: str, whole: Whole) -> None:
        """Cut that file down to what is whole; where that is nothing, to nothing at all."""
        from services.exchange.resume import cut

        path = self._file(name)
        if path is not None:
            cut(path, whole.size, packed=self.packed)

    @contextmanager
    def opened(self, name: str, *, binary: bool = False) -> Iterator[Sink]:
        """Give what writes; ``name``: of the file, if it is to lie in a folder.

        ``binary``: nothing that a terminal could show.
        """
        path = self._file(name)
        if path is None:
            if (binary or self.packed) and sys.stdout.isatty():
                raise Failure("A terminal cannot show this: give --out FILE.", USAGE)
            with self._packing(sys.stdout.buffer) as sink:
                yield sink
            return
        with self._open(path) as file, self._packing(file) as sink:
            yield sink

    def put_beside(self) -> None:
        """Put the verifier beside what was exported into a folder."""
        from services.errors import NotFound
        from services.exchange.verifier import NAME, verifier

        if self.path is not None and self.path.is_dir():
            with suppress(NotFound):
                (self.path / NAME).write_bytes(verifier())

    def _file(self, name: str) -> Path | None:
        if self.path is None or not self.path.is_dir():
            return self.path
        return self.path / (f"{name}.gz" if self.packed else name)

    def _open(self, path: Path) -> IO[bytes]:
        try:
            return path.open("ab" if self._resume else "wb" if self._force else "xb")
        except FileExistsError as error:
            raise Failure(
                f"{path} is there already: --force writes over it, and --resume goes on with an "
                "export of many matches.",
                REFUSED,
            ) from error
        except OSError as error:
            raise Failure(f"{path} cannot be written: {error.strerror}.") from error

    @contextmanager
    def _packing(self, file: IO[bytes]) -> Iterator[Sink]:
        import gzip

        if not self.packed:
            yield file.write
            return
        with gzip.GzipFile(fileobj=file, mode="wb", filename="", mtime=0) as packer:
            yield packer.write
