/** `sim/scripted`: replays turns, one each time it is asked, and fails when it is asked once too often. */
import { APICallError, type LanguageModelV3 as LanguageModel } from '@ai-sdk/provider'
import { defined } from '@joust/source'
import type { Script, ScriptedTurn } from './script.ts'
import { simulate, type Turn } from './simulation.ts'

/** A model that has its turns written down. */
interface ScriptedModel extends LanguageModel {
  /** Skips a turn that was taken in an earlier process. */
  skip(): void
}

/** A model that has its turns written down. It counts across everything that asks it; make one for each run. */
export function scriptedModel(script: Script): ScriptedModel {
  let asked = 0
  const model = simulate('scripted', () => {
    const turn = script[asked]
    asked += 1
    if (turn === undefined) throw new Error(`the script has ${script.length} turns and was asked for turn ${asked}`)
    if (turn.error !== undefined) throw failure(turn.error)
    return turnOf(turn, asked)
  })
  const skip = () => {
    asked += 1
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

function failure({ message, status, retry_after }: NonNullable<ScriptedTurn['error']>): Error {
  if (status === undefined) return new Error(message)
  const responseHeaders: Record<string, string> =
    retry_after === undefined ? {} : { 'retry-after': String(retry_after) }
  return new APICallError({
    message,
    url: 'sim://scripted',
    requestBodyValues: {},
    statusCode: status,
    responseHeaders,
  })
}
