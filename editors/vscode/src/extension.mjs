/**
 * Starts the language server that the extension bundles, or a configured command, for the files named in the settings.
 */
import { join } from 'node:path'
import { workspace } from 'vscode'
import { LanguageClient, TransportKind } from 'vscode-languageclient/node'

/** @type {LanguageClient | undefined} */
let client

/** @param {{ asAbsolutePath: (path: string) => string }} context */
export async function activate(context) {
  const settings = workspace.getConfiguration('joust')
  const command = settings.get('command', '')
  const module = context.asAbsolutePath(join('dist', 'server.cjs'))
  const server =
    command === '' ? { module, transport: TransportKind.stdio } : { command, args: ['language-server', '--stdio'] }
  const documentSelector = settings.get('files', []).map((/** @type {string} */ pattern) => ({ pattern }))
  // An agent's findings also depend on the files it refers to.
  const fileEvents = workspace.createFileSystemWatcher('**/*.agf.{yaml,yml,json}')
  const initializationOptions = { askAgain: 'editor.action.triggerSuggest' }
  client = new LanguageClient('joust', 'Joust', server, {
    documentSelector,
    synchronize: { fileEvents },
    initializationOptions,
  })
  await client.start()
}

export async function deactivate() {
  await client?.stop()
}
