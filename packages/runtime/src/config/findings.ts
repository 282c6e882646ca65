/** Diagnostics about bindings, with positions. */
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

export type ConfigCode =
  | 'config_unreadable'
  | 'config_syntax'
  | 'config_invalid'
  | 'unknown_field'
  | 'missing_variable'
  | 'module_failed'

export type ConfigDiagnostic = Diagnostic & { readonly code: ConfigCode; readonly file: string }

/** The diagnostics of one file. `checkShape` is not used: its messages show values, which may be secrets. */
export class Findings {
  readonly #source: Source
  readonly #file: string
  readonly #base: Path
  readonly #diagnostics: ConfigDiagnostic[] = []

  constructor(source: Source, file: string, base: Path) {
    this.#source = source
    this.#file = file
    this.#base = base
  }

  get all(): ConfigDiagnostic[] {
    return sortByPosition(this.#diagnostics)
  }

  report(code: ConfigCode, from: Path, message: string, at?: 'key', suggested?: Pick<Diagnostic, 'suggestion'>): void {
    const path = [...this.#base, ...from]
    const location = at === 'key' ? this.#source.locateKey(path) : this.#source.locate(path)
    const place = { file: this.#file, path: formatPath(path), ...location }
    this.#diagnostics.push({ severity: 'error', code, message, ...suggested, ...place })
  }

  /** Returns a mapping; reports anything else. */
  mapping(value: Value, path: Path): ValueRecord | undefined {
    return isRecord(value) ? value : this.#wrong(path, 'a mapping', value)
  }

  /** Returns a non-empty string; reports anything else. */
  text(value: Value, path: Path): string | undefined {
    if (typeof value === 'string' && value !== '') return value
    if (value === '') {
      this.report('config_invalid', path, 'expected a non-empty string')
      return undefined
    }
    const hint = typeof value === 'number' || typeof value === 'boolean' ? '; put it in quotes' : ''
    return this.#wrong(path, 'a string', value, hint)
  }

  fields(record: ValueRecord, path: Path, known: readonly string[]): void {
    for (const name of Object.keys(record)) {
      if (known.includes(name)) continue
      const message = `unknown field ${JSON.stringify(name)}.`
      this.report('unknown_field', [...path, name], message, 'key', suggestion('key', suggest(name, known)))
    }
  }

  #wrong(path: Path, expected: string, value: Value, hint = ''): undefined {
    this.report('config_invalid', path, `expected ${expected}, got ${kindOf(value)}${hint}`)
    return undefined
  }
}
