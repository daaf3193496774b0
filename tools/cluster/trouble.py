class Trouble(Exception):
    """What went wrong and what to do about it, in words for whoever typed the command."""
