import asyncio

from semantic_kernel.agents import ChatCompletionAgent
from semantic_kernel.connectors.ai.open_ai import OpenAIChatCompletion

agent = ChatCompletionAgent(
    service=OpenAIChatCompletion(ai_model_id="gpt-4o"),
    name="SK-Assistant",
    instructions="You are a helpful assistant.",
)

if __name__ == "__main__":
    print(asyncio.run(agent.get_response(messages="Write a haiku about Semantic Kernel.")).content)
