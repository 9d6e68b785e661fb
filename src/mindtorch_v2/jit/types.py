"""The types of TorchScript, which programs name in annotations: each is one object that prints as its word."""

from __future__ import annotations


class JitType:
    """A type of a script; torch calls it torch.Type."""

    word = ""

    def __repr__(self) -> str:
        return self.word

    def annotation_str(self) -> str:
        """The type as an annotation."""
        return self.word


_instances: dict[type, JitType] = {}


class SingleType(JitType):
    """One that needs no other: TensorType.get()."""

    @classmethod
    def get(cls) -> JitType:
        """The only object of it."""
        return _instances.setdefault(cls, cls())


class Graph:
    """The program of a script; for annotations."""

    def __init__(self, *args, **kwargs) -> None:
        raise TypeError(f"mindtorch_v2 has no TorchScript, and so no {type(self).__name__} of one")


class Node(Graph):
    """A call in it."""


class Value(Graph):
    """What a call gives or takes."""


# torch's name of a type, and its word
_WORDS = {"AnyType": "Any", "BoolType": "bool", "ComplexType": "complex", "DeviceObjType": "Device",
          "FloatType": "float", "IntType": "int", "NoneType": "NoneType", "NumberType": "number",
          "PyObjectType": "PyObject", "StreamObjType": "Stream", "StringType": "str", "SymBoolType": "bool",
          "SymIntType": "int", "TensorType": "Tensor"}
SINGLE = {name: type(name, (SingleType,), {"word": word, "__module__": __name__}) for name, word in _WORDS.items()}
globals().update(SINGLE)
