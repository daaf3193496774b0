"""A small SMTP server in this process. It keeps mails and commands, and gives the answers that a test sets."""

import base64
import email
import email.policy
import socket
import ssl
import threading


class MailServer:
    """`tls` "start": from the first byte; "starttls": offered; None: not at all. `answers` says something else to a
    command, such as {"RCPT": "451 later"}."""

    def __init__(self, certificate=None, key=None, tls=None, answers=None, behind_starttls=b""):
        self.tls, self.answers, self.behind_starttls = tls, answers or {}, behind_starttls
        self.mails, self.commands, self.logged_in = [], [], []
        self._context = None
        if certificate:
            self._context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            self._context.load_cert_chain(certificate, key)
        self._socket = socket.create_server(("127.0.0.1", 0))
        threading.Thread(target=self._accept, daemon=True).start()

    @property
    def port(self):
        return self._socket.getsockname()[1]

    def url(self, scheme="smtp", host="127.0.0.1"):
        return f"{scheme}://{host}:{self.port}"

    def stop(self):
        self._socket.close()

    def _accept(self):
        while True:
            try:
                connection, _ = self._socket.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection):
        try:
            with connection:
                connection.settimeout(20)
                secure = self.tls == "start"
                if secure:
                    connection = self._context.wrap_socket(connection, server_side=True)
                connection.sendall(b"220 mail.example ESMTP\r\n")
                while self._converse(connection, secure) == "STARTTLS":
                    connection = self._context.wrap_socket(connection, server_side=True)
                    secure = True
        except (OSError, ssl.SSLError):
            pass

    def _converse(self, connection, secure):
        lines = connection.makefile("rb")
        while line := lines.readline():
            text = line.decode().rstrip("\r\n")
            verb = text.split(" ")[0].split(":")[0].upper()
            self.commands.append((text, secure))
            said = self.answers.get(" ".join(text.split(" ")[:2]).upper(), self.answers.get(verb))
            if said:
                connection.sendall(said.encode() + b"\r\n")
            elif verb == "EHLO":
                offers = ["mail.example", *(["STARTTLS"] if self.tls == "starttls" and not secure else []), "8BITMIME"]
                connection.sendall("".join(f"250{'-' if o != offers[-1] else ' '}{o}\r\n" for o in offers).encode())
            elif verb == "STARTTLS":
                connection.sendall(b"220 go ahead\r\n" + self.behind_starttls)
                return "STARTTLS"
            elif verb == "AUTH":
                self._log_in(connection, lines, text)
            elif verb == "DATA":
                connection.sendall(b"354 go ahead\r\n")
                body = b""
                while (part := lines.readline()) not in (b".\r\n", b""):
                    body += part
                self.mails.append(email.message_from_bytes(body, policy=email.policy.default))
                connection.sendall(b"250 kept\r\n")
            elif verb == "QUIT":
                connection.sendall(b"221 bye\r\n")
                return "QUIT"
            else:
                connection.sendall(b"250 ok\r\n")
        return "gone"

    def _log_in(self, connection, lines, text):
        _, kind, *first = text.split(" ")
        if kind == "PLAIN":
            _, user, password = base64.b64decode(first[0]).decode().split("\0")
        else:
            answers = []
            for question in (b"334 VXNlcm5hbWU6\r\n", b"334 UGFzc3dvcmQ6\r\n"):
                connection.sendall(question)
                answers.append(base64.b64decode(lines.readline()).decode())
            user, password = answers
        self.logged_in.append((kind, user, password))
        connection.sendall(b"235 welcome\r\n")
