/** `joust import FORMAT PATH --out FOLDER`: writes the cases of a benchmark as attack documents and traces. */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, resolve, sep } from 'node:path'
import { type BenchmarkFolder, type Imported, type Importer, type ImportFault, importers } from '@joust/authoring'
import { makeFolder, readBounded, strictText, writeNew } from '@joust/io'
import { count, didYouMean, jsonText, messageOf, type Result, writeYaml } from '@joust/source'
import { isDirectory } from '../input/discover.ts'
import type { ImportOptions } from '../options/authoring.ts'
import { assets } from '../terminal/assets.ts'
import { exitCodes } from '../terminal/exit-codes.ts'
import { exitCodeOf, giveUp, type Io, tell, wrongUsage } from '../terminal/io.ts'
import { commandLimits } from '../terminal/limits.ts'

interface Summary {
  documents: number
  traces: number
  /** Number of entries in other files, by file name. */
  files: Record<string, number>
  skipped: Record<string, number>
  left_out: { case: string; reason: string }[]
  faults: ImportFault[]
}

/** Converts a benchmark; returns 1 if a part of the benchmark could not be read. */
export async function importBenchmark(
  format: string,
  path: string | undefined,
  options: ImportOptions,
  io: Io,
): Promise<number> {
  const importer = importers.find(({ name }) => name === format)
  const names = importers.map(({ name }) => name)
  if (importer === undefined)
    return wrongUsage([`unknown format ${format}; available: ${names.join(', ')}.${didYouMean(format, names)}`], io)
  if (options.script) return printScript(importer, path, io)
  const { out } = options
  if (path === undefined) return wrongUsage([`missing argument: the ${format} folder`], io)
  if (out === undefined) return wrongUsage(['missing option --out: the folder for the documents'], io)
  if (options.results && !importer.hasResults) return wrongUsage([`${format} has no recorded outputs to import`], io)
  const unknown = options.set.find((set) => !importer.sets.includes(set))
  if (unknown !== undefined)
    return wrongUsage([`unknown set ${unknown} of ${format}; available: ${importer.sets.join(', ')}`], io)
  const folder = resolve(io.cwd, path)
  if (!isDirectory(folder)) return wrongUsage([`${path} is not a folder`], io)
  const parts = { results: options.results, ...(options.set.length > 0 && { sets: options.set }) }
  return io.stoppable(async (signal) => {
    try {
      const items = importer.import(benchmarkFolder(folder), parts)
      const summary = await writeAll(items, resolve(io.cwd, out), signal, io)
      report(summary, out, options.json, io)
      if (signal.aborted) return exitCodeOf(signal)
      return summary.faults.length === 0 ? exitCodes.ok : exitCodes.findings
    } catch (thrown) {
      return giveUp(messageOf(thrown), io)
    }
  })
}

function printScript({ name, script }: Importer, path: string | undefined, io: Io): number {
  if (script === undefined) return wrongUsage([`${name} needs no script`], io)
  if (path !== undefined) return wrongUsage(['--script takes no folder'], io)
  io.stdout.write(readFileSync(join(assets.importScripts, script), 'utf8'))
  return exitCodes.ok
}

/** Number of cases between two progress messages. */
const PROGRESS = 1000

async function writeAll(
  items: AsyncIterable<Result<Imported, ImportFault>>,
  out: string,
  signal: AbortSignal,
  io: Io,
): Promise<Summary> {
  const summary: Summary = { documents: 0, traces: 0, files: {}, skipped: {}, left_out: [], faults: [] }
  const labels: Record<string, string> = {}
  const files = createWriter(out)
  let number = 0
  for await (const item of items) {
    if (signal.aborted) break
    number += 1
    if (number % PROGRESS === 0) tell(io, `${number} cases …`)
    if (!item.ok) summary.faults.push(item.error)
    else if (item.value.kind === 'document') {
      files.write(join('documents', `${item.value.name}.oatf.yaml`), writeYaml(item.value.document))
      summary.documents += 1
    } else if (item.value.kind === 'trace') {
      files.write(join('traces', `${item.value.name}.jsonl`), `${item.value.lines.join('\n')}\n`)
      labels[item.value.name] = item.value.label
      summary.traces += 1
    } else if (item.value.kind === 'file') {
      files.write(item.value.name, item.value.text)
      summary.files[item.value.name] = item.value.items
    } else {
      const { name, reason } = item.value
      summary.skipped[reason] = (summary.skipped[reason] ?? 0) + 1
      summary.left_out.push({ case: name, reason })
    }
  }
  if (summary.traces > 0) files.write('labels.json', jsonText(labels))
  return summary
}

/** Creates a writer for files below a folder. Throws if a file already exists with different content. */
function createWriter(out: string): { write(path: string, text: string): void } {
  const folders = new Set<string>()
  return {
    write(path, text) {
      const file = join(out, path)
      const folder = dirname(file)
      if (!folders.has(folder)) makeFolder(folder)
      folders.add(folder)
      if (contentOf(file) === text) return
      writeNew(file, text)
    },
  }
}

function contentOf(file: string): string | undefined {
  try {
    return strictText(readBounded(file, commandLimits.importBytes)).text
  } catch {
    return undefined
  }
}

/** Maximum number of skipped cases to print per reason; `--json` lists all. */
const NAMES = 3

function report(summary: Summary, out: string, json: boolean, io: Io): void {
  const { documents, traces, files, skipped, left_out, faults } = summary
  if (json) io.stdout.write(jsonText({ ...summary }))
  for (const { file, field, message } of faults.slice(0, commandLimits.importFaults))
    tell(io, `${file}${field === undefined ? '' : `, ${field}`}: ${message}`)
  if (faults.length > commandLimits.importFaults) tell(io, `${faults.length - commandLimits.importFaults} more errors`)
  for (const [reason, number] of Object.entries(skipped)) {
    const names = [...new Set(left_out.filter((one) => one.reason === reason).map((one) => one.case))]
    const more = names.length > NAMES ? ', …' : ''
    tell(io, `${count(number, 'case')} skipped: ${reason} (${names.slice(0, NAMES).join(', ')}${more})`)
  }
  const entries = Object.entries(files)
  for (const [name, number] of entries) tell(io, `${count(number, 'entry', 'entries')} in ${join(out, name)}`)
  if (entries.length > 0) return
  const traced = traces > 0 ? `, ${count(traces, 'trace')}` : ''
  tell(io, `${count(documents, 'document')}${traced} in ${out}`)
}

function benchmarkFolder(root: string): BenchmarkFolder {
  return {
    read: async (path) => {
      try {
        return strictText(readBounded(join(root, path), commandLimits.importBytes)).text
      } catch (thrown) {
        if (thrown instanceof Error && 'code' in thrown && thrown.code === 'ENOENT') return undefined
        throw thrown
      }
    },
    list: async () =>
      readdirSync(root, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) =>
          join(entry.parentPath, entry.name)
            .slice(root.length + 1)
            .split(sep)
            .join('/'),
        )
        .sort(),
  }
}
