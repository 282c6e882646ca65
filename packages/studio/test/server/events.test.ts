import { createServer, get } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { createEventHub } from '../../src/server/events.ts'

/** What a tab is sent when it connects: everything up to the line that says how soon to reconnect. */
async function hear(hub: ReturnType<typeof createEventHub>, after: number): Promise<string> {
  const server = createServer((_, response) => hub.open(response, after)).listen(0, '127.0.0.1')
  await new Promise((done) => server.once('listening', done))
  onTestFinished(() => void server.close())
  return new Promise((resolve) => {
    get({ port: (server.address() as AddressInfo).port }, (got) => {
      let text = ''
      got.setEncoding('utf8')
      got.on('data', (part: string) => {
        text += part
        if (!text.includes('retry: ')) return
        got.destroy()
        resolve(text)
      })
    })
  })
}

const ended = (suite: number) => ({ type: 'suite-ended', suite, end: { state: 'done', results: '' } }) as const

test('a tab that comes back gets what it missed, each once and in order', async () => {
  const hub = createEventHub(100)
  onTestFinished(() => hub.close())
  for (const suite of [1, 2, 3]) hub.tell(ended(suite))
  const heard = await hear(hub, 101)
  expect([...heard.matchAll(/^id: (\d+)$/gm)].map(([, id]) => id)).toEqual(['102', '103'])
})

test('a tab that missed more than is kept is told so, as is one of another server', async () => {
  const hub = createEventHub(100, { replayEvents: 2, replayCharacters: 1000 })
  onTestFinished(() => hub.close())
  for (const suite of [1, 2, 3, 4]) hub.tell(ended(suite))
  expect(await hear(hub, 101)).toContain('id: 104\ndata: {"type":"lost"}')
  expect(await hear(hub, 999)).toContain('{"type":"lost"}')
  expect(await hear(hub, 102)).not.toContain('lost')
})
