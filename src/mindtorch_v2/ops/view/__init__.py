"""The same elements in another shape or order, parts of them, and several made one."""
