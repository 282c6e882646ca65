/** `sim/scripted`: replays turns from YAML or JSON, and fails after the last turn. */
import { APICallError, type LanguageModelV4 as LanguageModel } from '@ai-sdk/provider'
import {
  checkShape,
  type Diagnostic,
  defined,
  err,
  isList,
  isRecord,
  ok,
  own,
  type Path,
  type Result,
  readSource,
  type ShapeFault,
  shapeDiagnostic,
  shapes,
  sortByPosition,
  toDoubles,
  type Value,
} from '@joust/source'
import { simulate, type Turn } from './simulation.ts'

/** A tool call in a script. String arguments are passed on unchanged, even if they are not JSON. */
export interface ScriptedCall {
  readonly name: string
  readonly arguments?: Value
  readonly id?: string
}

/** An answer, or a provider error. */
export interface ScriptedTurn {
  readonly text?: string
  readonly tool_calls?: readonly ScriptedCall[]
  readonly usage?: { readonly input_tokens: number; readonly output_tokens: number }
  readonly error?: { readonly message: string; readonly status?: number; readonly retry_after?: number }
}

/** Turns in the order of the model calls. */
export type Script = readonly ScriptedTurn[]

interface ScriptedModel extends LanguageModel {
  /** Skips a turn that an earlier process already used. */
  skip(): void
}

/**
 * Creates a model that replays a script. All callers share its position, so create one for each run.
 *
 * @example
 * const model = scriptedModel([{ text: 'Good morning.' }, { error: { message: 'overloaded', status: 529 } }])
 */
export function scriptedModel(script: Script): ScriptedModel {
  let turns = 0
  const model = simulate('scripted', () => {
    const turn = script[turns]
    turns += 1
    if (turn === undefined) throw new Error(`the script has only ${script.length} turns; turn ${turns} was requested`)
    if (turn.error !== undefined) throw failure(turn.error)
    return turnOf(turn, turns)
  })
  const skip = () => {
    turns += 1
  }
  return { ...model, skip }
}

function turnOf({ text, usage, tool_calls = [] }: ScriptedTurn, number: number): Turn {
  const calls = tool_calls.map(({ id, name, arguments: input = {} }, index) => ({
    id: id ?? `scripted-${number}-${index + 1}`,
    tool: name,
    input: typeof input === 'string' ? input : JSON.stringify(input),
  }))
  return defined({ calls, text, usage: usage && { input: usage.input_tokens, output: usage.output_tokens } })
}

function failure({ message, status: statusCode, retry_after }: NonNullable<ScriptedTurn['error']>): Error {
  if (statusCode === undefined) return new Error(message)
  const responseHeaders: Record<string, string> =
    retry_after === undefined ? {} : { 'retry-after': String(retry_after) }
  return new APICallError({ message, url: 'sim://scripted', requestBodyValues: {}, statusCode, responseHeaders })
}

const { count, list, number, object, optional, required, text } = shapes

const call = object({ name: required(text), arguments: optional(shapes.value), id: optional(text) })
const usage = object({ input_tokens: required(count()), output_tokens: required(count()) })
const error = object({ message: required(text), status: optional(number), retry_after: optional(number) })
const turns = list(
  object({ text: optional(text), tool_calls: optional(list(call)), usage: optional(usage), error: optional(error) }),
)
const scriptShape = shapes.choice(object({ turns: required(turns) }), turns)

/**
 * Reads a script: a list of turns, or an object with `turns`. Returns all findings.
 *
 * @example
 * const script = readScript('- text: Good morning.')
 * if (script.ok) console.log((await scriptedModel(script.value).doGenerate({ prompt: [] })).content)
 */
export function readScript(written: string): Result<Script, Diagnostic[]> {
  const source = readSource(written)
  if (!source.ok) return source
  const value = toDoubles(source.value.value)
  const [script, path] = isRecord(value) ? [own(value, 'turns'), ['turns']] : [value, []]
  const contradictions = (isList(script) ? script : []).flatMap((turn, index) => turnFaults(turn, [...path, index]))
  const faults = [...checkShape(value, scriptShape), ...contradictions]
  if (faults.length > 0)
    return err(sortByPosition(faults.map((fault) => shapeDiagnostic(source.value, fault, 'script'))))
  // The checks above ensure this type.
  return ok(script as Script)
}

/** A turn either answers or fails. */
function turnFaults(turn: Value, path: Path): ShapeFault[] {
  if (!isRecord(turn)) return []
  const kind = 'type_mismatch'
  const [first, ...answers] = ['error', 'text', 'tool_calls', 'usage'].filter((key) => own(turn, key) !== undefined)
  if (first === undefined || first === 'usage')
    return [{ kind, path, at: 'value', message: 'a turn needs text, tool_calls or an error' }]
  if (first !== 'error' || answers.length === 0) return []
  const message = `a turn with an error cannot have ${answers.join(', ')}`
  return [{ kind, path: [...path, 'error'], at: 'value', message }]
}
