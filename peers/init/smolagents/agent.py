from smolagents import OpenAIServerModel, ToolCallingAgent

model = OpenAIServerModel(model_id="gpt-4o")
agent = ToolCallingAgent(tools=[], model=model)

if __name__ == "__main__":
    print(agent.run("What is the capital of France?"))
