/**
 * Checks a policy from a registry, because a misspelled or mistyped field would have no effect. Policies contain
 * functions, so the shapes of `@joust/source` do not apply.
 */
import type { ConditionGroup, Operators } from '@joust/agentformat'
import { compileRegex, isList, isRecord, kindOf } from '@joust/source'
import { limitGroups, limitNames } from '../budget/bounds.ts'
import { limitProblems, unknownKeys } from '../budget/check-options.ts'
import type { ApprovalKind } from '../model/events.ts'
import { type GovernanceApproval, type GovernancePolicy, guardrailStages } from '../model/governance.ts'

/** Returns the first problem with a policy; undefined if it is valid. */
export function policyProblem(policy: unknown): string | undefined {
  if (!isRecord(policy) || typeof policy.id !== 'string') return 'the registry did not return a policy'
  return object<GovernancePolicy>(policyParts)(policy, 'policy').at(0)
}

/** Returns the problems with a field; `at` is its name in messages. */
type Check = (value: unknown, at: string) => readonly string[]
type Parts<T> = { readonly [Key in keyof T]-?: Check }

const text = typed((value) => typeof value === 'string', 'a string')
const number = typed((value) => typeof value === 'number' && !Number.isNaN(value), 'a number')
const callable = typed((value) => typeof value === 'function', 'a function')
const literal = typed((value) => ['string', 'number', 'boolean'].includes(typeof value), 'a literal')

const kinds = ['tool', 'mcp_tool', 'agent', 'remote_agent', 'skill', 'sampling'] as const satisfies ApprovalKind[]
const kind = typed((value) => kinds.some((kind) => kind === value), `one of ${kinds.join(', ')}`)

const operators: Parts<Operators> = {
  gt: number,
  gte: number,
  lt: number,
  lte: number,
  ne: literal,
  pattern: typed((value) => typeof value === 'string' && compileRegex(value).ok, 'a pattern'),
  in: list(literal),
  not_in: list(literal),
}
const matcher: Check = (value, at) => (isRecord(value) ? object<Operators>(operators)(value, at) : literal(value, at))
const matchers: Check = (value, at) =>
  isRecord(value)
    ? Object.entries(value).flatMap(([key, part]) => matcher(part, `${at}.${key}`))
    : [wrong(at, 'an object', value)]
const group = object<ConditionGroup>({ args_match: matchers })
const condition: Check = (value, at) => {
  if (!isList(value)) return group(value, at)
  return value.length === 0 ? [wrong(at, 'a non-empty list', value)] : list(group)(value, at)
}

const texts = list(text)
const approval = object<GovernanceApproval>({ targets: texts, kinds: list(kind), condition, message_template: text })

const stage = typed((value) => guardrailStages.some((stage) => stage === value), `one of ${guardrailStages.join(', ')}`)

// Guardrails may be class instances with additional fields.
const guardrail: Check = (value, at) =>
  isRecord(value)
    ? [
        ...text(value.name, `${at}.name`),
        ...(value.stages === undefined ? [] : list(stage)(value.stages, `${at}.stages`)),
        ...callable(value.check, `${at}.check`),
      ]
    : [wrong(at, 'an object', value)]

const policyParts: Parts<GovernancePolicy> = {
  id: text,
  budget: limits('budget'),
  limits: limits('limits'),
  allowed_tools: texts,
  deny_tools: texts,
  approvals: list(approval),
  guardrails: list(guardrail),
  audit: callable,
}

function typed(isValid: (value: unknown) => boolean, expected: string): Check {
  return (value, at) => (isValid(value) ? [] : [wrong(at, expected, value)])
}

function list(item: Check): Check {
  return (value, at) =>
    isList(value) ? value.flatMap((member, index) => item(member, `${at}[${index}]`)) : [wrong(at, 'a list', value)]
}

function limits(group: 'budget' | 'limits'): Check {
  const names = limitNames.filter((name) => limitGroups[name] === group)
  return (value, at) => limitProblems(value, names).map((problem) => `${at}: ${problem}`)
}

/** Checks an object. Unknown keys are problems, because they may be misspelled. */
function object<T>(table: Parts<T>): Check {
  const checks = Object.entries<Check>(table)
  const names = checks.map(([name]) => name)
  return (value, at) => {
    if (!isRecord(value)) return [wrong(at, 'an object', value)]
    return [
      ...checks.flatMap(([name, check]) => (value[name] === undefined ? [] : check(value[name], `${at}.${name}`))),
      ...unknownKeys(value, names).map((problem) => `${at}: ${problem}`),
    ]
  }
}

function wrong(at: string, expected: string, value: unknown): string {
  return `${at} must be ${expected}, not ${kindOf(value)}`
}
