"""How the schema came to be, step by step (Alembic).

Law of this room: a step that was released is never edited. It imports nothing of ours
but ``loss`` and spells out its SQL, so that it does in ten years what it does today.
"""
