"""``python -m mindtorch_v2``: the commands of `mindtorch`."""

from .cli import main

if __name__ == "__main__":
    main()
