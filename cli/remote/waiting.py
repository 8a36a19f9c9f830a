"""What waits for an answer elsewhere: challenges and invitations, one's own and others'."""

from __future__ import annotations

import click

from cli.terminal.options import examples, json_option
from cli.terminal.sentences import tell_line
from cli.terminal.sure import must_be_sure, yes_option


@click.command(
    epilog=examples("plybook remote challenges", "plybook remote challenges --made --json")
)
@click.option("--made", is_flag=True, help="Those that you made, instead of those to you.")
@json_option
def challenges(*, made: bool, as_json: bool) -> None:
    """List the challenges that are not answered yet.

    `join` and `decline` answer one, `withdraw` takes one back.
    """
    from cli.remote.matches import print_json, print_matches
    from cli.remote.saved import connection

    by = "me" if made else "others"
    found = list(connection().all_of("/me/challenges", "challenges", by=by, limit=100))
    if as_json:
        print_json(found)
        return
    for one in found:
        print_matches([one["match"]], as_json=False)
        tell_line(f"  until {_minute(one['expires_at'])} UTC")
    if not found:
        nothing = "No challenge of yours waits for an answer." if made else "Nobody challenges you."
        tell_line(nothing, err=True)


@click.command(
    epilog=examples(
        "plybook remote invitations",
        "plybook remote invitations --revoke i_7m2kq9x4tbw0ed5r",
    )
)
@click.option("--revoke", metavar="ID", help="Nobody comes with this one any more.")
@yes_option
@json_option
def invitations(*, revoke: str | None, yes: bool, as_json: bool) -> None:
    """List your invitations that somebody could still come with.

    Their links are shown once, when they are made.
    """
    from cli.remote.matches import print_json
    from cli.remote.saved import connection
    from cli.terminal.exits import NOT_FOUND, Failure

    there = connection()
    found = {one["id"]: one for one in there.all_of("/me/invitations", "invitations", limit=100)}
    if revoke is not None:
        if revoke not in found:
            raise Failure("There is no such invitation that could still be used.", NOT_FOUND)
        match = found.pop(revoke)["match"]
        must_be_sure(f"Revoke this invitation to match {match}?", yes=yes)
        there.delete(f"/matches/{match}/invitations/{revoke}")
    if as_json:
        print_json(found.values())
        return
    for one in found.values():
        until = _minute(one["expires_at"])
        tell_line(f"{one['id']}  to match {one['match']}, until {until} UTC")
    if not found:
        tell_line("You have no open invitations.", err=True)


def _minute(instant: str) -> str:
    return instant[:16].replace("T", " ")
