"""Commands of administrators: the database, keys, accounts, servers and what runs beside them."""
