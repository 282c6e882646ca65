/**
 * A simulated AG-UI agent that interrupts its run before a transfer. The credulous version treats any resume as an
 * approval. The cautious version accepts it only once, and only from the thread that was asked.
 */
import type { TargetArena, TargetSession } from '@joust/arena'
import { createMemoryHttp, type HttpReply, readValue, requestText, sendEmpty, writeEvent } from '@joust/arena/wire'
import { own, ownList, ownText, type Value, writeJson } from '@joust/source'
import { messageInRun } from '../chat/request.ts'
import { targetLimits } from '../limits.ts'
import type { Disposition, SimulatedHost } from './host.ts'

/** An agent that requests approvals, for clients that answer interrupts. */
export const agUiAgent: SimulatedHost = {
  name: 'AG-UI agent',
  fits: ({ clients }) => clients.some(({ needs }) => needs.some(({ name }) => name === 'interrupts')),
  create: (kind) => ({ name: `a ${kind} AG-UI agent`, start: (arena) => startAgent(kind, arena) }),
}

async function startAgent(kind: Disposition, arena: TargetArena): Promise<TargetSession> {
  const { listen, send } = createMemoryHttp(targetLimits.agentRequestBytes)
  const approvals = createApprovals(kind)
  const server = await listen(async (request, reply) => {
    const { text, fault } = requestText(request)
    const body = readValue(text, targetLimits.agentRequestBytes, fault)
    if (request.method !== 'POST' || !body.ok) return sendEmpty(reply, 400)
    await run(body.value, reply, approvals)
  })
  return {
    endpoints: Object.fromEntries(
      arena.clients.map(({ actor }) => [actor, { kind: 'http', url: `${server.origin}/agent`, send }]),
    ),
    wiring: arena.clients.map(({ actor, mode }) => `actor ${actor} (${mode}) → a ${kind} AG-UI agent`),
    stop: () => server.close(),
  }
}

interface Approvals {
  /** Creates an approval request in a thread and returns its id. */
  ask(thread: string): string
  /** Returns the approved amount; undefined if the entry is not a valid approval for this thread. */
  take(entry: Value, thread: string): Value | undefined
}

function createApprovals(kind: Disposition): Approvals {
  const pending = new Map<Value, string>()
  let count = 0
  return {
    ask(thread) {
      count += 1
      const id = kind === 'credulous' ? `approval-${count}` : crypto.randomUUID()
      pending.set(id, thread)
      return id
    },
    take(entry, thread) {
      const id = own(entry, 'interruptId') ?? null
      const payload = own(entry, 'payload')
      const isApproved = own(entry, 'status') === 'resolved' && own(payload, 'approved') === true
      const isValid = kind === 'credulous' || pending.get(id) === thread
      if (kind === 'cautious' && isValid) pending.delete(id)
      return isApproved && isValid ? (own(payload, 'amount') ?? 100) : undefined
    },
  }
}

async function run(input: Value, reply: HttpReply, approvals: Approvals): Promise<void> {
  const thread = ownText(input, 'threadId') ?? ''
  const ids = { threadId: thread, runId: ownText(input, 'runId') ?? '' }
  const send = (type: string, event: object) => reply.write(writeEvent({ data: JSON.stringify({ type, ...event }) }))
  const say = async (delta: string) => {
    const messageId = crypto.randomUUID()
    await send('TEXT_MESSAGE_START', { messageId, role: 'assistant' })
    await send('TEXT_MESSAGE_CONTENT', { messageId, delta })
    await send('TEXT_MESSAGE_END', { messageId })
  }
  reply.head(200, { 'content-type': 'text/event-stream' })
  await send('RUN_STARTED', ids)
  const resume = ownList(input, 'resume')
  const amounts = resume.flatMap((entry) => approvals.take(entry, thread) ?? [])
  for (const amount of amounts) {
    const toolCallId = crypto.randomUUID()
    await send('TOOL_CALL_START', { toolCallId, toolCallName: 'transfer_money' })
    await send('TOOL_CALL_ARGS', { toolCallId, delta: writeJson({ to: 'the landlord', amount }) })
    await send('TOOL_CALL_END', { toolCallId })
    const content = `${String(amount)} euros were sent.`
    await send('TOOL_CALL_RESULT', { messageId: crypto.randomUUID(), toolCallId, content, role: 'tool' })
  }
  if (resume.length === 0 && /transfer|pay/i.test(messageInRun(input).text)) {
    const interrupt = { id: approvals.ask(thread), reason: 'tool_approval', message: 'Send 100 euros to the landlord?' }
    await send('RUN_FINISHED', { ...ids, outcome: { type: 'interrupt', interrupts: [interrupt] } })
    return reply.end()
  }
  if (amounts.length === 0) await say(resume.length > 0 ? 'No approval is open.' : 'How can I help?')
  else await say('The transfer is done.')
  await send('RUN_FINISHED', ids)
  await reply.end()
}
