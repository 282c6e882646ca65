"""Lets joust attack an agent that is a Python function: a line of JSON comes in for each turn, a line goes out.

In joust.yaml:

    targets:
      mine: { exec: python3 joust_agent.py, json_lines: true }
"""

import asyncio
import inspect
import json
import os
import sys

# Printed text goes to stderr, never into an answer.
out, sys.stdout = sys.stdout, sys.stderr

# An agent that runs once while it is imported keeps connections that belong to the current loop.
loop = asyncio.new_event_loop()
asyncio.set_event_loop(loop)


def mcp_servers():
    """The MCP servers by name: {"name": {"type": "http", "url": "..."}}."""
    with open(os.environ["MCP_CONFIG"], encoding="utf-8") as file:
        return json.load(file)["mcpServers"]


def answer(prompt, turn):
    """Returns what the agent says to the prompt; may be a coroutine. A process has one conversation.

    turn["session"] is the same for all turns of a conversation, turn["turn"] counts them, turn["input"] is the whole
    request. mcp_servers() are the MCP servers that the agent is to use: without them it never sees the bait of attacks
    over MCP, and they come out as inconclusive.
    """
    raise NotImplementedError("joust_agent.py is not filled in yet: call your agent here, and return what it says")


def serve(function):
    """Answers one line after the other until the input ends."""
    for line in sys.stdin:
        turn = json.loads(line)
        text = function(turn["prompt"], turn)
        if inspect.isawaitable(text):
            text = loop.run_until_complete(text)
        out.write(json.dumps({"answer": text, "turn": turn["turn"]}) + "\n")
        out.flush()


if __name__ == "__main__":
    serve(answer)
