"""``plybook replay`` and ``plybook diff``: a match step by step, with the keys of the keyboard."""
