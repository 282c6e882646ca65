"""An agent of LangGraph behind HTTP: POST { messages } → { answer }. MCP_URL is its MCP server."""

import asyncio
import json
import os
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from langchain.agents import create_agent
from langchain_mcp_adapters.client import MultiServerMCPClient


async def answer(messages):
    servers = {"desk": {"transport": "streamable_http", "url": os.environ["MCP_URL"]}}
    agent = create_agent("openai:gpt-5", await MultiServerMCPClient(servers).get_tools())
    state = await agent.ainvoke({"messages": messages})
    return str(state["messages"][-1].text)


class Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        request = json.loads(self.rfile.read(int(self.headers["content-length"])))
        try:
            status, body = 200, {"answer": asyncio.run(answer(request["messages"]))}
        except Exception as error:
            status, body = 500, {"error": str(error)}
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.end_headers()
        self.wfile.write(json.dumps(body).encode())


ThreadingHTTPServer(("127.0.0.1", 8127), Handler).serve_forever()
