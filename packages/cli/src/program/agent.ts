/** `joust agent` with its commands. */
import {
  agentChatOptions,
  agentGraphOptions,
  agentNewOptions,
  agentRunOptions,
  agentServeOptions,
} from '../options/agent.ts'
import { agentCheckOptions } from '../options/documents.ts'
import { type ArgumentRow, type CommandGroup, command } from './command.ts'

const FILE = { count: 'one', help: 'an agent file, or - for standard input' } as const satisfies ArgumentRow

const check = command({
  name: 'check',
  summary: 'check agent files without running them',
  description:
    'Checks agent files and all agents they refer to, without running them. With bindings in joust.yaml, anything certain to fail is an error: unbound tools, unmapped servers, missing memory or governance policies. Without bindings these are warnings, because a program may bind them. Exits 1 if there is an error.',
  arguments: { file: { count: 'many', help: 'agent files, folders, quoted globs, or - for standard input' } },
  options: agentCheckOptions,
  examples: [
    'joust agent check team.agf.yaml',
    'joust agent check agents --config joust.yaml',
    'joust agent check team.agf.yaml --strict -f sarif',
  ],
  run: async ({ file }, options, io) => (await import('../commands/agent/check.ts')).check(file, options, io),
})

const AFTER_RUN = `
--input is JSON, or plain text for an agent that accepts text. External dependencies of agents (tools, MCP servers, remote agents, model
names) are bound in joust.yaml, in this folder or a parent folder:

  bindings:
    models: { fast: openai/gpt-5-mini }
    tools: { search: { module: ./tools.mjs } }
    mcp_servers: { files: { command: npx, args: [some-mcp-server] } }
    remote_agents: { helper: { url: "https://agents.example/" } }

Models: sim/cautious, sim/credulous and sim/silent are simulations and need no key; sim/scripted replays --script;
openai/…, anthropic/…, google/…, azure/…, openrouter/…, ollama/… and openai-compatible/… take their keys from the environment. A model without a
provider is resolved by its name (gpt-…, claude-…, gemini-…) or by the only key that is set.

--journal FILE records every answer from models, tools and people. The same command with the same FILE continues after a crash, a kill or
Ctrl-C: recorded answers are reused, a pending approval is requested again. A tool call that was in progress is repeated
only if the tool allows it (readOnlyHint or idempotentHint in MCP, repeatable: true for a local tool); otherwise the model
receives an error saying that the outcome is unknown. Once the agent has finished, the recorded output is printed again. The file
contains the conversation without known keys and is readable only by you. A different agent, input, --model or --script
needs a different FILE.

Exit codes: 0 the agent finished, 1 it failed or has errors, 64 wrong usage or a journal of a different run, 129, 130 and 143 stopped by a signal.
`

const run = command({
  name: 'run',
  summary: 'run an agent once',
  description: 'Runs an agent: prints its output to stdout as JSON and its progress to stderr.',
  arguments: { file: FILE },
  options: agentRunOptions,
  after: AFTER_RUN,
  examples: [
    `joust agent run writer.agf.yaml --input 'a text about tea' --model sim/cautious`,
    `joust agent run writer.agf.yaml --input 'a text about tea' --stream`,
    'joust agent run team.agf.yaml --input @request.json --events run.jsonl',
    'joust agent run team.agf.yaml --input - --approve none < request.json',
    'joust agent run team.agf.yaml --input @request.json --journal run.journal',
  ],
  run: async ({ file }, options, io) => (await import('../commands/agent/run.ts')).run(file, options, io),
})

const chat = command({
  name: 'chat',
  summary: 'talk to an agent',
  description:
    'Talks to an agent in several turns. Prints the text of the agent to stdout as it arrives, and calls, approvals and problems to stderr. Ctrl-C stops an answer but not the chat; Ctrl-D or /exit ends the chat. Without a terminal, each line of standard input is a turn.',
  arguments: { file: { count: 'one', help: 'an agent file' } },
  options: agentChatOptions,
  examples: [
    'joust agent chat clerk.agf.yaml',
    'joust agent chat clerk.agf.yaml --resume clerk.chat --memory ada',
    'joust agent chat clerk.agf.yaml --model sim/cautious --approve none < questions.txt',
  ],
  run: async ({ file }, options, io) => (await import('../commands/agent/chat.ts')).chat(file, options, io),
})

const create = command({
  name: 'new',
  summary: 'create an agent',
  description:
    'Creates an agent with one of the six execution policies, its tools and its joust.yaml in a new folder. The agent runs with a simulated model and needs no key. Prints the command that runs it.',
  arguments: { folder: { count: 'one', help: 'folder to create; its name becomes the name of the agent' } },
  options: agentNewOptions,
  examples: ['joust agent new clerk', 'joust agent new news --shape sequential'],
  run: async ({ folder }, options, io) => (await import('../commands/agent/new.ts')).createAgent(folder, options, io),
})

const serve = command({
  name: 'serve',
  summary: 'serve an agent over a protocol',
  description:
    'Serves an agent until Ctrl-C. Prints its address to stdout and its progress to stderr. MCP servers and remote agents need not be running yet: each run connects to them.',
  arguments: { file: FILE },
  options: agentServeOptions,
  examples: [
    'joust agent serve team.agf.yaml --ag-ui --port 8000',
    'joust agent serve team.agf.yaml --a2a --model sim/cautious',
    'joust agent serve team.agf.yaml --mcp --stdio',
  ],
  run: async ({ file }, options, io) => (await import('../commands/agent/serve.ts')).serve(file, options, io),
})

const graph = command({
  name: 'graph',
  summary: 'draw a diagram of an agent',
  description: 'Draws an agent with its sub-agents, tools, servers and remote agents.',
  arguments: { file: FILE },
  options: agentGraphOptions,
  examples: ['joust agent graph team.agf.yaml', 'joust agent graph team.agf.yaml -f mermaid'],
  run: async ({ file }, options, io) => (await import('../commands/agent/graph.ts')).graph(file, options, io),
})

export const agent: CommandGroup = {
  name: 'agent',
  summary: 'create, check, run, chat with, serve and draw agents',
  description:
    'Creates, checks, runs, chats with, serves and draws agents that are declared in Agent Format 1.0 (*.agf.yaml).',
  commands: [create, check, run, chat, serve, graph],
  examples: [
    'joust agent check team.agf.yaml',
    `joust agent run team.agf.yaml --input '{"topic": "tea"}' --model sim/cautious`,
    'joust agent graph team.agf.yaml',
  ],
}
