/** An option of a command as a row of a table: the help, the reading, the checks and the types all come from it. */
import type { Result, Shape } from '@joust/source'
import type { NamedTarget } from './targets.ts'

/** What the value of an option looks like, and how it is read. */
export interface ValueKind<Value = unknown> {
  /** What stands for the value in the help; a switch has none. */
  readonly placeholder?: string
  /** Whether it takes several values, and may be given several times. */
  readonly repeatable?: true
  /** The only possible values. */
  readonly choices?: readonly string[]
  /** What it is in a project file. */
  readonly shape: Shape
  /** Whether a text is a path, which in a project file is relative to that file. */
  readonly isPath?: (text: string) => boolean
  /** Joins the words that a project file lists into one text. */
  readonly join?: (words: readonly string[]) => string
  /** Reads what was given; a switch is given no texts. A fault names the option and says what would be right. */
  readonly read: (given: readonly string[], option: string) => Result<Value, string> | Promise<Result<Value, string>>
}

/** The heading of an option in the help. */
type OptionGroup = 'Search' | 'Hardening' | 'Target' | 'Choice' | 'Bounds' | 'Output' | 'Campaign'

/** In place of a default: the command needs the option. */
export const REQUIRED = { required: true } as const

/** A row. */
export interface OptionRow<Value = unknown, Default = unknown> {
  readonly value: ValueKind<Value>
  readonly help: string
  /** The value when the option is not given; undefined where there is none. */
  readonly default: Default
  /** The letter of its short form. */
  readonly short?: string
  readonly group?: OptionGroup
  /** Its key in a project file, where that is not its name in snake case; a dot puts it below another key. */
  readonly fileKey?: string
  /** Keys of options without which it has no effect. */
  readonly needs?: readonly string[]
  /** Keys of options that it contradicts. */
  readonly conflicts?: readonly string[]
}

/**
 * Which part of an option a later run must share to continue from earlier results: its value, a fingerprint of it since
 * it may hold secrets, the names in it, whether it is given, its value where actors listen; or nothing, because it does
 * not change the outcome of a run, or the facts of the target already say it.
 */
type OptionIdentity = 'value' | 'fingerprint' | 'names' | 'given' | 'listeners' | 'none'

/** A row of a command that attacks a target. */
export interface TargetedRow<Value = unknown, Default = unknown> extends OptionRow<Value, Default> {
  readonly group: OptionGroup
  /** How it distinguishes results. */
  readonly identity: OptionIdentity
  /** The targets that it has an effect with. */
  readonly targets: 'all' | readonly NamedTarget[]
  /** The key of an option that gives it an effect whatever the target is. */
  readonly alsoWith?: string
}

/** The options of a command. A key is the name in camel case. */
export type OptionTable = { readonly [key: string]: OptionRow | TargetedRow }

/** The same, for a command that attacks a target. */
export type TargetedTable = { readonly [key: string]: TargetedRow }

/** What a command gets: the values that were read, with the defaults filled in. */
export type OptionsOf<Table> = {
  readonly [Key in keyof Table]: Table[Key] extends OptionRow<infer Value, infer Default>
    ? undefined extends Default
      ? Value | undefined
      : Value
    : never
}

/** Makes a row; its default must be a value of its kind. */
export function option<Value, const Default extends Value | undefined | typeof REQUIRED>(
  row: OptionRow<Value, Default>,
): OptionRow<Value, Default> {
  return row
}

/** The same, with the targets that it goes with. */
export function targeted<Value, const Default extends Value | undefined | typeof REQUIRED>(
  row: TargetedRow<Value, Default>,
): TargetedRow<Value, Default> {
  return row
}

/** The name on the command line: `--max-duration` for `maxDuration`. */
export function optionName(key: string): string {
  return `--${key.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
}
