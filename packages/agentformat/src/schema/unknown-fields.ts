/** one warning for each unknown field, an error in strict mode. */
import {
  isList,
  isRecord,
  own,
  type Path,
  type Source,
  suggest,
  suggestion,
  type Value,
  type ValueRecord,
} from '@joust/source'
import type { AgentDiagnostic } from '../model/diagnostic.ts'
import { agentLimits } from '../model/limits.ts'
import { placeIn } from '../model/origin.ts'
import { isStandardPolicyId } from '../model/policy.ts'
import { quote } from '../model/quote.ts'
import { documentSchema } from './document/document-schema.ts'
import { policyConfigs } from './document/policies.ts'

/** The findings about unknown fields of a text. */
export function checkUnknownFields(source: Source, file: string | undefined, strict: boolean): AgentDiagnostic[] {
  const fields = findUnknownFields(source.value)
  return fields.slice(0, agentLimits.unknownFields).map((field, index) => {
    const more =
      index === agentLimits.unknownFields - 1 && fields.length > agentLimits.unknownFields
        ? ` (${fields.length - agentLimits.unknownFields} more are not listed)`
        : ''
    const { message, ...judged } = judge(field)
    return {
      severity: strict ? 'error' : 'warning',
      code: 'unknown_field',
      message: `${message}${more}`,
      ...judged,
      ...placeIn(source, file, field.path, 'key'),
    }
  })
}

/** OPEN-2: loud for what was meant to keep the agent safe, quiet for what was meant to be an extension. */
function judge({ name, known }: UnknownField): Pick<AgentDiagnostic, 'message' | 'suggestion' | 'rule' | 'level'> {
  const unknown = `the field ${quote(name)} is not known here and has no effect`
  if (name.startsWith('x-')) return { message: unknown, rule: 'OPEN-2', level: 'info' }
  const meant = meantSafetyField(name, known)
  const near = meant !== undefined && known.includes(meant) ? meant : suggest(name, known)
  if (meant === undefined) return { message: `${unknown}.`, ...suggestion('key', near), rule: 'R-05' }
  return { message: `${unknown}: it protects nothing.`, ...suggestion('key', near), rule: 'OPEN-2', level: 'high' }
}

/** A field that has no effect. */
interface UnknownField {
  readonly name: string
  readonly path: Path
  /** The fields that its place has. */
  readonly known: readonly string[]
}

/**
 * Every unknown field, whatever else is wrong with the document; nothing below one is reported. A walk along the
 * document schema.
 */
export function findUnknownFields(document: Value): UnknownField[] {
  const found: UnknownField[] = []
  walk(documentSchema, document, [], found)
  const policy = own(document, 'execution_policy')
  if (isRecord(policy)) {
    const id = own(policy, 'id')
    // The schema of a configuration depends on the id beside it.
    const schema = typeof id === 'string' && isStandardPolicyId(id) ? policyConfigs[id] : {}
    walk(schema, own(policy, 'config'), ['execution_policy', 'config'], found)
  }
  return found
}

function walk(schema: ValueRecord, value: Value | undefined, path: Path, found: UnknownField[]): void {
  // An interface is any JSON Schema.
  if (path.length === 2 && path[0] === 'interface') return
  const { oneOf, items } = schema
  if (isList(oneOf)) for (const form of oneOf) if (isRecord(form) && takes(form, value)) walk(form, value, path, found)
  if (isList(value) && isRecord(items)) {
    for (const [index, item] of value.entries()) walk(items, item, [...path, index], found)
  }
  if (isRecord(value)) walkFields(schema, value, path, found)
}

function walkFields(schema: ValueRecord, value: ValueRecord, path: Path, found: UnknownField[]): void {
  const { properties, additionalProperties } = schema
  for (const [name, child] of Object.entries(value)) {
    const field = own(properties, name)
    if (isRecord(field)) walk(field, child, [...path, name], found)
    else if (isRecord(additionalProperties)) walk(additionalProperties, child, [...path, name], found)
    // A closed object is up to the schema, and one without properties may have any fields.
    else if (isRecord(properties) && additionalProperties === undefined) {
      found.push({ name, path: [...path, name], known: Object.keys(properties) })
    }
  }
}

/** Whether a form is the one for this kind of value. */
function takes(form: ValueRecord, value: Value | undefined): boolean {
  return (form.type === 'object' && isRecord(value)) || (form.type === 'array' && isList(value))
}

/** What a field was called before the format settled on its name. */
const historicNames: ReadonlyMap<string, string> = new Map([
  ['allow_tools', 'allowed_tools'],
  ['allow_skills', 'allowed_skills'],
])

/** Fields whose loss is noticed too late: mistyped, they are neither an approval nor a limit (OPEN-2). */
const safetyFields = [
  'approval',
  'condition',
  'args_match',
  'allowed_tools',
  'allowed_skills',
  'constraints',
  'tighten_only_invariant',
  'limits',
  'budget',
  'governance_policies',
  'policy_ref',
  'required',
  'max_token_usage',
  'max_duration_seconds',
  'max_llm_calls',
  'max_tool_calls',
  'max_delegation_depth',
  'max_steps',
  'max_iterations',
  'max_batch_count',
  'max_output_tokens',
  'memory_scope_strategy',
]

/** The safety field that an unknown field may stand for; `known` are the fields that its place has. */
export function meantSafetyField(name: string, known: readonly string[]): string | undefined {
  if (safetyFields.includes(name)) return name
  const here = safetyFields.filter((field) => known.includes(field))
  return historicNames.get(name) ?? suggest(name, here) ?? suggest(name, safetyFields) ?? asMaximum(name)
}

/** Whatever is called a maximum is meant to limit something. */
function asMaximum(name: string): string | undefined {
  return /^max(?:imum)?(?:[_-]|[A-Z])/.test(name) ? name : undefined
}
