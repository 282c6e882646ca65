/** Findings about bindings, with positions. */
import {
  type Diagnostic,
  formatPath,
  isRecord,
  kindOf,
  type Path,
  type Source,
  sortByPosition,
  suggest,
  suggestion,
  type Value,
  type ValueRecord,
} from '@joust/source'

/** What can be wrong with bindings. */
export type ConfigCode =
  | 'config_unreadable'
  | 'config_syntax'
  | 'config_invalid'
  | 'unknown_field'
  | 'missing_variable'
  | 'module_failed'

/** A finding about bindings. */
export type ConfigDiagnostic = Diagnostic & { readonly code: ConfigCode; readonly file: string }

/** Collects what is wrong with one text. `checkShape` would show the values in its messages; these may be secrets. */
export class Findings {
  readonly #source: Source
  readonly #file: string
  readonly #base: Path
  readonly #found: ConfigDiagnostic[] = []

  /** Paths that are reported begin at `base`. */
  constructor(source: Source, file: string, base: Path) {
    this.#source = source
    this.#file = file
    this.#base = base
  }

  /** Everything found, in reading order. */
  get all(): ConfigDiagnostic[] {
    return sortByPosition(this.#found)
  }

  report(code: ConfigCode, from: Path, message: string, at?: 'key', suggested?: Pick<Diagnostic, 'suggestion'>): void {
    const path = [...this.#base, ...from]
    const location = at === 'key' ? this.#source.locateKey(path) : this.#source.locate(path)
    this.#found.push({
      severity: 'error',
      code,
      message,
      ...suggested,
      file: this.#file,
      path: formatPath(path),
      ...location,
    })
  }

  /** The value as a mapping; anything else is reported. */
  mapping(value: Value, path: Path): ValueRecord | undefined {
    return isRecord(value) ? value : this.#wrong(path, 'a mapping', value)
  }

  /** The value as a text that is not empty; anything else is reported. */
  text(value: Value, path: Path): string | undefined {
    if (typeof value === 'string' && value !== '') return value
    if (value === '') {
      this.report('config_invalid', path, 'expected a string, got an empty one')
      return undefined
    }
    const hint = typeof value === 'number' || typeof value === 'boolean' ? '; put it in quotes' : ''
    return this.#wrong(path, 'a string', value, hint)
  }

  /** Reports the fields that are not among the known ones. */
  fields(record: ValueRecord, path: Path, known: readonly string[]): void {
    for (const name of Object.keys(record)) {
      if (known.includes(name)) continue
      const message = `the field ${JSON.stringify(name)} is not known here.`
      this.report('unknown_field', [...path, name], message, 'key', suggestion('key', suggest(name, known)))
    }
  }

  #wrong(path: Path, expected: string, value: Value, hint = ''): undefined {
    this.report('config_invalid', path, `expected ${expected}, got ${kindOf(value)}${hint}`)
    return undefined
  }
}
