/**
 * The working folder of an attack with `x-joust-files`. The files are written before the run. Afterwards, changed files
 * and commands started by name are reported. Shims at the start of `PATH` record the commands; commands started by path
 * are not recorded.
 */
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises'
import { delimiter, dirname, join, resolve } from 'node:path'
import type { FolderEvent } from '@joust/arena'
import type { RunFolders } from '@joust/io'
import type { WorkspaceFile } from '@joust/oatf'
import { targetLimits } from '../limits.ts'
import { type Launch, type StartedProcess, withoutLaunches } from './launches.ts'
import type { CommandSetting } from './turns.ts'

type Setting = Omit<CommandSetting, 'timeoutMs' | 'log' | 'recent'>

interface LaidFolder {
  /** Environment and words of the command. `PATH` contains the shims. */
  readonly setting: Setting
  inspect(): Promise<readonly FolderEvent[]>
}

/** Writes the files to the working folder, and the shims next to it. */
export async function layFolder(
  files: readonly WorkspaceFile[],
  folders: RunFolders & { readonly cwd: string | undefined },
  setting: Setting,
): Promise<LaidFolder> {
  const { folder, work } = folders
  for (const { path, text } of files) {
    const place = join(work, path)
    await mkdir(dirname(place), { recursive: true })
    await writeFile(place, text)
  }
  const shims = join(folder, 'bin')
  const log = join(folder, 'commands')
  await mkdir(log)
  const path = setting.env.PATH ?? ''
  const names = await writeShims(shims, shimOf(shims, log, setting.command.length > 0), path)
  const before = await snapshot(work)
  const env = { ...setting.env, PATH: `${shims}${delimiter}${path}` }
  const [program = '', ...words] = setting.command
  // The shims must not record the agent itself.
  const command = [names.get(program) ?? program, ...words].map((word) => absolute(word, folders.cwd))
  const launches: Launch[] = []
  const next = setting.next?.map((word, index) => absolute(index === 0 ? (names.get(word) ?? word) : word, folders.cwd))
  return {
    setting: { ...setting, command, next, env, onLaunch: (launch) => launches.push(launch) },
    async inspect() {
      const [changes, commands] = await Promise.all([changesOf(work, before), commandsIn(log, work, launches)])
      return [...changes, ...commands]
    },
  }
}

/** Makes a word absolute if it is the path of a file, relative to the command's original working folder. */
function absolute(word: string, cwd = process.cwd()): string {
  const path = resolve(cwd, word)
  return word !== '' && !word.includes('{') && existsSync(path) ? path : word
}

/** Writes a shim for each program in `PATH`; returns the original paths by name. */
async function writeShims(shims: string, text: string, path: string): Promise<ReadonlyMap<string, string>> {
  await mkdir(shims)
  const script = join(dirname(shims), 'shim')
  await writeFile(script, text)
  await chmod(script, 0o755)
  const programs = new Map<string, string>()
  for (const folder of path.split(delimiter)) {
    const names = await readdir(folder).catch((): string[] => [])
    for (const name of names) if (!programs.has(name)) programs.set(name, join(folder, name))
  }
  const names = [...programs.keys()].slice(0, targetLimits.shims)
  await Promise.all(names.map((name) => symlink(script, join(shims, name)).catch(() => {})))
  return programs
}

/**
 * Returns a shim, which writes one file per process. Records end with a byte that no argument contains. Child processes
 * of Joust are not recorded: they are the agent, whose `#!/usr/bin/env node` is resolved in `PATH`.
 */
const shimOf = (shims: string, log: string, isAgentChild: boolean) => `#!/bin/sh
name=\${0##*/}
if [ "$PPID" != '${isAgentChild ? process.pid : ''}' ]; then
  { printf '%s\\037' "$PPID" "$name" "$PWD" "$@"; printf '\\036'; } >> '${log}'/$$
fi
IFS=:
for folder in $PATH; do
  if [ "$folder" != '${shims}' ] && [ -f "$folder/$name" ] && [ -x "$folder/$name" ]; then
    unset IFS
    exec "$folder/$name" "$@"
  fi
done
echo "$name: not found" >&2
exit 127
`

/** Returns the recorded commands in start order. */
async function commandsIn(log: string, work: string, launches: readonly Launch[]): Promise<FolderEvent[]> {
  const names = await readdir(log).catch((): string[] => [])
  const records = await Promise.all(
    names.slice(0, targetLimits.folderEvents).map(async (pid) => {
      const file = join(log, pid)
      const [text, { mtimeMs }] = await Promise.all([readFile(file, 'utf8'), stat(file)])
      const lines = text.split('\x1e').filter((record) => record !== '')
      return lines.map((record) => ({ at: mtimeMs, ...processOf(pid, record) }))
    }),
  ).catch(() => [])
  const processes = records.flat().sort((one, other) => one.at - other.at)
  return withoutLaunches(processes, launches)
    .slice(0, targetLimits.folderEvents)
    .map(({ command, args, cwd }) => {
      const folder = cwd.startsWith(work) ? `.${cwd.slice(work.length)}` : cwd
      return { surface: 'command/started', content: { command, args, folder, line: [command, ...args].join(' ') } }
    })
}

function processOf(pid: string, record: string): StartedProcess {
  const [parent = '', command = '', cwd = '', ...args] = record.split('\x1f')
  return { pid, parent, command, cwd, args: args.slice(0, -1) }
}

/** File contents, or hashes of long files, by path. */
type Snapshot = ReadonlyMap<string, string>

const skipped: ReadonlySet<string> = new Set(['node_modules', '.git', '__pycache__'])

async function snapshot(root: string, below = ''): Promise<Snapshot> {
  const files = new Map<string, string>()
  const entries = await readdir(join(root, below), { withFileTypes: true }).catch(() => [])
  for (const entry of entries) {
    if (files.size >= targetLimits.folderEvents) break
    const path = below === '' ? entry.name : `${below}/${entry.name}`
    if (entry.isDirectory() && !skipped.has(entry.name) && path.split('/').length < targetLimits.folderDepth)
      for (const [name, text] of await snapshot(root, path)) files.set(name, text)
    else if (entry.isFile()) files.set(path, await contentOf(join(root, path)))
  }
  return files
}

async function contentOf(file: string): Promise<string> {
  try {
    const { size } = await stat(file)
    if (size > targetLimits.fileBytes) return `(${size} bytes)`
    const bytes = await readFile(file)
    const text = bytes.toString('utf8')
    return text.includes('\0') ? `(sha256 ${createHash('sha256').update(bytes).digest('hex')})` : text
  } catch {
    return '(unreadable)'
  }
}

async function changesOf(work: string, before: Snapshot): Promise<FolderEvent[]> {
  const after = await snapshot(work)
  const paths = [...new Set([...before.keys(), ...after.keys()])].sort()
  return paths.flatMap((path): FolderEvent[] => {
    const text = after.get(path)
    if (text === before.get(path)) return []
    const change = text === undefined ? 'deleted' : before.has(path) ? 'changed' : 'created'
    return [{ surface: 'file/changed', content: { path, change, ...(text !== undefined && { text }) } }]
  })
}
