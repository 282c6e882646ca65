/** Files that stand between joust and somebody's agent, for them to fill in. */
import type { AgentCode } from './code.ts'

export const JAVASCRIPT_FILE = 'joust.agent.mjs'
export const PYTHON_FILE = 'joust_agent.py'

const HEAD = `// joust calls this function once for each thing that a user says, and takes what it returns for the agent's answer.
//
//   prompt        what the user says
//   conversation  the same for all turns of one conversation; number counts them from 1
//   mcpServers    the MCP servers that the agent is to use: { name: { type: 'http', url } }
//   agents        the A2A agents that it may delegate to: { name: { url } }
//   signal        fires when nobody waits for the answer any more
//
// An agent that does not connect to mcpServers never sees the bait of attacks over MCP: they come out as inconclusive.
`

/** The text of `joust.agent.mjs`: it calls the function that was found, or says that it has to be filled in. */
export function javascriptWrapper(code: AgentCode | undefined): string {
  if (code === undefined)
    return `${HEAD}export default async function answer({ prompt, mcpServers }) {
  // For example: return (await generateText({ model, prompt, tools })).text
  throw new Error('${JAVASCRIPT_FILE} is not filled in yet: call your agent there')
}
`
  const binding = code.name === 'default' ? 'agent' : `{ ${code.name} as agent }`
  return `${HEAD}import ${binding} from './${code.file}'

export default async function answer({ prompt, ...more }) {
  const answer = await agent(prompt, more)
  return typeof answer === 'string' ? answer : answer.text
}
`
}

/** The text of `joust_agent.py`: a line of JSON in, a line out. */
export const pythonWrapper = `"""Lets joust attack an agent that is a Python function: a line of JSON comes in for each turn, a line goes out.

In joust.yaml:

    targets:
      mine: { exec: python3 joust_agent.py, json_lines: true }
"""

import json
import os
import sys


def answer(prompt, turn):
    """Returns what the agent says to the prompt.

    turn["session"] is the same for all turns of a conversation, turn["turn"] counts them, turn["input"] is the whole
    request. mcp_servers() are the MCP servers that the agent is to use: without them it never sees the bait of attacks
    over MCP, and they come out as inconclusive.
    """
    raise NotImplementedError("joust_agent.py is not filled in yet: call your agent in answer()")


def mcp_servers():
    """The MCP servers by name: {"name": {"type": "http", "url": "..."}}."""
    with open(os.environ["MCP_CONFIG"], encoding="utf-8") as file:
        return json.load(file)["mcpServers"]


def serve(function):
    """Answers one line after the other until nobody asks any more. What is printed goes to stderr, never into an answer."""
    out, sys.stdout = sys.stdout, sys.stderr
    for line in sys.stdin:
        turn = json.loads(line)
        out.write(json.dumps({"answer": function(turn["prompt"], turn)}) + "\\n")
        out.flush()


if __name__ == "__main__":
    serve(answer)
`
