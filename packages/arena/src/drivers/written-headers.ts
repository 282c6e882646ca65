/**
 * The extension `x-joust-headers` of a state or an action: HTTP headers that the document sends. They replace those of
 * the driver; null removes one. On a server, `:status` sets the status of answers.
 */
import { isRecord, kindOf, own, type Value } from '@joust/source'
import type { HttpReply } from '../model/http.ts'
import type { Scene, Stage } from './driver.ts'

export const HEADERS = 'x-joust-headers'

/** Headers by lower-case name; null removes a header of the driver. */
export type WrittenHeaders = Readonly<Record<string, string | null>>

const NAME = /^[!#$%&'*+.^_`|~0-9a-z-]+$/
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/
/** Headers that delimit a message; a wrong value would break the connection instead of testing the peer. */
const FRAMING: ReadonlySet<string> = new Set(['content-length', 'transfer-encoding', 'connection', 'upgrade'])

/** The headers of a state and, with precedence, of an action. */
export function writtenHeaders(stage: Stage, scene: Scene, action?: Value): WrittenHeaders {
  return { ...readHeaders(stage, own(scene.state, HEADERS)), ...readHeaders(stage, action) }
}

/** Adds the document's headers to the driver's headers. */
export function withWritten(
  headers: Readonly<Record<string, string>>,
  written: WrittenHeaders,
): Record<string, string> {
  const all: Record<string, string> = {}
  for (const [name, value] of Object.entries({ ...headers, ...written })) if (value !== null) all[name] = value
  return all
}

/** A reply whose head has the headers of the current state. */
export function writtenReply(stage: Stage, reply: HttpReply): HttpReply {
  return {
    write: (chunk) => reply.write(chunk),
    end: (chunk) => reply.end(chunk),
    destroy: () => reply.destroy(),
    head(status, headers = {}) {
      const { [STATUS]: code, ...written } = writtenHeaders(stage, stage.scene())
      reply.head(typeof code === 'string' ? Number(code) : status, withWritten(headers, written))
    },
  }
}

/** Headers whose templates are already filled, without invalid ones. */
export function sentHeaders(stage: Stage, value: Value | undefined): Record<string, string> {
  const { [STATUS]: _, ...headers } = readHeaders(stage, value, (filled) => filled)
  return withWritten({}, headers)
}

const STATUS = ':status'

function readHeaders(stage: Stage, value: Value | undefined, fill = stage.fill): WrittenHeaders {
  if (value === undefined || value === null) return {}
  if (!isRecord(value)) {
    stage.report('state-malformed', `${HEADERS}: expected a mapping, got ${kindOf(value)}`, HEADERS)
    return {}
  }
  const headers: Record<string, string | null> = {}
  for (const [name, written] of Object.entries(value)) {
    const key = name.toLowerCase()
    const filled = fill(written)
    const text = filled === null ? null : typeof filled === 'object' ? undefined : String(filled)
    if (text === undefined || !isValid(key, text))
      stage.report('content-malformed', `${HEADERS}: ${name} cannot be sent`, HEADERS)
    else headers[key] = text
  }
  return headers
}

function isValid(name: string, text: string | null): boolean {
  if (name === STATUS) return text !== null && /^[1-5]\d\d$/.test(text)
  return NAME.test(name) && !FRAMING.has(name) && (text === null || VALUE.test(text))
}
