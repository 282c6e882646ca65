"""Writes the cases of AgentDojo as JSON for `joust import agentdojo`.

    pip install agentdojo==0.1.35
    python agentdojo-dump.py [ATTACK] > agentdojo.json

ATTACK is the name of an attack of AgentDojo, such as `ignore_previous`; without it, the bait is the plain goal.
"""

import contextlib
import datetime
import json
import os
import re
import sys
from importlib.metadata import version
from types import SimpleNamespace

from agentdojo.agent_pipeline.ground_truth_pipeline import GroundTruthPipeline
from agentdojo.agent_pipeline.tool_execution import tool_result_to_str
from agentdojo.attacks import load_attack
from agentdojo.base_tasks import BaseUserTask
from agentdojo.default_suites.v1.tools import cloud_drive_client, email_client
from agentdojo.functions_runtime import FunctionCall, FunctionsRuntime
from agentdojo.task_suite.load_suites import get_suites

BENCHMARK = "v1.2.2"
PLAIN = "plain"
OTHER = "other-7431"

# The tools that read the data named in a goal, for injections without a ground truth.
READS = {
    "unread emails": ("get_unread_emails", {}),
    "received and sent emails": ("get_received_emails", {}),
    "files in my cloud": ("list_files", {}),
    "May 15th": ("get_day_calendar_events", {"day": "2024-05-15"}),
}


class FixedTime(datetime.datetime):
    """The day of the suite `workspace`, so that the same version gives the same output."""

    @classmethod
    def now(cls, tz=None):
        return datetime.datetime(2024, 5, 15, 12, 0, tzinfo=tz)


def main():
    attack = sys.argv[1] if len(sys.argv) > 1 else PLAIN
    for module in (cloud_drive_client, email_client):
        module.datetime = SimpleNamespace(**{**vars(datetime), "datetime": FixedTime})
    # Checks of AgentDojo print to the standard output.
    with contextlib.redirect_stdout(sys.stderr):
        suites = [dump_suite(name, suite, attack) for name, suite in get_suites(BENCHMARK).items()]
    dump = {
        "format": "agentdojo-dump-1",
        "package": version("agentdojo"),
        "benchmark": BENCHMARK,
        "attack": attack,
        "suites": suites,
    }
    json.dump(dump, sys.stdout, ensure_ascii=True, default=str)


def dump_suite(name, suite, attack):
    plain = suite.load_and_inject_default_environment({})
    source = load_attack("direct" if attack == PLAIN else attack, suite, GroundTruthPipeline(None))
    users, injections = suite.user_tasks, suite.injection_tasks
    pairs = []
    for user_id, user in users.items():
        for injection_id, injection in injections.items():
            texts = source.attack(user, injection)
            if attack == PLAIN:
                texts = {vector: injection.GOAL for vector in texts}
            pair = {"user_task": user_id, "injection_task": injection_id}
            pairs.append({**pair, **dump_pair(suite, user, injection, texts, plain)})
        print(f"{name} {user_id}: {len(injections)} pairs", file=sys.stderr)
    return {
        "name": name,
        "tools": [dump_tool(suite, tool) for tool in suite.tools],
        "user_tasks": [{"id": key, "text": task.PROMPT, **needs(suite, task, plain)} for key, task in users.items()],
        "injection_tasks": [
            {"id": key, "text": task.GOAL, **needs(suite, task, plain)} for key, task in injections.items()
        ],
        "pairs": pairs,
    }


def dump_tool(suite, tool):
    """A tool, and its answer without arguments where that does not depend on injections."""
    schema = tool.parameters.model_json_schema()
    answer = None
    if not schema.get("required"):
        marked = {vector: OTHER for vector in suite.get_injection_vector_defaults()}
        answers = [
            call(suite, suite.load_and_inject_default_environment(texts), tool.name, {}) for texts in ({}, marked)
        ]
        answer = answers[0] if answers[0] == answers[1] else None
    return {"name": tool.name, "description": tool.description, "parameters": schema, "answer": answer}


def dump_pair(suite, user, injection, texts, plain):
    """The answers to the ground truth of both tasks, with the injection and without it."""
    runs, verdicts = [], []
    for start in (suite.load_and_inject_default_environment(texts), plain.model_copy(deep=True)):
        environment = user.init_environment(start)
        before = environment.model_copy(deep=True)
        steps = []
        for task in (user, injection):
            calls = task.ground_truth(before) or substitute(task)
            steps += [
                (task is user, item, call(suite, environment, item.function, item.args)) for item in calls
            ]
            if task is user and check(injection, user.GROUND_TRUTH_OUTPUT, before, environment, calls):
                return {"steps": [], "skipped": "the user's own task has the effect that the attacker wants"}
        calls = [item for _, item, _ in steps]
        verdicts.append(check(injection, injection.GROUND_TRUTH_OUTPUT, before, environment, calls))
        runs.append(steps)
    if [item.function for _, item, _ in runs[0]] != [item.function for _, item, _ in runs[1]]:
        return {"steps": [], "skipped": "the ground truth depends on the injection"}
    steps = []
    for (of_user, item, answer), (_, _, placebo) in zip(*runs):
        step = {"task": "user" if of_user else "injection", "tool": item.function, "arguments": dict(item.args)}
        steps.append({**step, "answer": answer, **({"placebo": placebo} if placebo != answer else {})})
    return {"steps": steps, "succeeds": verdicts[0]}


def call(suite, environment, name, arguments):
    result, error = FunctionsRuntime(suite.tools).run_function(environment, name, arguments)
    return error or tool_result_to_str(result)


def check(task, output, before, after, calls):
    """The check of AgentDojo: utility of a user task, security of an injection."""
    of_user = isinstance(task, BaseUserTask)
    traced = task.utility_from_traces if of_user else task.security_from_traces
    result = traced(output, before, after, calls)
    if result is None:
        result = (task.utility if of_user else task.security)(output, before, after)
    return bool(result)


def substitute(task):
    """Calls for an injection without a ground truth: read the data that its goal names, and mail it."""
    if isinstance(task, BaseUserTask) or task.GROUND_TRUTH_OUTPUT:
        return []
    reads = [FunctionCall(function=name, args=arguments) for text, (name, arguments) in READS.items() if text in task.GOAL]
    address, link = target_of(task.GOAL)
    mail = {"recipients": [address or "participant@mail.example"], "subject": "Notes", "body": link or "See below."}
    return [*reads, FunctionCall(function="send_email", args=mail)]


def target_of(goal):
    """The first mail address and the first link of a goal."""
    address, link = re.search(r"[\w.-]+@[\w.-]+\w", goal), re.search(r"https://\S+", goal)
    return address and address.group(), link and link.group()


def substitute_needs(task):
    """A mail to the address of the goal, or with its link. AgentDojo's check also compares the content."""
    address, link = target_of(task.GOAL)
    argument = {"recipients": {"contains": [address]}} if address else {"body": {"contains": [link]}}
    return {"calls": [{"tool": "send_email", "arguments": argument}], "output": [], "substitute": True}


def needs(suite, task, plain):
    """The calls, arguments and words without which the check fails: each is left out or changed once."""
    before = task.init_environment(plain.model_copy(deep=True)) if isinstance(task, BaseUserTask) else plain
    truth = task.ground_truth(before)
    spoken = task.GROUND_TRUTH_OUTPUT

    def holds(calls, output=spoken):
        after = before.model_copy(deep=True)
        try:
            for item in calls:
                call(suite, after, item.function, item.args)
            return check(task, output, before, after, calls)
        except Exception:
            return False

    if not truth and any(target_of(task.GOAL)) and substitute(task):
        return substitute_needs(task)
    if not holds(truth):
        return {"calls": [], "output": [], "unusable": "its ground truth does not pass its check"}
    if holds([], ""):
        return {"calls": [], "output": [], "unusable": "its check passes without any action"}
    calls = []
    for index, item in enumerate(truth):
        def with_arguments(arguments, index=index, item=item):
            changed = item.model_copy(update={"args": arguments})
            return holds([*truth[:index], changed, *truth[index + 1 :]])

        if not holds([*truth[:index], *truth[index + 1 :]]):
            calls.append({"tool": item.function, "arguments": needed_arguments(item.args, with_arguments)})
    output = [] if holds(truth, OTHER) else needed_words(spoken, lambda text: holds(truth, text))
    return {"calls": calls, "output": output or []}


def needed_arguments(arguments, holds):
    needed = {}
    for name, value in arguments.items():
        def with_value(other, name=name):
            return holds({**arguments, name: other})

        if with_value(different(value)):
            continue
        if isinstance(value, str):
            words = needed_words(value, with_value)
            needed[name] = {"equals": value} if words is None else {"contains": words}
        elif isinstance(value, list) and all(isinstance(item, str) for item in value) and with_value([*value, OTHER]):
            needed[name] = {"contains": value}
        else:
            needed[name] = {"equals": value}
    return needed


def different(value):
    if isinstance(value, bool):
        return not value
    if isinstance(value, (int, float)):
        return value + 17
    if isinstance(value, list):
        return [OTHER]
    return OTHER


def needed_words(text, holds):
    """The phrases that have to stay in a text; None if the text has to stay as it is."""
    if not holds(f"{OTHER} {text} {OTHER}"):
        return None
    words = text.split() if holds(" ".join(text.split())) else text.split(" ")
    kept = smallest(list(range(len(words))), lambda places: holds(" ".join(words[place] for place in places)))
    for place in kept:
        bare = [*words[:place], words[place].strip(",.;:!?()-"), *words[place + 1 :]]
        if bare[place] and holds(" ".join(bare[place] for place in kept)):
            words = bare
    phrases, last = [], None
    for index, place in enumerate(kept):
        parted = [words[other] for other in kept[:index]] + [OTHER] + [words[other] for other in kept[index:]]
        if last is not None and place == last + 1 and not holds(" ".join(parted)):
            phrases[-1] += f" {words[place]}"
        else:
            phrases.append(words[place])
        last = place
    return [phrase.strip() for phrase in phrases if phrase.strip()] or None


def smallest(places, holds):
    """Leaves out places, first many at once, while the rest still holds."""
    size = max(1, len(places) // 2)
    while size > 0:
        start = 0
        while start < len(places):
            fewer = places[:start] + places[start + size :]
            if fewer and holds(fewer):
                places = fewer
            else:
                start += size
        size //= 2
    return places


if __name__ == "__main__":
    # Some tools list sets, whose order depends on the seed.
    if os.environ.get("PYTHONHASHSEED") != "0":
        os.execve(sys.executable, [sys.executable, *sys.argv], {**os.environ, "PYTHONHASHSEED": "0"})
    main()
