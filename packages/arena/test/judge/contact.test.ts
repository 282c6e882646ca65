/** What makes contact, by protocol and surface. */
import type { Indicator } from '@joust/oatf'
import { expect, test } from 'vitest'
import { judge } from '../../src/judge/judge.ts'
import type { TraceEntry } from '../../src/model/trace-entry.ts'
import { documentOf } from '../support/documents.ts'
import { entry } from '../support/entries.ts'

const server = { mode: 'mcp_server', direction: 'request' } as const
const client = { mode: 'mcp_client', direction: 'response' } as const
const remote = { mode: 'a2a_server', protocol: 'a2a', direction: 'request' } as const
const caller = { mode: 'a2a_client', protocol: 'a2a', direction: 'response' } as const
const user = { mode: 'ag_ui_client', protocol: 'ag_ui', direction: 'response' } as const

async function judged(changes: Partial<TraceEntry>) {
  const { protocol = 'mcp' } = changes
  const indicator: Partial<Indicator> = { protocol, target: 'text', pattern: { contains: 'secret' } }
  const { result, indicator_verdicts } = await judge(documentOf([indicator]), [entry(changes)])
  return { result, evidence: indicator_verdicts[0]?.evidence }
}

test.each([
  ['ping', { ...server, surface: 'ping' }, 'ping'],
  ['the answer to our ping', { ...client, surface: 'ping' }, 'ping'],
  ['a notification', { ...server, surface: 'notifications/initialized' }, 'notifications'],
  [
    'a notification of a server',
    { ...client, direction: 'request', surface: 'notifications/message' },
    'notifications',
  ],
  ['a stray response', { ...server, direction: 'response', surface: '' }, 'answers that belong to no request'],
  ['a stray response to a client', { ...client, surface: '' }, 'answers that belong to no request'],
  ['initialize alone', { ...server, surface: 'initialize' }, 'initialize'],
  ['the answer to initialize alone', { ...client, surface: 'initialize' }, 'initialize'],
  ['the level of the log', { ...server, surface: 'logging/setLevel' }, 'logging/setLevel'],
  ['an unknown method', { ...server, surface: 'server/discover' }, 'methods that the protocol does not have'],
  ['an unknown A2A method', { ...remote, surface: 'message/sned' }, 'methods that the protocol does not have'],
  ['an unknown event', { ...user, surface: 'run_stated' }, 'answers that belong to no request'],
] as const)('false pass 1: %s is not contact', async (_, changes, what) => {
  const { protocol } = entry(changes)
  expect(await judged(changes)).toEqual({
    result: 'error',
    evidence: `no contact: the agent sent no ${protocol} message but ${what}`,
  })
})

test.each([
  { ...server, surface: 'tools/list' },
  { ...server, surface: 'tools/call' },
  { ...server, surface: 'resources/read' },
  { ...server, surface: 'prompts/get' },
  { ...server, surface: 'elicitation/create', direction: 'response' },
  { ...client, surface: 'tools/call' },
  { ...client, surface: 'sampling/createMessage', direction: 'request' },
  { ...remote, surface: 'agent_card/get' },
  { ...remote, surface: 'message/send' },
  { ...caller, surface: 'message/stream' },
  { ...caller, surface: 'task/status' },
  { ...user, surface: 'run_started' },
  { ...user, surface: 'text_message_content' },
  { mode: 'mail_server', protocol: 'mail', surface: 'anything' },
] as const)('contact: $mode $surface', async (changes) => {
  expect((await judged(changes)).result).toBe('not_exploited')
})
