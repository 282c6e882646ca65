/** The interface of importers, which convert benchmarks to attack documents, and recorded outputs to traces. */
import type { Result, Value } from '@joust/source'

/** Reads the file at a path in the benchmark folder. Returns undefined if the file is missing. */
type ReadFile = (path: string) => Promise<string | undefined>

/** The folder of a benchmark. */
export interface BenchmarkFolder {
  read: ReadFile
  /** Paths of all files in the folder, with `/`, in alphabetical order. */
  list(): Promise<readonly string[]>
}

/** An unexpected file layout or field in a benchmark. */
export interface ImportFault {
  readonly file: string
  /** The path of the field in the file. */
  readonly field?: string
  readonly message: string
}

/** An attack document created from a case. */
export interface ImportedDocument {
  readonly kind: 'document'
  /** File name in the output folder, without `.oatf.yaml`. */
  readonly name: string
  readonly document: Value
}

/** A recorded model run, as trace lines. */
export interface ImportedTrace {
  readonly kind: 'trace'
  /** File name in the output folder, without `.jsonl`. The first folder is named after the model. */
  readonly name: string
  readonly lines: readonly string[]
  /** The verdict recorded by the benchmark. */
  readonly label: 'exploited' | 'resisted'
}

/** A case that cannot be converted. */
export interface SkippedCase {
  readonly kind: 'skipped'
  readonly name: string
  readonly reason: string
}

/** An output file for other commands. */
interface ImportedFile {
  readonly kind: 'file'
  /** File name in the output folder. */
  readonly name: string
  /** The number of entries in the file. */
  readonly items: number
  readonly text: string
}

export type Imported = ImportedDocument | ImportedTrace | ImportedFile | SkippedCase

/**
 * Options for an import.
 *
 * @example
 * const files = new Map([['data.json', text]])
 * const folder = {
 *   read: async (path: string) => files.get(path) ?? '',
 *   list: async () => [...files.keys()],
 * }
 * for await (const item of importers[0]?.import(folder, { sets: [] }) ?? []) show(item)
 */
export interface ImportOptions {
  /** Also imports recorded model outputs. @default false */
  readonly results?: boolean
  /** Parts of the benchmark. @default `sets` of the importer */
  readonly sets?: readonly string[]
}

/**
 * A benchmark converter. The same input results in the same documents in the same order.
 *
 * @example
 * for (const { name, summary, sets } of importers) console.log(name, summary, sets.join(' '))
 */
export interface Importer {
  readonly name: string
  /** Content, origin and licence in one line. */
  readonly summary: string
  /** The parts that `--set` accepts. */
  readonly sets: readonly string[]
  /** True if recorded outputs can be imported. */
  readonly hasResults: boolean
  /** The program in `python` that exports the data of a benchmark written as code. */
  readonly script?: string
  import(folder: BenchmarkFolder, options: ImportOptions): AsyncIterable<Result<Imported, ImportFault>>
}
