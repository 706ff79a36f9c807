"""Closeout: what closing a task out means; its verification stands in `verify_closeout`."""

from mandrel_tui.protocol.verify_closeout import CODES, Remains, audit_line, verify

__all__ = ["CODES", "Remains", "audit_line", "verify"]
