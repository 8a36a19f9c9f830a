"""What holds for any history of migrations (pytest-alembic), on both databases."""

import pytest
from pytest_alembic import tests
from pytest_alembic.runner import MigrationContext
from pytest_alembic.tests.experimental import downgrade_leaves_no_trace

CHECKS = (
    tests.test_single_head_revision,
    tests.test_upgrade,
    tests.test_model_definitions_match_ddl,
    tests.test_up_down_consistency,
    downgrade_leaves_no_trace.test_downgrade_leaves_no_trace,
)


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_the_history_holds(alembic_runner: MigrationContext, check: object) -> None:
    check(alembic_runner)  # type: ignore[operator]
