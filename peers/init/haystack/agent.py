from haystack.components.agents import Agent
from haystack.components.generators.chat import OpenAIChatGenerator
from haystack.dataclasses import ChatMessage

agent = Agent(
    chat_generator=OpenAIChatGenerator(model="gpt-4o-mini"),
    system_prompt="You are a helpful assistant.",
    tools=[],
)

if __name__ == "__main__":
    print(agent.run(messages=[ChatMessage.from_user("When was the first version of Haystack released?")]))
