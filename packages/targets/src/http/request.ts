/** Request templates of HTTP targets. */

import type { ServerActor } from '@joust/arena'
import type { HttpCall, HttpSend } from '@joust/arena/wire'
import { isList, isRecord, mapScalars, type Value, writeJson } from '@joust/source'
import type { Pasteable } from '../chat/request.ts'
import type { Gateway } from '../gateway.ts'
import type { OpenModelAccess } from '../models/access.ts'

interface RequestValues {
  readonly prompt: string
  readonly input: Value
  /** The conversation id; undefined in the first turn if the agent chooses the id. */
  readonly conversation: string | undefined
  /** All messages of the conversation, in the format of the request. The prompt is last. */
  readonly messages: readonly Value[]
  readonly servers: readonly ServerActor[]
  /** The value of `{model_url}`, if the run has one. */
  readonly modelUrl: string | undefined
}

/** Builds the request of a turn. Omits fields whose value is `{conversation}` until the conversation has an id. */
export function fillRequest(
  { url, method = 'POST', headers = {}, body }: HttpTargetOptions & { readonly body: Value },
  values: RequestValues,
): Omit<HttpCall, 'signal'> {
  const isText = typeof body === 'string'
  const { modelUrl } = values
  const named = Object.entries(headers).map(([name, value]) => {
    return [name.toLowerCase(), modelUrl === undefined ? value : value.replaceAll(MODEL_URL, modelUrl)]
  })
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

const MODEL_URL = '{model_url}'

function fill(value: Value, values: RequestValues): Value {
  if (value === '{input}') return values.input
  if (value === '{messages}') return values.messages
  if (value === '{mcp_servers}') return addresses(values.servers)
  if (typeof value === 'string') return fillText(value, values)
  if (isList(value)) return value.map((item) => fill(item, values))
  if (!isRecord(value)) return value
  const isKnown = (item: Value) => item !== '{conversation}' || values.conversation !== undefined
  const entries = Object.entries(value).filter(([, item]) => isKnown(item))
  return Object.fromEntries(entries.map(([key, item]) => [key, fill(item, values)]))
}

/** Replaces placeholders in one pass, so that inserted text is not searched. */
function fillText(text: string, values: RequestValues, write = (value: string) => value): string {
  return text.replaceAll(/\{([^{}]+)\}/g, (whole, name: string) => {
    if (name === 'prompt') return write(values.prompt)
    if (name === 'conversation') return write(values.conversation ?? '')
    if (name === 'input') return write(writeJson(values.input))
    if (name === 'messages') return write(writeJson(values.messages))
    if (name === 'model_url') return values.modelUrl === undefined ? whole : write(values.modelUrl)
    const server = values.servers.find(({ actor }) => name === `${actor}.url`)
    return server === undefined ? whole : write(server.address)
  })
}

function addresses(servers: readonly ServerActor[]): Value {
  const mcpServers = servers.filter(({ mode }) => mode === 'mcp_server')
  return Object.fromEntries(mcpServers.map(({ actor, address }) => [actor, { type: 'http', url: address }]))
}

export interface ChatMessage {
  readonly role: string
  readonly content: string
}

const OPENAI_MESSAGE: Value = { role: '{role}', content: '{content}' }

export function fillMessage({ role, content }: ChatMessage, template: Value = OPENAI_MESSAGE): Value {
  const text = (part: string) =>
    part.replaceAll(/\{(role|content)\}/g, (_, name: string) => (name === 'role' ? role : content))
  return mapScalars(template, (scalar) => (typeof scalar === 'string' ? text(scalar) : scalar))
}

/** Requests to repeat, for agents that answer later. */
export interface HttpPoll {
  /** The URL; `{response.PATH}` is a value from the first response. */
  readonly url: string
  /** Conditions that end polling: `PATH=VALUE`, or `PATH` for any value. One of them is enough. */
  readonly until: readonly string[]
  /** Milliseconds between requests. @default 1000 */
  readonly everyMs?: number
}

/**
 * Options for `httpTarget`.
 *
 * @example
 * const target = httpTarget({
 *   name: 'desk',
 *   url: 'http://127.0.0.1:8000/chat',
 *   headers: { authorization: `Bearer ${password}` },
 *   body: { messages: '{messages}' },
 *   answer: 'choices[0].message.content',
 * })
 */
export interface HttpTargetOptions {
  /**
   * May contain `{prompt}`, `{messages}`, `{input}`, `{conversation}`, `{ACTOR.url}` and, with `openModel`,
   * `{model_url}`.
   */
  readonly url: string
  /** @default 'POST' */
  readonly method?: string
  /** Headers of each request. May contain `{model_url}`. @default {} */
  readonly headers?: Readonly<Record<string, string>>
  /**
   * The request body: strings are sent unchanged, other values as JSON. `{prompt}`, `{conversation}`, `{ACTOR.url}` and
   * `{model_url}` are replaced in all strings. The string `{messages}` is replaced by all messages of the conversation,
   * `{input}` by the client's complete request, and `{mcp_servers}` by an object of MCP servers by name.
   * @default { prompt: '{prompt}', conversation: '{conversation}' }
   */
  readonly body?: Value
  /**
   * Template of a message in `{messages}`: `{role}` is `user` or `assistant`, `{content}` is the text.
   * @default { role: '{role}', content: '{content}' }
   */
  readonly message?: Value
  /**
   * Requests to repeat until the answer is complete; the answer is read from the last response.
   * @default none: the first response contains the answer
   */
  readonly poll?: HttpPoll
  /** Path to the answer in a JSON response. @default the entire response */
  readonly answer?: string
  /** Path to the conversation id in the first response. @default the id is generated */
  readonly conversation?: string
  /** Format of a streamed answer; its texts are joined. @default a single document */
  readonly stream?: 'sse' | 'json_lines'
  /** Target name in results. */
  readonly name: string
  /**
   * The prompt for documents without a client actor.
   *
   * @default a request to use the tools and report the result
   */
  readonly prompt?: string
  /** Request parts that are pasted into the prompt because the body has no field for them. @default [] */
  readonly paste?: readonly Pasteable[]
  /** Opens model access for a run, for `{model_url}` or at a fixed address. @default none */
  readonly openModel?: OpenModelAccess
  /** The gateway where server actors listen. @default addresses chosen by the run */
  readonly gateway?: Gateway
  /** True if the agent knows a server actor's address that is not in the request. @default () => true */
  readonly knows?: (actor: string) => boolean
  /** Timeout of a turn, in milliseconds. @default 300000 */
  readonly timeoutMs?: number
  /** Sends HTTP requests. @default over sockets */
  readonly send?: HttpSend
}
