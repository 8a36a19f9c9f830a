"""Do the tests notice when a rule is another? `./dev mutants` changes code and looks.

``changes`` finds what can be changed in a module, ``drawing`` draws some by a seed, ``choice`` says
which tests concern a module, ``running`` runs them on each changed copy, ``__main__`` tells.
"""
