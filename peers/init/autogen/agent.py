import asyncio

from autogen_agentchat.agents import AssistantAgent
from autogen_agentchat.ui import Console
from autogen_ext.models.openai import OpenAIChatCompletionClient

agent = AssistantAgent(
    name="weather_agent",
    model_client=OpenAIChatCompletionClient(model="gpt-4o"),
    system_message="You are a helpful assistant.",
    reflect_on_tool_use=True,
    max_tool_iterations=10,
)

if __name__ == "__main__":
    asyncio.run(Console(agent.run_stream(task="What is the weather in New York?")))
