/** Reads memory, governance registry, prices and settings from `bindings`. */
import { isRecord, type Path, setOwn, type Value, type ValueRecord } from '@joust/source'
import { limitNames } from '../budget/bounds.ts'
import { limitProblems } from '../budget/check-options.ts'
import type { RuntimeOptions } from '../model/options.ts'
import { type ReadContext, readAddress, readFilePath, readSeconds, Texts } from './read-peers.ts'
import type { FolderRegistry, HttpRegistry } from './registry.ts'
import { folderShape, memoryShape, namesIn, settingsShape } from './shape.ts'

export type MemorySource = { readonly turns?: number } & (
  | { readonly kind: 'process' }
  /** `path` is absolute. */
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'postgresql'; readonly url: string; readonly secrets: readonly string[] }
)

export type GovernanceSource = FolderRegistry | HttpRegistry

export type Settings = Pick<RuntimeOptions, 'timeouts' | 'modelRetries' | 'batchConcurrency' | 'limits'>

/** US dollars per million tokens. */
export interface ModelPrice {
  readonly input: number
  readonly output: number
}

interface HostBindings {
  readonly prices: Readonly<Record<string, ModelPrice>>
  readonly memory: MemorySource | undefined
  readonly governance: GovernanceSource | undefined
  readonly settings: Settings
}

export function readHost({ memory, governance, settings, prices }: ValueRecord, context: ReadContext): HostBindings {
  return {
    prices: prices === undefined || prices === null ? {} : readPrices(prices, ['prices'], context),
    memory: memory === undefined ? undefined : readMemory(memory, ['memory'], context),
    governance: governance === undefined ? undefined : readGovernance(governance, ['governance'], context),
    settings: settings === undefined || settings === null ? {} : readSettings(settings, ['settings'], context),
  }
}

function readMemory(value: Value, path: Path, context: ReadContext): MemorySource | undefined {
  const { findings } = context
  if (value === 'process') return { kind: 'process' }
  if (!isRecord(value)) {
    findings.report('config_invalid', path, 'expected process, or a mapping with "file" or "postgresql"')
    return undefined
  }
  findings.fields(value, path, namesIn(memoryShape))
  const { file, postgresql } = value
  const limit = readCount(value, path, 'turns', 1, context)
  const turns = limit === undefined ? {} : { turns: limit }
  if ((file === undefined) === (postgresql === undefined)) {
    const message = `expected one of "file" and "postgresql", got ${file === undefined ? 'neither' : 'both'}`
    findings.report('config_invalid', path, message, 'key')
    return undefined
  }
  const texts = new Texts(context)
  if (file !== undefined) {
    const name = texts.read(file, [...path, 'file'])
    const absolute = name === undefined ? undefined : readFilePath(name, [...path, 'file'], context)
    return absolute === undefined ? undefined : { kind: 'file', path: absolute, ...turns }
  }
  const url = texts.read(postgresql ?? null, [...path, 'postgresql'])
  if (url === undefined) return undefined
  if (/^postgres(?:ql)?:\/\//.test(url)) return { kind: 'postgresql', url, secrets: texts.secrets, ...turns }
  findings.report('config_invalid', [...path, 'postgresql'], 'expected a URL that begins with postgresql://')
  return undefined
}

function readGovernance(value: Value, path: Path, context: ReadContext): GovernanceSource | undefined {
  const { findings } = context
  const record = findings.mapping(value, path)
  if (record === undefined) return undefined
  const byFolder = Object.hasOwn(record, 'folder')
  if (byFolder === Object.hasOwn(record, 'url')) {
    const message = `expected one of "folder" and "url", got ${byFolder ? 'both' : 'neither'}`
    findings.report('config_invalid', path, message, 'key')
    return undefined
  }
  if (byFolder) {
    findings.fields(record, path, namesIn(folderShape))
    const name = new Texts(context).read(record.folder ?? null, [...path, 'folder'])
    const folder = name === undefined ? undefined : readFilePath(name, [...path, 'folder'], context)
    return folder === undefined ? undefined : { folder }
  }
  const { implicit = false } = record
  if (typeof implicit !== 'boolean') findings.report('config_invalid', [...path, 'implicit'], 'expected true or false')
  const address = readAddress(record, path, context, ['implicit'])
  return address === undefined ? undefined : { ...address, implicit: implicit === true }
}

function readPrices(value: Value, path: Path, { findings }: ReadContext): Readonly<Record<string, ModelPrice>> {
  const prices = {}
  for (const [model, text] of Object.entries(findings.mapping(value, path) ?? {})) {
    const [, input, output] = /^(\d+(?:\.\d+)?)\s*,\s*(\d+(?:\.\d+)?)$/.exec(String(text)) ?? []
    if (input === undefined)
      findings.report(
        'config_invalid',
        [...path, model],
        'expected dollars per million input and output tokens, such as "1.25,10"',
      )
    else setOwn(prices, model, { input: Number(input), output: Number(output) })
  }
  return prices
}

function readSettings(value: Value, path: Path, context: ReadContext): Settings {
  const { findings } = context
  const record = findings.mapping(value, path)
  if (record === undefined) return {}
  findings.fields(record, path, namesIn(settingsShape))
  const milliseconds = (name: string) => readSeconds(record, path, `${name}_timeout_seconds`, findings)
  const [modelMs, toolMs, connectMs] = [milliseconds('model'), milliseconds('tool'), milliseconds('connect')]
  const modelRetries = readCount(record, path, 'retries', 0, context)
  const batchConcurrency = readCount(record, path, 'batch_width', 1, context)
  for (const problem of limitProblems(record.limits, limitNames))
    findings.report('config_invalid', [...path, 'limits'], problem)
  return {
    timeouts: {
      ...(modelMs !== undefined && { modelMs }),
      ...(toolMs !== undefined && { toolMs }),
      ...(connectMs !== undefined && { connectMs }),
    },
    ...(modelRetries !== undefined && { modelRetries }),
    ...(batchConcurrency !== undefined && { batchConcurrency }),
    // The limits were checked above.
    ...(isRecord(record.limits) && { limits: record.limits as NonNullable<Settings['limits']> }),
  }
}

function readCount(
  record: ValueRecord,
  path: Path,
  name: string,
  least: number,
  { findings }: ReadContext,
): number | undefined {
  const value = record[name]
  if (value === undefined) return undefined
  if (typeof value === 'number' && Number.isInteger(value) && value >= least) return value
  findings.report('config_invalid', [...path, name], `expected a whole number of at least ${least}`)
  return undefined
}
