"""A certificate authority of our own, and certificates that it signs, made with the openssl command."""

import subprocess


def openssl(*arguments):
    done = subprocess.run(["openssl", *map(str, arguments)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


KEY = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2")


class Authority:
    def __init__(self, folder):
        self.folder = folder
        self.certificate, self.key = folder / "authority.pem", folder / "authority.key"
        openssl("req", "-x509", *KEY, "-subj", "/CN=Test authority", "-keyout", self.key, "-out", self.certificate)

    def sign(self, name):
        """A certificate and its key for a name such as DNS:localhost or IP:127.0.0.1."""
        stem = self.folder / name.replace(":", "-")
        certificate, key, request = stem.with_suffix(".pem"), stem.with_suffix(".key"), stem.with_suffix(".csr")
        extensions = stem.with_suffix(".ext")
        extensions.write_text(f"subjectAltName={name}\n")
        openssl("req", *KEY, "-subj", "/CN=receiver", "-keyout", key, "-out", request)
        openssl("x509", "-req", "-in", request, "-CA", self.certificate, "-CAkey", self.key, "-CAcreateserial",
                "-days", "2", "-extfile", extensions, "-out", certificate)
        return {"certificate": certificate, "key": key}

    def self_signed(self, name):
        certificate, key = self.folder / "own.pem", self.folder / "own.key"
        openssl("req", "-x509", *KEY, "-subj", "/CN=receiver", "-addext", f"subjectAltName={name}", "-keyout", key,
                "-out", certificate)
        return {"certificate": certificate, "key": key}
