"""The application of a server process, as it is, but for passwords that cost nothing."""

from services.accounts import accounts
from tests.support.cheap import weakest

accounts._hasher = weakest()  # noqa: SLF001 - before anything hashes

from web.wsgi import app  # noqa: E402 - see above

__all__ = ["app"]
