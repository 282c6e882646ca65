/** False pass 7: a message that was rejected or lost is not in the trace, so it is not evidence. */

import type { AddressInfo } from 'node:net'
import { createServer, type Socket } from 'node:net'
import type { Attack } from '@joust/oatf'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type AttackRun, runAttack } from '../../src/run.ts'
import { loadedAttack } from '../support/attacks.ts'

const limits = { graceMs: 0, observeMs: 0, retries: 0, runMs: 5000, replyMs: 300 }

/** A listener that does this with every connection. */
async function place(onConnection: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    onConnection(socket)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/rpc`
}

const drops = () => place((socket) => socket.once('data', () => socket.destroy()))
const hangs = () => place(() => {})
const refuses = async () => 'http://127.0.0.1:9/rpc'

const say = { method: 'message/send', params: { message: { text: 'the secret' } } }
const attacks: Readonly<Record<string, Partial<Attack>>> = {
  a2a: {
    execution: { mode: 'a2a_client', state: { actions: [say] } },
    indicators: [{ surface: 'message/send', target: 'message.text', pattern: { condition: { contains: 'secret' } } }],
  },
  ag_ui: {
    execution: {
      mode: 'ag_ui_client',
      state: { run_agent_input: { threadId: 't', runId: 'r', messages: [{ content: 'the secret' }] } },
    },
    indicators: [
      { surface: 'run_agent_input', target: 'messages[*].content', pattern: { condition: { contains: 'secret' } } },
    ],
  },
  mcp: {
    execution: { mode: 'mcp_client', state: { client_info: { name: 'secret' } } },
    indicators: [{ surface: 'initialize', target: 'clientInfo.name', pattern: { condition: { contains: 'secret' } } }],
  },
}

const attackAt = (attack: Partial<Attack>, url: string): Promise<AttackRun> =>
  runAttack(loadedAttack(attack), { connect: { default: { url } }, limits })

describe.each(Object.entries(attacks))('a message over %s', (_, attack) => {
  test.each([
    ['refused', refuses],
    ['dropped', drops],
  ])('false pass 7: that was %s is not evidence', async (_how, open) => {
    const run = await attackAt(attack, await open())
    expect(run.trace).toEqual([])
    expect(run.outcome).toBe('inconclusive')
  })

  test('that was received but not answered is in the trace', async () => {
    const run = await attackAt(attack, await hangs())
    expect(run.trace.map(({ flow }) => flow)).toEqual(['out'])
  })
})
