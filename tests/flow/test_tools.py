"""The contents that decide whether a step of the flow runs again."""

from eccelerate.flow.tools import code

STEP = '''"""Maps a design."""

EFFORT = 2


def script(top):
    """Commands for `top`."""
    return [f"synth -top {top}", "check"]  # in this order
'''


def test_comments_docstrings_and_layout_change_no_key() -> None:
    text = STEP.replace("Maps", "Synthesises").replace("Commands for", "The commands of")
    text = text.replace("  # in this order", "").replace("2\n", '2\n"""Of the mapper."""\n')
    assert text != STEP
    assert code(text) == code(STEP)


def test_every_change_of_what_is_done_changes_the_key() -> None:
    for old, new in (("2", "3"), ("check", "check -assert"), ("{top}", "{top} -flatten")):
        assert code(STEP.replace(old, new)) != code(STEP)
