"""The pages, for people; everything on them works without a script.

The law of this folder: pages show what ``services`` gives to somebody without an
account (there is no log-in on the pages yet), through views and shown events only. No
page writes anything. Texts come from here and from the games, never from a template's
guess about a game.
"""

from web.pages.blueprint import pages
from web.pages.failures import answer_failure

__all__ = ["answer_failure", "pages"]
