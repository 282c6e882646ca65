from pydantic_ai import Agent

agent = Agent("openai:gpt-5", instructions="Be concise, reply with one sentence.")


@agent.tool_plain
def roll_dice() -> str:
    """Roll a six-sided die and return the result."""
    return "4"


if __name__ == "__main__":
    result = agent.run_sync('Where does "hello world" come from?')
    print(result.output)
