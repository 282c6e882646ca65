/** What a server sends while it handles a request: elicitations (§7.1.4), and what an entry asks for by itself. */
import type { ResponseEntry } from '@joust/oatf'
import { isList, isRecord, own, type Value, type ValueRecord } from '@joust/source'
import { type Call, type Interlude, param } from './call.ts'

/** The elicitations whose condition holds for the request. */
export function elicitations(call: Call): Interlude[] {
  const list = own(call.state, 'elicitations')
  if (list === undefined) return []
  if (!isList(list)) {
    call.stage.report('state-malformed', 'elicitations is not a list, so none is sent', 'elicitations')
    return []
  }
  return list
    .filter(isRecord)
    .filter((elicitation) => call.stage.holds(own(elicitation, 'when'), call.params))
    .map((elicitation) => ({ method: 'elicitation/create', params: () => elicitationParams(call, elicitation) }))
}

/**
 * Our extension: `x-joust-during: [{ send: { method, params } }]` in a response entry of a tool or prompt. The messages are
 * sent in order on the stream of the request before its answer; those that have a reply are waited for. Templates see the
 * request. Templates make strings, and a progress token may be a number: `notifications/progress` without a
 * `progressToken` gets the one of the request, and is left out when the request has none.
 */
export function during(call: Call, entry: ResponseEntry | undefined, path: string): Interlude[] {
  const steps = entry?.['x-joust-during']
  if (steps === undefined) return []
  const malformed = (what: string) =>
    call.stage.report('state-malformed', `x-joust-during: ${what}`, `${path}.responses`)
  if (!isList(steps)) {
    malformed('no list')
    return []
  }
  return steps.flatMap((step) => {
    const message = isRecord(step) ? own(step, 'send') : undefined
    const method = isRecord(message) ? own(message, 'method') : undefined
    if (!isRecord(message) || typeof method !== 'string') {
      malformed('a step that does not send a method')
      return []
    }
    return [{ method, params: () => duringParams(call, method, own(message, 'params')) }]
  })
}

function duringParams(call: Call, method: string, params: Value = {}): Value | undefined {
  const filled = call.fill(params)
  if (method !== 'notifications/progress' || !isRecord(filled) || own(filled, 'progressToken') !== undefined)
    return filled
  const meta = param(call, '_meta')
  const progressToken = isRecord(meta) ? own(meta, 'progressToken') : undefined
  return progressToken === undefined ? undefined : { progressToken, ...filled }
}

/** What goes on the wire: the fields of the mode, and whatever else is written. */
function elicitationParams({ fill, newId }: Call, elicitation: ValueRecord): Value {
  const { when: _, ...written } = elicitation
  const filled = fill({ mode: 'form', ...written })
  if (!isRecord(filled)) return filled
  if (filled.mode === 'form') {
    const { url: _url, elicitationId: _id, ...form } = filled
    return form
  }
  if (filled.mode !== 'url') return filled
  const { requestedSchema: _schema, ...rest } = filled
  return own(rest, 'elicitationId') === undefined ? { ...rest, elicitationId: newId() } : rest
}
