/** Polling, for agents that accept a request first and answer later. */

import { setTimeout as sleep } from 'node:timers/promises'
import { ArenaError, defaultRunLimits } from '@joust/arena'
import { type HttpAnswer, type HttpCall, type HttpSend, isSuccess, readValue } from '@joust/arena/wire'
import { resolveWildcardPath } from '@joust/oatf'
import { cut, messageOf, type Value, writeJson } from '@joust/source'
import { targetLimits } from '../limits.ts'
import { textOf } from './answer.ts'
import type { HttpPoll } from './request.ts'

interface PollOptions {
  readonly name: string
  readonly poll: HttpPoll
  readonly send: HttpSend
  readonly headers: HttpCall['headers']
  readonly signal: AbortSignal
  /** Called before each request with a description of the last response. */
  readonly onWait: (last: string) => void
}

/** Repeats the `poll` request until a condition holds; returns the last response. Rejects with `ArenaError`. */
export async function pollAnswer(first: HttpAnswer, options: PollOptions): Promise<HttpAnswer> {
  const { name, poll, send, headers = {}, signal, onWait } = options
  let answer = await wholeAnswer(first, name)
  if (!isSuccess(answer.status) || isFinished(answer.value, poll)) return answer
  const { 'content-type': _, ...others } = headers
  const url = poll.url.replaceAll(/\{response\.([^{}]+)\}/g, (_, path: string) => {
    const [value] = valuesAt(answer.value, path)
    if (value === undefined) throw new ArenaError('target_failed', `${name} answered without ${path}, for poll.url`)
    return encodeURIComponent(value)
  })
  while (!isFinished(answer.value, poll)) {
    const last = lastValue(answer.value, poll)
    onWait(last)
    await sleep(poll.everyMs ?? targetLimits.pollMs, undefined, { signal })
    try {
      answer = await wholeAnswer(await send({ method: 'GET', url, headers: others, signal }), name)
    } catch (thrown) {
      if (signal.aborted) throw thrown
      throw new ArenaError('target_failed', `polling: ${messageOf(thrown)}; ${last}`, { cause: thrown })
    }
    if (isSuccess(answer.status)) continue
    const text = cut((await textOf(answer.body, name)).trim(), 200)
    throw new ArenaError('target_failed', `polling: ${name} answered with status ${answer.status}: ${text}; ${last}`)
  }
  return answer
}

/** Describes the values that the conditions refer to, or the entire response. */
function lastValue(value: Value, { until }: HttpPoll): string {
  const paths = [...new Set(until.map((condition) => (condition.split('=')[0] ?? '').trim()))]
  const values = paths.flatMap((path) =>
    valuesAt(value, path).map((one) => `${path} is ${JSON.stringify(cut(one, 100))}`),
  )
  return values.length > 0 ? `last values: ${values.join(', ')}` : `the last response was ${cut(writeJson(value), 200)}`
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

/** Returns the scalars at a path, as strings. `null` counts as missing. */
function valuesAt(value: Value, path: string): readonly string[] {
  const matches = resolveWildcardPath(path, value)
  return matches.filter((match) => match !== null && typeof match !== 'object').map(String)
}
