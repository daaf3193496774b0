"""Instants as the API writes them."""

from datetime import datetime, timedelta, timezone


def parse(text):
    return datetime.strptime(text, "%Y-%m-%dT%H:%M:%S.%fZ").replace(tzinfo=timezone.utc)


def write(instant):
    return instant.astimezone(timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.%f")[:-3] + "Z"


def now():
    return datetime.now(timezone.utc)


def from_now(**delta):
    return write(now() + timedelta(**delta))
