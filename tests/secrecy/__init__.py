"""Secrecy, tested as an enemy would: whatever can be asked for is asked for, and compared.

Two worlds are the same but for what one viewer must not know. Ids, instants, tokens and salts are
fixed, chance follows a script, and a commitment shows only its salt; so nothing has to be masked:
every answer that this viewer gets must be the same in both, byte for byte, headers included.
"""
