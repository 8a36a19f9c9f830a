"""Logging in to a service elsewhere, and out again."""

from __future__ import annotations

import platform

import click

from cli.terminal.exits import Failure, tell_line
from cli.terminal.options import ask_secret, format_examples

SCOPES = ["match:read", "match:play", "webhook:manage"]


@click.command(
    epilog=format_examples(
        "plybook remote login https://plybook.example ada",
        "plybook remote login https://plybook.example --token",
    )
)
@click.argument("url")
@click.argument("name", required=False)
@click.option("--token", "with_token", is_flag=True, help="With a token instead of a password.")
def login(*, url: str, name: str | None, with_token: bool) -> None:
    """Log in at URL as NAME.

    The password is asked for on a terminal and read from a pipe. It is not kept: a token
    is, in a file of yours that nobody else can read. With --token it is a token that is
    asked for.
    """
    from cli.remote.connection import Connection, Login, clean_url, save

    address = clean_url(url)
    if with_token:
        if name is not None:
            raise click.UsageError("A token tells who you are: give no name with --token.")
        kept = Login(address, ask_secret("Token").strip())
    else:
        known: str = name if name is not None else click.prompt("Name", err=True)
        asked = {
            "name": known,
            "password": ask_secret("Password"),
            "label": f"plybook remote on {platform.node() or 'some machine'}"[:80],
            "scopes": SCOPES,
        }
        issued = Connection(address, None).post("/tokens", asked, keyed=False)
        kept = Login(address, issued["token"], issued["id"])
    me = Connection(address, kept.token).get("/me")
    where = save(kept._replace(name=me["name"]))
    tell_line(f"You are {me['name']} at {address}.")
    tell_line(f"The token is kept in {where}.", err=True)


@click.command(epilog=format_examples("plybook remote logout"))
def logout() -> None:
    """Log out: revoke the token and forget it.

    A token that was pasted is forgotten only: somebody else may use it too.
    """
    from cli.remote.connection import Connection, get_login_path, load_login

    login = load_login()
    if login is None:
        tell_line("You are not logged in anywhere.", err=True)
        return
    if login.token_id is not None:
        try:
            Connection(login.url, login.token).delete(f"/tokens/{login.token_id}")
        except Failure as failure:
            tell_line(f"The token could not be revoked: {failure.message}", err=True)
    get_login_path().unlink(missing_ok=True)
    tell_line(f"You are logged out of {login.url}.")
