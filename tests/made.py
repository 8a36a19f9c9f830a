"""Write anew what is made from the code and kept beside it: `./dev made`.

Texts for translators, the page of commands, golden matches and what the analysis says of them, demo
matches. What is there and still right stays as it is, so it costs nothing to run this once more; a
test of each says when it is due.
"""

from __future__ import annotations

from tests import texts
from tests.cli import test_docs
from tests.golden import analyses
from tests.golden import write as golden
from tests.seeds import write as demo


def main() -> None:
    """Write all of it."""
    texts.main()
    test_docs.write_page()
    golden.main()
    analyses.main()
    demo.main()


if __name__ == "__main__":
    main()
