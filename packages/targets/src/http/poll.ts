/** Polling: an agent that accepts a request first and finishes its answer later. */

import { setTimeout as sleep } from 'node:timers/promises'
import { ArenaError, defaultRunLimits } from '@joust/arena'
import { type HttpAnswer, type HttpCall, type HttpSend, isSuccess, readValue } from '@joust/arena/wire'
import { resolveWildcardPath } from '@joust/oatf'
import { cut, type Value } from '@joust/source'
import { targetLimits } from '../limits.ts'
import { textOf } from './answer.ts'
import type { HttpPoll } from './request.ts'

interface PollOptions {
  readonly name: string
  readonly poll: HttpPoll
  readonly send: HttpSend
  readonly headers: HttpCall['headers']
  readonly signal: AbortSignal
}

/** Repeats the request of `poll` until one of its conditions holds; returns the last response. Rejects with an `ArenaError`. */
export async function pollAnswer(first: HttpAnswer, options: PollOptions): Promise<HttpAnswer> {
  const { name, poll, send, headers = {}, signal } = options
  let answer = await wholeAnswer(first, name)
  if (!isSuccess(answer.status) || isFinished(answer.value, poll)) return answer
  const { 'content-type': _, ...others } = headers
  const url = poll.url.replaceAll(/\{response\.([^{}]+)\}/g, (_, path: string) => {
    const [value] = valuesAt(answer.value, path)
    if (value === undefined) throw new ArenaError('target_failed', `${name} answered without ${path}, for poll.url`)
    return encodeURIComponent(value)
  })
  while (isSuccess(answer.status) && !isFinished(answer.value, poll)) {
    await sleep(poll.everyMs ?? targetLimits.pollMs, undefined, { signal })
    answer = await wholeAnswer(await send({ method: 'GET', url, headers: others, signal }), name)
  }
  return answer
}

async function wholeAnswer(answer: HttpAnswer, name: string): Promise<HttpAnswer & { readonly value: Value }> {
  const text = await textOf(answer.body, name)
  const read = readValue(text, defaultRunLimits.messageBytes)
  if (!read.ok && isSuccess(answer.status))
    throw new ArenaError('target_failed', `${name} answered with text that is not JSON: ${cut(text.trim(), 200)}`)
  const body = (async function* () {
    yield Buffer.from(text)
  })()
  return { ...answer, body, value: read.ok ? read.value : null }
}

function isFinished(value: Value, { until }: HttpPoll): boolean {
  return until.some((condition) => {
    const [path = '', ...expected] = condition.split('=')
    const values = valuesAt(value, path.trim())
    return expected.length === 0 ? values.length > 0 : values.includes(expected.join('=').trim())
  })
}

/** The scalars at a path, as text; `null` is missing. */
function valuesAt(value: Value, path: string): readonly string[] {
  const matches = resolveWildcardPath(path, value)
  return matches.filter((match) => match !== null && typeof match !== 'object').map(String)
}
