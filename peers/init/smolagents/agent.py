from smolagents import OpenAIServerModel, ToolCallingAgent, tool


@tool
def get_weather(city: str) -> str:
    """Returns the weather in a city.

    Args:
        city: The name of the city.
    """
    return "It is sunny."


agent = ToolCallingAgent(tools=[get_weather], model=OpenAIServerModel(model_id="gpt-4o"))

if __name__ == "__main__":
    agent.run("What is the weather in Oslo?")
