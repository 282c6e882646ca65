/** `joust aim`. */
import { aimOptions } from '../options/aim.ts'
import { command } from './command.ts'

export const aim = command({
  name: 'aim',
  summary: 'write attacks that use the tools of your agent',
  description:
    'Lists the tools of an agent, labels each as source (brings in text that others write), private (reads data that must not leave) ' +
    'or sink (sends, pays, deletes, executes, writes), finds the flows from sources to sinks, and writes an attack document for each flow ' +
    'and technique. The servers of a document mirror yours: same names, schemas and descriptions. Only documents that are proven with ' +
    'simulated agents are written. It needs no key, and calls no tool of yours without --call.',
  arguments: {
    input: {
      count: 'any',
      help: 'session files (session.yaml) and agent files; without any input, .mcp.json in this folder',
    },
  },
  options: aimOptions,
  after: `
Servers of a configuration are started to list their tools. Those of .mcp.json in this folder are started only after a question at the
terminal, or with --yes; --mcp-config FILE starts them without one. Documents that exist already are kept. The same input gives the same documents.
Exit codes: 0 documents or flows were written, 1 there is no flow or no document could be proven, 10 a file could not be written or no server could
be listed, 64 wrong usage.
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
