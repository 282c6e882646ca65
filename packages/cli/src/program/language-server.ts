/** `joust language-server`. */
import { languageServerOptions } from '../options/documents.ts'
import { examples } from '../terminal/help.ts'
import { command } from './command.ts'

export const languageServer = command({
  name: 'language-server',
  summary: 'what editors start: findings, completion, hover and fixes as you type',
  description:
    'Speaks the Language Server Protocol for attacks (OATF), agents (Agent Format) and joust.yaml: findings as you type, ' +
    'completion, hover, definitions and references, outline, quick fixes, rename, links and formatting. Editors start it; ' +
    'docs/editors.md has the settings for VS Code, Neovim and Helix.',
  arguments: {},
  options: languageServerOptions,
  after: examples('joust language-server --stdio'),
  run: async (_, options, io) => (await import('../commands/language-server.ts')).languageServer(options, io),
})
