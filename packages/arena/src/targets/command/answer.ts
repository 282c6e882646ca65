/** The answer of an agent in what it printed. */
import { resolveWildcardPath } from '@joust/oatf'
import { err, isRecord, ok, own, type Result, type Value } from '@joust/source'
import { readValue } from '../../drivers/json-rpc.ts'

/** All of it, or what a path leads to: in one JSON document, or in JSON lines, of which the last that has it counts. */
export function answerIn(printed: string, path: string | undefined): Result<string, string> {
  if (path === undefined) return ok(printed.trim())
  const texts = documentsIn(printed).flatMap((value) =>
    resolveWildcardPath(path, value).filter((found) => typeof found === 'string'),
  )
  const last = texts.at(-1)
  return last === undefined ? err(`printed nothing that has a text at ${path}`) : ok(last)
}

/** The answer in a line of a process: a JSON text, the `answer` of a JSON object, what a path leads to, or the line itself. */
export function answerInLine(line: string, path: string | undefined): Result<string, string> {
  if (path !== undefined) return answerIn(line, path)
  const read = readValue(line, MOST_BYTES)
  const found = read.ok && isRecord(read.value) ? own(read.value, 'answer') : read.ok ? read.value : undefined
  return ok(typeof found === 'string' ? found : line)
}

function documentsIn(printed: string): readonly Value[] {
  const whole = readValue(printed, MOST_BYTES)
  if (whole.ok) return [whole.value]
  return printed.split('\n').flatMap((line) => {
    const read = line.trimStart().startsWith('{') ? readValue(line, MOST_BYTES) : undefined
    return read?.ok === true ? [read.value] : []
  })
}

const MOST_BYTES = 16 * 1024 * 1024
