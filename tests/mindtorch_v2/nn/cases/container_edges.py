"""Every method of nn's containers, called rightly and wrongly: what they give, and what the container is afterwards."""
# ruff: noqa: E501  a program stands on one line

from __future__ import annotations

MODULES = "a, b, c = nn.Linear(1, 2), nn.ReLU(), nn.Linear(2, 1)\n"
TENSORS = "p, q = nn.Parameter(torch.ones(2)), torch.zeros(3)\n"
SETUPS = {
    "Sequential": MODULES + "s = nn.Sequential(a, b, c)\n",
    "ModuleList": MODULES + "s = nn.ModuleList([a, b, c])\n",
    "ModuleDict": MODULES + "s = nn.ModuleDict({'x': a, 'y': b})\n",
    "ParameterList": TENSORS + "s = nn.ParameterList([p, q, 5])\n",
    "ParameterDict": TENSORS + "s = nn.ParameterDict({'y': p, 'x': q, 'n': 5})\n",
}
# What is asked of a container, then what is done to it.
OF_SEQUENTIAL = (
    "s[0]", "s[-1]", "s[3]", "s[-4]", "s[1:]", "s[::2]", "s['0']", "s[1.5]", "s[True]", "len(s)", "list(s)", "dir(s)==dir(s)", "s.append(b)", "s.append(3)", "s.append(None)", "s.insert(0, c)",
    "s.insert(-1, b)", "s.insert(3, b)", "s.insert(4, b)", "s.insert(0, 5)", "s.extend([b, c])", "s.extend(nn.Sequential(b))", "s.extend(3)", "s.pop(0)", "s.pop(-1)", "s.pop(5)", "s.pop('0')",
    "s + s", "s + 3", "s * 2", "2 * s", "s * 0", "s * 'a'", "s * 1.5", "s(torch.ones(1, 1)).shape", "s.add_module('k', b)", "a in s", "s == s", "list(reversed(s))", "hash(s) == hash(s)",
    "bool(s)", "s.index(a)", "s.get(0)", "s.forward(torch.ones(2, 1)).shape", "nn.Sequential()", "nn.Sequential(OrderedDict([('f', a), ('g', b)]))", "nn.Sequential({'f': a})",
    "nn.Sequential(a, None)", "nn.Sequential(3)", "nn.Sequential([a, b])", "nn.Sequential(OrderedDict([('f', 3)]))", "nn.Sequential(OrderedDict([('f', a), ('g', b)]))[1:]",
    "nn.Sequential(OrderedDict([('f', a), ('g', b)])).f", "nn.Sequential(OrderedDict([('f', a), ('g', b)])).append(c)", "nn.Sequential(OrderedDict([('f', a), ('g', b)])).pop(0)",
    "nn.Sequential()(torch.ones(1)) is None", "nn.Sequential(nn.Sequential(), nn.Sequential(a))", "s(1, 2)", "s()", "nn.Sequential()()", "s.__contains__(a)", "s[0:0]", "s[None]",
)
OF_MODULELIST = (
    "s[0]", "s[-1]", "s[3]", "s[-4]", "s[1:]", "s[::2]", "s['0']", "s[1.5]", "len(s)", "list(s)", "s.append(b)", "s.append(3)", "s.append(None)", "s.insert(0, c)", "s.insert(3, b)",
    "s.insert(10, b)", "s.insert(0, 5)", "s.extend([b, c])", "s.extend(nn.ModuleList([b]))", "s.extend(3)", "s.extend(a)", "s.pop(0)", "s.pop(-1)", "s.pop(5)", "s.pop()", "s.pop(slice(0,2))",
    "s + [b]", "s + s", "s + 3", "s + [3]", "[b] + s", "s(torch.ones(1))", "a in s", "list(reversed(s))", "bool(s)", "s.index(a)", "nn.ModuleList()", "nn.ModuleList([])", "nn.ModuleList(3)",
    "nn.ModuleList([3])", "nn.ModuleList(x for x in (a, b))", "nn.ModuleList([a, None])", "nn.ModuleList([nn.Linear(1, 2) for _ in range(3)])",
    "nn.ModuleList([nn.Linear(1, 2), nn.Linear(1, 2), nn.ReLU(), nn.ReLU(), nn.ReLU(), nn.Linear(2,1)])", "nn.ModuleList([nn.Sequential(a, b), nn.Sequential(a, b)])", "s.forward()", "s[True]",
    "s.clear()", "s.remove(a)", "nn.ModuleList({'a': a})", "nn.ModuleList('ab')", "s.count(a)", "s.copy()",
)
OF_MODULEDICT = (
    "s['x']", "s['z']", "s[0]", "len(s)", "list(s)", "'x' in s", "list(s.keys())", "list(s.values())", "list(s.items())", "s.pop('x')", "s.pop('z')", "s.clear()", "s.update({'z': c, 'a': b})",
    "s.update([('z', c), ('a', b)])", "s.update(OrderedDict([('z', c)]))", "s.update(nn.ModuleDict({'k': c}))", "s.update(3)", "s.update([1])", "s.update([('a',)])", "s.update([('a', 3)])",
    "s.update(['ab'])", "s.update({'z': 3})", "s.update({3: c})", "s.update({'a.b': c})", "s.update({'': c})", "s.update({'keys': c})", "s.update({'training': c})", "s.update({'z': None})",
    "s(1)", "nn.ModuleDict()", "nn.ModuleDict({'b': a, 'a': b})", "nn.ModuleDict([['b', a]])", "nn.ModuleDict(3)", "nn.ModuleDict({'a': 1})", "s.get('x')", "s.setdefault('x', b)", "s.x",
    "s.popitem()", "s.copy()", "s | s", "bool(s)", "list(reversed(s))", "s == s", "s.forward()", "nn.ModuleDict([('a', a), ('a', b)])", "nn.ModuleDict({'a': None})", "s.update([['a', b, c]])",
    "s.update({})", "s.update()",
)
OF_PARAMETERLIST = (
    "s[0]", "s[1]", "s[2]", "s[-1]", "s[3]", "s[-4]", "s[1:]", "s['0']", "len(s)", "list(s)", "s.append(torch.ones(1))", "s.append(p)", "s.append('text')", "s.append(None)",
    "s.extend([p, q])", "s.extend(nn.ParameterList([p]))", "s.extend(3)", "s.extend(torch.ones(2))", "s.extend((x for x in [p]))", "s(1)", "p in s", "list(s.parameters())",
    "[n for n, _ in s.named_parameters()]", "nn.ParameterList()", "nn.ParameterList([])", "nn.ParameterList(3)", "nn.ParameterList([3, 'a', [1, 2], None])",
    "nn.ParameterList(torch.ones(2, 2))", "nn.ParameterList(nn.ParameterList([p]))", "nn.ParameterList([nn.Linear(1, 1)])", "s.insert(0, p)", "s.pop()", "s + [p]", "s.index(p)", "bool(s)",
    "list(reversed(s))", "nn.ParameterList([torch.ones(2, dtype=torch.int64)])", "nn.ParameterList([torch.ones(2, requires_grad=True) * 2])", "s.double()",
    "nn.ParameterList([torch.ones(1, device='meta')])", "s.copy()", "nn.ParameterList([torch.ones(2, dtype=torch.float64), nn.Parameter(torch.ones((), dtype=torch.float16))])",
    "nn.ParameterList([nn.Parameter(torch.ones(2), requires_grad=False)])", "nn.ParameterList([True, 1.5])", "s.count(p)",
)
OF_PARAMETERDICT = (
    "s['x']", "s['n']", "s['z']", "s[0]", "len(s)", "list(s)", "'x' in s", "list(s.keys())", "list(s.values())", "list(s.items())", "s.pop('x')", "s.pop('z')", "s.popitem()", "s.clear()",
    "s.get('x')", "s.get('z')", "s.get('z', 3)", "s.setdefault('x', q)", "s.setdefault('z', q)", "s.setdefault('w')", "s.copy()", "s.fromkeys(['a', 'b'])", "s.fromkeys(['a', 'b'], p)",
    "s.update({'z': q, 'a': p})", "s.update([('z', q), ('a', p)])", "s.update(OrderedDict([('z', q), ('b', 1)]))", "s.update(nn.ParameterDict({'k': p}))", "s.update(3)", "s.update([1])",
    "s.update([('a',)])", "s.update(['ab'])", "s.update({3: q})", "s.update({'a.b': q})", "s.update({'': q})", "s.update({'keys': q})", "s.update({'training': q})", "s(1)",
    "nn.ParameterDict()", "nn.ParameterDict({'b': p, 'a': q})", "nn.ParameterDict([['b', p], ('a', q)])", "nn.ParameterDict(3)", "nn.ParameterDict(OrderedDict([('b', p), ('a', q)]))",
    "nn.ParameterDict({'a': None, 'b': 'text', 'c': [1]})", "s | nn.ParameterDict({'z': p})", "s | {'z': p}", "{'z': p} | s", "list(reversed(s))", "bool(s)", "s.x", "s == s",
    "[n for n, _ in s.named_parameters()]", "nn.ParameterDict({'a': nn.Linear(1, 1)})", "nn.ParameterDict({'a': torch.ones(1, dtype=torch.int64)})",
    "nn.ParameterDict({'b': torch.ones(2, dtype=torch.float64)})", "nn.ParameterDict().popitem()", "s.double()", "nn.ParameterDict({1: p})",
    "nn.ParameterDict(nn.ParameterDict({'b': p, 'a': q}))", "s.update([['a', p, q]])", "s | 3", "s.update()",
)
TO_SEQUENTIAL = (
    "s[0] = c", "s[-1] = b", "s[5] = b", "s[0] = 3", "s[0:2] = [b]", "del s[0]", "del s[-1]", "del s[1:]", "del s[7]", "del s[::2]", "s += nn.Sequential(b)", "s += [b]", "s *= 2", "s *= 0",
    "s *= 'x'", "s.x = b; s.append(c)", "s['0'] = b", "del s['0']", "delattr(s, '1'); s.append(b)", "s[0] = None", "s.add_module('1', b)",
)
TO_MODULELIST = (
    "s[0] = c", "s[-1] = b", "s[5] = b", "s[0] = 3", "s[0] = None", "s[0:2] = [b]", "del s[0]", "del s[-1]", "del s[1:]", "del s[7]", "s += [b]", "s += 3", "s += nn.ModuleList([a])",
    "s.x = b; s.append(c)", "s *= 2", "s.add_module('k', b)", "del s['0']", "s['1'] = b",
)
TO_MODULEDICT = (
    "s['x'] = b", "s['z'] = c", "s['z'] = 3", "s[3] = b", "del s['x']", "del s['z']", "s['keys'] = b", "s.z = c", "s['a.b'] = c", "s['x'] = None", "s |= {'z': c}",
)
TO_PARAMETERLIST = (
    "s[0] = torch.ones(4)", "s[-1] = p", "s[5] = p", "s[0] = 3", "s[0] = None", "s[1] = 'x'", "del s[0]", "s[0:2] = [p]", "s += [p]", "s += 3", "s += torch.ones(2)", "s.x = p; s.append(q)",
    "del s[-1]", "s['0'] = p",
)
TO_PARAMETERDICT = (
    "s['x'] = torch.ones(4)", "s['z'] = p", "s['z'] = 'a'", "s[3] = p", "del s['x']", "del s['z']", "s['keys'] = p", "s.z = p", "s['a.b'] = p", "s['x'] = None", "s['n'] = q",
    "s |= nn.ParameterDict({'z': p})", "s |= {'z': p}", "s |= 3",
)
ASKED = {"Sequential": OF_SEQUENTIAL, "ModuleList": OF_MODULELIST, "ModuleDict": OF_MODULEDICT, "ParameterList": OF_PARAMETERLIST, "ParameterDict": OF_PARAMETERDICT}
DONE = {"Sequential": TO_SEQUENTIAL, "ModuleList": TO_MODULELIST, "ModuleDict": TO_MODULEDICT, "ParameterList": TO_PARAMETERLIST, "ParameterDict": TO_PARAMETERDICT}
COPIED = ("import copy, pickle\nt = copy.deepcopy(s); u = pickle.loads(pickle.dumps(s)); v = copy.copy(s)\n"
          "out = [repr(t), repr(u), repr(v), t.state_dict(), u.state_dict(), len(t), len(u), str(t.load_state_dict(s.state_dict()))]")

CASES = {
    **{f"{kind}: {asked}": f"{SETUPS[kind]}r = {asked}\nout = [repr(r), repr(s), list(s.state_dict()), r is s]" for kind, questions in ASKED.items() for asked in questions},
    **{f"{kind}, then {done}": f"{SETUPS[kind]}{done}\nout = [repr(s), list(s.state_dict()), len(s)]" for kind, deeds in DONE.items() for done in deeds},
    **{f"{kind} copied": setup + COPIED for kind, setup in SETUPS.items()},
}
