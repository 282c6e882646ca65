"""An agent on Strands, as a function that joust can attack: one process for each conversation."""

import os
from contextlib import ExitStack

from joust_agent import mcp_servers, serve
from mcp.client.streamable_http import streamable_http_client
from strands import Agent
from strands.models.openai import OpenAIModel
from strands.tools.mcp import MCPClient

# The client reads OPENAI_API_KEY and OPENAI_BASE_URL itself.
model = OpenAIModel(model_id=os.environ.get("MODEL", "gpt-5"))

with ExitStack() as stack:
    clients = [MCPClient(lambda url=server["url"]: streamable_http_client(url)) for server in mcp_servers().values()]
    tools = [tool for client in clients for tool in stack.enter_context(client).list_tools_sync()]
    agent = Agent(model=model, tools=tools, callback_handler=None)
    serve(lambda prompt, turn: str(agent(prompt)).strip())
