"""① What every call goes through: bind → record → autograd → run."""
