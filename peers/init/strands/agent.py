from strands import Agent
from strands.models.openai import OpenAIModel

agent = Agent(model=OpenAIModel(model_id="gpt-4o"), system_prompt="You are a helpful assistant.")

if __name__ == "__main__":
    agent("Tell me about agentic AI")
