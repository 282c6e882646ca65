import asyncio

from agent_framework import Agent
from agent_framework.openai import OpenAIChatClient

agent = Agent(
    client=OpenAIChatClient(model="gpt-5-mini"),
    name="HelloAgent",
    instructions="You are a friendly assistant. Keep your answers brief.",
)

if __name__ == "__main__":
    print(asyncio.run(agent.run("What is the capital of France?")))
