from agno.agent import Agent
from agno.models.openai import OpenAIChat

agent = Agent(model=OpenAIChat(id="gpt-5-mini"), instructions="Write in tables", markdown=True)

if __name__ == "__main__":
    agent.print_response("Share a 2 sentence horror story", stream=True)
