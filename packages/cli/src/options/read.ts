/** Reads command-line options with the option table of a command. */
import { err, ok, type Result } from '@joust/source'
import { type OptionRow, type OptionsOf, type OptionTable, optionName, REQUIRED, type TargetedRow } from './option.ts'
import { optionKeysOf, type TargetKind, targetKeys, targetKind } from './targets.ts'

/** Values of the options on the command line, by key; a switch has no values. */
export type GivenOptions = { readonly [key: string]: readonly string[] | undefined }

export async function readOptions<Table extends OptionTable>(
  table: Table,
  given: GivenOptions,
): Promise<Result<OptionsOf<Table>, string[]>> {
  const faults: string[] = []
  const values: Record<string, unknown> = {}
  for (const [key, row] of Object.entries<OptionRow>(table)) {
    const read = await readOne(key, row, given[key])
    if (read.ok) values[key] = read.value
    else faults.push(read.error)
  }
  faults.push(...Object.entries(table).flatMap(([key, row]) => (given[key] ? combinationFaults(key, row, given) : [])))
  // Without errors every row has a value of its kind.
  return faults.length > 0 ? err(faults) : ok(values as OptionsOf<Table>)
}

export function defaultsOf<Table extends OptionTable>(table: Table): OptionsOf<Table> {
  // Every row has a default, of the type that the row declares.
  return Object.fromEntries(Object.entries(table).map(([key, row]) => [key, row.default])) as OptionsOf<Table>
}

function readOne(key: string, row: OptionRow, given: readonly string[] | undefined) {
  const option = optionName(key)
  if (given !== undefined) return row.value.read(given, option)
  return row.default === REQUIRED
    ? err(`missing option: ${option} ${row.value.placeholder?.toUpperCase()}`)
    : ok(row.default)
}

function combinationFaults(key: string, row: OptionRow | TargetedRow, given: GivenOptions): string[] {
  const name = optionName(key)
  const missing = (row.needs ?? []).filter((other) => given[other] === undefined)
  const against = (row.conflicts ?? []).filter((other) => given[other] !== undefined)
  return [
    ...missing.map((other) => `${name} can only be used with ${optionName(other)}`),
    ...against.map((other) => `${name} cannot be used with ${optionName(other)}`),
    ...('targets' in row ? targetFaults(name, row, given) : []),
  ]
}

function targetFaults(name: string, row: TargetedRow, given: GivenOptions): string[] {
  const kind = targetKind(given)
  if (hasEffect(row, kind, given)) return []
  const fault = `${name} can only be used with ${companions(row)}`
  return [kind === 'none' ? fault : `${fault}, not with ${optionName(targetKeys[kind])}`]
}

/** True if an option has an effect for a kind of target, given the other options. */
export function hasEffect({ targets, alsoWith }: TargetedRow, kind: TargetKind, given: GivenOptions): boolean {
  // Without `listen`, no client can connect.
  const isTarget = kind !== 'none' || given.listen !== undefined
  if (targets === 'all' || (isTarget && targets.some((target) => target === kind))) return true
  return alsoWith !== undefined && given[alsoWith] !== undefined
}

/** Lists the options that an option requires (`--agent, --model or --judge`); empty if the option requires none. */
export function companions({ targets, alsoWith }: TargetedRow): string {
  if (targets === 'all') return ''
  const keys = [...optionKeysOf(targets), ...(alsoWith === undefined ? [] : [alsoWith])]
  const names = keys.map(optionName)
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`
}
