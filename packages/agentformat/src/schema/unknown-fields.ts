/** Reports unknown fields (Agent Format ): warnings, or errors in strict mode. */
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

export function checkUnknownFields(source: Source, file: string | undefined, strict: boolean): AgentDiagnostic[] {
  const fields = findUnknownFields(source.value)
  const { unknownFields: most } = agentLimits
  return fields.slice(0, most).map((field, index) => {
    const more = index === most - 1 && fields.length > most ? ` (${fields.length - most} more not listed)` : ''
    const { message, ...rest } = describe(field)
    return {
      severity: strict ? 'error' : 'warning',
      code: 'unknown_field',
      message: `${message}${more}`,
      ...rest,
      ...placeIn(source, file, field.path, 'key'),
    }
  })
}

/** Describes an unknown field. The level is high for a misspelled safety field and info for an extension (OPEN-2). */
function describe({ name, known }: UnknownField): Pick<AgentDiagnostic, 'message' | 'suggestion' | 'rule' | 'level'> {
  const unknown = `unknown field ${quote(name)} is ignored`
  if (name.startsWith('x-')) return { message: unknown, rule: 'OPEN-2', level: 'info' }
  const safetyField = similarSafetyField(name, known)
  const near = safetyField !== undefined && known.includes(safetyField) ? safetyField : suggest(name, known)
  if (safetyField === undefined) return { message: `${unknown}.`, ...suggestion('key', near), rule: 'R-05' }
  const message = `${unknown} and does not restrict the agent.`
  return { message, ...suggestion('key', near), rule: 'OPEN-2', level: 'high' }
}

interface UnknownField {
  readonly name: string
  readonly path: Path
  readonly known: readonly string[]
}

/**
 * Finds all fields that are not in the document schema, even in an invalid document. Fields below an unknown field are
 * not reported.
 */
export function findUnknownFields(document: Value): UnknownField[] {
  const fields: UnknownField[] = []
  walk(documentSchema, document, [], fields)
  const policy = own(document, 'execution_policy')
  if (isRecord(policy)) {
    const id = own(policy, 'id')
    // The schema of the configuration depends on the policy id.
    const schema = typeof id === 'string' && isStandardPolicyId(id) ? policyConfigs[id] : {}
    walk(schema, own(policy, 'config'), ['execution_policy', 'config'], fields)
  }
  return fields
}

function walk(schema: ValueRecord, value: Value | undefined, path: Path, fields: UnknownField[]): void {
  // An interface may be any JSON Schema.
  if (path.length === 2 && path[0] === 'interface') return
  const { oneOf, items } = schema
  if (isList(oneOf))
    for (const form of oneOf) if (isRecord(form) && accepts(form, value)) walk(form, value, path, fields)
  if (isList(value) && isRecord(items)) {
    for (const [index, item] of value.entries()) walk(items, item, [...path, index], fields)
  }
  if (isRecord(value)) walkFields(schema, value, path, fields)
}

function walkFields(schema: ValueRecord, value: ValueRecord, path: Path, fields: UnknownField[]): void {
  const { properties, additionalProperties } = schema
  for (const [name, child] of Object.entries(value)) {
    const field = own(properties, name)
    if (isRecord(field)) walk(field, child, [...path, name], fields)
    else if (isRecord(additionalProperties)) walk(additionalProperties, child, [...path, name], fields)
    // Closed objects are checked by the schema. Objects without properties may have any fields.
    else if (isRecord(properties) && additionalProperties === undefined)
      fields.push({ name, path: [...path, name], known: Object.keys(properties) })
  }
}

function accepts(form: ValueRecord, value: Value | undefined): boolean {
  return (form.type === 'object' && isRecord(value)) || (form.type === 'array' && isList(value))
}

/** The current names of renamed fields, keyed by former name. */
const historicNames: ReadonlyMap<string, string> = new Map([
  ['allow_tools', 'allowed_tools'],
  ['allow_skills', 'allowed_skills'],
])

/** Fields that restrict an agent and have no effect if misspelled (OPEN-2). */
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

/** Returns the safety field that an unknown field probably means. `known` contains the known fields of its parent. */
export function similarSafetyField(name: string, known: readonly string[]): string | undefined {
  if (safetyFields.includes(name)) return name
  const here = safetyFields.filter((field) => known.includes(field))
  return historicNames.get(name) ?? suggest(name, here) ?? suggest(name, safetyFields) ?? asMaximum(name)
}

function asMaximum(name: string): string | undefined {
  return /^max(?:imum)?(?:[_-]|[A-Z])/.test(name) ? name : undefined
}
