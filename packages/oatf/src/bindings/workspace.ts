/** The extension `x-joust-files`: files that a run writes to the agent's working folder. */
import { describeValue, isList, own, ownList, ownText, type Path, type Value } from '@joust/source'
import { fields, list, type MessageShapes, oneOf, text } from './shape.ts'

export const FILES = 'x-joust-files'

/** The actor, mode and protocol of messages about the working folder. */
export const WORKSPACE = 'workspace'

const LONGEST_PATH = 200

/** Messages about the working folder. All except the first report actions by the agent. */
export const workspaceShapes: readonly MessageShapes[] = [
  { by: 'client', surface: 'file/laid', response: fields({ path: text, text }, {}) },
  {
    by: 'client',
    surface: 'file/changed',
    request: fields({ path: text, change: oneOf('created', 'changed', 'deleted') }, { text }),
  },
  {
    by: 'client',
    surface: 'command/started',
    request: fields({ command: text, args: list(text), line: text, folder: text }, {}),
  },
]

/** A file to write to the working folder. */
export interface WorkspaceFile {
  /** The path relative to the working folder, with slashes. */
  readonly path: string
  readonly text: string
}

/** True if an attack needs a working folder. */
export function needsFolder(attack: object): boolean {
  return Object.hasOwn(attack, FILES)
}

/** Returns the valid files of an attack, with the document path of each text. */
export function filesIn(attack: object): readonly (WorkspaceFile & { readonly at: Path })[] {
  const faults = new Set(fileFaults(attack).map(({ path }) => path[2]))
  // The extension is plain data.
  return ownList(attack as unknown as Value, FILES).flatMap((file, index) => {
    const path = ownText(file, 'path')
    const text = ownText(file, 'text')
    if (path === undefined || text === undefined || faults.has(index)) return []
    return [{ path, text, at: ['attack', FILES, index, 'text'] }]
  })
}

/** Returns a message for each invalid entry. Such entries are not written. */
export function fileFaults(attack: object): readonly { readonly path: Path; readonly message: string }[] {
  // The extension is plain data.
  const written = own(attack as unknown as Value, FILES)
  if (written === undefined) return []
  const at = ['attack', FILES]
  if (!isList(written)) return [{ path: at, message: `expected a list of files, got ${describeValue(written)}` }]
  const files = new Set<string>()
  const folders = new Set<string>()
  return written.flatMap((file, index) => {
    const path = ownText(file, 'path')
    const above = foldersOf(path ?? '')
    const isTaken = files.has(path ?? '') || folders.has(path ?? '') || above.some((folder) => files.has(folder))
    if (path === undefined || ownText(file, 'text') === undefined || !isInside(path) || isTaken) {
      const message = isTaken
        ? `${describeValue(path)} is already the path or folder of another file; not written`
        : 'expected files with a relative `path` inside the folder and a `text`; not written'
      return [{ path: [...at, index], message }]
    }
    files.add(path)
    for (const folder of above) folders.add(folder)
    return []
  })
}

/** Returns the parent folders of a file: `a` and `a/b` for `a/b/c`. */
function foldersOf(path: string): readonly string[] {
  const steps = path.slice(0, LONGEST_PATH).split('/')
  return steps.slice(1).map((_, index) => steps.slice(0, index + 1).join('/'))
}

function isInside(path: string): boolean {
  const steps = path.split('/')
  return path.length <= LONGEST_PATH && !/[\\\0:]/.test(path) && steps.every((step) => !['', '.', '..'].includes(step))
}
