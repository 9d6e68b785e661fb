"""Tables looked up by number: rows one by one, rows in bags, and their gradients."""
