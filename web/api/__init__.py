"""The HTTP interface, version 1; the OpenAPI document that is made from it describes it.

Law of this package: never HTML, never a failure outside the one table, and never a member or a
parameter that is taken without being documented.
"""
