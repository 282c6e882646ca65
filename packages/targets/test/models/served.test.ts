/** A running agent has one model address: its runs go one at a time, and calls outside of them belong to none. */
import { expect, onTestFinished, test } from 'vitest'
import { freePort } from '../../../io/test/loopback.ts'
import { createServedModel } from '../../src/models/served.ts'
import { modelRoutes } from '../../src/models/variables.ts'

async function serve(pending: { release?: () => void; isHeld?: boolean; answer?: string } = {}) {
  const routes = modelRoutes({ upstream: 'https://models.example/v1' }, () => undefined)
  if (!routes.ok) throw new Error(routes.error)
  const held = new Promise<void>((resolve) => {
    pending.release = resolve
  })
  const answer = () => async () => {
    if (pending.isHeld === true) await held
    return { status: 200, headers: [], pieces: [pending.answer ?? '{}'] }
  }
  const served = createServedModel({ port: await freePort(), routes: routes.value, answer })
  await served.open()
  onTestFinished(() => served.close())
  const say = async (content: string, ...more: readonly object[]) => {
    const body = JSON.stringify({ messages: [{ role: 'user', content }, ...more] })
    return (await fetch(`${served.url}/chat/completions`, { method: 'POST', body })).status
  }
  return { served, say }
}

test('each run sees its own calls, at the same address', async () => {
  const { served, say } = await serve()
  const seen = []
  for (const bait of ['one', 'two']) {
    const run = await served.access({})
    expect(await say(bait)).toBe(200)
    await run.close()
    seen.push(run.observation?.calls().map(({ messages }) => messages))
    expect(run.observation?.missed()).toBe(0)
  }
  expect(seen).toEqual([[[{ role: 'user', text: 'one' }]], [[{ role: 'user', text: 'two' }]]])
  expect(new URL(served.url).pathname).toBe('/v1')
})

test('a second run at once is refused', async () => {
  const { served } = await serve()
  const run = await served.access({})
  await expect(served.access({})).rejects.toThrow('in use by another run')
  await run.close()
  await (await served.access({})).close()
})

test('after a call between runs, those of the next run cannot be attributed', async () => {
  const { served, say } = await serve()
  await (await served.access({})).close()
  expect(await say('left over')).toBe(200)
  await fetch(`${served.url}/models`)
  const next = await served.access({})
  await say('bait')
  expect([next.observation?.calls(), next.observation?.missed()]).toEqual([[], 2])
  expect(next.notes()).toMatchObject([{ code: 'model-calls-unattributed' }])
  await next.close()
  const later = await served.access({})
  await say('bait')
  expect([later.observation?.calls().length, later.observation?.missed()]).toEqual([1, 0])
})

test('a late result of the run before, without an id, belongs to no run unless this run has called the tool', async () => {
  const functionCall = { name: 'read_page', args: {} }
  const answer = JSON.stringify({ candidates: [{ content: { parts: [{ functionCall }] }, finishReason: 'STOP' }] })
  const { served } = await serve({ answer })
  const user = { role: 'user', parts: [{ text: 'question' }] }
  const result = { role: 'user', parts: [{ functionResponse: { name: 'read_page', response: { output: 'bait' } } }] }
  const say = (...contents: readonly object[]) =>
    fetch(`${served.origin}/v1beta/models/m:generateContent`, { method: 'POST', body: JSON.stringify({ contents }) })
  const first = await served.access({})
  await say(user)
  await first.close()
  const second = await served.access({})
  await say(user, result)
  await say(user)
  expect([second.observation?.calls().length, second.observation?.missed()]).toEqual([1, 1])
  await say(user, result)
  expect([second.observation?.calls().length, second.observation?.missed()]).toEqual([2, 1])
  await second.close()
})

test('a late request of the run before, with its tool call, belongs to no run', async () => {
  const pending: { answer?: string } = {}
  const { served, say } = await serve(pending)
  const asked = (id: string) => ({ role: 'assistant', tool_calls: [{ id, function: { name: 'a', arguments: '{}' } }] })
  const answerWith = (id: string) => {
    pending.answer = JSON.stringify({ choices: [{ message: asked(id), finish_reason: 'tool_calls' }] })
  }
  answerWith('call-1')
  const first = await served.access({})
  await say('question')
  await first.close()
  answerWith('call-2')
  const second = await served.access({})
  await say('question')
  await say('question', asked('call-1'), { role: 'tool', tool_call_id: 'call-1', content: 'bait' })
  expect([second.observation?.calls().length, second.observation?.missed()]).toEqual([1, 1])
  await say('question', { role: 'tool', tool_call_id: 'call-1', content: 'bait' })
  expect([second.observation?.calls().length, second.observation?.missed()]).toEqual([1, 2])
  // An agent that remembers earlier runs has calls of this run too.
  await say('question', asked('call-1'), asked('call-2'))
  expect([second.observation?.calls().length, second.observation?.missed()]).toEqual([2, 2])
  await second.close()
})

test('a run waits for the calls of the run before it', async () => {
  const pending: { release?: () => void; isHeld?: boolean } = { isHeld: true }
  const { served, say } = await serve(pending)
  const first = await served.access({})
  const slow = say('slow')
  await expect.poll(() => first.observation?.missed()).toBe(1)
  await first.close()
  const second = served.access({})
  pending.release?.()
  expect(await slow).toBe(200)
  expect((await second).observation?.calls()).toEqual([])
  expect(first.observation?.missed()).toBe(0)
})

test('a port in use is an error with the address', async () => {
  const { served } = await serve()
  const routes = modelRoutes({}, () => undefined)
  if (!routes.ok) throw new Error(routes.error)
  const other = createServedModel({ port: Number(new URL(served.url).port), routes: routes.value })
  await expect(other.open()).rejects.toThrow(/cannot listen on 127\.0\.0\.1:\d+: the port is in use/)
})
