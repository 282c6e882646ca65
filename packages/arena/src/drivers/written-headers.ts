/**
 * The extension `x-joust-headers` of a state or an action: HTTP headers sent by the document. They replace the driver's
 * headers; null removes a header. On a server, `:status` sets the response status.
 */
import { HEADERS, headerFault, roleOf, STATUS } from '@joust/oatf'
import { isRecord, kindOf, own, type Value } from '@joust/source'
import type { HttpReply } from '../model/http.ts'
import type { Scene, Stage } from './driver.ts'

/** Headers by lower-case name; null removes a driver header. */
export type WrittenHeaders = Readonly<Record<string, string | null>>

/** Headers of the action take precedence over those of the state. */
export function writtenHeaders(stage: Stage, scene: Scene, action?: Value): WrittenHeaders {
  const { [STATUS]: _, ...ofState } = stateHeaders(stage, scene)
  return { ...ofState, ...readHeaders(stage, action, false) }
}

function stateHeaders(stage: Stage, { state }: Scene): WrittenHeaders {
  return readHeaders(stage, own(state, HEADERS), roleOf(stage.mode) === 'server')
}

export function withWritten(
  headers: Readonly<Record<string, string>>,
  written: WrittenHeaders,
): Record<string, string> {
  const all: Record<string, string> = {}
  for (const [name, value] of Object.entries({ ...headers, ...written })) if (value !== null) all[name] = value
  return all
}

/** Adds the headers of the current state to the reply. */
export function writtenReply(stage: Stage, reply: HttpReply): HttpReply {
  return {
    write: (chunk) => reply.write(chunk),
    end: (chunk) => reply.end(chunk),
    destroy: () => reply.destroy(),
    head(status, headers = {}) {
      const { [STATUS]: code, ...written } = stateHeaders(stage, stage.scene())
      reply.head(typeof code === 'string' ? Number(code) : status, withWritten(headers, written))
    },
  }
}

/** For headers whose templates are already filled; invalid headers are omitted. */
export function sentHeaders(stage: Stage, value: Value | undefined): Record<string, string> {
  return withWritten(
    {},
    readHeaders(stage, value, false, (filled) => filled),
  )
}

function readHeaders(stage: Stage, value: Value | undefined, takesStatus: boolean, fill = stage.fill): WrittenHeaders {
  if (value === undefined || value === null) return {}
  if (!isRecord(value)) {
    stage.report('state-malformed', `${HEADERS}: expected a mapping, got ${kindOf(value)}`, HEADERS)
    return {}
  }
  const headers: Record<string, string | null> = {}
  for (const [name, written] of Object.entries(value)) {
    const filled = fill(written)
    const fault = headerFault(name, filled, takesStatus)
    if (fault !== undefined) stage.report('content-malformed', `${HEADERS}: ${name} cannot be sent: ${fault}`, HEADERS)
    else headers[name.toLowerCase()] = filled === null ? null : String(filled)
  }
  return headers
}
