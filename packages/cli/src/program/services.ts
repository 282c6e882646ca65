/** `joust studio`, `joust language-server` and `joust model`. */
import { languageServerOptions, modelServeOptions, studioOptions } from '../options/services.ts'
import { type CommandGroup, command } from './command.ts'

export const studio = command({
  name: 'studio',
  summary: 'write attacks, watch runs and inspect results in the browser',
  description:
    'Serves a web application for a folder: an editor for attacks, agents and joust.yaml, live runs, results over time, ' +
    'and traces to evaluate. It listens on 127.0.0.1 only. The printed URL contains an access token, which allows changing files ' +
    'in the folder and running the targets in joust.yaml. Ctrl-C stops all runs and the server.',
  arguments: { folder: { count: 'optional', help: 'folder to work in; the current folder by default' } },
  options: studioOptions,
  examples: ['joust studio', 'joust studio tests/agents --port 8080 --no-open'],
  run: async ({ folder }, options, io) => (await import('../commands/studio.ts')).studio(folder, options, io),
})

export const languageServer = command({
  name: 'language-server',
  summary: 'start the language server for editors',
  description:
    'Speaks the Language Server Protocol for attack documents (OATF), agent files (Agent Format) and joust.yaml: findings as you type, ' +
    'completion, hover, definitions and references, outline, quick fixes, rename, links and formatting. It is started by the editor; ' +
    'docs/editors.md has the settings for VS Code, Neovim and Helix.',
  arguments: {},
  options: languageServerOptions,
  examples: ['joust language-server --stdio'],
  run: async (_, options, io) => (await import('../commands/language-server.ts')).languageServer(options, io),
})

const AFTER_SERVE = `
The server speaks OpenAI chat completions and responses, Anthropic messages and Gemini generateContent, with and without streaming.
A model calls only the tools allowed with --tool: sim/credulous obeys every text that it reads, and an agent may
offer a shell. --record with --upstream writes a recording, --replay answers from it.
`

const serve = command({
  name: 'serve',
  summary: 'serve a simulated, recorded or real model over HTTP',
  description:
    'Serves a model on 127.0.0.1 until Ctrl-C, so that any agent can be tried without a key. Prints its address to stdout and calls to stderr.',
  arguments: {},
  options: modelServeOptions,
  after: AFTER_SERVE,
  examples: [
    'joust model serve --model sim/credulous --port 8080 --tool "send_*"',
    'joust model serve --upstream https://api.openai.com --record calls.jsonl',
    'joust model serve --replay calls.jsonl',
  ],
  run: async (_, options, io) => (await import('../commands/model/serve.ts')).serve(options, io),
})

export const model: CommandGroup = {
  name: 'model',
  summary: 'serve a simulated or recorded model to agents',
  description: 'Serves models to agents in place of a model provider.',
  commands: [serve],
}
