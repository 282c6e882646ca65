/** An option of a command as a row of a table: the help, the reading, the checks and the types all come from it. */
import type { Result, Shape } from '@joust/source'
import type { NamedTarget } from './targets.ts'

/** What the value of an option looks like, and how it is read. */
export interface ValueKind<Value = unknown> {
  /** What stands for the value in the help; a switch has none. */
  readonly placeholder?: string
  /** Takes several values, and may be given several times. */
  readonly repeatable?: true
  /** The only values there are. */
  readonly choices?: readonly string[]
  /** What it is in a project file. */
  readonly shape: Shape
  /** Whether a text is a path, which a project file has relative to itself. */
  readonly isPath?: (text: string) => boolean
  /** Makes one text of the words that a project file lists. */
  readonly join?: (words: readonly string[]) => string
  /** Reads what was given, nothing for a switch. A fault names the option and says what would be right. */
  readonly read: (given: readonly string[], option: string) => Result<Value, string> | Promise<Result<Value, string>>
}

/** The heading of an option in the help. */
type OptionGroup = 'Search' | 'Hardening' | 'Target' | 'Choice' | 'Bounds' | 'Output' | 'Campaign'

/** In place of a default: the command does not go without the option. */
export const REQUIRED = { required: true } as const

/** A row. */
export interface OptionRow<Value = unknown, Default = unknown> {
  readonly value: ValueKind<Value>
  readonly help: string
  /** What holds when the option is not given; undefined where nothing does. */
  readonly default: Default
  /** The letter of its short form. */
  readonly short?: string
  readonly group?: OptionGroup
  /** Its key in a project file, where that is not its name in snake case; below another key after a dot. */
  readonly fileKey?: string
  /** Keys of options without which it has no effect. */
  readonly needs?: readonly string[]
  /** Keys of options that it contradicts. */
  readonly conflicts?: readonly string[]
}

/**
 * What of an option a later run must share to continue from earlier results: its value, its value as a fingerprint since it may
 * hold secrets, only the names in it, only whether it is given, its value where nobody but listeners ends a run; or nothing, because
 * it does not change the outcome of a run, or the facts of the target say it already.
 */
type OptionIdentity = 'value' | 'fingerprint' | 'names' | 'given' | 'listeners' | 'none'

/** A row of a command that attacks somebody. */
export interface TargetedRow<Value = unknown, Default = unknown> extends OptionRow<Value, Default> {
  readonly group: OptionGroup
  /** How it tells results apart. */
  readonly identity: OptionIdentity
  /** The targets that it has an effect with. */
  readonly targets: 'all' | readonly NamedTarget[]
  /** The key of an option that gives it an effect whatever the target is. */
  readonly alsoWith?: string
}

/** The options of a command. A key is the name in camel case. */
export type OptionTable = { readonly [key: string]: OptionRow | TargetedRow }

/** The same, of a command that attacks somebody. */
export type TargetedTable = { readonly [key: string]: TargetedRow }

/** What a command gets: the values that were read, with the defaults put in. */
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

/** The same, with the targets it goes with. */
export function targeted<Value, const Default extends Value | undefined | typeof REQUIRED>(
  row: TargetedRow<Value, Default>,
): TargetedRow<Value, Default> {
  return row
}

/** The name on the command line: `--max-duration` for `maxDuration`. */
export function optionName(key: string): string {
  return `--${key.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
}
