/** False pass 8: invalid UTF-8 of any peer hides nothing. */
import { createServer } from 'node:http'
import type { Attack } from '@joust/oatf'
import { expect, test } from 'vitest'
import { listenForTest } from '../../../io/test/loopback.ts'
import type { Connect } from '../../src/model/wiring.ts'
import { type AttackRun, runAttack } from '../../src/run.ts'
import { loadedAttack } from '../support/attacks.ts'

/** The secret, with a byte in the middle that a lenient reader would replace. */
const secret = Buffer.from('open ses\xffame', 'latin1')
const limits = { graceMs: 0, observeMs: 0, retries: 0, runMs: 5000 }

function around(before: string, after: string): Buffer {
  return Buffer.concat([Buffer.from(before), secret, Buffer.from(after)])
}

const indicator = (protocol: string, surface: string, target: string): Partial<Attack> => ({
  indicators: [{ protocol, surface, target, pattern: { condition: { contains: 'open sesame' } } }],
})

async function serve(type: string, body: Buffer): Promise<Connect> {
  const server = createServer((_, response) => response.writeHead(200, { 'content-type': type }).end(body))
  return { url: `${await listenForTest(server)}/rpc` }
}

const client = (mode: string, state: Attack['execution']['state']): Partial<Attack> => ({
  execution: { mode, state } as Attack['execution'],
})

async function attackAgent(attack: Partial<Attack>, connect: Connect): Promise<AttackRun> {
  return runAttack(loadedAttack(attack), { connect: { default: connect }, limits })
}

/** Runs an attack whose server actor is sent these bytes. */
async function attackBy(attack: Partial<Attack>, body: Buffer): Promise<AttackRun> {
  const target = {
    name: 'bytes',
    async start({ servers }: { readonly servers: readonly { readonly address: string }[] }) {
      const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
      const turn = async () =>
        void (await fetch(servers[0]?.address ?? '', { method: 'POST', headers, body: new Uint8Array(body) }))
      return { endpoints: {}, turn, stop: async () => {} }
    },
  }
  return runAttack(loadedAttack(attack), { target, limits })
}

const call = around('{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t","arguments":{"x":"', '"}}}')
const said = around('{"jsonrpc":"2.0","id":1,"method":"message/send","params":{"text":"', '"}}')
const result = around('{"jsonrpc":"2.0","id":1,"result":{"text":"', '"}}')
const event = around('data: {"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"', '"}\n\n')
const input = { run_agent_input: { threadId: 't', runId: 'r' } }
const send = { actions: [{ method: 'message/send', params: {} }] }
const json = 'application/json'
const sse = 'text/event-stream'
const onServer = (mode: string, surface: string, target: string): Partial<Attack> => ({
  ...client(mode, {}),
  ...indicator(mode.replace('_server', ''), surface, target),
})

test.each<[string, () => Promise<AttackRun>]>([
  ['mcp_server', () => attackBy(onServer('mcp_server', 'tools/call', 'arguments.x'), call)],
  ['a2a_server', () => attackBy(onServer('a2a_server', 'message/send', 'text'), said)],
  [
    'a2a_client',
    async () =>
      attackAgent(
        { ...client('a2a_client', send), ...indicator('a2a', 'message/send', 'text') },
        await serve(json, result),
      ),
  ],
  [
    'ag_ui_client',
    async () =>
      attackAgent(
        { ...client('ag_ui_client', input), ...indicator('ag_ui', 'text_message_content', 'delta') },
        await serve(sse, event),
      ),
  ],
])('false pass 8: bytes that are not UTF-8, to %s', async (_, play) => {
  const run = await play()
  const kept = run.trace.filter(({ malformed }) => malformed?.includes('not UTF-8'))
  expect(kept).toHaveLength(1)
  expect(kept[0]?.content).toContain('open ses\xffame')
  expect(run.verdict.indicator_verdicts).toMatchObject([{ result: 'error' }])
})
