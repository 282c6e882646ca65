/** `joust model` with its commands. */
import { modelServeOptions } from '../options/models.ts'
import { type CommandGroup, command } from './command.ts'

const AFTER_SERVE = `
The server speaks OpenAI chat completions and responses, Anthropic messages and Gemini generateContent, whole and streamed.
A model calls only the tools that --tool names: sim/credulous obeys every text that it reads, and an agent may
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
