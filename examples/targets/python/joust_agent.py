"""Lets joust attack an agent that is a Python function: a line of JSON comes in for each turn, a line goes out.

In joust.yaml:

    targets:
      mine: { exec: python3 joust_agent.py, json_lines: true }
"""

import json
import os
import sys


def answer(prompt, turn):
    """Returns what the agent says to the prompt.

    turn["session"] is the same for all turns of a conversation, turn["turn"] counts them, turn["input"] is the whole
    request. mcp_servers() are the MCP servers that the agent is to use: without them it never sees the bait of attacks
    over MCP, and they come out as inconclusive.
    """
    raise NotImplementedError("joust_agent.py is not filled in yet: call your agent here, and return what it says")


def mcp_servers():
    """The MCP servers by name: {"name": {"type": "http", "url": "..."}}."""
    with open(os.environ["MCP_CONFIG"], encoding="utf-8") as file:
        return json.load(file)["mcpServers"]


def serve(function):
    """Answers one line after the other until nobody asks any more. What is printed goes to stderr, never into an answer."""
    out, sys.stdout = sys.stdout, sys.stderr
    for line in sys.stdin:
        turn = json.loads(line)
        out.write(json.dumps({"answer": function(turn["prompt"], turn), "turn": turn["turn"]}) + "\n")
        out.flush()


if __name__ == "__main__":
    serve(answer)
