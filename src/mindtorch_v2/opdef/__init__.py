"""What an op is: its schema, the form it is declared on, named shape rules, the table of ops."""
