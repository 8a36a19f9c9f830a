"""What holds for any history of migrations (pytest-alembic), on both databases.

That a step down leaves nothing of the step up is looked at in ``test_steps``: the check that
pytest-alembic has for it reflects each table four times for each step.
"""

import pytest
from pytest_alembic import tests
from pytest_alembic.runner import MigrationContext

CHECKS = (
    tests.test_single_head_revision,
    tests.test_upgrade,
    tests.test_model_definitions_match_ddl,
    tests.test_up_down_consistency,
)


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_the_history_holds(alembic_runner: MigrationContext, check: object) -> None:
    check(alembic_runner)  # type: ignore[operator]
