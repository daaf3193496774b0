"""What all servers have in common that the tests start: a folder, a log, and ways to stop and to freeze them."""

import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from pathlib import Path

STOPS_WITHIN = 60


class OwnProcess:
    """One server process in a folder of its own. A subclass says what is started, in `_command`, and how it
    answers, in `_ask`, which throws one of `NOT_YET` while it does not."""

    NAME = None  # as a person calls it
    NOT_YET = (OSError,)
    STARTS_WITHIN = 60

    def __init__(self, folder=None):
        self._own_folder = folder is None
        # Short, because the path of a socket file cannot be longer than 107 bytes.
        self.folder = Path(folder or tempfile.mkdtemp(prefix="sluice-"))
        self.folder.mkdir(parents=True, exist_ok=True)
        self.log_file = self.folder / "log"
        self.process = None
        self._frozen = False

    def _command(self, **options):
        raise NotImplementedError

    def _ask(self):
        raise NotImplementedError

    def begin(self, **options):
        """Also after stop() or kill(): on the same folder and port. Does not wait until it answers."""
        assert not self.running, f"{self.NAME} runs already"
        with open(self.log_file, "ab") as log:
            self.process = subprocess.Popen([str(word) for word in self._command(**options)],
                                            stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        self._frozen = False
        return self

    def start(self, **options):
        """Until it answers. `options` hold for this start."""
        return self.begin(**options).wait_until_it_answers()

    def wait_until_it_answers(self):
        deadline = time.monotonic() + self.STARTS_WITHIN
        while True:
            try:
                self._ask()
                return self
            except self.NOT_YET as error:
                if self.process.poll() is not None or time.monotonic() > deadline:
                    self.kill()
                    raise AssertionError(f"{self.NAME} did not start: {error}\n{self.log()[-4000:]}") from None
            time.sleep(0.02)

    @property
    def running(self):
        return self.process is not None and self.process.poll() is None

    def log(self):
        return self.log_file.read_text(errors="replace") if self.log_file.exists() else ""

    def stop(self):
        """A clean end."""
        if not self.running:
            return
        self.thaw()
        self.process.send_signal(signal.SIGTERM)
        try:
            code = self.process.wait(STOPS_WITHIN)
        except subprocess.TimeoutExpired:
            self.kill()
            raise AssertionError(f"still running {STOPS_WITHIN} s after SIGTERM\n{self.log()[-4000:]}")
        assert code == 0, f"exit {code}\n{self.log()[-4000:]}"

    def kill(self):
        """Ends the process like a power cut."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()

    def restart(self, **options):
        self.stop()
        return self.start(**options)

    def freeze(self):
        """The connections stay open, and nothing is answered."""
        self.process.send_signal(signal.SIGSTOP)
        self._frozen = True

    def thaw(self):
        if self._frozen:
            self.process.send_signal(signal.SIGCONT)
            self._frozen = False

    def remove(self):
        """Stops it and removes its folder."""
        self.kill()
        if self._own_folder:
            shutil.rmtree(self.folder, ignore_errors=True)


def find_free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def find_program(name):
    found = shutil.which(name, path=os.environ.get("PATH", "") + ":/usr/sbin:/sbin")
    assert found, f"{name} is not there: `./dev setup test` installs it"
    return found
