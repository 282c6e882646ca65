import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createAssessor } from '@joust/arena'
import { createCelEvaluator, type LoadedAttack, load } from '@joust/oatf'
import { readTrace } from '@joust/results/files'
import { writeYaml } from '@joust/source'
import {
  type BenchmarkFolder,
  type Imported,
  type ImportFault,
  type ImportOptions,
  importers,
} from '../../src/index.ts'

/** Imports files in memory. */
export async function importAll(format: string, files: Readonly<Record<string, string>>, options: ImportOptions) {
  const importer = importers.find(({ name }) => name === format)
  const folder: BenchmarkFolder = { read: async (path) => files[path], list: async () => Object.keys(files).sort() }
  const items: Imported[] = []
  const faults: ImportFault[] = []
  for await (const item of importer?.import(folder, options) ?? []) {
    if (item.ok) items.push(item.value)
    else faults.push(item.error)
  }
  return { items, faults }
}

export function loaded(item: Imported | undefined): LoadedAttack {
  const result = load(writeYaml(item?.kind === 'document' ? item.document : null))
  if (!result.ok) throw new Error(result.error.map(({ message }) => message).join('\n'))
  return result.value
}

/** Judges an imported trace with its document. */
export async function judged(trace: Imported | undefined, attack: Imported | undefined) {
  const judge = createAssessor(loaded(attack), { cel: createCelEvaluator() })
  let ending: Parameters<typeof judge.finish>[0]
  const file = join(mkdtempSync(join(tmpdir(), 'joust-import-')), 'trace.jsonl')
  writeFileSync(file, trace?.kind === 'trace' ? `${trace.lines.join('\n')}\n` : '')
  const onEnding = (facts: typeof ending) => {
    ending = facts
  }
  for await (const item of readTrace(file, { onEnding })) await judge.add(item)
  rmSync(dirname(file), { recursive: true })
  const assessed = await judge.finish(ending)
  return { label: trace?.kind === 'trace' ? trace.label : undefined, outcome: assessed.outcome, tier: assessed.tier }
}
