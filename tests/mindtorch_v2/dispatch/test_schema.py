"""What an op says of itself: torch.ops.aten.<name>.<overload>._schema."""

from __future__ import annotations

import gzip
import json
import pathlib

import pytest

import mindtorch_v2 as torch
from mindtorch_v2.opdef.table import OPS
from mindtorch_v2.profiler import profile
from mindtorch_v2.profiler._memory_profiler import SchemaMatcher

from .signature_lists import listed

aten = torch.ops.aten
DATA = pathlib.Path(__file__).parents[1] / "data"
SENTENCES = json.loads(gzip.decompress((DATA / "ops" / "_schemas.json.gz").read_bytes()))
SIGNATURES = json.loads(gzip.decompress((DATA / "signatures.json.gz").read_bytes()))


def test_every_schema_prints_as_torch_s():
    printed = [(op, str(getattr(getattr(aten, op.name), op.overload or "default")._schema))
               for ops in OPS.values() for op in ops]
    told = {op: SENTENCES[f"{op.name}.{op.overload}" if op.overload else op.name] for op, _ in printed}
    assert [text for op, text in printed if told[op] not in (text, None)] == []


def test_a_schema_is_shown_as_torch_s_sentence():
    assert repr(aten.add_.Tensor._schema) == \
        "aten::add_.Tensor(Tensor(a!) self, Tensor other, *, Scalar alpha=1) -> Tensor(a!)"
    assert aten.mm.default._schema == aten.mm.default._schema != aten.mm.out._schema


def test_arguments_tell_their_name_type_and_default():
    told = [(a.name, str(a.type), a.N, a.kwarg_only, a.has_default_value(), a.default_value)
            for a in aten.sum.dim_IntList._schema.arguments]
    assert told == [("self", "Tensor", None, False, False, None), ("dim", "Optional[List[int]]", 1, False, False, None),
                    ("keepdim", "bool", None, False, True, False), ("dtype", "Optional[int]", None, True, True, None)]
    assert [str(r.type) for r in aten.split.Tensor._schema.returns] == ["List[Tensor]"]


def test_a_schema_tells_what_is_written_and_what_is_shared():
    assert [s._schema.is_mutable for s in (aten.add_.Tensor, aten.add.out, aten.add.Tensor)] == [True, True, False]
    assert [a.is_out for a in aten.add.out._schema.arguments] == [False, False, False, True]
    shared = aten.split.Tensor._schema.arguments[0].alias_info
    assert (shared.is_write, shared.before_set, shared.after_set) == (False, {"a"}, {"*"})


def test_an_event_s_schema_is_found_by_its_inputs():
    x = torch.ones(2, 2)
    with profile(record_shapes=True, profile_memory=True, with_stack=True) as prof:
        torch.mm(x, x)
    events = list(prof.profiler.kineto_results.experimental_event_tree())
    for event in events:
        events += event.children
        if event.name == "aten::mm":
            found = SchemaMatcher.match_schemas(event.extra_fields)
    assert [str(s) for s in found] == ["aten::mm(Tensor self, Tensor mat2) -> Tensor"]
    assert found == SchemaMatcher.lookup_schemas("aten::mm")[:1]


ALIKE = [name for name in SIGNATURES if sorted(SIGNATURES[name]) == sorted(listed(torch, name))]


@pytest.mark.parametrize("name", ALIKE)
def test_signatures_are_listed_in_torch_s_order(name):
    assert listed(torch, name) == SIGNATURES[name]


def test_most_functions_list_all_of_torch_s_signatures():
    complete = [name for name in SIGNATURES if set(SIGNATURES[name]) <= set(listed(torch, name))]
    assert len(complete) > 0.6 * len(SIGNATURES)
