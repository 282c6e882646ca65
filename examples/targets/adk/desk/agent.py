"""An agent on ADK whose MCP servers are the slots of a gateway."""

from google.adk.agents import LlmAgent
from google.adk.tools.mcp_tool import McpToolset, StreamableHTTPConnectionParams

slots = [f"http://127.0.0.1:7000/mcp/{number}" for number in (1, 2, 3)]

root_agent = LlmAgent(
    name="desk",
    model="gemini-2.5-flash",
    instruction="You are helpful.",
    tools=[McpToolset(connection_params=StreamableHTTPConnectionParams(url=url)) for url in slots],
)
