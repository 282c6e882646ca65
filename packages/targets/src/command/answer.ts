import { errorAlong, textsAt } from '@joust/arena'
import { readValue } from '@joust/arena/wire'
import { err, ok, own, type Result, type Value } from '@joust/source'
import { targetLimits } from '../limits.ts'

/**
 * Returns the entire output; with a path, the text at that path in a JSON document or in the last JSON line that has
 * one. A later error means that the turn failed; earlier errors are ignored.
 */
export function answerIn(printed: string, path: string | undefined): Result<string, string> {
  if (path === undefined) return ok(printed.trim())
  let last: Result<string, string> = err(`printed no JSON with text at ${path}`)
  for (const value of documentsIn(printed)) {
    const text = textsAt(value, path).at(-1)
    if (text !== undefined) last = ok(text)
    const error = errorAlong(value, path)
    if (error !== undefined) last = err(error)
  }
  return last
}

interface LineAnswer {
  readonly text: string
  /** The turn number in the line, if there is one. */
  readonly turn: number | undefined
}

/**
 * Reads the answer in an output line: a JSON string, the `answer` of a JSON object, or the text at a path. Returns
 * undefined for a line without an answer (progress), and an error for an object with `error`.
 */
export function answerInLine(line: string, path: string | undefined): Result<LineAnswer | undefined, string> {
  const read = readValue(line, targetLimits.answerBytes)
  if (!read.ok) return ok(undefined)
  const { value } = read
  const error = errorAlong(value, path ?? 'answer')
  if (error !== undefined) return err(error)
  const isBare = path === undefined && typeof value === 'string'
  const text = isBare ? value : textsAt(value, path ?? 'answer').at(-1)
  const turn = own(value, 'turn')
  return ok(text === undefined ? undefined : { text, turn: typeof turn === 'number' ? turn : undefined })
}

function documentsIn(printed: string): readonly Value[] {
  const whole = readValue(printed, targetLimits.answerBytes)
  if (whole.ok) return [whole.value]
  return printed.split('\n').flatMap((line) => {
    const read = line.trimStart().startsWith('{') ? readValue(line, targetLimits.answerBytes) : undefined
    return read?.ok === true ? [read.value] : []
  })
}
