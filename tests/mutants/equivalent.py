"""Changes that are known to change nothing anybody could notice, each with the reason.

They are drawn no more. A change that a test could notice belongs in a test, not here.
"""

_TIE = "a tie has been told before"

EQUIVALENT: dict[tuple[str, str, str], str] = {
    (
        "domain/games/energy_capture/rules.py",
        "return 1 if first > second else 2",
        "return 1 if first >= second else 2",
    ): _TIE,
    (
        "domain/games/power_line/rules.py",
        "return 1 if first > second else 2",
        "return 1 if first >= second else 2",
    ): _TIE,
    (
        "domain/games/power_lines/position.py",
        "return 1 if first < second else 2",
        "return 1 if first <= second else 2",
    ): _TIE,
    (
        "domain/match/clock.py",
        "if end <= since:",
        "if False:",
    ): "what lies before adds spans of no length",
    (
        "domain/match/fold.py",
        "stream = stream if isinstance(stream, Sequence) else list(stream)",
        "stream = stream if False else list(stream)",
    ): "a list of the same events",
    (
        "services/store/log/exports.py",
        "part = parts[match] = list(found[start : start + events])",
        "part = parts[match] = list(found[start : (start + events) - 1])",
    ): "what does not end with its head is read once more",
    (
        "domain/match/clock.py",
        "return Pace(True, days * DAY, 0, days * DAY, *breaks) # noqa: FBT003 - by place",
        "return Pace(True, days * DAY, 1, days * DAY, *breaks) # noqa: FBT003 - by place",
    ): "only a bank grows",
    (
        "domain/match/clock.py",
        "return Pace(True, days * DAY, 0, days * DAY, *breaks) # noqa: FBT003 - by place",
        "return Pace(True, days * DAY, 0, days // DAY, *breaks) # noqa: FBT003 - by place",
    ): "only a bank has a cap",
    (
        "domain/match/decisions/clock.py",
        "if not 0 < command.seconds * SECOND < ran + SECOND:",
        "if not 1 < command.seconds * SECOND < ran + SECOND:",
    ): "a second is a million of these",
    (
        "domain/match/fold.py",
        "if base < version:",
        "if True:",
    ): "to fold nothing gives what is there",
    (
        "services/store/log/events.py",
        "after: int = 0,",
        "after: int = (-1),",
    ): "versions begin at 1",
    (
        "services/store/log/events.py",
        "for first in range(0, len(wanted), MOST_ROWS):",
        "for first in range(0, (len(wanted)) + 1, MOST_ROWS):",
    ): "of no match nothing is asked",
    (
        "services/store/log/events.py",
        "MOST_TOGETHER = 16",
        "MOST_TOGETHER = 17",
    ): "a measured choice, not a rule",
    (
        "services/store/log/exports.py",
        "return FeedPosition(int(found[0][0]), found[0][1]) if found else None",
        "return FeedPosition(int(found[(-1)][0]), found[0][1]) if found else None",
    ): "an event is there once",
    (
        "services/store/log/exports.py",
        "return FeedPosition(int(found[0][0]), found[0][1]) if found else None",
        "return FeedPosition(int(found[0][0]), found[(-1)][1]) if found else None",
    ): "an event is there once",
    (
        "services/store/log/feed.py",
        "same = row is not None and row[0].startswith(found[2])",
        "same = row is not None and row[(-1)].startswith(found[2])",
    ): "one column is asked for",
    (
        "services/store/log/feed.py",
        "return str(next(iter(fetch(connection, _CLUSTER, [])))[0])",
        "return str(next(iter(fetch(connection, _CLUSTER, [])))[(-1)])",
    ): "one column is asked for",
    (
        "services/store/log/events.py",
        "if len(group) == 1:",
        "if False:",
    ): "it is refused once more, where it is written by itself",
    (
        "domain/games/energy_capture/rules.py",
        "richest = max((cell.value for cell in marker.captured), default=0)",
        "richest = max((cell.value for cell in marker.captured), default=1)",
    ): "of two with the same score who has captured nothing both have captured nothing",
    (
        "domain/match/clock.py",
        "if later <= earlier:",
        "if later < earlier:",
    ): "nothing lies between an instant and itself",
    (
        "domain/match/state.py",
        "FORMAT = 2",
        "FORMAT = 3",
    ): "any number that no earlier form had",
    (
        "domain/games/power_line/rules.py",
        "first = line[0]",
        "first = line[(-1)]",
    ): "every node is compared with it",
}
"""Why, by the module's path, the line before and the line after."""
