/** The extension `x-joust-files`: texts that a run writes to the working folder of the agent. */
import { isRecord, own, ownList, ownText, type Path, type Value } from '@joust/source'
import { fields, list, type MessageShapes, oneOf, text } from './shape.ts'

/** The extension on the attack. */
export const FILES = 'x-joust-files'

/** The actor, mode and protocol of messages about the working folder. */
export const WORKSPACE = 'workspace'

/** The messages about the working folder, all from the agent but the first. */
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

/** A file to write. */
export interface WorkspaceFile {
  /** The path relative to the working folder, with slashes. */
  readonly path: string
  readonly text: string
}

/** True for an attack that needs a working folder. */
export function needsFolder(attack: object): boolean {
  return Object.hasOwn(attack, FILES)
}

/** The valid files of an attack, with the places of their texts. */
export function filesIn(attack: object): readonly (WorkspaceFile & { readonly at: Path })[] {
  // The extension is plain data.
  return ownList(attack as unknown as Value, FILES).flatMap((file, index) => {
    const path = ownText(file, 'path')
    const text = ownText(file, 'text')
    const at = ['attack', FILES, index, 'text']
    return path !== undefined && text !== undefined && isInside(path) ? [{ path, text, at }] : []
  })
}

/** The positions of invalid entries, which are not written. */
export function fileFaults(attack: object): readonly Path[] {
  // The extension is plain data.
  const written = own(attack as unknown as Value, FILES)
  if (written === undefined) return []
  if (!Array.isArray(written)) return [['attack', FILES]]
  return written.flatMap((file: Value, index) => {
    const path = ownText(file, 'path')
    const isValid = isRecord(file) && path !== undefined && isInside(path) && ownText(file, 'text') !== undefined
    return isValid ? [] : [['attack', FILES, index]]
  })
}

/** True for a relative path that stays in its folder. */
function isInside(path: string): boolean {
  const steps = path.split('/')
  return path.length <= 200 && !/[\\\0:]/.test(path) && steps.every((step) => !['', '.', '..'].includes(step))
}
