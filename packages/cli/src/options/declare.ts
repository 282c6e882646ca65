/** Declares the options of a table in commander, which parses argv and prints the help. */
import { type Command, Option } from 'commander'
import { type OptionRow, type OptionTable, optionName, type TargetedRow } from './option.ts'
import { companions, type GivenOptions } from './read.ts'

export function declareOptions(command: Command, table: OptionTable): void {
  for (const [key, row] of Object.entries(table)) {
    const declared = new Option(flagsOf(key, row), helpOf(row))
    command.addOption(row.group === undefined ? declared : declared.helpGroup(`${row.group}:`))
  }
}

export function givenOptions(command: Command, table: OptionTable): GivenOptions {
  const parsed: Record<string, unknown> = command.opts()
  return Object.fromEntries(
    Object.keys(table)
      .filter((key) => (isNegation(key) ? parsed[negated(key)] === false : parsed[key] !== undefined))
      .map((key) => [key, valuesOf(parsed[key])]),
  )
}

/** True for `--no-x`, which Commander treats as the negation of `--x` and stores under that name. */
function isNegation(key: string): boolean {
  return /^no[A-Z]/.test(key)
}

function negated(key: string): string {
  return key.slice(2, 3).toLowerCase() + key.slice(3)
}

function valuesOf(found: unknown): readonly string[] {
  if (Array.isArray(found)) return found.map(String)
  return typeof found === 'string' ? [found] : []
}

/** Returns the names of an option, with the placeholder for its value. */
export function flagsOf(key: string, { short, value }: OptionRow): string {
  const names = [...(short === undefined ? [] : [`-${short}`]), optionName(key)].join(', ')
  if (value.placeholder === undefined) return names
  return `${names} <${value.placeholder}${value.repeatable ? '...' : ''}>`
}

/** Builds the help text: required options, description, choices and default. */
export function helpOf(row: OptionRow | TargetedRow): string {
  const required = [...('targets' in row ? [companions(row)] : []), ...(row.needs ?? []).map(optionName)]
  const choices = row.value.choices === undefined ? [] : [row.value.choices.join(', ')]
  const fallback = defaultText(row.default)
  const notes = [...choices, ...(fallback === undefined ? [] : [`default: ${fallback}`])]
  const named = required.filter((names) => names !== '')
  const lead = named.length === 0 ? '' : `with ${named.join(' and ')}: `
  return `${lead}${row.help}${notes.length === 0 ? '' : ` (${notes.join('; ')})`}`
}

function defaultText(value: unknown): string | undefined {
  if (typeof value === 'string' || typeof value === 'number') return String(value)
  return Array.isArray(value) && value.length > 0 ? value.join(',') : undefined
}
