"""A filesystem small enough to be filled."""

import subprocess


def mount(folder, megabytes):
    """The error of mount if mounting is not possible, else None."""
    folder.mkdir()
    done = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={megabytes}m", "tmpfs", folder],
                          capture_output=True, text=True)
    return done.stderr.strip() if done.returncode else None


def unmount(folder):
    subprocess.run(["umount", "--lazy", folder], check=True)


def fill(file):
    """Fills it to the last byte."""
    with open(file, "ab", buffering=0) as out:
        for size in (65536, 4096, 1):
            try:
                while True:
                    out.write(b"x" * size)
            except OSError:
                pass
