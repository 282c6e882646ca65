/** Which answer belongs to which request (§7.1.2), and how long an answer is waited for. */

import { type Clock, deferred } from '@joust/io'
import { own, type Value } from '@joust/source'
import type { ArenaError } from '../../model/errors.ts'

/** How a request ended. */
export type Reply =
  | { readonly kind: 'answered'; readonly failed: boolean; readonly content: Value }
  | { readonly kind: 'missing'; readonly reason: string; readonly isLate?: true }
  /** The peer is gone for good. */
  | { readonly kind: 'gone'; readonly error: ArenaError }
  /** The run is over. */
  | { readonly kind: 'ended' }

/** A request of ours, and the wait for its answer. */
interface Asked {
  readonly id: number
  readonly method: string
  /** Empty when it had none. */
  readonly params: Value
  /** Never rejects. */
  readonly reply: Promise<Reply>
  /** Whether no answer has come and one is still expected. */
  isOpen(): boolean
  /** Whether an answer has come, in time or late. */
  isAnswered(): boolean
  /** Notes that an answer has come. */
  answer(): void
  /** The peer is working on it: the wait starts over. */
  renew(): void
  /** Ends the wait. */
  settle(reply: Reply): void
}

/** The requests of one driver. */
export interface Correlation {
  /** A request that is about to be sent; the wait begins now. */
  ask(method: string, params: Value): Asked
  /** The request with this id, answered or not. */
  find(id: Value | undefined): Asked | undefined
  /** Ends every wait. */
  settleAll(reply: Reply): void
  /** The peer is working on the request that carries a progress token. */
  progress(params: Value): void
}

/** The requests of one driver; an answer may take `replyMs`. */
export function createCorrelation(clock: Clock, replyMs: number): Correlation {
  const all = new Map<Value | undefined, Asked>()
  const open = new Set<Asked>()
  return {
    ask(method, params) {
      const asked = beginWait(all.size + 1, method, params, clock, replyMs)
      all.set(asked.id, asked)
      open.add(asked)
      void asked.reply.then(() => open.delete(asked))
      return asked
    },
    find: (id) => all.get(id),
    settleAll(reply) {
      // An answer that is on its way through the stage still counts, unless nobody is waiting for it any more.
      for (const asked of open) if (!asked.isAnswered() || reply.kind === 'ended') asked.settle(reply)
    },
    progress(params) {
      const token = own(params, 'progressToken')
      if (token === undefined) return
      for (const asked of open) if (own(own(asked.params, '_meta'), 'progressToken') === token) asked.renew()
    },
  }
}

function beginWait(id: number, method: string, params: Value, clock: Clock, replyMs: number): Asked {
  let isSettled = false
  let isAnswered = false
  let cancel = () => {}
  const { promise: reply, resolve } = deferred<Reply>()
  const settle = (how: Reply) => {
    isSettled = true
    cancel()
    resolve(how)
  }
  const arm = () => {
    cancel()
    const late = () => settle({ kind: 'missing', reason: `no answer within ${replyMs} ms`, isLate: true })
    cancel = clock.setTimer(replyMs, late)
  }
  const isOpen = () => !isSettled && !isAnswered
  arm()
  return {
    id,
    method,
    params,
    reply,
    isOpen,
    isAnswered: () => isAnswered,
    answer() {
      isAnswered = true
      cancel()
    },
    renew() {
      if (isOpen()) arm()
    },
    settle,
  }
}
