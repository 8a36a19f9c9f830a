"""Players, tokens, scopes."""

from domain.errors import Refusal
from services.container import Services
from tests.web.people import PASSWORD, Person, problem

ON_BOTH_DATABASES = True


def test_somebody_signs_up_and_is_told_their_id(anyone: Person) -> None:
    answer = anyone.post("/players", {"name": "Ada_L-1", "password": PASSWORD})
    assert answer.status_code == 201
    assert set(answer.json) == {"id", "name", "created_at"}
    assert (answer.json["name"], answer.json["id"][:2]) == ("Ada_L-1", "p_")
    assert answer.headers["Cache-Control"] == "no-store"


def test_a_name_is_given_out_once_whatever_its_case(ada: Person) -> None:
    answer = ada.post("/players", {"name": "ADA", "password": PASSWORD})
    problem(answer, 409, "name-taken")


UNFIT = [
    ("a", PASSWORD, "/name"),
    ("a" * 25, PASSWORD, "/name"),
    ("ada lovelace", PASSWORD, "/name"),
    ("ädä", PASSWORD, "/name"),
    ("ada", "short", "/password"),
    ("ada", "x" * 257, "/password"),
]


def test_a_name_or_password_that_does_not_fit_is_refused(anyone: Person) -> None:
    for name, password, pointer in UNFIT:
        answer = anyone.post("/players", {"name": name, "password": password})
        body = problem(answer, 422, "invalid-player")
        assert body["errors"][0]["pointer"] == pointer, (name, password)


def test_a_token_is_shown_once_and_has_the_usual_scopes(ada: Person) -> None:
    answer = ada.post("/tokens", {"name": "ada", "password": PASSWORD, "label": "laptop"})
    assert set(answer.json) == {"id", "token", "label", "scopes", "expires_at"}
    assert answer.json["scopes"] == ["match:read", "match:play"]
    assert answer.headers["Cache-Control"] == "no-store"
    listed = ada.get("/tokens").json["tokens"]
    assert [token["label"] for token in listed] == ["test", "laptop"]
    assert all("token" not in token for token in listed)


def test_unknown_name_and_wrong_password_get_the_same_answer(ada: Person) -> None:
    for name, password in (("ada", "wrong password"), ("nobody", PASSWORD), ("no body", PASSWORD)):
        answer = ada.post("/tokens", {"name": name, "password": password, "label": "x"})
        body = problem(answer, 401, "unauthenticated")
        assert body["detail"] == "Name or password is wrong.", name
        assert answer.headers["WWW-Authenticate"].startswith("Bearer")


def test_a_scope_beyond_the_account_is_refused(ada: Person, house: Services) -> None:
    asked = {"name": "ada", "password": PASSWORD, "label": "x", "scopes": ["admin"]}
    body = problem(ada.post("/tokens", asked), 403, "missing-scope")
    assert "admin" in body["detail"]
    house.accounts.set_admin("ada", admin=True)
    assert ada.post("/tokens", asked).json["scopes"] == ["admin"]


def test_a_scope_that_there_is_not_is_malformed(ada: Person) -> None:
    for scopes in (["everything"], [], "match:read", [1]):
        asked = {"name": "ada", "password": PASSWORD, "label": "x", "scopes": scopes}
        body = problem(ada.post("/tokens", asked), 400, "malformed-request")
        assert body["errors"][0]["pointer"].startswith("/scopes"), scopes


def test_a_token_tells_who_one_is(ada: Person) -> None:
    me = ada.get("/me").json
    assert (me["name"], me["scopes"]) == ("ada", ["match:play", "match:read"])


NO_TOKENS = ["Bearer nonsense", "Bearer", "Bearer ", "Basic YTpi", "Bearer ü", "token x"]


def test_a_token_that_is_none_is_refused_even_where_none_is_needed(anyone: Person) -> None:
    for header in NO_TOKENS:
        for path in ("/me", "/matches"):
            answer = anyone.get(path, {"Authorization": header})
            assert answer.status_code == 401, header
            problem(answer, 401, "unauthenticated")
            assert "WWW-Authenticate" in answer.headers, header


def test_without_a_token_one_is_nobody(anyone: Person) -> None:
    problem(anyone.get("/me"), 401, "unauthenticated")
    assert anyone.get("/matches").status_code == 200


def test_a_revoked_token_is_good_for_nothing_from_then_on(ada: Person) -> None:
    issued = ada.post("/tokens", {"name": "ada", "password": PASSWORD, "label": "x"}).json
    other = Person(ada.client, "ada", issued["token"])
    assert other.get("/me").status_code == 200
    answer = ada.ask("DELETE", f"/tokens/{issued['id']}")
    assert (answer.status_code, answer.data) == (204, b"")
    problem(other.get("/me"), 401, "unauthenticated")
    problem(ada.ask("DELETE", f"/tokens/{issued['id']}"), 404, "not-found")


def test_nobody_revokes_the_token_of_another(ada: Person, bob: Person) -> None:
    token = ada.get("/tokens").json["tokens"][0]
    problem(bob.ask("DELETE", f"/tokens/{token['id']}"), 404, "not-found")
    assert ada.get("/me").status_code == 200


def test_a_call_outside_the_scopes_of_a_token_names_the_scope(ada: Person) -> None:
    reader, player = ada.with_scopes("match:read"), ada.with_scopes("match:play")
    answer = reader.post("/matches", {"game": "path-capture"})
    assert "match:play" in problem(answer, 403, "missing-scope")["detail"]
    assert "match:read" in problem(player.get("/matches"), 403, "missing-scope")["detail"]


def test_every_refusal_of_the_services_is_in_the_table() -> None:
    from web.http.problems import PROBLEMS

    def below(kind: type[Refusal]) -> set[type[Refusal]]:
        return {kind}.union(*(below(child) for child in kind.__subclasses__()))

    assert {kind.code for kind in below(Refusal)} - {"refused"} <= set(PROBLEMS)
