/** Journal line shapes. Journals are untrusted, so each line is checked before use. */
import { checkShape, isRecord, type ObjectShape, type Shape, shapes, type Value } from '@joust/source'

/** A journal line. `at` is the time spent on the run, in milliseconds. */
export type Line = { readonly at: number } & (
  | { readonly begin: string }
  | { readonly end: string; readonly value: Value }
  /** The end of a step with the same value as an earlier step. */
  | { readonly end: string; readonly same: string }
  | { readonly spent: unknown; readonly by: string }
  | { readonly finished: unknown }
)

const { list, choice, text, boolean, number, value, count, required, optional } = shapes
/** Allows additional fields, because hosts may add their own. */
const object = (fields: ObjectShape['fields']) => shapes.object(fields, 'any')

/** Tokens used by a model call within another step. */
const spent = object({ inputTokens: required(count()), outputTokens: required(count()), estimated: required(boolean) })

const part = object({
  ...{ type: required(text), text: optional(text), input: optional(text) },
  ...{ toolCallId: optional(text), toolName: optional(text) },
})
const answer = object({
  content: required(list(part)),
  usage: required(object({ inputTokens: required(object({})), outputTokens: required(object({})) })),
  finishReason: required(object({ unified: required(text), raw: optional(text) })),
})
const fault = object({
  ...{ message: required(text), retryable: required(boolean) },
  ...{ status: optional(number), retryAfterMs: optional(number) },
})
const observation = object({ content: required(value), isError: required(boolean) })
const thread = object({ contextId: optional(text), taskId: optional(text) })
const tool = object({
  ...{ name: required(text), inputSchema: required(object({})) },
  ...{ description: optional(text), repeatable: optional(boolean) },
})
const turn = object({ agent: required(text), input: required(value), output: required(value) })

/** Step results, by the first word of the step name. */
const steps: Readonly<Record<string, Shape>> = {
  model: choice(object({ fault: required(fault) }), object({ answer: required(answer) }), ['fault']),
  tool: choice(
    object({ observation: required(observation), thread: optional(thread) }),
    object({ failed: required(text) }),
    ['observation'],
  ),
  approval: object({ approved: required(boolean), unavailable: required(boolean), reason: optional(text) }),
  list: list(tool),
  recall: list(turn),
  remember: value,
  started: number,
  instructions: text,
}

const usage = object({
  ...{ inputTokens: required(count()), outputTokens: required(count()), totalTokens: required(count()) },
  ...{ estimated: required(boolean), modelCalls: required(count()), toolCalls: required(count()) },
  durationMs: required(number),
})
const warning = object({ code: required(text), message: required(text), agent: required(list(text)) })
const call = object({ id: required(text), name: required(text), args: required(value) })
const finished = object({
  ...{ output: optional(value), clientToolCalls: optional(list(call)) },
  ...{ usage: required(usage), warnings: required(list(warning)) },
})

/** Checks a line. `ended` contains the values of earlier steps, which the line may reference. */
export function isLine(line: unknown, ended: ReadonlyMap<string, Value>): line is Line {
  if (!isRecord(line) || typeof line.at !== 'number' || !(line.at >= 0)) return false
  const { begin, end, by, same } = line
  switch (Object.keys(line).sort().join()) {
    case 'at,begin':
      return typeof begin === 'string'
    case 'at,end,value':
      return typeof end === 'string' && isStep(end, line.value)
    case 'at,end,same':
      return typeof end === 'string' && typeof same === 'string' && isStep(end, ended.get(same))
    case 'at,by,spent':
      return typeof by === 'string' && fits(line.spent, spent)
    case 'at,finished':
      return fits(line.finished, finished)
    default:
      return false
  }
}

function isStep(name: string, result: Value | undefined): boolean {
  const [kind = ''] = name.split(' ', 1)
  // The availability of resources is recorded as a list step too.
  if (kind === 'list' && typeof result === 'boolean') return true
  return Object.hasOwn(steps, kind) && fits(result, steps[kind] ?? value)
}

function fits(result: Value | undefined, shape: Shape): boolean {
  return result !== undefined && checkShape(result, shape, 1).length === 0
}
