/** Converts calls to the agent's model to trace entries, within limits. */
import type { ModelEntry, ModelMessage } from '@joust/results'
import { cut, defined, type Value, writeJson } from '@joust/source'
import { arenaLimits } from '../model/limits.ts'
import type { ModelObservation, ObservedCall } from '../model/target.ts'

/** A model call: as recorded, and the complete request as sent. */
interface SeenCall {
  readonly entry: ModelEntry
  readonly request: Value
}

/** Returns the model calls in a run, but not other requests such as token counts. */
export function modelCallsOf(
  observation: ModelObservation | undefined,
  startedAt: number,
  postflightWord?: string,
): SeenCall[] {
  const isOfRun = ({ wire, messages }: ObservedCall) =>
    wire !== 'other' && (postflightWord === undefined || !JSON.stringify(messages).includes(postflightWord))
  const calls = (observation?.calls() ?? []).filter(isOfRun)
  let room: number = arenaLimits.modelRunText
  return calls.map((call, index) => {
    const { messages, tools } = call
    const short = createShortener(room)
    const { at, elapsed_ms, duration_ms } = timesOf(call, startedAt)
    // The answer comes first: it matters more than a prompt that repeats earlier prompts.
    const answer = {
      text: short.text(call.answer.text),
      calls: call.answer.calls.map(({ id, name, input }) => ({ id, name, input: short.value(input) })),
    }
    // The last messages are new; the first messages also occur in earlier calls.
    const recent = messages
      .toReversed()
      .flatMap((message) => short.message(message))
      .reverse()
    const offered = tools.flatMap(({ name, description, schema }) =>
      short.isFull()
        ? []
        : [defined({ name, description: short.text(description), schema: schema && short.value(schema) })],
    )
    room = short.room()
    const { wire, finish, usage, error, status, model: name } = call
    const entry: ModelEntry = {
      ...{ model: index + 1, at, elapsed_ms, duration_ms, wire, messages: recent, tools: offered, answer, finish },
      ...defined({ name, usage, error: error && short.text(error), status, cut: short.isCut() || undefined }),
    }
    return { entry, request: call.body ?? null }
  })
}

function timesOf({ started, duration }: ObservedCall, startedAt: number) {
  const time = new Date(started)
  const isValid = !Number.isNaN(time.getTime())
  return {
    at: isValid ? time.toISOString() : '',
    elapsed_ms: isValid ? Math.max(0, started - startedAt) : 0,
    duration_ms: Number.isFinite(duration) ? duration : 0,
  }
}

/** Shortens text, and drops messages that exceed the size limit of an entry. */
function createShortener(roomOfRun: number) {
  let remaining: number = Math.min(arenaLimits.modelEntryText, roomOfRun)
  let isCut = false
  const spend = (length: number) => {
    remaining -= length
  }
  const text = (whole: string): string => {
    const short = cut(whole, Math.max(1, Math.min(arenaLimits.modelText, remaining)))
    spend(short.length)
    isCut ||= short !== whole
    return short
  }
  const value = (whole: Value): Value => {
    const { length } = writeJson(whole)
    if (length > Math.min(arenaLimits.modelText, remaining)) return text(writeJson(whole))
    spend(length)
    return whole
  }
  return {
    text,
    value,
    message(message: ModelMessage): ModelMessage[] {
      if (remaining <= 0) {
        isCut = true
        return []
      }
      return [
        message.role === 'call'
          ? { ...message, input: value(message.input) }
          : { ...message, text: text(message.text) },
      ]
    },
    isFull: () => remaining <= 0,
    isCut: () => isCut,
    room: () => Math.max(0, roomOfRun - (Math.min(arenaLimits.modelEntryText, roomOfRun) - remaining)),
  }
}
