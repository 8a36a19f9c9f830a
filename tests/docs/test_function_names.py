"""A function is a verb: its name begins with one, and says what it does or what it answers.

Nouns are right for what stands in the place of a value or of a keyword (properties, context
managers, decorators), for commands and pages, which are called as people type them, and for what
templates and schemas are made of.
"""

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
ROOMS = ("cli", "domain", "seeds", "services", "web")
TEMPLATE_HELPERS = ROOT / "web/pages/blueprint.py"
SCHEMA_MEMBERS = ROOT / "web/api/fields.py"
"""They stand beside marshmallow's ``fields.String``."""

VERBS = frozenset(
    """
    abort accept accepts act adapt add admit advance agree align allow allows analyse announce
    answer answers append apply are arrive ask asks attempt authenticate await awaits beat begin
    begins block break breaks build call can carry centre chain change charge check choose claim
    classify clean clear close collect come comes command compare compile complete compress
    compute conceal configure confirm connect consider contribute convert copy count counts
    cover create crop cut decide declare decline decode delete deliver derive describe differ
    dispose do doubt downgrade download draw drop dump encode end ends enter estimate evaluate
    evolve explain export extract fail fetch fill find finish fit fits flag flatten flow fold
    follow follows forbid foresee forfeit forget form format frame gather get gets give gives go
    goes grant group grow guard hand handle has hash hatch have hear hide hint hold holds hurry
    identify import index infer inform insert inspect install invite is isolate issue iter
    iterate join judge jump keep knows label lapse lay lead leads learn lease leave let lets
    lift limit link list listen load locate log look main make map mark mask may measure migrate
    mix moderate must name need negotiate normalize note number offer omit on open order
    override owns pack paint parse part pass patch pause pay peek pick pile place plan play
    plays post press print prove proves put quit quote rank rasterise rate read reads recall
    reckon recover redact redeliver refuse refuses register relate relay remake remember remove
    render renumber repeat replace replay report require reset resign resolve restore resume
    retell revoke ring rotate round route run sample save say scale scroll seal search seat
    select send serve set settle shall shorten show shows shuffle sign simplify skip sort speak
    spend split spoil spread stack stamp stand start stay stays steer steers step stop store
    stream strike subtract sum suspend swap sweep switch tabulate take takes tame tell tells
    test think tick time toggle toss translate trash try turn turns type undo unify unmask unsay
    unscale unseal upgrade use uses vary verify view wait wake walk warn was watch weaken weigh
    will wipe wish work wrap write
    """.split()  # noqa: SIM905 - so many words read better in lines
)
"""What names begin with; a new one is added here."""

CONVERSIONS = ("as_", "by_", "from_", "to_")
PROJECTIONS = ("_json", "_of")
"""``seat_of(player)``, ``row_of_line(line)``: what a value has."""

DECORATED = ("property", "contextmanager", "override", "command", "group", "route", "get")
OF_LIBRARIES = {"N_", "_", "gettext", "msg", "ngettext", "readline"}
DECORATORS = {"kept", "refused_at", "_noting"}
TRANSACTIONS = {"migrating", "noting", "reading", "stating", "writing", "state"}
"""They give context managers."""

SENTENCES = {"_caches_differ"}


def test_a_function_is_a_verb() -> None:
    given = named_in_templates()
    nouns = [
        f"{path.relative_to(ROOT)}: {name}"
        for room in ROOMS
        for path in sorted((ROOT / room).rglob("*.py"))
        if path != SCHEMA_MEMBERS
        for name in functions_of(path)
        if not is_verb(name) and name not in given
    ]
    assert nouns == []


def is_verb(name: str) -> bool:
    bare = name.lstrip("_")
    return (
        bare.partition("_")[0] in VERBS
        or bare.startswith(CONVERSIONS)
        or bare.endswith((*PROJECTIONS, "_option", "_options", "_argument"))
        or "_of_" in bare
        or name in OF_LIBRARIES | DECORATORS | TRANSACTIONS | SENTENCES
    )


def functions_of(path: Path) -> Iterator[str]:
    """Yield the names of functions and methods, those inside of others left out."""
    waiting: list[ast.AST] = [ast.parse(path.read_text(encoding="utf-8"))]
    while waiting:
        for node in ast.iter_child_nodes(waiting.pop()):
            if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                waiting.append(node)
            elif not node.name.startswith("__") and not is_decorated(node):
                yield node.name


def is_decorated(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    names = (ast.unparse(one).partition("(")[0] for one in node.decorator_list)
    return any(name.removeprefix("cached_").rpartition(".")[2] in DECORATED for name in names)


def named_in_templates() -> set[str]:
    """Return the names of the functions that are handed to templates by their names."""
    tree = ast.parse(TEMPLATE_HELPERS.read_text(encoding="utf-8"))
    loop = next(
        one for one in tree.body if isinstance(one, ast.For) and ast.unparse(one.target) == "helper"
    )
    globals_ = {"form_token", "rules_url"}
    return globals_ | {ast.unparse(one).rpartition(".")[2] for one in ast.walk(loop.iter)}
