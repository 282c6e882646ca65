/** Server-sent events whose data is JSON. */
import { parseJson, type Value } from '@joust/source'

/** The data of a stream. */
interface EventData {
  readonly values: readonly Value[]
  /** Events whose data is not JSON. */
  readonly broken: number
  /** True if the stream had an end marker. */
  readonly isDone: boolean
}

const DONE = '[DONE]'

/** Reads a whole stream. A last event without an empty line after it counts only if it is JSON. */
export function readEvents(text: string): EventData {
  const values: Value[] = []
  let broken = 0
  let isDone = false
  let data: string[] = []
  const finish = (isLast: boolean) => {
    const json = data.join('\n').trim()
    data = []
    if (json === '') return
    if (json === DONE) isDone = true
    else {
      const value = parseJson(json)
      if (value !== undefined) values.push(value)
      else if (!isLast) broken += 1
    }
  }
  for (const line of text.split(/\r\n|\n|\r/)) {
    if (line === '') finish(false)
    else if (line.startsWith('data:')) data.push(line.slice(5).replace(/^ /, ''))
  }
  finish(true)
  return { values, broken, isDone }
}
