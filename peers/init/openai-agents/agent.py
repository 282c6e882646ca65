from agents import Agent, Runner, function_tool


@function_tool
def get_weather(city: str) -> str:
    """Returns weather info for the specified city."""
    return f"The weather in {city} is sunny"


agent = Agent(
    name="Haiku agent",
    instructions="Always respond in haiku form",
    model="gpt-5-nano",
    tools=[get_weather],
)

if __name__ == "__main__":
    result = Runner.run_sync(agent, "Write a haiku about recursion in programming.")
    print(result.final_output)
