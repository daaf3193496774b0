"""An HTTP listener in this process, for robots in chats: it keeps the requests, and gives the answers that a test
sets."""

import http.server
import json
import threading


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.heard.append({"path": self.path, "headers": dict(self.headers), "raw": body,
                                  "body": json.loads(body)})
        status, answer = self.server.answer
        self.send_response(status)
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *_):
        pass


class Listener:
    def __init__(self):
        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.heard = self._server.heard = []
        self.answers(200, b'{"errcode":0,"errmsg":"ok"}')
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def answers(self, status, body=b"ok"):
        self._server.answer = (status, body)

    def url(self, path):
        return f"http://127.0.0.1:{self._server.server_address[1]}{path}"

    def paths(self):
        return [each["path"].split("?")[0] for each in self.heard]

    def stop(self):
        self._server.shutdown()
        self._server.server_close()
