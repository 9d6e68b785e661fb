"""④ Table in, table out: the tree, the averages, the events as objects."""
