"""``%%profile`` in IPython."""

from __future__ import annotations

from pathlib import Path

from . import programs

SRC = Path(__file__).parents[2] / "src"
PROGRAM = """
import json
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output
shell = InteractiveShell.instance()
shell.run_line_magic("load_ext", "mindtorch_v2.profiler.notebook")
shell.run_cell("import mindtorch_v2 as torch")
with capture_output() as shown:
    shell.run_cell("%%profile --shapes\\ny = torch.ones(3).add(1)")
with capture_output() as mistaken:
    shell.run_cell("%%profile --shape-of-it\\n1")
rows = [row.key for row in shell.user_ns["prof"].key_averages()]
print(json.dumps({"forms": sorted(shown.outputs[0].data), "rows": rows,
                  "value": shell.user_ns["y"].tolist(), "mistake": mistaken.stderr + mistaken.stdout}))
"""


def test_a_cell_is_profiled_and_its_profile_shown():
    shown = programs.python("IPython", PROGRAM, PYTHONPATH=str(SRC))
    assert shown["forms"] == ["text/html", "text/plain"]
    assert "aten::add" in shown["rows"] and shown["value"] == [2, 2, 2]
    assert "unrecognized arguments: --shape-of-it" in shown["mistake"] and "Traceback" not in shown["mistake"]
