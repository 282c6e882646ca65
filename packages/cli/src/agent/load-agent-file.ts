/** Loads an agent file and all files that it refers to, and returns a report on each file. */
import { stat } from 'node:fs/promises'
import { dirname, posix, relative, resolve, sep } from 'node:path'
import { type Agent, type AgentDiagnostic, loadAgent, type SourceReader } from '@joust/agentformat'
import { pathInside } from '@joust/io'
import { compareCodePoints } from '@joust/source'
import type { InputFile } from '../input/discover.ts'
import type { FileReport } from '../input/file-report.ts'
import { readText } from '../input/read.ts'
import type { Io } from '../terminal/io.ts'

export type AgentText = Pick<InputFile, 'name' | 'path'> & { readonly text: string }

interface AgentFile {
  /** One report per file of the graph, starting with the loaded file. */
  readonly reports: readonly FileReport[]
  /** All files of the graph, including missing ones. */
  readonly paths: readonly string[]
  /** The loaded agent; absent if there is an error. */
  readonly agent?: Agent
}

export async function loadAgentFile(
  given: AgentText,
  io: Io,
  { strict = false, root }: { readonly strict?: boolean; readonly root?: string | undefined } = {},
): Promise<AgentFile> {
  const home = root === undefined ? undefined : resolve(io.cwd, root)
  // With a root, names are relative to it, so that every file in the graph has a name.
  const name = home === undefined ? given.name : relative(home, given.path).split(sep).join('/')
  const entry = { ...given, name }
  const { read, texts, paths } = fileSources(entry, home === undefined ? io : { ...io, cwd: home }, home)
  const loaded = await loadAgent(name, { read, strict, ...(home !== undefined && { root: '' }) })
  const findings = loaded.ok ? loaded.value.warnings : loaded.error
  // Files are read concurrently, in no fixed order.
  const others = [...texts.values()].slice(1).sort((a, b) => compareCodePoints(a.name, b.name))
  const reports = [entry, ...others].map((text) => report(text, findings))
  return { reports, paths: [...paths], ...(loaded.ok && { agent: loaded.value.agent }) }
}

function report({ name, path, text }: AgentText, findings: readonly AgentDiagnostic[]): FileReport {
  const own = findings.filter(({ file }) => file === name).map(({ file: _, ...found }) => found)
  return { name, path, format: 'agent-format', text, diagnostics: own }
}

/**
 * Creates a reader for the files of an agent graph. After resolving links, it only reads files inside `root` (by
 * default the folder of the first file). For an agent from standard input, paths are relative to the working directory.
 * `texts` contains the files read so far, by their names in findings; `paths` also includes unreadable files.
 */
export function fileSources(entry: AgentText, io: Io, root?: string) {
  const texts = new Map([[entry.name, entry]])
  const paths = new Set([resolve(io.cwd, entry.path)])
  const home = root ?? dirname(resolve(io.cwd, entry.name))
  const read: SourceReader = async ({ source, sourceType, from }) => {
    if (from === undefined) return entry.text
    if (sourceType !== 'file') throw new Error(`unknown source type ${JSON.stringify(sourceType)}; expected "file"`)
    const name = posix.join(posix.dirname(from), source)
    const path = resolve(io.cwd, name)
    paths.add(path)
    const text = await readText(await confined(path, home), io)
    if (!text.ok) throw new Error(text.error.message)
    texts.set(name, { name, path, text: text.value })
    return text.value
  }
  return { read, texts, paths }
}

async function confined(path: string, home: string): Promise<string> {
  const real = await pathInside(home, path).catch((error: NodeJS.ErrnoException) => {
    throw new Error(error.code === 'ENOENT' ? 'no such file' : `cannot be accessed (${error.code})`)
  })
  if (real === undefined) {
    const error = new Error('the file is outside the folder of the first document')
    throw Object.assign(error, { code: 'outside_folder' satisfies AgentDiagnostic['reason'] })
  }
  // Opening a pipe would block.
  if (!(await stat(real)).isFile()) throw new Error('not a regular file')
  return real
}
