/** The fields whose loss nobody notices until it is too late: mistyped, they are neither an approval nor a limit (OPEN-2). */
import { suggest } from '@joust/source'

/** What a field was called before the format settled on its name. */
const historicNames: ReadonlyMap<string, string> = new Map([
  ['allow_tools', 'allowed_tools'],
  ['allow_skills', 'allowed_skills'],
])

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
