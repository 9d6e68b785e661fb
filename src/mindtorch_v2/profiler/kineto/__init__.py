"""torch's raw results, as its tools read them: the tree of events and the flat list, objects made when asked for."""
