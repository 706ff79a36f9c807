"""The commands: each reads its arguments, asks the workspace, and prints text or JSON.

None of them imports the terminal UI or its libraries, but the one that opens it.
"""
