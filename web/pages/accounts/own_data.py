"""All of a player's own data as one file, for who shows the password."""

from __future__ import annotations

from flask import Response, request

from services.errors import Unauthenticated
from web.i18n import _
from web.pages.accounts.account import WRONG, account_page
from web.pages.common import visitors
from web.pages.common.answers import NEVER_KEPT
from web.pages.common.visitors import the_player
from web.site import this_site


def download_own_data() -> Response:
    """Give a player the file, made while it is sent."""
    player, password = the_player(), request.form.get("password", "")
    try:
        file = this_site().house.own_data.file(player.name, password)
    except Unauthenticated:
        return account_page(401, {"data-password": _(WRONG)})
    visitors.got_in(player.name)
    headers = {
        "Content-Disposition": f'attachment; filename="{file.name}"',
        "Cache-Control": NEVER_KEPT,
    }
    return Response(file.chunks, headers=headers, content_type="application/json")
