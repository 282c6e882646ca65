/** Chunks and assembled texts, for triggers and extractors: by default as the events they stand for, strictly not. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { runAttack } from '../../../src/run.ts'
import { attackFrom } from '../../support/attacks.ts'

const attack = attackFrom(`
oatf: "0.1"
attack:
  execution:
    mode: ag_ui_client
    phases:
      - name: ask
        state: { run_agent_input: { threadId: t, runId: r, messages: [{ id: m, role: user, content: Say it. }] } }
        extractors:
          - { name: whole, source: response, type: regex, selector: "(pass word)" }
        trigger: { event: text_message_content }
      - name: again
        state: { run_agent_input: { threadId: t, runId: s, messages: [{ id: n, role: user, content: "Then {{whole}}." }] } }
  indicators: [{ surface: run_finished, target: type, pattern: { contains: never } }]
`)

/** An agent that answers in two chunks, or in two pieces. */
async function agent(events: readonly object[]): Promise<string> {
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.end(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''))
  })
  onTestFinished(() => void server.close())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

const around = (...events: readonly object[]) => [
  { type: 'RUN_STARTED', threadId: 't', runId: 'r' },
  ...events,
  { type: 'RUN_FINISHED', threadId: 't', runId: 'r' },
]
const chunk = (delta: string) => ({ type: 'TEXT_MESSAGE_CHUNK', messageId: 'a', delta })
const piece = (delta: string) => ({ type: 'TEXT_MESSAGE_CONTENT', messageId: 'a', delta })

async function played(events: readonly object[], strict: boolean, event = 'text_message_content') {
  const document = attackFrom(attack.text.replace('event: text_message_content', `event: ${event}`))
  const limits = { graceMs: 0, stallMs: 0 }
  const { trace } = await runAttack(document, { limits, strict, connect: { default: { url: await agent(events) } } })
  return trace.filter(({ surface }) => surface === 'run_agent_input').map(({ content }) => JSON.stringify(content))
}

test('a chunk fires a trigger on the event it expands to, unless the run is strict', async () => {
  const events = around(chunk('pass '), chunk('word'))
  expect(await played(events, false)).toHaveLength(2)
  expect(await played(events, true)).toHaveLength(1)
})

test('an extractor reads assembled text, unless the run is strict', async () => {
  const start = { type: 'TEXT_MESSAGE_START', messageId: 'a', role: 'assistant' }
  const end = { type: 'TEXT_MESSAGE_END', messageId: 'a' }
  const events = around(start, piece('pass '), piece('word'), end)
  expect((await played(events, false, 'run_finished'))[1]).toContain('Then pass word.')
  expect((await played(events, true, 'run_finished'))[1]).toContain('Then .')
})

test('in a strict run the end of a message that was received fires a trigger', async () => {
  const events = around(piece('pass word'), { type: 'TEXT_MESSAGE_END', messageId: 'a' })
  expect(await played(events, true, 'text_message_end')).toHaveLength(2)
})
