/**
 * All limits on hostile input that a caller can change, including those on CEL and JSONPath, so that one object
 * contains all limits. Exceeding a limit results in a diagnostic or an evaluation error with the name of the limit,
 * never in a hang, a crash or a silent `false`.
 */
export const defaultLimits = {
  /** Maximum size of a YAML or JSON text in UTF-8 bytes, and of a YAML text with expanded aliases in characters. */
  yamlBytes: 4 * 1024 * 1024,
  /** Maximum nesting depth of collections in a YAML text with expanded aliases. */
  yamlDepth: 100,
  /** Maximum number of nodes that expanded aliases add. */
  yamlAliasNodes: 10_000,
  /** Maximum nesting depth of a value in memory. */
  valueDepth: 500,
  /** Maximum number of collections in a value in memory. Shared collections count each time. */
  valueNodes: 1_500_000,
  /** Maximum length of a regular expression, in characters. */
  regexPattern: 4096,
  /** Maximum number of instructions in a compiled regular expression. */
  regexProgram: 2000,
  /** Maximum work of one regular expression match, in instructions × characters of text. */
  regexWork: 20_000_000,
  /** Maximum number of distinct regular expressions, CEL and JSONPath expressions in one document. */
  documentExpressions: 2000,
  /** Maximum length of a CEL expression, in characters. */
  celSource: 8192,
  /** Maximum number of nodes in a parsed CEL expression. */
  celNodes: 5000,
  /** Maximum nesting depth of a parsed CEL expression. */
  celDepth: 100,
  /** Maximum number of steps in one CEL evaluation. */
  celSteps: 100_000,
  /** Maximum time of one CEL evaluation, in milliseconds. A backstop, because `celSteps` does not depend on speed. */
  celMilliseconds: 100,
  /** Maximum length of a JSONPath expression, in characters. */
  jsonPathSource: 4096,
  /** Maximum nesting depth of a JSONPath expression. */
  jsonPathDepth: 64,
  /** Maximum number of steps in one JSONPath evaluation. */
  jsonPathSteps: 200_000,
  /** Maximum number of names in a dot-path. */
  dotPathDepth: 128,
  /** Maximum nesting depth of a value that is written as compact JSON. */
  compactJsonDepth: 512,
} as const

/** The name of a limit. */
export type LimitName = keyof typeof defaultLimits

export type Limits = { readonly [name in LimitName]: number }

export interface LimitExceeded {
  readonly limit: LimitName
  readonly maximum: number
  readonly message: string
}

/** Replaces some of the default limits. Values that are not numbers are ignored, because NaN would disable a limit. */
export function withLimits(changes: Partial<Limits> | undefined): Limits {
  if (changes === undefined || complete.has(changes)) return (changes as Limits | undefined) ?? defaultLimits
  const numbers = Object.entries(changes).filter(([, value]) => typeof value === 'number' && !Number.isNaN(value))
  const limits = { ...defaultLimits, ...Object.fromEntries(numbers) }
  complete.add(limits)
  return limits
}

/** Objects that `withLimits` has returned, for a fast path when functions pass them on. */
const complete = new WeakSet<object>([defaultLimits])

/** Describes an exceeded limit. `actual` is the measured size, if known. */
export function exceeded(limits: Limits, limit: LimitName, actual?: number): LimitExceeded {
  const maximum = limits[limit]
  const measured = actual === undefined ? '' : ` (${actual})`
  return { limit, maximum, message: `over the limit ${limit} = ${maximum}${measured}` }
}

/** Fixed limits on work that is optional or has a fallback. */
export const sourceBounds = {
  /** Maximum number of word comparisons for the suggestions in one text. */
  suggestions: 20_000,
  /** Maximum number of differences between two texts. If there are more, one difference spans the first to the last. */
  differences: 2000,
  /** Maximum number of characters that are parsed again while a text is edited step by step. */
  patchCharacters: 50_000_000,
} as const
