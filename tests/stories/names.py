"""Which names of our widgets hide a name of Textual without being one of its hooks."""

from __future__ import annotations

import ast
import importlib
import inspect
import pkgutil
import textwrap
from collections.abc import Iterator

from textual.message import Message
from textual.widget import Widget

from mandrel_tui.ui import widgets

# What a widget is meant to define.
HOOKS = {
    "ALLOW_SELECT",
    "BINDINGS",
    "DEFAULT_CSS",
    "can_focus",
    "check_action",
    "compose",
    "dismiss",
    "get_content_height",
    "get_content_width",
    "get_line",
    "render_line",
}
SET = {"virtual_size", "tooltip", "cursor_blink"}  # Textual's own, set on purpose
MADE = {"_css_type_name", "_css_type_names", "_decorated_handlers", "_inherit_bindings"}
MADE |= {"_inherit_component_classes", "_inherit_css", "_merged_bindings", "_reactives"}
MADE |= {"_computes", "_parameters", "_abc_impl", "can_focus_children", "_default_binding_map"}


def own_widgets() -> Iterator[type[Widget]]:
    """Every widget class of the package."""
    for module in pkgutil.iter_modules(widgets.__path__, widgets.__name__ + "."):
        for thing in vars(importlib.import_module(module.name)).values():
            own = isinstance(thing, type) and thing.__module__ == module.name
            if own and issubclass(thing, Widget):
                yield thing


def assigned(kind: type[Widget]) -> set[str]:
    """The attributes its methods set on the widget itself."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(kind))).body[0]
    assert isinstance(tree, ast.ClassDef)
    methods = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    return {
        node.attr
        for method in methods
        for node in ast.walk(method)
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store)
        if isinstance(node.value, ast.Name) and node.value.id == "self"
    }


def hidden() -> dict[str, set[str]]:
    """By class, the names that hide one of Textual; handlers and messages aside."""
    found: dict[str, set[str]] = {}
    for kind in own_widgets():
        bases = [base for base in kind.__mro__[1:] if base.__module__.startswith("textual.")]
        names = {
            name
            for name, value in vars(kind).items()
            if not name.startswith(("__", "on_", "watch_", "_on_"))
            and not (isinstance(value, type) and issubclass(value, Message))
            and name not in HOOKS | MADE
            and (any(hasattr(base, name) for base in bases) or name in vars(Widget()))
        }
        plain = {*dir(Widget), *vars(Widget())}
        names |= {
            name
            for name in assigned(kind) - HOOKS - SET
            if name in plain or any(hasattr(base, name) for base in bases)
        }
        if names:
            found[kind.__name__] = names
    return found
