"""Changes that are known to change nothing anybody could notice, each with the reason.

They are drawn no more. A change that a test could notice belongs in a test, not here.
"""

EQUIVALENT: dict[tuple[str, str, str], str] = {}
"""Why, by the module's path, the line before and the line after."""
