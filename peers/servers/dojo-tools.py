"""Prints the tools of each AgentDojo suite, those that its injections abuse, and those through which they enter."""
import json
import sys

from agentdojo.functions_runtime import FunctionsRuntime
from agentdojo.task_suite.load_suites import get_suites

MARK = "CANARYMARK{}END"


def calls_of(task, environment):
    try:
        return task.ground_truth(environment)
    except Exception:
        return []


def run(suite, task, injections):
    """Yields the name, the effect and the result of each call of a task."""
    environment = suite.load_and_inject_default_environment(injections)
    runtime = FunctionsRuntime(suite.tools)
    for call in calls_of(task, environment):
        before = environment.model_dump_json()
        result, _ = runtime.run_function(environment, call.function, dict(call.args))
        yield call.function, environment.model_dump_json() != before, str(result)


def entered(suite, task, marks):
    """Yields the tools whose results are the first of a task to have a mark."""
    seen = set()
    for tool, _, result in run(suite, task, marks):
        found = {mark for mark in marks.values() if mark in result}
        if found - seen:
            yield tool
        seen |= found


def about(name, suite):
    marks = {key: MARK.format(at) for at, key in enumerate(suite.get_injection_vector_defaults())}
    abused = {tool for task in suite.injection_tasks.values() for tool, changes, _ in run(suite, task, {}) if changes}
    entries = {tool for task in suite.user_tasks.values() for tool in entered(suite, task, marks)}
    tools = [{"name": tool.name, "inputSchema": tool.parameters.model_json_schema()} for tool in suite.tools]
    return {"server": name, "tools": tools, "abused": sorted(abused), "entries": sorted(entries)}


json.dump([about(name, suite) for name, suite in get_suites("v1.2.2").items()], sys.stdout)
