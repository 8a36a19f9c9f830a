"""Games over HTTP."""

from jsonschema import Draft202012Validator

from tests.web.people import Person, problem


def test_the_games_are_listed_in_short(anyone: Person) -> None:
    games = anyone.get("/games").json["games"]
    assert {"slug", "name", "rules_version", "summary"} == set(games[0])
    assert {"path-capture", "power-line", "energy-capture", "grid-power"} <= {
        game["slug"] for game in games
    }


def test_every_game_says_what_can_be_set_and_how_it_is_played(anyone: Person) -> None:
    for short in anyone.get("/games").json["games"]:
        if short["slug"] in ("whisper", "marathon"):
            continue  # games of the tests have no rule book
        game = anyone.get(f"/games/{short['slug']}").json
        assert game.items() >= short.items()
        assert game["rules"].startswith("# ")
        told = game["first_seat"]
        assert 0 <= told["per_mille"] <= 1000
        assert told["matches"] >= 20
        for form in (game["options"], game["settings"]):
            Draft202012Validator.check_schema(form)
            defaults = {name: one["default"] for name, one in form["properties"].items()}
            Draft202012Validator(form).validate(defaults)


def test_a_version_of_the_rules_is_shown_or_missing(anyone: Person) -> None:
    assert anyone.get("/games/path-capture?rules_version=1").json["rules_version"] == 1
    problem(anyone.get("/games/path-capture?rules_version=99"), 404, "not-found")
    problem(anyone.get("/games/chess"), 404, "not-found")
    body = problem(anyone.get("/games/path-capture?rules_version=one"), 400, "malformed-request")
    assert body["errors"][0]["parameter"] == "rules_version"
