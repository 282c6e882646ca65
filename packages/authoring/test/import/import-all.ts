import { type LoadedAttack, load } from '@joust/oatf'
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
