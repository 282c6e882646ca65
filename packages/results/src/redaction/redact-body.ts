/** Redacts HTTP message bodies: JSON, event streams or text. */
import { compactJson, isList, parseJson, readJson, type Value } from '@joust/source'
import type { Redactor } from './redactor.ts'
import { hideSplitSecrets } from './split-secrets.ts'

/**
 * Redacts a body. JSON stays valid, and secrets are also found across the events of a stream. A body without secrets is
 * returned unchanged.
 */
export function redactBody(body: string, redactor: Redactor): string {
  const json = readJson(body)
  if (json.ok) {
    const [value] = isList(json.value) ? [redactItems(json.value, redactor)] : redactItems([json.value], redactor)
    return value === undefined || value === json.value ? body : textOf(value)
  }
  return /^data:/m.test(body) ? redactEvents(body, redactor) : redactor.text(body)
}

function redactEvents(body: string, redactor: Redactor): string {
  // The separators are at odd indices.
  const events = body.split(/(\r\n\r\n|\n\n|\r\r)/)
  const places: number[] = []
  const values: Value[] = []
  for (const [place, event] of events.entries()) {
    const lines = [...event.matchAll(/^data: ?(.*)$/gm)].map(([, line]) => line)
    const data = parseJson(lines.join('\n'))
    if (data === undefined) events[place] = redactor.text(event)
    else {
      places.push(place)
      values.push(data)
    }
  }
  for (const [index, data] of redactItems(values, redactor).entries()) {
    const place = places[index] ?? 0
    if (data !== values[index]) events[place] = withData(events[place] ?? '', data)
  }
  return events.join('')
}

/** Redacts each item, then secrets that are split across items. Returns unchanged items and lists as they are. */
function redactItems(items: readonly Value[], redactor: Redactor): readonly Value[] {
  const redacted: Value[] = []
  const split = hideSplitSecrets<Value>(
    { secrets: redactor.secrets, streamOf: () => '', valueOf: (item) => item, hidden: (_, value) => value },
    (item) => void redacted.push(item),
  )
  for (const item of items) {
    let isHidden = false
    const value = redactor.value(item, () => {
      isHidden = true
    })
    split.push(isHidden ? value : item)
  }
  split.flush()
  return redacted.every((item, index) => item === items[index]) ? items : redacted
}

/** Puts the data of an event into its first data line. The other data lines become comments. */
function withData(event: string, data: Value): string {
  let line = `data: ${textOf(data)}`
  return event.replaceAll(/^data:.*$/gm, () => {
    const here = line
    line = ':'
    return here
  })
}

function textOf(value: Value): string {
  const text = compactJson(value, 'document')
  return text.ok ? text.value : JSON.stringify(value)
}
