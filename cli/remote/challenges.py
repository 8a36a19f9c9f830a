"""Challenges, seeks, invitations and rematches elsewhere: made, answered, withdrawn."""

from __future__ import annotations

from typing import Any

import click

from cli.remote.connection import make_connection
from cli.remote.matches import describe_terms, print_matches
from cli.terminal.exits import NOT_FOUND, Failure, format_minute, print_json, tell_found, tell_line
from cli.terminal.options import (
    best_of_option,
    format_examples,
    json_option,
    match_argument,
    must_be_sure,
    named_option,
    object_option,
    pace_options,
    rating_range_option,
    read_named_values,
    yes_option,
)

SEATS = ("1", "2", "random")
VISIBILITIES = ("public", "unlisted", "private")


@click.command(
    epilog=format_examples(
        "plybook remote challenge power-line bob -o length=7",
        "plybook remote challenge path-capture --days-per-move 3 --best-of 3",
        "plybook remote challenge power-line --rated --rating-range 1400-1700",
        "plybook remote challenge path-capture --visibility private --invite",
    )
)
@click.argument("game")
@click.argument("name", required=False)
@named_option
@object_option("--settings", "What your seat brings along, where a game allows it.")
@pace_options
@click.option("--seat", type=click.Choice(SEATS), default="random", show_default=True)
@click.option("--visibility", type=click.Choice(VISIBILITIES), default="public", show_default=True)
@click.option("--rated", is_flag=True, help="It counts for ratings.")
@rating_range_option
@best_of_option
@click.option("--invite", "inviting", is_flag=True, help="Make an invitation to it, too.")
@json_option
def challenge(  # noqa: PLR0913 - one argument per option
    *,
    name: str | None,
    words: tuple[str, ...],
    settings: dict[str, Any] | None,
    pace: dict[str, Any] | None,
    seat: str,
    best_of: int | None,
    inviting: bool,
    as_json: bool,
    **members: object,
) -> None:
    """Challenge NAME to a match of GAME; without a name, seek anybody."""
    body: dict[str, Any] = {
        **members,
        "options": read_named_values(words),
        "settings": settings or {},
        "seat": seat if seat == "random" else int(seat),
        "opponent": name,
        "pace": pace,
        "series": None if best_of is None else {"length": best_of},
        "invitation": inviting,
    }
    there = make_connection()
    match = there.post("/matches", body)
    invited = there.post(f"/matches/{match['id']}/invitations") if inviting else None
    if as_json:
        print_json([match] if invited is None else [match, invited])
        return
    waits = f"waits for {name}" if name else "waits for somebody to join"
    # The house sits down at once.
    tell_line(f"Match {match['id']} {waits if match['status'] == 'open' else 'has begun'}.")
    for line in describe_terms(match):
        tell_line(line)
    if invited is not None:
        _tell_invitation(invited)


@click.command(epilog=format_examples("plybook remote invite 7m2kq9x4tbw0ed5r --days 3"))
@match_argument
@click.option("--days", type=click.IntRange(1, 30), default=14, show_default=True)
@json_option
def invite(*, match_id: str, days: int, as_json: bool) -> None:
    """Invite somebody to MATCH, an open one of yours.

    The seat is kept for whoever comes first, by the link that is printed.
    """
    invited = make_connection().post(f"/matches/{match_id}/invitations", {"days": days})
    if as_json:
        print_json([invited])
    else:
        _tell_invitation(invited)


@click.command(
    epilog=format_examples(
        "plybook remote join 7m2kq9x4tbw0ed5r", "plybook remote join --invitation TOKEN"
    )
)
@click.argument("match_id", metavar="[MATCH]", required=False)
@click.option("--invitation", metavar="TOKEN", help="Come with an invitation.")
@object_option("--settings", "What your seat brings along, where a game allows it.")
@json_option
def join(
    *, match_id: str | None, invitation: str | None, settings: dict[str, Any] | None, as_json: bool
) -> None:
    """Join MATCH: accept a challenge, a seek, or an invitation."""
    if (match_id is None) == (invitation is None):
        raise click.UsageError("Name a match, or an invitation (and not both).")
    path = (
        f"/matches/{match_id}/join" if invitation is None else f"/invitations/{invitation}/accept"
    )
    print_matches([make_connection().post(path, {"settings": settings or {}})], as_json=as_json)


@click.command(
    epilog=format_examples("plybook remote decline 7m2kq9x4tbw0ed5r --reason 'No time.'")
)
@match_argument
@click.option("--reason", metavar="TEXT", help="For the challenger to read.")
@yes_option
def decline(*, match_id: str, reason: str | None, yes: bool) -> None:
    """Decline the challenge MATCH."""
    must_be_sure("Decline this challenge?", yes=yes)
    make_connection().post(f"/matches/{match_id}/decline", {"reason": reason})
    tell_line("The challenge is declined.")


@click.command(epilog=format_examples("plybook remote rematch 7m2kq9x4tbw0ed5r"))
@match_argument
@json_option
def rematch(*, match_id: str, as_json: bool) -> None:
    """Ask for the same match again, with seats swapped.

    If your opponent has asked already, it starts.
    """
    print_matches([make_connection().post(f"/matches/{match_id}/rematch")], as_json=as_json)


def _tell_invitation(invited: dict[str, Any]) -> None:
    until = format_minute(invited["expires_at"])
    tell_line(f"The seat is kept until {until} UTC for whoever comes first, by")
    click.echo(f"  {invited['url']}")
    click.echo(f"  plybook remote join --invitation {invited['token']}")


@click.command(epilog=format_examples("plybook remote withdraw 7m2kq9x4tbw0ed5r"))
@match_argument
@yes_option
def withdraw(*, match_id: str, yes: bool) -> None:
    """Withdraw the challenge or seek MATCH.

    A match that has just begun is aborted, while fewer than two moves are made.
    """
    must_be_sure("Withdraw this match?", yes=yes)
    make_connection().act(match_id, "abort")
    tell_line(f"Match {match_id} will not be played.")


@click.command(
    epilog=format_examples(
        "plybook remote resign 7m2kq9x4tbw0ed5r", "plybook remote resign --series 7m2kq9x4tbw0ed5r"
    )
)
@match_argument
@click.option("--series", "leaving", is_flag=True, help="Give up the rest of its series, too.")
@yes_option
def resign(*, match_id: str, leaving: bool, yes: bool) -> None:
    """Give MATCH up."""
    what = "this match and the rest of its series" if leaving else "this match"
    must_be_sure(f"Give up {what}?", yes=yes)
    make_connection().act(match_id, "leave_series" if leaving else "resign")
    rest = ", and the rest of its series" if leaving else ""
    tell_line(f"You have given up match {match_id}{rest}.")


@click.command(
    epilog=format_examples("plybook remote challenges", "plybook remote challenges --made --json")
)
@click.option("--made", is_flag=True, help="Those that you made, instead of those to you.")
@json_option
def challenges(*, made: bool, as_json: bool) -> None:
    """List the challenges that are not answered yet.

    `join` and `decline` answer one, `withdraw` takes one back.
    """
    by = "me" if made else "others"
    found = list(make_connection().iter_all("/me/challenges", "challenges", by=by, limit=100))
    if as_json:
        print_json(found)
        return
    for one in found:
        print_matches([one["match"]], as_json=False)
        tell_line(f"  until {format_minute(one['expires_at'])} UTC")
    if not found:
        nothing = "No challenge of yours waits for an answer." if made else "Nobody challenges you."
        tell_line(nothing, err=True)


@click.command(
    epilog=format_examples(
        "plybook remote invitations", "plybook remote invitations --revoke i_7m2kq9x4tbw0ed5r"
    )
)
@click.option("--revoke", metavar="ID", help="Nobody comes with this one any more.")
@yes_option
@json_option
def invitations(*, revoke: str | None, yes: bool, as_json: bool) -> None:
    """List your invitations that somebody could still come with.

    Their links are shown once, when they are made.
    """
    there = make_connection()
    found = {one["id"]: one for one in there.iter_all("/me/invitations", "invitations", limit=100)}
    if revoke is not None:
        if revoke not in found:
            raise Failure("There is no such open invitation.", NOT_FOUND)
        match = found.pop(revoke)["match"]
        must_be_sure(f"Revoke this invitation to match {match}?", yes=yes)
        there.delete(f"/matches/{match}/invitations/{revoke}")
    tell_found(
        found.values(),
        lambda one: (
            f"{one['id']}  to match {one['match']}, until {format_minute(one['expires_at'])} UTC"
        ),
        "You have no open invitations.",
        as_json=as_json,
    )
