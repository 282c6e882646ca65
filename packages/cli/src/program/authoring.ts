/** `joust record`, `joust aim` and `joust import`. */
import { aimOptions, importOptions, recordOptions } from '../options/authoring.ts'
import { command } from './command.ts'

const AFTER = `
The agent runs as usual, with its own home folder and terminal. In its MCP configuration, server commands are started through a process that copies the
traffic, and server addresses are replaced by ports on loopback; all bytes are passed on unchanged. If the agent command contains {mcp_config} or the path of the configuration,
it gets the path of a rewritten copy; otherwise the file itself is rewritten, and restored at the end. Without a command, the addresses and the path of a
rewritten copy are printed, and Ctrl-C ends the recording.

Secrets in the configuration are replaced by \${NAME} in trace.jsonl and session.yaml. joust evaluate ATTACK --trace joust-session/trace.jsonl judges the recording.

Exit codes: the agent's own; 1 a finding of --watch; 5 no finding, but the indicators of an attack need a judge; 10 the recording could not be written, or the agent could not be started; 64 wrong usage; 129, 130 and 143
interrupted.
`

export const record = command({
  name: 'record',
  summary: 'record the traffic between an agent, its servers and its model',
  description:
    "Proxies an agent's MCP servers, A2A agents, clients and model; writes a trace, and a session.yaml with the servers' tools and their results.",
  arguments: {
    command: { count: 'any', help: 'command of the agent, after --; with --on, its prompt' },
  },
  options: recordOptions,
  after: AFTER,
  examples: [
    'joust record -- claude -p "Summarize the open issues"',
    'joust record --mcp-config mcp.json -- my-agent --config mcp.json',
    'joust record --mcp-config ~/.codex/config.toml --out triage -- codex exec "Triage the inbox"',
    `joust record --token 'crm=\${CRM_TOKEN}' -- my-agent`,
    'joust record --target ag_ui=http://127.0.0.1:8000/agent',
    'joust record --watch library -- my-agent',
  ],
  run: async ({ command: words }, options, io) => (await import('../commands/record.ts')).record(words, options, io),
})

export const aim = command({
  name: 'aim',
  summary: 'write attacks that use the tools of your agent',
  description:
    'Lists the tools of an agent, labels each one as source (returns text written by others), private (reads data that must not leave) ' +
    'or sink (sends, pays, deletes, executes, writes), finds the data flows from sources to sinks, and writes an attack document for each flow ' +
    'and technique. The servers in a document mirror yours: same names, schemas and descriptions. Only documents that are proven with ' +
    'simulated agents are written. Needs no key. Calls none of your tools unless --call is given.',
  arguments: {
    input: {
      count: 'any',
      help: 'session files (session.yaml) and agent files; by default .mcp.json in this folder',
    },
  },
  options: aimOptions,
  after: `
Servers in a configuration are started to list their tools. Servers in .mcp.json in this folder are started only after confirmation at the
terminal, or with --yes; --mcp-config FILE starts them without confirmation. Existing documents are kept. The same input gives the same documents.
Exit codes: 0 documents or flows were written, 1 no flow was found or no document could be proven, 10 a file could not be written or no tools
could be listed, 64 wrong usage.
`,
  examples: [
    'joust aim --yes',
    'joust aim --yes --flows',
    'joust aim --flows --format mermaid --mcp-config .vscode/mcp.json',
    'joust aim session.yaml --max 20 --out attacks/aimed',
    'joust aim --tools tools.json --technique poisoned-result --technique rug-pull',
    'joust aim --flows --label files/search_files=private',
  ],
  run: async ({ input }, options, io) => (await import('../commands/aim.ts')).aim(input, options, io),
})

export const importBenchmark = command({
  name: 'import',
  summary: 'convert a public benchmark into attack documents',
  description:
    'Converts the cases of a benchmark that you have downloaded into attack documents, each with its task, bait, placebo and ' +
    'origin. The same input gives the same files. Cases without an equivalent are listed with the reason. Exits 1 if a file ' +
    'does not have the expected layout.',
  arguments: {
    format: {
      count: 'one',
      help: 'name of the benchmark',
      choices: ['injecagent', 'agentdojo', 'codeipi', 'agentthreatbench', 'agent-threat-rules'],
    },
    path: {
      count: 'optional',
      help: 'folder of the benchmark; for agentdojo, a folder with agentdojo.json; for codeipi and agentthreatbench, the package inspect_evals; for agent-threat-rules, its npm package',
    },
  },
  options: importOptions,
  examples: [
    'joust import injecagent InjecAgent --out injecagent',
    'joust import injecagent xInjectAgent --results --set base --out injecagent',
    'joust import agentdojo --script > agentdojo-dump.py',
    'joust import agentdojo dojo --out agentdojo',
    'joust import agent-threat-rules package --out atr',
    'joust import codeipi inspect_evals --out codeipi',
  ],
  run: async ({ format, path }, options, io) =>
    (await import('../commands/import.ts')).importBenchmark(format, path, options, io),
})
