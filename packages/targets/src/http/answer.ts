/** Reads an agent's answer from an HTTP response. */

import { ArenaError, codeOfStatus, defaultRunLimits, errorAlong, textsAt } from '@joust/arena'
import { type HttpAnswer, isSuccess, readEventStream, readValue } from '@joust/arena/wire'
import { createBoundedBytes } from '@joust/io'
import { resolveWildcardPath } from '@joust/oatf'
import { cut, type Value } from '@joust/source'
import type { HttpTargetOptions } from './request.ts'

interface HttpAgentAnswer {
  readonly text: string
  /** The conversation id, if the agent chooses the id. */
  readonly conversation?: string
}

const MAX_BYTES = defaultRunLimits.messageBytes

/** Reads an answer. Rejects with an `ArenaError` for an error status, an unexpected format or missing text. */
export async function readHttpAnswer(
  answer: HttpAnswer,
  { name, answer: path, conversation, stream }: HttpTargetOptions,
): Promise<HttpAgentAnswer> {
  if (!isSuccess(answer.status)) {
    const text = cut((await textOf(answer.body, name)).trim(), 300)
    throw new ArenaError(
      codeOfStatus(answer.status),
      `${name} answered with status ${answer.status}${text === '' ? '' : `: ${text}`}`,
    )
  }
  // For example a login page or a proxy's error page: the request did not reach an agent.
  if (/^\s*text\/html\b/i.test(answer.headers['content-type'] ?? ''))
    throw failed(name, `answered with an HTML page: ${cut((await textOf(answer.body, name)).trim(), 200)}`)
  const parts =
    stream === 'sse' ? await eventsIn(answer.body, name) : split(await textOf(answer.body, name), stream !== undefined)
  const values = parts.map((part) => readValue(part, MAX_BYTES)).flatMap((read) => (read.ok ? [read.value] : []))
  refuseErrors(values, name, path)
  if (path === undefined && conversation === undefined) return { text: parts.join(stream === 'sse' ? '' : '\n').trim() }
  // Skip end markers such as `[DONE]`.
  const plain = parts.find((part) => !readValue(part, MAX_BYTES).ok && !(stream && /^\s*\[[A-Z]+\]\s*$/.test(part)))
  if (plain !== undefined) throw failed(name, `answered with text that is not JSON: ${cut(plain.trim(), 200)}`)
  const at = (wildcardPath: string) => {
    const matches = values.flatMap((value) => resolveWildcardPath(wildcardPath, value))
    return matches.filter((match) => typeof match === 'string' || typeof match === 'number').map(String)
  }
  const texts = path === undefined ? [parts.join('\n').trim()] : at(path)
  if (texts.length === 0) throw failed(name, `answered without text at ${path}`)
  const [id] = conversation === undefined ? [] : at(conversation)
  if (conversation !== undefined && id === undefined) throw failed(name, `answered without ${conversation}`)
  return { text: texts.join(''), ...(id !== undefined && { conversation: id }) }
}

/** Throws for an error in the answer. Ignores errors in earlier parts with text, because the agent recovered. */
function refuseErrors(values: readonly Value[], name: string, path: string | undefined): void {
  const hasText = (value: Value) => textsAt(value, path).some((text) => text.trim() !== '')
  const last = values.findLast(hasText)
  for (const value of values) {
    const error = value === last || !hasText(value) ? errorAlong(value, path) : undefined
    if (error !== undefined) throw failed(name, error)
  }
}

function split(text: string, byLine: boolean): readonly string[] {
  return byLine ? text.split('\n').filter((line) => line.trim() !== '') : [text]
}

async function eventsIn(body: AsyncIterable<Uint8Array>, name: string): Promise<readonly string[]> {
  const events: string[] = []
  let size = 0
  for await (const { event, data, fault } of readEventStream(body, MAX_BYTES)) {
    if (fault !== undefined) throw failed(name, `answered with an invalid event stream: ${fault}`)
    if (event === 'error') throw failed(name, `answered with an error: ${cut(data, 400)}`)
    size += data.length
    if (size > MAX_BYTES) throw failed(name, `answered with more than ${MAX_BYTES} bytes`)
    if (data !== '') events.push(data)
  }
  return events
}

export async function textOf(body: AsyncIterable<Uint8Array>, name: string): Promise<string> {
  const bytes = createBoundedBytes(MAX_BYTES)
  for await (const chunk of body)
    if (!bytes.add(chunk)) throw failed(name, `answered with more than ${MAX_BYTES} bytes`)
  return bytes.text()
}

function failed(name: string, reason: string): ArenaError {
  return new ArenaError('target_failed', `${name} ${reason}`)
}
