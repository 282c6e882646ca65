/** OPEN-45: which document a reference means. Files are relative to the one that names them and stay below the entry's folder. */
import { err, ok, type Result } from '@joust/source'
import type { SourceRef } from '../model/agent.ts'

/** The folder that a graph lives in: the entry up to its last slash. */
export function graphFolder(entry: string): string {
  return entry.slice(0, entry.lastIndexOf('/') + 1)
}

/** The id under which a document is known, or why the reference cannot be followed. `fromFile`: a file names it. */
export function sourceId(ref: Required<SourceRef>, folder: string, fromFile: boolean): Result<string, string> {
  const { source, sourceType, from } = ref
  if (sourceType !== 'file') return ok(`${sourceType}:${source}`)
  if (!fromFile)
    return err('a file is named relative to the file that names it, and this agent does not come from a file')
  const fault = fileFault(source)
  if (fault !== undefined) return err(fault)
  const steps = from.slice(folder.length).split('/').slice(0, -1)
  for (const step of source.split('/')) {
    if (step === '' || step === '.') continue
    if (step !== '..') steps.push(step)
    else if (steps.pop() === undefined) return err('the path leaves the folder of the first document')
  }
  return ok(folder + steps.join('/'))
}

function fileFault(source: string): string | undefined {
  if (source.startsWith('/')) return 'the path is absolute; name the file relative to this one'
  // A scheme of two letters or more is a URL, one letter a Windows drive.
  if (/^[a-zA-Z][a-zA-Z0-9+.-]*:/.test(source)) return 'a file is named by a relative path, not by a URL or a drive'
  if (source.includes('\\')) return 'folders are separated by "/", not by a backslash'
  return source.includes('\0') ? 'the path holds a null character' : undefined
}
