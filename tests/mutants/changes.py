"""Small changes of a module that its tests ought to notice, found by its syntax.

Left alone is what no test is to hold: docstrings, annotations, messages, logs, and the tables of
the schema, which the tests of migrations compare with the databases.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import pairwise
from typing import NamedTuple

Function = ast.FunctionDef | ast.AsyncFunctionDef


class Change(NamedTuple):
    """The bytes from ``start`` to ``end`` of a module replaced by ``text``."""

    start: int
    end: int
    text: str

    def made(self, source: bytes) -> bytes:
        """Return the module with this change."""
        return source[: self.start] + self.text.encode() + source[self.end :]


class Source:
    """A module's bytes, and where its nodes stand in them."""

    def __init__(self, content: bytes) -> None:
        self.content = content
        self.tree = ast.parse(content)
        self._lines = [0]
        for line in content.splitlines(keepends=True):
            self._lines.append(self._lines[-1] + len(line))

    def start(self, node: ast.expr | ast.stmt) -> int:
        """Return where a node begins."""
        return self._lines[node.lineno - 1] + node.col_offset

    def end(self, node: ast.expr | ast.stmt) -> int:
        """Return where a node ends."""
        if node.end_lineno is None or node.end_col_offset is None:
            raise TypeError(node)
        return self._lines[node.end_lineno - 1] + node.end_col_offset

    def text(self, node: ast.expr | ast.stmt) -> str:
        """Return how a node is written."""
        return self.content[self.start(node) : self.end(node)].decode()

    def instead(self, node: ast.expr | ast.stmt, text: str) -> Change:
        """Return the change of a whole node."""
        return Change(self.start(node), self.end(node), text)

    def between(self, left: ast.expr, right: ast.expr, old: str, new: str) -> Iterator[Change]:
        """Yield the change of an operator that stands between two nodes."""
        start = self.end(left)
        found = re.search(old, self.content[start : self.start(right)].decode())
        if found is not None:
            yield Change(start + found.start(), start + found.end(), new)


class Within(NamedTuple):
    """The function around a node, and how often it binds each of its names."""

    function: Function | None = None
    bound: Counter[str] = Counter()  # noqa: RUF012 - nobody counts on in it


def changes(content: bytes) -> Iterator[Change]:
    """Yield every change of a module that there is, in a fixed order."""
    source = Source(content)
    yield from _walk(source, source.tree, Within())


def _walk(source: Source, node: ast.AST, within: Within) -> Iterator[Change]:
    if _is_left_alone(node):
        return
    for kind in _KINDS:
        yield from kind(source, node, within)
    if isinstance(node, ast.Raise | ast.JoinedStr):
        return
    if isinstance(node, Function):
        within = Within(node, _bound(node))
    for child in _children(node):
        yield from _walk(source, child, within)


_TALK = {"say", "Table", "Column", "Index", "CheckConstraint", "TypeVar", "cast", "warning", "info"}
_TYPES = {"Literal", "Annotated", "Callable"}


def _is_left_alone(node: ast.AST) -> bool:
    match node:
        case ast.Import() | ast.ImportFrom() | ast.Expr(value=ast.Constant()):
            return True
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)):
            return name in _TALK
        case ast.Expr(value=ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name))):
            return name in _TALK
        case ast.Subscript(value=ast.Name(id=name)):
            return name in _TYPES
        case ast.AnnAssign(annotation=ast.Name(id="TypeAlias")):
            return True
        case _:
            return False


def _children(node: ast.AST) -> Iterable[ast.AST]:
    match node:
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            defaults = [one for one in node.args.kw_defaults if one is not None]
            return [*node.args.defaults, *defaults, *node.body]
        case ast.Lambda():
            return [node.body]
        case ast.ClassDef():
            return node.body
        case ast.AnnAssign():
            return [] if node.value is None else [node.value]
        case ast.keyword(arg="strict" | "key"):
            return []
        case _:
            return ast.iter_child_nodes(node)


def _bound(function: Function) -> Counter[str]:
    names = Counter(
        node.id
        for node in ast.walk(function)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    )
    names.update(argument.arg for argument in ast.walk(function) if isinstance(argument, ast.arg))
    return names


# --- Kinds of changes -------------------------------------------------------------------------

_TURNED: dict[type[ast.cmpop], tuple[str, tuple[str, ...]]] = {
    ast.Lt: ("<", ("<=", ">=")),
    ast.LtE: ("<=", ("<", ">")),
    ast.Gt: (">", (">=", "<=")),
    ast.GtE: (">=", (">", "<")),
    ast.Eq: ("==", ("!=",)),
    ast.NotEq: ("!=", ("==",)),
    ast.Is: ("is", ("is not",)),
    ast.IsNot: (r"is\s+not", ("is",)),
    ast.In: ("in", ("not in",)),
    ast.NotIn: (r"not\s+in", ("in",)),
}
_SWAPPED: dict[type[ast.operator], tuple[str, str]] = {
    ast.Add: (r"\+", "-"),
    ast.Sub: ("-", "+"),
    ast.Mult: (r"\*", "//"),
    ast.FloorDiv: ("//", "*"),
}
_TWINS = {"min": "max", "max": "min", "any": "all", "all": "any"}


def _comparisons(source: Source, node: ast.AST, _: Within) -> Iterator[Change]:
    if isinstance(node, ast.Compare):
        sides = pairwise([node.left, *node.comparators])
        for (left, right), operator in zip(sides, node.ops, strict=True):
            old, others = _TURNED[type(operator)]
            for new in others:
                yield from source.between(left, right, old, new)


def _arithmetic(source: Source, node: ast.AST, _: Within) -> Iterator[Change]:
    """Swap operators, but of numbers only: lists that are subtracted are nobody's mistake."""
    if isinstance(node, ast.BinOp) and type(node.op) in _SWAPPED:
        sides = node.left, node.right
        if not any(_is_no_number(side) for side in sides):
            yield from source.between(*sides, *_SWAPPED[type(node.op)])
    if isinstance(node, ast.AugAssign) and type(node.op) in _SWAPPED:
        sides = node.target, node.value
        if not _is_no_number(node.value):
            yield from source.between(*sides, *_SWAPPED[type(node.op)])


def _is_no_number(node: ast.expr) -> bool:
    if isinstance(node, ast.Constant):
        return isinstance(node.value, str | bytes)
    return isinstance(node, ast.JoinedStr | ast.List | ast.Tuple | ast.ListComp | ast.Dict)


def _constants(source: Source, node: ast.AST, _: Within) -> Iterator[Change]:
    if isinstance(node, ast.Constant):
        if isinstance(node.value, bool):
            yield source.instead(node, str(not node.value))
        elif isinstance(node.value, int):
            yield source.instead(node, str(node.value + 1))
            yield source.instead(
                node, f"({node.value - 1})" if node.value < 1 else str(node.value - 1)
            )


def _connectives(source: Source, node: ast.AST, _: Within) -> Iterator[Change]:
    if isinstance(node, ast.BoolOp):
        old, new = (r"\band\b", "or") if isinstance(node.op, ast.And) else (r"\bor\b", "and")
        for left, right in pairwise(node.values):
            yield from source.between(left, right, old, new)


def _signs(source: Source, node: ast.AST, _: Within) -> Iterator[Change]:
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not | ast.USub):
        start = source.start(node)
        length = len("not ") if isinstance(node.op, ast.Not) else len("-")
        yield Change(start, start + length, "")


def _conditions(source: Source, node: ast.AST, _: Within) -> Iterator[Change]:
    tests: list[ast.expr] = []
    match node:
        case ast.If() | ast.IfExp():
            tests = [node.test]
        case ast.comprehension():
            tests = node.ifs
        case ast.match_case() if node.guard is not None:
            tests = [node.guard]
        case _:
            pass
    for test in tests:
        if not any(isinstance(one, ast.NamedExpr) for one in ast.walk(test)):
            yield source.instead(test, "True")
            yield source.instead(test, "False")
    if isinstance(node, ast.While):
        yield source.instead(node.test, "False")


def _returns(source: Source, node: ast.AST, within: Within) -> Iterator[Change]:
    if not isinstance(node, ast.Return) or node.value is None or within.function is None:
        return
    annotation = within.function.returns
    wanted = "" if annotation is None else ast.unparse(annotation)
    written = source.text(node.value)
    if wanted == "bool":
        yield source.instead(node.value, f"not ({written})")
    if wanted == "int":
        yield source.instead(node.value, f"-({written})")
    if wanted.endswith("| None") and written != "None":
        yield source.instead(node.value, "None")


def _left_out(source: Source, node: ast.AST, within: Within) -> Iterator[Change]:
    match node:
        case ast.Expr(value=ast.Call() | ast.Yield() | ast.YieldFrom()) | ast.AugAssign():
            yield source.instead(node, "pass")
        case ast.Raise() | ast.Continue() | ast.Delete() | ast.Return(value=None):
            yield source.instead(node, "pass")
        case ast.Assign(targets=[ast.Subscript() | ast.Attribute()]):
            if within.function is not None and within.function.name != "__init__":
                yield source.instead(node, "pass")
        case ast.Assign(targets=[ast.Name(id=name)]) if within.bound[name] > 1:
            yield source.instead(node, "pass")
        case _:
            pass


def _boundaries(source: Source, node: ast.AST, _: Within) -> Iterator[Change]:
    ends: list[ast.expr] = []
    match node:
        case ast.Call(func=ast.Name(id="range"), args=arguments):
            ends = arguments[:2]
        case ast.Slice(lower=lower, upper=upper):
            ends = [end for end in (lower, upper) if end is not None]
        case _:
            pass
    for end in ends:
        if not isinstance(end, ast.Constant):
            written = source.text(end)
            yield source.instead(end, f"({written}) + 1")
            yield source.instead(end, f"({written}) - 1")


def _twins(source: Source, node: ast.AST, _: Within) -> Iterator[Change]:
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in _TWINS:
        yield source.instead(node.func, _TWINS[node.func.id])


_SQL = re.compile(r"\b(SELECT|INSERT|UPDATE|DELETE|WHERE|ORDER BY|AND|CASE)\b")
_SQL_CHANGES = [
    (re.compile(r"(?<= )<=(?= )"), ("<", ">")),
    (re.compile(r"(?<= )<(?= )"), ("<=", ">")),
    (re.compile(r"(?<= )>(?= )"), (">=", "<")),
    (re.compile(r"(?<= )>=(?= )"), (">", "<")),
    (re.compile(r"(?<= )=(?= )"), ("<>",)),
    (re.compile(r"(?<= )<>(?= )"), ("=",)),
    (re.compile(r"\bAND\b"), ("OR",)),
    (re.compile(r"\bDESC\b"), ("ASC",)),
    (re.compile(r"\bIS NOT NULL\b"), ("IS NULL",)),
    (re.compile(r"\bmax\("), ("min(",)),
]


def _statements_of_sql(source: Source, node: ast.AST, _: Within) -> Iterator[Change]:
    if isinstance(node, ast.JoinedStr) or (
        isinstance(node, ast.Constant) and isinstance(node.value, str)
    ):
        written, start = source.content[source.start(node) : source.end(node)], source.start(node)
        text = written.decode("latin-1")  # so that places are those of bytes
        if _SQL.search(text):
            for pattern, others in _SQL_CHANGES:
                for found in pattern.finditer(text):
                    make = partial(Change, start + found.start(), start + found.end())
                    yield from map(make, others)


_KINDS: list[Callable[[Source, ast.AST, Within], Iterator[Change]]] = [
    _comparisons,
    _arithmetic,
    _constants,
    _connectives,
    _signs,
    _conditions,
    _returns,
    _left_out,
    _boundaries,
    _twins,
    _statements_of_sql,
]
