/**
 * Every bound on hostile input that a caller can change; those on CEL and JSONPath are here as well, so that one value
 * carries all of them from a document to its last expression. Going over one is a diagnostic or an evaluation error
 * that carries the limit's name, never a hang, a crash or a silent `false`.
 */
export const defaultLimits = {
  /** UTF-8 bytes of a YAML or JSON text; characters of a YAML text once its aliases are written out. */
  yamlBytes: 4 * 1024 * 1024,
  /** Nesting of collections in a YAML text, aliases written out. */
  yamlDepth: 100,
  /** Nodes that aliases add when they are expanded. */
  yamlAliasNodes: 10_000,
  /** Nesting of a value that a program has made. */
  valueDepth: 500,
  /** Collections in such a value, each counted as often as it is met. */
  valueNodes: 1_500_000,
  /** Characters of a regular expression. */
  regexPattern: 4096,
  /** Instructions of a compiled regular expression. */
  regexProgram: 2000,
  /** Instructions × characters of text: the work one match may take. */
  regexWork: 20_000_000,
  /** Different regular expressions, CEL and JSONPath expressions that one document may ask to compile. */
  documentExpressions: 2000,
  /** Characters of a CEL expression. */
  celSource: 8192,
  /** Nodes of a parsed CEL expression. */
  celNodes: 5000,
  /** Nesting of a parsed CEL expression. */
  celDepth: 100,
  /** Steps of one CEL evaluation. */
  celSteps: 100_000,
  /** Milliseconds of one CEL evaluation: a backstop behind the steps, so that verdicts do not depend on the machine. */
  celMilliseconds: 100,
  /** Characters of a JSONPath expression. */
  jsonPathSource: 4096,
  /** Levels a JSONPath expression may descend. */
  jsonPathDepth: 64,
  /** Steps of one JSONPath evaluation. */
  jsonPathSteps: 200_000,
  /** Names in a dot-path. */
  dotPathDepth: 128,
  /** Nesting of a value that is written as compact JSON. */
  compactJsonDepth: 512,
} as const

/** The name of a limit. */
export type LimitName = keyof typeof defaultLimits

/** A full set of limits. */
export type Limits = { readonly [name in LimitName]: number }

/** What went over which limit. */
export interface LimitExceeded {
  readonly limit: LimitName
  readonly maximum: number
  readonly message: string
}

/** The defaults with some of them replaced. What is not a number is left out: it would switch the limit off. */
export function withLimits(changes: Partial<Limits> | undefined): Limits {
  if (changes === undefined) return defaultLimits
  const numbers = Object.entries(changes).filter(([, value]) => typeof value === 'number' && !Number.isNaN(value))
  return { ...defaultLimits, ...Object.fromEntries(numbers) }
}

/** Says that a limit was exceeded; `actual` is the measured size where it is known. */
export function exceeded(limits: Limits, limit: LimitName, actual?: number): LimitExceeded {
  const maximum = limits[limit]
  const seen = actual === undefined ? '' : ` (${actual})`
  return { limit, maximum, message: `over the limit ${limit} = ${maximum}${seen}` }
}

/** Fixed bounds: what they cut short is only advice, or can be done another way. */
export const sourceBounds = {
  /** Comparisons of words for the suggestions about one text. */
  suggestions: 20_000,
  /** Differences looked for between two texts; with more, all from the first to the last counts as different. */
  differences: 2000,
  /** Characters that may be read again while parts of a text are changed one at a time. */
  patchCharacters: 50_000_000,
} as const
