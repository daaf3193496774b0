"""Processes that outlive the command that starts them, and are found again by it."""

import os
import signal
import subprocess
import time
from pathlib import Path

from .trouble import Trouble

ENDS_WITHIN = 90


def start(command, log, env=None):
    """In a session of its own, so that it outlives the shell. Returns its identity."""
    with open(log, "ab") as output:
        process = subprocess.Popen([str(word) for word in command], stdin=subprocess.DEVNULL, stdout=output,
                                   stderr=output, env=env, start_new_session=True)
    identity = identify(process.pid)
    if identity is None:
        process.wait()
        raise Trouble(f"{command[0]} ended at once.\n{tail(log)}")
    return identity


def identify(pid):
    """A number alone may be somebody else's by now: with the time of its start it cannot be. None: there is
    no such process, or it has ended and nobody has asked how."""
    try:
        # The name of the program is in parentheses and may contain anything, parentheses too.
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        boot = Path("/proc/sys/kernel/random/boot_id").read_text().strip()
    except (FileNotFoundError, ProcessLookupError):
        return None
    state, started = fields[0], int(fields[19])
    return None if state in "ZX" else {"pid": pid, "started": started, "boot": boot}


def is_running(identity):
    return identity is not None and identify(identity["pid"]) == identity


def end(identity, name, with_signal=signal.SIGTERM):
    """Returns when it is gone. Only this very process is sent a signal."""
    if not is_running(identity):
        return
    # A handle of the process: if its number is given to another between our look and our signal, the signal
    # goes nowhere.
    try:
        handle = os.pidfd_open(identity["pid"])
    except ProcessLookupError:
        return
    try:
        if not is_running(identity):
            return
        signal.pidfd_send_signal(handle, with_signal)
        signal.pidfd_send_signal(handle, signal.SIGCONT)  # one that is stopped would not hear
    except ProcessLookupError:
        return
    finally:
        os.close(handle)
    deadline = time.monotonic() + ENDS_WITHIN
    while is_running(identity):
        _reap(identity["pid"])
        if time.monotonic() > deadline:
            raise Trouble(f"{name} (process {identity['pid']}) still runs {ENDS_WITHIN} s after "
                          f"{with_signal.name}. `./dev cluster kill {name}` ends it at once.")
        time.sleep(0.02)


def _reap(pid):
    """A child of this very command would stay as a zombie; others' children are not ours to ask."""
    try:
        os.waitpid(pid, os.WNOHANG)
    except ChildProcessError:
        pass


def tail(log, lines=20):
    try:
        text = Path(log).read_text(errors="replace").splitlines()
    except FileNotFoundError:
        return f"{log} is not there."
    return "\n".join([f"The end of {log}:", *("  " + line for line in text[-lines:])])
