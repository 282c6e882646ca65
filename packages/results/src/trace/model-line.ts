/** Parses trace lines with calls to the agent's model, and the facts about these calls in the last line. */
import { checkShape, err, formatPath, ok, type Result, type Shape, shapes, type Value } from '@joust/source'
import type { ModelEntry } from '../model/model-entry.ts'
import { type ModelFacts, readings, replies } from '../model/run-facts.ts'

const { boolean, choice, count, enumeration, list, map, number, object, optional, required, text, value } = shapes

const finishes = [
  'complete',
  'cut',
  'filtered',
  'error',
  'unknown',
] as const satisfies readonly ModelEntry['finish']['kind'][]

const call = object({ id: required(text), name: required(text), input: required(value) }, 'later')
const promptCall = object({ role: required(enumeration(['call'])), ...call.fields }, 'later')
const promptResult = object(
  { role: required(enumeration(['result'])), id: required(text), text: required(text) },
  'later',
)
const promptText = object(
  { role: required(enumeration(['system', 'user', 'assistant', 'reasoning'])), text: required(text) },
  'later',
)
const tool = object({ name: required(text), description: required(text), schema: optional(value) }, 'later')

const modelLine = object(
  {
    model: required(count(1)),
    at: required(text),
    elapsed_ms: required(number),
    duration_ms: required(number),
    wire: required(text),
    name: optional(text),
    messages: required(list(choice(promptCall, choice(promptResult, promptText, ['id']), ['name']))),
    tools: required(list(tool)),
    answer: required(object({ text: required(text), calls: required(list(call)) }, 'later')),
    finish: required(object({ kind: required(enumeration(finishes)), word: optional(text) }, 'later')),
    usage: optional(object({ input: optional(number), output: optional(number), cached: optional(number) }, 'later')),
    error: optional(text),
    status: optional(count()),
    cut: optional(boolean),
    redacted: optional(boolean),
  },
  'later',
)

const factsShape = object(
  {
    calls: required(count()),
    missed: required(count()),
    read: required(
      map(
        object(
          {
            how: required(enumeration(readings)),
            call: required(count(1)),
            reply: required(enumeration(replies)),
            texts: optional(list(text)),
            unconfirmed: optional(boolean),
            background: optional(boolean),
            truncated: optional(boolean),
            missing: optional(list(text)),
          },
          'later',
        ),
      ),
    ),
    answered: optional(boolean),
  },
  'later',
)

export function modelEntryIn(line: Value): Result<ModelEntry, string> {
  // The shape matches the type.
  return checked(line, modelLine, (valid) => valid as unknown as ModelEntry)
}

export function modelFactsIn(facts: Value): Result<ModelFacts, string> {
  // The shape matches the type.
  return checked(facts, factsShape, (valid) => valid as unknown as ModelFacts)
}

function checked<T>(line: Value, shape: Shape, typed: (valid: Value) => T): Result<T, string> {
  const [fault] = checkShape(line, shape, 1)
  if (fault === undefined) return ok(typed(line))
  return err(`${fault.message} (${formatPath(fault.path)})`)
}
