"""Each game's own rules: every check of its page, and a second opinion on all the rest.

A reference in each file says what the page says in another way (dumbly, over the JSON of
states), and random matches are held against it.
"""
