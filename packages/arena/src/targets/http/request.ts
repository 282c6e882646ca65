/** A request template with everything filled in. */
import { isList, isRecord, type Value, writeJson } from '@joust/source'
import type { HttpCall, HttpSend } from '../../model/http.ts'
import type { ServerActor } from '../../model/target.ts'
import type { Pasteable } from '../front-door/request.ts'
import type { Gateway } from '../gateway.ts'

interface RequestValues {
  readonly prompt: string
  readonly input: Value
  /** Absent in the first turn where the agent names conversations itself. */
  readonly conversation: string | undefined
  readonly servers: readonly ServerActor[]
}

/** The request of a turn. A field that is just `{conversation}` is left out while the conversation has no name. */
export function fillRequest(
  { url, method = 'POST', headers = {}, body }: HttpTargetOptions & { readonly body: Value },
  values: RequestValues,
): Omit<HttpCall, 'signal'> {
  const isText = typeof body === 'string'
  const named = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])
  const filled = fill(body, values)
  return {
    method,
    url: fillText(url, values, encodeURIComponent),
    headers: {
      'content-type': isText ? 'text/plain; charset=utf-8' : 'application/json',
      accept: 'application/json, text/event-stream, application/x-ndjson, text/plain',
      ...Object.fromEntries(named),
    },
    ...(method === 'GET' ? {} : { body: typeof filled === 'string' && isText ? filled : writeJson(filled) }),
  }
}

function fill(value: Value, values: RequestValues): Value {
  if (value === '{input}') return values.input
  if (value === '{mcp_servers}') return addresses(values.servers)
  if (typeof value === 'string') return fillText(value, values)
  if (isList(value)) return value.map((item) => fill(item, values))
  if (!isRecord(value)) return value
  const isKnown = (item: Value) => item !== '{conversation}' || values.conversation !== undefined
  const kept = Object.entries(value).filter(([, item]) => isKnown(item))
  return Object.fromEntries(kept.map(([key, item]) => [key, fill(item, values)]))
}

/** In one pass: what was filled in is not searched again. */
function fillText(text: string, values: RequestValues, write = (value: string) => value): string {
  return text.replaceAll(/\{([^{}]+)\}/g, (whole, name: string) => {
    if (name === 'prompt') return write(values.prompt)
    if (name === 'conversation') return write(values.conversation ?? '')
    if (name === 'input') return write(writeJson(values.input))
    const server = values.servers.find(({ actor }) => name === `${actor}.url`)
    return server === undefined ? whole : write(server.address)
  })
}

function addresses(servers: readonly ServerActor[]): Value {
  const of = servers.filter(({ mode }) => mode === 'mcp_server')
  return Object.fromEntries(of.map(({ actor, address }) => [actor, { type: 'http', url: address }]))
}

/** An address to attack. */
export interface HttpTargetOptions {
  /** `{conversation}` and `{ACTOR.url}` are filled in. */
  readonly url: string
  /** Default POST. */
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  /**
   * What is sent, as JSON, or as it is when it is a text. `{prompt}`, `{conversation}` and `{ACTOR.url}` are filled in
   * anywhere; a text that is nothing but `{input}` or `{mcp_servers}` becomes the whole request, or the addresses by
   * name.
   */
  readonly body?: Value
  /** Where the answer is in what comes back as JSON; by default, all of it. */
  readonly answer?: string
  /** Where the name of the conversation is in the first answer; by default, the name is one of ours. */
  readonly conversation?: string
  /** Set when the answer comes in parts, whose texts are joined. */
  readonly stream?: 'sse' | 'json_lines'
  /** How it is named in results. */
  readonly name: string
  /** What it is asked when the document has no client actor. */
  readonly prompt?: string
  /** What is pasted into the prompt because the request has no place for it. */
  readonly paste?: readonly Pasteable[]
  /** Where the agent finds server actors; without a gateway they listen where the run puts them. */
  readonly gateway?: Gateway
  /** Whether the agent knows where a server actor listens that the request does not name; by default, it does. */
  readonly knows?: (actor: string) => boolean
  /** How long a turn may take; default 5 minutes. */
  readonly timeoutMs?: number
  /** How requests are sent; by default, over sockets. */
  readonly send?: HttpSend
}
