"""How to go back: nodes, the engine, custom functions, grad modes."""
