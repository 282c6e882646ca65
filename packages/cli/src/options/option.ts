/** An option of a command as a row of a table, which drives its help, parsing, checks and types. */
import type { Result, Shape } from '@joust/source'
import type { TargetKind } from './targets.ts'

export interface ValueKind<Value = unknown> {
  /** Placeholder for the value in the help; absent for a switch. */
  readonly placeholder?: string
  /** True if the option accepts several values and can be repeated. */
  readonly repeatable?: true
  readonly choices?: readonly string[]
  /** Shape of the value in a project file. */
  readonly shape: Shape
  /** True for paths, which are relative to the project file if they are in one. */
  readonly isPath?: (text: string) => boolean
  /** Joins the words of a list in a project file into one string. */
  readonly join?: (words: readonly string[]) => string
  /** Parses the values from the command line; a switch has none. Errors contain the option and the expected form. */
  readonly read: (given: readonly string[], option: string) => Result<Value, string> | Promise<Result<Value, string>>
}

type OptionGroup = 'Input' | 'Search' | 'Hardening' | 'Target' | 'Choice' | 'Bounds' | 'Output' | 'Campaign'

/** Marks a required option, in place of a default. */
export const REQUIRED = { required: true } as const

export interface OptionRow<Value = unknown, Default = unknown> {
  readonly value: ValueKind<Value>
  readonly help: string
  readonly default: Default
  /** The letter of the short form. */
  readonly short?: string
  readonly group?: OptionGroup
  /** The key in a project file, if it differs from the option name in snake case; a dot separates nested keys. */
  readonly fileKey?: string
  readonly needs?: readonly string[]
  readonly conflicts?: readonly string[]
}

/**
 * The part of an option that must be unchanged to resume from earlier results: its value, a fingerprint (for values
 * that may contain secrets), the names in it, its presence, or its value where actors listen. `none` if the option does
 * not change the outcome of a run, or is already part of the target description.
 */
type OptionIdentity = 'value' | 'fingerprint' | 'names' | 'given' | 'listeners' | 'none'

export interface TargetedRow<Value = unknown, Default = unknown> extends OptionRow<Value, Default> {
  readonly group: OptionGroup
  readonly identity: OptionIdentity
  /** Kinds of targets for which the option has an effect. */
  readonly targets: 'all' | readonly TargetKind[]
  /** The key of another option; if that option is set, this one applies to every target. */
  readonly alsoWith?: string
}

/** The options of a command, by name in camel case. */
export type OptionTable = { readonly [key: string]: OptionRow | TargetedRow }

export type TargetedTable = { readonly [key: string]: TargetedRow }

/** The option values that a command receives, including defaults. */
export type OptionsOf<Table> = {
  readonly [Key in keyof Table]: Table[Key] extends OptionRow<infer Value, infer Default>
    ? undefined extends Default
      ? Value | undefined
      : Value
    : never
}

/** Creates a row; the type of the default must match the kind of value. */
export function option<Value, const Default extends Value | undefined | typeof REQUIRED>(
  row: OptionRow<Value, Default>,
): OptionRow<Value, Default> {
  return row
}

export function targeted<Value, const Default extends Value | undefined | typeof REQUIRED>(
  row: TargetedRow<Value, Default>,
): TargetedRow<Value, Default> {
  return row
}

/** Returns the name on the command line: `--max-duration` for `maxDuration`. */
export function optionName(key: string): string {
  return `--${key.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
}
