from crewai import Agent, Crew, Task

researcher = Agent(
    role="Research Analyst",
    goal="Find and summarize information about specific topics",
    backstory="You are an experienced researcher with attention to detail",
    llm="gpt-5",
    verbose=True,
)

task = Task(description="Summarize AI agents", expected_output="A summary", agent=researcher)
crew = Crew(agents=[researcher], tasks=[task])

if __name__ == "__main__":
    print(crew.kickoff())
