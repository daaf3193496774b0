class Trouble(Exception):
    """What went wrong and what to do about it, as a text for the user of the command."""
