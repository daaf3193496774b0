"""What a figure was measured on; without that a figure is worthless."""

import os
import platform
import re
import shutil
import subprocess
from pathlib import Path

NGINX = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin:/usr/local/sbin")


def describe(root):
    return {
        "cpu": first(r"model name\s*: (.*)", Path("/proc/cpuinfo").read_text()) or platform.machine(),
        "cores": os.cpu_count(),
        "memory_gib": round(int(first(r"MemTotal:\s+(\d+)", Path("/proc/meminfo").read_text())) / 2**20, 1),
        "kernel": platform.release(),
        "nginx": first(r"(nginx/\S+)", said(NGINX, "-v")),
        "wrk": "wrk " + (first(r"wrk (?:debian/)?(\S+)", said("wrk", "-v")) or "?"),
        "revision": said("git", "-C", str(root), "describe", "--always", "--dirty").strip() or "?",
    }


def said(*command):
    done = subprocess.run(command, capture_output=True, text=True)
    return done.stdout + done.stderr


def first(pattern, text):
    match = re.search(pattern, text)
    return match[1] if match else None


def cores_for():
    """(the server's, the load's): separate if there are two, so that neither slows the other."""
    cores = sorted(os.sched_getaffinity(0))
    return ({cores[0]}, set(cores[1:])) if len(cores) > 1 else (set(cores), set(cores))


def pin(process_id, cores):
    """With all its threads."""
    for thread in os.listdir(f"/proc/{process_id}/task"):
        os.sched_setaffinity(int(thread), cores)


def cpu_seconds(process_id):
    """utime + stime so far."""
    fields = Path(f"/proc/{process_id}/stat").read_text().rsplit(") ", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
