"""A loopback server that speaks the OpenAI chat completions protocol and says what a script tells it to.

As a program it answers everything after a fixed delay: `python -m tests.judges.endpoint 0.2`
prints its base URL and serves until its standard input ends.
"""

from __future__ import annotations

import asyncio
import json
import re
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass, field

from aiohttp import web

COUNTS = re.compile(r"The task has (\d+) numbered parts")
ITEMS = re.compile(r"The policy has (\d+) numbered items")


@dataclass
class Reply:
    """What the server does with a request: answers, fails, hangs or hangs up."""

    text: str | None = None
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    finish_reason: str = "stop"
    error: str = "it went wrong"
    hang: bool = False
    close: bool = False
    tokens: tuple[int, int] | None = (1200, 80)
    raw: str | None = None
    """A body in place of a completion."""


@dataclass
class Call:
    """A request as it came in."""

    body: dict
    headers: dict[str, str]

    @property
    def metric(self) -> str:
        """The metric that the form of the answer asks for; "" where the call names none."""
        return self.body.get("response_format", {}).get("json_schema", {}).get("name", "")

    @property
    def user(self) -> str:
        """The first message of the user."""
        return next(item["content"] for item in self.body["messages"] if item["role"] == "user")

    @property
    def parts(self) -> int:
        """How many parts of a task the prompt shows."""
        found = COUNTS.search(self.user)
        return int(found[1]) if found else 0

    @property
    def items(self) -> int:
        """How many policy items the prompt shows."""
        found = ITEMS.search(self.user)
        return int(found[1]) if found else 0


def answer(call: Call, **changes: object) -> str:
    """Return a clean answer of the form that a call's prompt asks for."""
    system = next(item["content"] for item in call.body["messages"] if item["role"] == "system")
    text = system if isinstance(system, str) else system[0]["text"]
    wanted = json.loads(re.search(r"<answer_form>.*?\n(\{.*\})\n</answer_form>", text, re.DOTALL)[1])["required"]
    decision = {"decision": "what to say first", "part": 1, "quote": "You", "settled_by": "You", "plays": []}
    values = {
        "parts_read": call.parts,
        "items_read": call.items,
        "findings": [],
        "violations": [],
        "contradictions": [],
        "rules": [],
        "item": 1,
        "guards": [],
        "reason": "",
        "knows": "",
        "wants": "",
        "manner": "",
        "behaviour": [],
        "actions": [],
        "must_say": [],
        "decisions": [{**decision, "likelihood": 0}],
        "score": 9,
    }
    return json.dumps({name: values[name] for name in wanted} | changes)


Script = Callable[[Call], "Reply | str"]


class Endpoint:
    """The server, on a thread of its own. `script` decides on each call; `calls` are all that came."""

    def __init__(self, script: Script = answer) -> None:
        self.script = script
        self.calls: list[Call] = []
        self.gone = threading.Event()
        """Set when a client has hung up on a reply that hung."""
        self.url = ""
        self._ready = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._serve()), daemon=True)

    def __enter__(self) -> Endpoint:
        self._thread.start()
        assert self._ready.wait(60)
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join(60)

    async def _serve(self) -> None:
        self._loop, self._stop = asyncio.get_running_loop(), asyncio.Event()
        runner = web.AppRunner(
            application(self._handle), access_log=None, handler_cancellation=True, shutdown_timeout=0
        )
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        self.url = f"http://127.0.0.1:{site._server.sockets[0].getsockname()[1]}/v1"
        self._ready.set()
        await self._stop.wait()
        await runner.cleanup()

    async def _handle(self, request: web.Request) -> web.Response:
        call = Call(await request.json(), dict(request.headers))
        self.calls.append(call)
        reply = self.script(call)
        reply = Reply(reply) if isinstance(reply, str) else reply
        if reply.close:
            request.transport.abort()
        if reply.hang or reply.close:
            try:
                await asyncio.Event().wait()
            finally:
                self.gone.set()
        if reply.raw is not None:
            return web.Response(status=reply.status, headers=reply.headers, text=reply.raw)
        if reply.status != 200:
            problem = {"error": {"message": reply.error, "type": "error", "code": None}}
            return web.json_response(problem, status=reply.status, headers=reply.headers)
        return web.json_response(completion(call.body["model"], reply))


def application(handle: Callable) -> web.Application:
    app = web.Application(client_max_size=1 << 26)
    app.router.add_post("/v1/chat/completions", handle)
    return app


def completion(model: str, reply: Reply) -> dict:
    """Return a reply as the protocol writes it."""
    message = {"role": "assistant", "content": reply.text}
    body: dict = {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1,
        "model": model,
        "choices": [{"index": 0, "finish_reason": reply.finish_reason, "message": message}],
    }
    if reply.tokens is not None:
        tokens_in, tokens_out = reply.tokens
        total = tokens_in + tokens_out
        body["usage"] = {"prompt_tokens": tokens_in, "completion_tokens": tokens_out, "total_tokens": total}
    return body


async def _answer_late(seconds: float) -> None:
    async def handle(request: web.Request) -> web.Response:
        call = Call(await request.json(), {})
        await asyncio.sleep(seconds)
        return web.json_response(completion(call.body["model"], Reply(answer(call))))

    runner = web.AppRunner(application(handle), access_log=None)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    print(f"http://127.0.0.1:{site._server.sockets[0].getsockname()[1]}/v1", flush=True)
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)
    await runner.cleanup()


if __name__ == "__main__":
    asyncio.run(_answer_late(float(sys.argv[1])))
