/** `joust record`. */
import { recordOptions } from '../options/record.ts'
import { command } from './command.ts'

const AFTER = `
The agent runs as usual, with its own home and terminal. In its configuration, a command of a server is started through a process that copies the
traffic, and an address becomes a port on loopback; all bytes are passed on unchanged. If a word of the command is {mcp_config} or the path of the configuration,
it becomes the path of a rewritten copy; otherwise the file itself is rewritten, and restored at the end. Without a command, the addresses and the path of a
rewritten copy are printed, and the recording ends with Ctrl-C.

Secrets of the configuration are replaced by \${NAME} in trace.jsonl and session.yaml. joust evaluate ATTACK --trace joust-session/trace.jsonl judges the recording.

Exit codes: that of the agent; 1 a finding of --watch; 10 the recording could not be written, or the agent could not be started; 64 wrong usage; 129, 130 and 143
interrupted.
`

export const record = command({
  name: 'record',
  summary: 'record what an agent, its servers and its model say to each other',
  description:
    'Stands between an agent and its MCP servers, A2A agents, clients and model; writes a trace and session.yaml, with the tools of the servers and their answers.',
  arguments: {
    command: { count: 'any', help: 'the command of the agent, after --; with --on, its prompt' },
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
