/** The answer of an agent in what it printed. */
import { err, ok, own, type Result, type Value } from '@joust/source'
import { readValue } from '../../drivers/json-rpc.ts'
import { errorAlong, textsAt } from '../../model/error-answer.ts'
import { arenaLimits } from '../../model/limits.ts'

/**
 * All of it, or what a path leads to: in one JSON document, or in JSON lines, the last of which that has it counts. An
 * error after it says that the turn failed anyway; one before it was overcome.
 */
export function answerIn(printed: string, path: string | undefined): Result<string, string> {
  if (path === undefined) return ok(printed.trim())
  let last: Result<string, string> = err(`printed nothing that has a text at ${path}`)
  for (const value of documentsIn(printed)) {
    const text = textsAt(value, path).at(-1)
    if (text !== undefined) last = ok(text)
    const error = errorAlong(value, path)
    if (error !== undefined) last = err(error)
  }
  return last
}

/** An answer, and the turn that it belongs to, where it says so. */
interface LineAnswer {
  readonly text: string
  readonly turn: number | undefined
}

/**
 * The answer in a line of a process: a JSON text, the `answer` of a JSON object or what a path leads to. `undefined`
 * for a line without one, which is progress; an object with an `error` says that there will be no answer.
 */
export function answerInLine(line: string, path: string | undefined): Result<LineAnswer | undefined, string> {
  const read = readValue(line, arenaLimits.answerBytes)
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
  const whole = readValue(printed, arenaLimits.answerBytes)
  if (whole.ok) return [whole.value]
  return printed.split('\n').flatMap((line) => {
    const read = line.trimStart().startsWith('{') ? readValue(line, arenaLimits.answerBytes) : undefined
    return read?.ok === true ? [read.value] : []
  })
}
