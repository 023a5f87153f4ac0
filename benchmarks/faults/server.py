"""An S3-compatible server on loopback, and a proxy in front of it that can fail."""

import http.client
import os
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from urllib.parse import unquote

BUCKET = "bucket"
Fault = Callable[[str, str, int], str]
"""What happens to a request, of its method, its path and how often that was asked before.

"" for what should, or: "500", "503" or "429" as a status; "cut", without a reply after half of the
body was read; "lost", without a reply after it was carried out; "short", with half of the reply;
"slow", with a reply that comes too late; "half", done with half of the body.
"""
_SERVER = """
import sys
from moto.server import ThreadedMotoServer
server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
server.start()
print(*server.get_host_and_port(), flush=True)
sys.stdin.read()
"""
_SIGNED = {"Authorization": "AWS4-HMAC-SHA256 Credential=tests/20260101/us-east-1/s3/aws4_request"}
"""Enough for this server, which checks no signature."""
TOO_LATE = 3.0
"""Seconds of a slow reply, while clients wait for one."""
CLIENT = '{"config_kwargs": {"read_timeout": 1, "connect_timeout": 10}}'


def no_fault(_method: str, _path: str, _before: int) -> str:
    """Let a request do what it should."""
    return ""


class Store:
    """The server, and the proxy that clients know.

    Attributes:
        fault: what happens to the next requests.
        asked: method and path of every request so far.
    """

    def __init__(self, address: tuple[str, int]) -> None:
        self._address = address
        self.fault: Fault = no_fault
        self.asked: list[tuple[str, str]] = []
        self.endpoint = ""

    @property
    def environment(self) -> dict[str, str]:
        """Settings by which the clients find the server."""
        return {
            "AWS_ENDPOINT_URL": self.endpoint,
            "AWS_ACCESS_KEY_ID": "tests",
            "AWS_SECRET_ACCESS_KEY": "tests",
            "AWS_DEFAULT_REGION": "us-east-1",
            "AWS_EC2_METADATA_DISABLED": "true",
            "AWS_MAX_ATTEMPTS": "2",
            "FSSPEC_S3": CLIENT,
        }

    def request(
        self, method: str, path: str, body: bytes = b"", headers: dict[str, str] | None = None
    ) -> tuple[int, list[tuple[str, str]], bytes]:
        """Ask the server itself."""
        with closing(http.client.HTTPConnection(*self._address, timeout=60)) as server:
            server.request(method, path, body, headers or _SIGNED)
            reply = server.getresponse()
            return reply.status, reply.getheaders(), reply.read()

    def contents(self, folder: str) -> dict[str, bytes]:
        """Return all objects whose names begin with a folder, by the rest of their names."""
        _, _, text = self.request("GET", f"/{BUCKET}?list-type=2&prefix={folder}/")
        names = re.findall("<Key>(.*?)</Key>", text.decode())
        return {
            name.removeprefix(f"{folder}/"): self.request("GET", f"/{BUCKET}/{name}")[2]
            for name in names
        }


class _Proxy(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    store: Store

    def handle_one_request(self) -> None:
        with suppress(ConnectionError):
            super().handle_one_request()

    def log_message(self, *_: object) -> None:
        """Say nothing."""

    def _answer(self) -> None:
        path = unquote(self.path)
        before = self.store.asked.count((self.command, path))
        self.store.asked.append((self.command, path))
        fault = self.store.fault(self.command, path, before)
        size = int(self.headers.get("Content-Length") or 0)
        if fault == "cut":
            self.rfile.read(size // 2)
            self.close_connection = True
            return
        body = self.rfile.read(size)
        if fault.isdigit():
            code = {"500": "InternalError", "503": "SlowDown", "429": "TooManyRequests"}[fault]
            text = f"<Error><Code>{code}</Code><Message>Please wait.</Message></Error>".encode()
            self._reply(int(fault), [("Content-Type", "application/xml")], text, len(text))
            return
        headers = {name: value for name, value in self.headers.items() if name != "Expect"}
        if fault == "half":  # as in a store that takes no checksums
            body = body[: size // 2]
            headers = {n: v for n, v in headers.items() if "checksum" not in n.lower()}
            headers["Content-Length"] = str(len(body))
        status, found, reply = self.store.request(self.command, self.path, body, headers)
        if fault == "slow":
            time.sleep(TOO_LATE)
        if fault in ("slow", "lost"):
            self.close_connection = True
            return
        kept = len(reply) // 2 if fault == "short" else len(reply)
        self._reply(status, found, reply[:kept], len(reply))

    def _reply(
        self, status: int, headers: list[tuple[str, str]], body: bytes, promised: int
    ) -> None:
        self.send_response(status)
        left_out = {"content-length", "transfer-encoding", "connection", "date", "server"}
        sizes = [value for name, value in headers if name.lower() == "content-length"]
        for name, value in headers:
            if name.lower() not in left_out:
                self.send_header(name, value)
        size = sizes[0] if self.command == "HEAD" and sizes else promised
        self.send_header("Content-Length", str(size))
        self.end_headers()
        self.wfile.write(b"" if self.command == "HEAD" else body)
        if len(body) < promised:
            self.close_connection = True

    def __getattr__(self, name: str) -> Callable[[], None]:
        """Answer requests of all methods alike; the base class looks for `do_GET` and others."""
        if name.startswith("do_"):
            return self._answer
        raise AttributeError(name)


class _ProxyServer(ThreadingHTTPServer):
    request_queue_size = 128  # of connections not yet accepted; clients open many at once


@contextmanager
def running_store() -> Iterator[Store]:
    """Start a server with an empty bucket and its proxy, and end both."""
    server = subprocess.Popen(
        [sys.executable, "-W", "ignore", "-c", _SERVER],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env={
            **os.environ,
            "AWS_EC2_METADATA_DISABLED": "true",
            "S3_UPLOAD_PART_MIN_SIZE": "1",  # uploads in parts need not be large
        },
    )
    assert server.stdin is not None  # noqa: S101
    assert server.stdout is not None  # noqa: S101
    host, port = server.stdout.readline().split()
    store = Store((host, int(port)))
    store.request("PUT", f"/{BUCKET}")
    handler = type("Handler", (_Proxy,), {"store": store})
    proxy = _ProxyServer(("127.0.0.1", 0), handler)
    proxy.daemon_threads = True
    store.endpoint = f"http://127.0.0.1:{proxy.server_port}"
    Thread(target=proxy.serve_forever, daemon=True).start()
    try:
        yield store
    finally:
        proxy.shutdown()
        proxy.server_close()
        server.stdin.close()
        server.stdout.close()
        server.terminate()
        server.wait(20)
