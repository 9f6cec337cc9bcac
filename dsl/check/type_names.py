"""Types as they are written."""

from __future__ import annotations

from dsl import ast, model, types
from dsl.check.elaborate import (
    is_unknown,
)
from dsl.check.scope import Scope
from dsl.types import UNKNOWN, ListType, Optional, Type
from dsl.words import FOREIGN_TYPES


def written_type(node: ast.Type, scope: Scope) -> Type:
    """The type that is written there."""
    match node:
        case ast.ListType(of=of):
            inner = written_type(of, scope)
            return UNKNOWN if is_unknown(inner) else ListType(inner)
        case ast.ZoneType(of=of):
            symbol = scope.names.find(of.id, "card type")
            if symbol is not None and isinstance(symbol.target, model.CardType):
                return types.ZoneType(symbol.target.type)
            scope.unknown(of.id, of.span, "card type", ("card type",), locals_too=False)
            return UNKNOWN
        case ast.NamedType(name=name, optional=optional):
            found = named_type(name, scope)
            if optional and not is_unknown(found):
                return Optional(found)
            return found


def named_type(name: ast.Name, scope: Scope) -> Type:
    """The type of a name; an error if it is none."""
    symbol = scope.names.find(name.id, "type", "kind", "card type", "board")
    if symbol is None and name.id.lower() in FOREIGN_TYPES and scope.names.find(name.id) is None:
        label = f"write `{FOREIGN_TYPES[name.id.lower()]}`"
        scope.cx.report.error("CG0203", f"there is no type `{name.id}`", name.span, label)
        return UNKNOWN
    if symbol is None:
        scope.unknown(name.id, name.span, "type", ("type", "kind", "card type", "board"), locals_too=False)
        return UNKNOWN
    target = symbol.target
    if isinstance(target, Type):
        return target
    if isinstance(target, model.Kind | model.CardType | model.Board):
        return target.type
    return UNKNOWN
