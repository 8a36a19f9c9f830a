"""Exit codes, and how every expected failure becomes one sentence on stderr.

0: done. 1: refused, or it did not work. 2: the command itself is wrong (as click has
it). 3: something stored does not verify. 4: no such thing. 5: whether it verifies cannot be
said with what is at hand. 130: stopped by Ctrl-C. 141: whoever read the output has gone.

Sentences are broken between words on a terminal, and stay in one line for programs.
"""

from __future__ import annotations

import codecs
import errno
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from shutil import get_terminal_size
from textwrap import fill
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from domain.json_types import JsonObject


def tell_line(text: str, *, err: bool = False, behind: int = 0) -> None:
    """Print a sentence. ``behind``: how far in its further lines begin.

    Lines of its own stay, and so do words that are too long, such as addresses.
    """
    if (sys.stderr if err else sys.stdout).isatty():
        first, *others = text.split("\n")
        inner = " " * behind
        text = "\n".join(
            [_break_line(first, "", inner), *(_break_line(one, inner, inner) for one in others)]
        )
    click.echo(text, err=err)


def _break_line(line: str, first: str, others: str) -> str:
    return fill(
        line,
        get_terminal_size().columns,
        initial_indent=first,
        subsequent_indent=others,
        break_on_hyphens=False,
        break_long_words=False,
    )


def print_json(values: Iterable[object]) -> None:
    """Print JSON, one value a line."""
    import orjson

    for value in values:
        click.echo(orjson.dumps(value))


def tell_found(
    found: Iterable[JsonObject],
    line: Callable[[JsonObject], str],
    nothing: str,
    *,
    as_json: bool,
    behind: int = 0,
) -> None:
    """Print what was found, as JSON or in a line each; say so where nothing was."""
    values = list(found)
    if as_json:
        print_json(values)
        return
    for one in values:
        tell_line(line(one), behind=behind)
    if not values:
        tell_line(nothing, err=True)


def tell_rest(found: Sequence[object], limit: int, nothing: str) -> None:
    """Say that there was nothing, or that there is more than the first ``limit``."""
    if not found:
        tell_line(nothing, err=True)
    if len(found) > limit:
        tell_line(f"There are more; these are the first {limit} (--limit).", err=True)


def format_minute(instant: str) -> str:
    """Return an instant as people read it, to the minute.

    >>> format_minute("2026-11-27T22:03:04.000Z")
    '2026-11-27 22:03'
    """
    return instant[:16].replace("T", " ")


DONE, REFUSED, USAGE, BROKEN, NOT_FOUND, UNDECIDED = 0, 1, 2, 3, 4, 5
STOPPED, UNREAD = 130, 141

NO_ROOM = (errno.ENOSPC, errno.EDQUOT)
"""Errors of a disk that is full, and of a quota."""

NOT_TEXT = "What was given is no text: it has bytes that are not UTF-8."


class Failure(click.ClickException):
    """An expected failure: a sentence for a person, and the exit code."""

    def __init__(self, message: str, exit_code: int = REFUSED) -> None:
        super().__init__(message)
        self.code = exit_code


@contextmanager
def exits() -> Iterator[None]:
    """Turn whatever a command raises into its exit; only defects keep their traceback."""
    try:
        yield
        click.echo(nl=False)  # flushes, where there is an output
    except BrokenPipeError:
        _drop_output()
        sys.exit(UNREAD)
    except OSError as error:
        if error.errno not in NO_ROOM:
            raise
        _drop_output()
        what = error.filename or "The output"
        tell_line(f"Error: {what} cannot be written: {error.strerror}.", err=True)
        sys.exit(REFUSED)
    except (KeyboardInterrupt, EOFError, click.Abort):
        click.echo("Stopped.", err=True)
        sys.exit(STOPPED)
    except Failure as failure:
        tell_line(f"Error: {failure.message}", err=True)
        sys.exit(failure.code)
    except click.ClickException as failure:
        failure.show()
        sys.exit(failure.exit_code)
    except click.exceptions.Exit:
        raise
    except Exception as error:
        answer = _find_answer(error)
        if answer is None:
            raise
        tell_line(f"Error: {answer[0]}", err=True)
        sys.exit(answer[1])


def _drop_output() -> None:
    """Let the rest of the output go nowhere, or Python complains once more at its end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _find_answer(error: Exception) -> tuple[str, int] | None:
    """Return sentence and exit code of a failure that is an answer, None of a defect."""
    from domain.errors import Corruption, Refusal
    from services.errors import reason_of

    for one in (error, error.__cause__):
        if isinstance(one, UnicodeEncodeError):
            return _find_answer_of_text(one)
    if isinstance(error, Refusal):
        return reason_of(error), NOT_FOUND if error.code == "not-found" else REFUSED
    if isinstance(error, Corruption):
        return f"The log is damaged, or a newer release wrote it: {error}.", BROKEN
    return None


def _find_answer_of_text(error: UnicodeEncodeError) -> tuple[str, int] | None:
    """Tell bytes that were given, and are no text, from what a terminal has no letters for."""
    # As such Python reads the bytes of an argument that are not UTF-8.
    if any("\ud800" <= one <= "\udfff" for one in error.object):
        return NOT_TEXT, USAGE
    if codecs.lookup(error.encoding) == codecs.lookup(sys.stdout.encoding):
        told = (
            f"This terminal, with its encoding {error.encoding}, has no letter for "
            f"{error.object[error.start]!a}. PYTHONIOENCODING=utf-8 may help."
        )
        return told, REFUSED
    return None
