"""What costs time and need not: found in the table, told in words, with evidence and what to do."""
