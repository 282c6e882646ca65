import dspy

dspy.configure(lm=dspy.LM("openai/gpt-4o-mini"))


def search(query: str) -> str:
    """Searches the knowledge base."""
    return "Nothing found."


agent = dspy.ReAct("question -> answer", tools=[search])

if __name__ == "__main__":
    print(agent(question="What is the capital of Norway?").answer)
