"""What the API takes and gives, as schemas.

Those of bodies and queries load requests. Those of answers describe: they stand in the OpenAPI
document, and tests hold every answer against them; nothing is dumped through them, since
``services`` gives the contract's objects already.
"""
