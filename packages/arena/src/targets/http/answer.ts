/** The answer of an agent in what came back over HTTP. */
import { createBoundedBytes } from '@joust/io'
import { resolveWildcardPath } from '@joust/oatf'
import { cut, type Value } from '@joust/source'
import { readValue } from '../../drivers/json-rpc.ts'
import { errorAlong, textsAt } from '../../model/error-answer.ts'
import { ArenaError } from '../../model/errors.ts'
import { type HttpAnswer, isSuccess } from '../../model/http.ts'
import { defaultRunLimits } from '../../model/limits.ts'
import { readEventStream } from '../../transport/event-stream.ts'
import type { HttpTargetOptions } from './request.ts'

/** What was said, and in which conversation. */
interface ReadAnswer {
  readonly text: string
  readonly conversation?: string
}

const MOST = defaultRunLimits.messageBytes

/** Reads an answer. Rejects with an `ArenaError` when there is none: an unexpected status, form or path. */
export async function readHttpAnswer(
  answer: HttpAnswer,
  { name, answer: path, conversation, stream }: HttpTargetOptions,
): Promise<ReadAnswer> {
  if (!isSuccess(answer.status)) {
    const said = cut((await textOf(answer.body, name)).trim(), 300)
    throw failed(name, `answered with the status ${answer.status}${said === '' ? '' : `: ${said}`}`)
  }
  // A login, a proxy, a page for people: no agent has read anything.
  if (/^\s*text\/html\b/i.test(answer.headers['content-type'] ?? ''))
    throw failed(name, `answered with a page of HTML: ${cut((await textOf(answer.body, name)).trim(), 200)}`)
  const parts =
    stream === 'sse' ? await eventsIn(answer.body, name) : split(await textOf(answer.body, name), stream !== undefined)
  const values = parts.map((part) => readValue(part, MOST)).flatMap((read) => (read.ok ? [read.value] : []))
  refuseErrors(values, name, path)
  if (path === undefined && conversation === undefined) return { text: parts.join(stream === 'sse' ? '' : '\n').trim() }
  // An end marker such as `[DONE]` is not part of an answer.
  const plain = parts.find((part) => !readValue(part, MOST).ok && !(stream && /^\s*\[[A-Z]+\]\s*$/.test(part)))
  if (plain !== undefined) throw failed(name, `answered with something that is not JSON: ${cut(plain.trim(), 200)}`)
  const at = (wanted: string) => {
    const found = values.flatMap((value) => resolveWildcardPath(wanted, value))
    return found.filter((one) => typeof one === 'string' || typeof one === 'number').map(String)
  }
  const texts = path === undefined ? [parts.join('\n').trim()] : at(path)
  if (texts.length === 0) throw failed(name, `answered without a text at ${path}`)
  const [named] = conversation === undefined ? [] : at(conversation)
  if (conversation !== undefined && named === undefined) throw failed(name, `answered without ${conversation}`)
  return { text: texts.join(''), ...(named !== undefined && { conversation: named }) }
}

/**
 * An agent that broke down has not resisted, whatever it said before. Of parts with a text the last one decides: a step
 * that failed on the way was overcome.
 */
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
  const found: string[] = []
  let size = 0
  for await (const { event, data, fault } of readEventStream(body, MOST)) {
    if (fault !== undefined) throw failed(name, `answered with something that is not a server-sent event: ${fault}`)
    if (event === 'error') throw failed(name, `answered with an error: ${cut(data, 400)}`)
    size += data.length
    if (size > MOST) throw failed(name, `answered with more than ${MOST} bytes`)
    if (data !== '') found.push(data)
  }
  return found
}

async function textOf(body: AsyncIterable<Uint8Array>, name: string): Promise<string> {
  const bytes = createBoundedBytes(MOST)
  for await (const chunk of body) if (!bytes.add(chunk)) throw failed(name, `answered with more than ${MOST} bytes`)
  return bytes.text()
}

function failed(name: string, what: string): ArenaError {
  return new ArenaError('target_failed', `${name} ${what}`)
}
