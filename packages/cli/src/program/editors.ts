/** `joust studio` and `joust language-server`. */
import { languageServerOptions, studioOptions } from '../options/editors.ts'
import { command } from './command.ts'

export const studio = command({
  name: 'studio',
  summary: 'write attacks, watch runs and inspect results in the browser',
  description:
    'Serves a web application for a folder: an editor for attacks, agents and joust.yaml, live runs, results over time, ' +
    'and traces to evaluate. It listens on 127.0.0.1 only. The printed address contains an access token: anyone who has it can change files ' +
    'in the folder and run the targets in joust.yaml. Ctrl-C stops all runs and the server.',
  arguments: { folder: { count: 'optional', help: 'the folder to work in; the current one by default' } },
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
