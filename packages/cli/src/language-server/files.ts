/** Files by name: open documents in the editor, otherwise files on disk. */
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { TextDocuments } from 'vscode-languageserver/node'
import type { TextDocument } from 'vscode-languageserver-textdocument'
import { discover } from '../input/discover.ts'
import { readText } from '../input/read.ts'
import type { Io } from '../terminal/io.ts'
import { commandLimits } from '../terminal/limits.ts'

/** Files by name: an absolute path with `/`, or the URI of a document that is not on disk. */
interface EditorFiles {
  readonly nameOf: (uri: string) => string
  readonly uriOf: (name: string) => string
  readonly read: (name: string) => Promise<string | undefined>
  readonly list: () => Promise<readonly string[]>
}

export function editorFiles(
  documents: TextDocuments<TextDocument>,
  folders: () => readonly string[],
  io: Io,
): EditorFiles {
  const open = (name: string) => documents.all().find(({ uri }) => nameOf(uri) === name)
  return {
    nameOf,
    uriOf: (name) => open(name)?.uri ?? (name.includes('://') ? name : pathToFileURL(name).href),
    async read(name) {
      const document = open(name)
      if (document !== undefined) return document.getText()
      if (!/\.(?:ya?ml|json)$/i.test(name) || name.includes('://')) return undefined
      const text = await readText(name, io)
      return text.ok ? text.value : undefined
    },
    async list() {
      const paths = folders().map(nameOf)
      const discovered = paths.length === 0 ? undefined : await discover(paths, io.cwd)
      const files = discovered?.ok ? discovered.value.filter(({ folder }) => folder === undefined) : []
      const onDisk = files.slice(0, commandLimits.languageFiles).map(({ path }) => slashed(path))
      return [...new Set([...documents.all().map(({ uri }) => nameOf(uri)), ...onDisk])]
    },
  }
}

function nameOf(uri: string): string {
  if (!uri.startsWith('file://')) return uri
  try {
    return slashed(fileURLToPath(uri))
  } catch {
    // The URI of a file on another machine.
    return uri
  }
}

function slashed(path: string): string {
  return path.replaceAll('\\', '/')
}
