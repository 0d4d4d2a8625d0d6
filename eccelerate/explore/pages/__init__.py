"""The figures on README.md and the pages under docs/: marked blocks of Markdown, and one picture.

Entry point: :func:`contents.differing` gives the files that differ from the stores; `eccel report` writes
them.
"""
