"""What people have beside their accounts: names, codes, others, what was done about them."""
