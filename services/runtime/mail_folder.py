"""Mail that goes nowhere: a folder of files, and lines in the terminal. For trying things out."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import SMTP
from pathlib import Path
from typing import Any, NamedTuple, cast

KEPT = 50
"""Mails that a folder has at most; the oldest goes first."""

_ENDING = ".eml"


class KeptMail(NamedTuple):
    """A mail that was kept: to whom, when, and what it says."""

    to: str
    date: str
    subject: str
    text: str


@dataclass(frozen=True, slots=True)
class MailFolder:
    """A folder that mail is put into."""

    path: Path

    def put(self, letter: EmailMessage) -> None:
        """Keep a mail, and show it in the terminal. Once more, under the same id, it is one."""
        self.path.mkdir(parents=True, exist_ok=True)
        name = "".join(one if one.isalnum() else "-" for one in str(letter["Message-ID"]))
        file = self.path / f"{name}{_ENDING}"
        file.write_bytes(letter.as_bytes())
        for old in self._list_files()[KEPT:]:
            old.unlink(missing_ok=True)
        mail = _read(file)
        lines = [f"Mail to {mail.to}: {mail.subject}", *mail.text.splitlines()]
        sys.stderr.write("\n".join(f"  | {line}" for line in lines) + "\n")
        sys.stderr.flush()

    def list_newest(self) -> list[KeptMail]:
        """Return what is kept, the newest first."""
        return [_read(file) for file in self._list_files()]

    def _list_files(self) -> list[Path]:
        files = self.path.glob(f"*{_ENDING}")
        return sorted(files, key=lambda file: file.stat().st_mtime_ns, reverse=True)


def _read(file: Path) -> KeptMail:
    letter = cast("EmailMessage", message_from_bytes(file.read_bytes(), policy=cast("Any", SMTP)))
    body = letter.get_body(("plain",))
    text = "" if body is None else str(body.get_content()).replace("\r\n", "\n")
    return KeptMail(str(letter["To"]), str(letter["Date"]), str(letter["Subject"]), text)
