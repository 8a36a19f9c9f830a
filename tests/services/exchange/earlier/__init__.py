"""What earlier releases wrote and gave away, as they did: nothing here is ever made anew.

``matches.ndjson``: exports of matches. ``verify_match.txt``: the verifier that stands alone, as it
was before any kind of event had an optional member.
"""
