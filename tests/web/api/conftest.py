"""A real server with two processes, for all the tests of a module."""

from __future__ import annotations

import shutil
from collections.abc import Iterator

import pytest

from tests.support.servers import Server, running_server


@pytest.fixture(
    scope="module", params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)]
)
def two_processes(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Server]:
    """Run a server with two processes on each kind of database; nobody may mind what is there."""
    name = request.module.__name__.rpartition(".")[2]
    if request.param == "sqlite":
        url = str(tmp_path_factory.mktemp(name) / "plybook.sqlite")
        shutil.copy(request.getfixturevalue("sqlite_template"), url)
    else:
        template = request.getfixturevalue("postgres_template")
        server = request.getfixturevalue("postgres_server")
        url = server.create_database(name, template=template)
    with running_server(url, workers=2) as running:
        yield running
