"""What a browser calls itself, in a few words, for its owner to recognise it by."""

from __future__ import annotations

from web.texts import _

_BROWSERS = (
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("Firefox/", "Firefox"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
)
"""By what stands in the text; of several the first, since most claim to be others too."""

_SYSTEMS = (
    ("Android", "Android"),
    ("iPhone", "an iPhone"),
    ("iPad", "an iPad"),
    ("Windows", "Windows"),
    ("Mac OS", "a Mac"),
    ("Linux", "Linux"),
)


def agent_words(agent: str | None) -> str:
    """Return the browser and its system in words.

    >>> agent_words("Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0")
    'Firefox on Linux'
    >>> agent_words("curl/8.0"), agent_words(None)
    ('curl/8.0', 'an unknown browser')
    """
    if not agent:
        return _("an unknown browser")
    browser = next((name for sign, name in _BROWSERS if sign in agent), None)
    system = next((name for sign, name in _SYSTEMS if sign in agent), None)
    if browser is None:
        return agent[:40]
    if system is None:
        return browser
    return _("%(browser)s on %(system)s") % {"browser": browser, "system": system}
