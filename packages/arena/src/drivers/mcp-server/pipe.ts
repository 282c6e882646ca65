/** MCP over standard input and output: one session, one line per message. */

import type { Line } from '@joust/io'
import { arenaLimits } from '../../model/limits.ts'
import type { Pipe } from '../../model/wiring.ts'
import type { DriverContext } from '../driver.ts'
import { isAnswered, type JsonRpcBatch, type JsonRpcMessage, messagesOf, readMessage } from '../json-rpc.ts'
import type { Conversation } from './conversation.ts'
import type { Exchange, Outgoing } from './outgoing.ts'
import type { Session, Sessions } from './sessions.ts'

/** Resolves when the peer has disconnected and all its messages have been handled. Never rejects. */
export async function servePipe(
  pipe: Pipe,
  { limits }: DriverContext,
  sessions: Sessions,
  conversation: Conversation,
  onGone: () => void,
): Promise<void> {
  const session = sessions.begin(undefined)
  sessions.attach(session, { listening: true, put: (message) => write(pipe, message) })
  const underWay = new Set<Promise<void>>()
  const take = ({ text, fault }: Line) => {
    if (text.trim() === '' && fault === undefined) return
    const incoming = readMessage(text, limits.messageBytes, fault)
    // Lines are handled concurrently, since a reply may arrive while its request is pending.
    const exchange = createExchange(pipe, incoming, sessions, session)
    const work = conversation(incoming, exchange).finally(() => underWay.delete(work))
    underWay.add(work)
  }
  try {
    for await (const line of pipe.lines) {
      take(line)
      if (underWay.size >= arenaLimits.mcpServerMessages) await Promise.race(underWay)
    }
  } catch {
    // The pipe breaks when the peer disconnects.
  }
  onGone()
  await Promise.all(underWay)
}

function write(pipe: Pipe, { text, sent }: Outgoing): void {
  if (pipe.ending() !== undefined) return
  sent(undefined)
  void pipe.send(text)
}

function createExchange(
  pipe: Pipe,
  incoming: JsonRpcMessage | JsonRpcBatch,
  sessions: Sessions,
  session: Session,
): Exchange {
  const isBatch = incoming.kind === 'batch'
  const collected: Outgoing[] = []
  let missing = messagesOf(incoming).filter(isAnswered).length
  const answer = (message: Outgoing, succeeded: boolean) => {
    if (isBatch) collected.push(message)
    if (!isBatch) write(pipe, message)
    else if (--missing === 0) write(pipe, joined(collected))
    session.ready ||= succeeded
    sessions.deliver(session)
  }
  return {
    session: undefined,
    headers: undefined,
    push(message) {
      write(pipe, message)
      return true
    },
    answer,
    accept() {},
    refuse: (message) => answer(message, false),
    keep(subscription) {
      session.subscription = subscription
      session.ready = true
      sessions.deliver(session)
    },
  }
}

function joined(messages: readonly Outgoing[]): Outgoing {
  return {
    text: `[${messages.map(({ text }) => text).join(',')}]`,
    what: 'the response to a batch',
    sent: (session) => {
      for (const { sent } of messages) sent(session)
    },
  }
}
