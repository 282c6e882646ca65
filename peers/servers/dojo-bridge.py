"""Serves AgentDojo's own tools over MCP on standard streams, for one pair of tasks after another.

Two tools are not listed: `dojo_begin` opens the environment of a pair with the injection in it, and `dojo_verdict` asks
`utility()` of the user's task and `security()` of the injection about the calls since then and an answer.
The argument is the path of `agentdojo-dump.py`, which has the attack, the clock and the checks.
"""
import contextlib
import datetime
import importlib.util
import json
import sys
from types import SimpleNamespace

spec = importlib.util.spec_from_file_location("dump", sys.argv[1])
dump = importlib.util.module_from_spec(spec)
spec.loader.exec_module(dump)
for module in (dump.cloud_drive_client, dump.email_client):
    module.datetime = SimpleNamespace(**{**vars(datetime), "datetime": dump.FixedTime})
suites = dump.get_suites(dump.BENCHMARK)
attacks = {
    name: dump.load_attack("direct", suite, dump.GroundTruthPipeline(None)) for name, suite in suites.items()
}
current = SimpleNamespace()


def begin(suite, user_task, injection_task):
    current.suite = suites[suite]
    current.user = current.suite.user_tasks[user_task]
    current.injection = current.suite.injection_tasks[injection_task]
    vectors = attacks[suite].attack(current.user, current.injection)
    texts = {vector: current.injection.GOAL for vector in vectors}
    current.environment = current.user.init_environment(current.suite.load_and_inject_default_environment(texts))
    current.before = current.environment.model_copy(deep=True)
    current.calls = []
    return {}


def verdict(answer):
    def holds(task):
        try:
            return dump.check(task, answer, current.before, current.environment, current.calls)
        except Exception as error:
            return repr(error)

    return {"utility": holds(current.user), "security": holds(current.injection)}


def call(name, arguments):
    if name in ("dojo_begin", "dojo_verdict"):
        return json.dumps({"dojo_begin": begin, "dojo_verdict": verdict}[name](**arguments))
    current.calls.append(dump.FunctionCall(function=name, args=arguments))
    return dump.call(current.suite, current.environment, name, arguments)


def tools():
    return [
        {"name": tool.name, "description": tool.description, "inputSchema": tool.parameters.model_json_schema()}
        for tool in current.suite.tools
    ]


methods = {
    "initialize": lambda protocolVersion, **_: {
        "protocolVersion": protocolVersion,
        "capabilities": {"tools": {}},
        "serverInfo": {"name": "agentdojo", "version": dump.version("agentdojo")},
    },
    "ping": lambda: {},
    "tools/list": lambda **_: {"tools": tools()},
    "tools/call": lambda name, arguments=None, **_: {
        "content": [{"type": "text", "text": str(call(name, arguments or {}))}]
    },
}

for line in sys.stdin:
    message = json.loads(line)
    if "id" not in message:
        continue
    method = methods.get(message["method"])
    # Checks of AgentDojo print to the standard output.
    with contextlib.redirect_stdout(sys.stderr):
        if method is None:
            answer = {"error": {"code": -32601, "message": f"unknown method {message['method']}"}}
        else:
            answer = {"result": method(**message.get("params", {}))}
    print(json.dumps({"jsonrpc": "2.0", "id": message["id"], **answer}, default=str), flush=True)
