/** Where documents are written: `joust studio` and `joust language-server`. */
import { languageServerOptions, studioOptions } from '../options/editors.ts'
import { command } from './command.ts'

export const studio = command({
  name: 'studio',
  summary: 'write attacks, watch them run, see why, in a browser',
  description:
    'Serves a web application for a folder: an editor that knows attacks, agents and joust.yaml, runs to watch as they grow, results over time, ' +
    'and traces to judge. It listens on 127.0.0.1 only, and only for whoever has the address it prints: with that, files in the folder can be ' +
    'changed and whatever joust.yaml names can be run. Ctrl-C stops all runs and ends it.',
  arguments: { folder: { count: 'optional', help: 'the folder to work in; this one by default' } },
  options: studioOptions,
  examples: ['joust studio', 'joust studio tests/agents --port 8080 --no-open'],
  run: async ({ folder }, options, io) => (await import('../commands/studio.ts')).studio(folder, options, io),
})

export const languageServer = command({
  name: 'language-server',
  summary: 'what editors start: findings, completion, hover and fixes as you type',
  description:
    'Speaks the Language Server Protocol for attacks (OATF), agents (Agent Format) and joust.yaml: findings as you type, ' +
    'completion, hover, definitions and references, outline, quick fixes, rename, links and formatting. Editors start it; ' +
    'docs/editors.md has the settings for VS Code, Neovim and Helix.',
  arguments: {},
  options: languageServerOptions,
  examples: ['joust language-server --stdio'],
  run: async (_, options, io) => (await import('../commands/language-server.ts')).languageServer(options, io),
})
