/** Reads imported texts and rules: `baits.json`, `harmless.json` and `rules.json`. */
import {
  checkShape,
  compileRegex,
  err,
  type FieldsOf,
  formatPath,
  ok,
  type Regex,
  type Result,
  readJson,
  type Shape,
  shapes,
} from '@joust/source'

export const RULES_VERSION = 1

const { enumeration, exactly, list, object, required, text } = shapes

const textFields = { id: required(text), text: required(text) }
/** A text, and the id of the item from which it was imported. */
export interface RuleText extends FieldsOf<typeof textFields> {}

const ruleFields = {
  id: required(text),
  title: required(text),
  severity: required(text),
  match: required(enumeration(['any', 'all'])),
  patterns: required(list(text)),
}
/** A rule with expressions, any or all of which must match a text. */
export interface TextRule extends FieldsOf<typeof ruleFields> {}
const fileShape = object({ joust_rules: required(exactly(RULES_VERSION)), rules: required(list(object(ruleFields))) })

/** Parses a list of texts. The error names the field. */
export function readRuleTexts(json: string): Result<readonly RuleText[], string> {
  return readAs<readonly RuleText[]>(json, list(object(textFields)))
}

/** A matching rule, and the matched substring. */
export interface RuleMatch {
  readonly rule: TextRule
  readonly match: string
}

/** Parses `rules.json`. Returns a function that finds the rules that match a text. */
export function readTextRules(json: string): Result<(text: string) => readonly RuleMatch[], string> {
  const file = readAs<{ rules: readonly TextRule[] }>(json, fileShape)
  if (!file.ok) return file
  const { rules } = file.value
  const compiled: { rule: TextRule; expressions: readonly Regex[] }[] = []
  for (const [index, rule] of rules.entries()) {
    const expressions: Regex[] = []
    for (const [place, pattern] of rule.patterns.entries()) {
      const expression = compileRegex(pattern)
      if (!expression.ok) return err(`rules[${index}].patterns[${place}]: ${expression.error.message}`)
      expressions.push(expression.value)
    }
    compiled.push({ rule, expressions })
  }
  return ok((searched) => compiled.flatMap(({ rule, expressions }) => matchOf(rule, expressions, searched) ?? []))
}

function matchOf(rule: TextRule, expressions: readonly Regex[], searched: string): RuleMatch | undefined {
  let first: string | undefined
  for (const expression of expressions) {
    const span = expression.find(searched)
    const found = span.ok ? span.value : undefined
    if (found === undefined && rule.match === 'all') return undefined
    if (found === undefined) continue
    first ??= searched.slice(found.start, found.end)
    if (rule.match === 'any') break
  }
  return first === undefined ? undefined : { rule, match: first }
}

function readAs<T>(json: string, shape: Shape): Result<T, string> {
  const read = readJson(json)
  if (!read.ok) return err(read.error[0]?.message ?? 'not JSON')
  const [fault] = checkShape(read.value, shape, 1)
  // The shape was checked above.
  return fault === undefined ? ok(read.value as T) : err(`${formatPath(fault.path)}: ${fault.message}`)
}
