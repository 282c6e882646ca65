/**
 * Agent Threat Rules: expressions that detect attacks, with matching and harmless test cases. The layout follows the
 * npm package: `rules/{category}/{rule}.yaml`. Test cases become text lists for `joust mutate`, expressions become a
 * file for `joust lint --rules`.
 */
import {
  checkShape,
  compileRegex,
  err,
  type FieldsOf,
  formatPath,
  isRecord,
  jsonText,
  ok,
  own,
  type Result,
  readSource,
  shapes,
  type Value,
} from '@joust/source'
import type { BenchmarkFolder, Imported, Importer, ImportFault } from './importer.ts'
import type { RuleText, TextRule } from './text-rules.ts'
import { RULES_VERSION } from './text-rules.ts'

const { list, object, optional, required, text, value } = shapes

const conditionFields = { field: required(text), operator: required(text), value: required(value) }
const conditionShape = object(conditionFields, 'any')
const casesShape = object({ true_positives: optional(list(value)), true_negatives: optional(list(value)) }, 'any')
const detectionShape = object({ conditions: required(list(conditionShape)), condition: required(text) }, 'any')
const ruleFields = {
  id: required(text),
  title: required(text),
  severity: required(text),
  status: optional(text),
  detection: required(detectionShape),
  test_cases: optional(casesShape),
}
interface ThreatRule extends FieldsOf<typeof ruleFields> {}
const ruleShape = object(ruleFields, 'any')

const RULE = /^(?:.*\/)?rules\/(?:.*\/)?[^/]+\.ya?ml$/

/** Fields with text that comes from a server, or reaches the model in the same way. */
const textFields = new Set(['content', 'tool_description', 'tool_response', 'user_input'])
/** Text fields of test cases, in order of precedence. */
const caseFields = ['input', 'content', 'tool_response', 'tool_description', 'user_input']

export const agentThreatRules: Importer = {
  name: 'agent-threat-rules',
  summary: 'Agent Threat Rules (MIT): baits and harmless texts for joust mutate, expressions for joust lint --rules',
  sets: [],
  hasResults: false,
  async *import(folder) {
    const files = (await folder.list()).filter((file) => RULE.test(file))
    if (files.length === 0) yield err({ file: 'rules', message: 'missing; is this the folder of the npm package?' })
    const all = { rules: [] as TextRule[], baits: [] as RuleText[], harmless: [] as RuleText[] }
    for (const file of files) {
      const rule = await readRule(folder, file)
      if (rule.ok) yield* convert(rule.value, all)
      else yield rule
    }
    yield ok(fileOf('baits.json', all.baits))
    yield ok(fileOf('harmless.json', all.harmless))
    const written = { joust_rules: RULES_VERSION, rules: all.rules }
    yield ok({ kind: 'file', name: 'rules.json', items: all.rules.length, text: jsonText(written) })
  },
}

const fileOf = (name: string, texts: readonly RuleText[]): Imported => ({
  kind: 'file',
  name,
  items: texts.length,
  text: jsonText(texts),
})

async function readRule(folder: BenchmarkFolder, file: string): Promise<Result<ThreatRule, ImportFault>> {
  const source = readSource((await folder.read(file)) ?? '')
  if (!source.ok) return err({ file, message: source.error[0]?.message ?? 'not YAML' })
  const [fault] = checkShape(source.value.value, ruleShape, 1)
  if (fault !== undefined) return err({ file, field: formatPath(fault.path), message: fault.message })
  // The shape was checked above.
  return ok(source.value.value as unknown as ThreatRule)
}

interface Collected {
  readonly rules: TextRule[]
  readonly baits: RuleText[]
  readonly harmless: RuleText[]
}

/** Adds the converted rule to the output. Yields the parts that cannot be converted. */
function* convert(rule: ThreatRule, { rules, baits, harmless }: Collected): Generator<Result<Imported, ImportFault>> {
  const skipped = (reason: string) => ok({ kind: 'skipped', name: rule.id, reason } as const)
  if (rule.status === 'deprecated') {
    yield skipped('deprecated rule')
    return
  }
  const { true_positives: positives = [], true_negatives: negatives = [] } = rule.test_cases ?? {}
  for (const [kind, cases, texts] of [
    ['positive', positives, baits],
    ['negative', negatives, harmless],
  ] as const)
    for (const [index, one] of cases.entries()) {
      const written = textOf(one)
      if (written === undefined) yield skipped(`${kind} test case without text`)
      else texts.push({ id: `${rule.id}-${kind === 'positive' ? 'p' : 'n'}${index + 1}`, text: written })
    }
  const { conditions, condition } = rule.detection
  const isAny = condition === 'any'
  if (!isAny && condition !== 'all') {
    yield skipped(`conditions that are combined with neither "any" nor "all"`)
    return
  }
  const patterns: string[] = []
  for (const { field, operator, value: pattern } of conditions) {
    const reason = reasonAgainst(field, operator, pattern)
    if (reason === undefined) patterns.push(String(pattern))
    else yield skipped(reason)
    // Without one of its conditions, the rule would match too much.
    if (reason !== undefined && !isAny) return
  }
  const { id, title, severity } = rule
  if (patterns.length > 0) rules.push({ id, title, severity, match: isAny ? 'any' : 'all', patterns })
}

function reasonAgainst(field: string, operator: string, pattern: Value): string | undefined {
  if (!textFields.has(field)) return `condition on ${field}, which is not server text`
  if (operator !== 'regex' || typeof pattern !== 'string') return `condition with the operator ${operator}`
  return compileRegex(pattern).ok ? undefined : 'expression that is not valid RE2'
}

function textOf(one: Value): string | undefined {
  if (typeof one === 'string') return one
  const texts = caseFields.map((field) => (isRecord(one) ? own(one, field) : undefined))
  return texts.find((written) => typeof written === 'string' && written.trim() !== '') as string | undefined
}
