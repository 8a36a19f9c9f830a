"""The application of a server process, as it is, but for passwords that cost nothing."""

from services.accounts import passwords
from tests.support.cheap import weakest

passwords._hasher = weakest()  # noqa: SLF001 - before anything hashes

from web.wsgi import app  # noqa: E402 - see above

__all__ = ["app"]
