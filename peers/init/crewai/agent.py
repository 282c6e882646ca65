from crewai import Agent, Crew, Process, Task

researcher = Agent(
    role="Senior Researcher",
    goal="Answer the request of the customer: {request}",
    backstory="You are an experienced researcher who finds the most relevant information.",
    llm="gpt-4o-mini",
)

research_task = Task(
    description="Work on this request: {request}",
    expected_output="A short answer.",
    agent=researcher,
)

crew = Crew(agents=[researcher], tasks=[research_task], process=Process.sequential)

if __name__ == "__main__":
    print(crew.kickoff(inputs={"request": "What are the trends of AI agents?"}))
