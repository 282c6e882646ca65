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

interface Asked {
  readonly id: number
  readonly method: string
  /** Empty when it had none. */
  readonly params: Value
  /** Never rejects. */
  readonly reply: Promise<Reply>
}

/** The requests of one driver. */
export interface Correlation {
  /** A request that is about to be sent; the wait begins now. */
  ask(method: string, params: Value): Asked
  /** The request with this id, answered or not. */
  find(id: Value): Asked | undefined
  /** Notes that an answer has come, in time or late; false when there was one before. */
  answer(asked: Asked): boolean
  /** Whether no answer has come and one is still expected. */
  awaits(id: number): boolean
  /** Ends the wait for a request, if it is still waited for. */
  settle(id: number, reply: Reply): void
  /** Ends every wait. */
  settleAll(reply: Reply): void
  /** The peer is working on a request: the wait starts over. */
  renew(id: number): void
  /** The same for the request that carries a progress token. */
  progress(params: Value): void
}

interface Wait {
  readonly asked: Asked
  /** Whether the wait continues: no answer has come, and time has not run out. */
  isOpen(): boolean
  /** Whether an answer has come, in time or not. */
  isAnswered(): boolean
  answer(): void
  renew(): void
  settle(reply: Reply): void
}

/** The requests of one driver; an answer may take `replyMs`. */
export function createCorrelation(clock: Clock, replyMs: number): Correlation {
  const waits = new Map<Value, Wait>()
  const open = new Set<Wait>()

  return {
    ask(method, params) {
      const wait = beginWait(waits.size + 1, method, params, clock, replyMs)
      waits.set(wait.asked.id, wait)
      open.add(wait)
      void wait.asked.reply.then(() => open.delete(wait))
      return wait.asked
    },
    find: (id) => waits.get(id)?.asked,
    answer({ id }) {
      const wait = waits.get(id)
      if (wait === undefined || wait.isAnswered()) return false
      wait.answer()
      return true
    },
    awaits: (id) => waits.get(id)?.isOpen() ?? false,
    settle: (id, reply) => waits.get(id)?.settle(reply),
    settleAll(reply) {
      // An answer that is on its way through the stage still counts, unless nobody is waiting for it any more.
      for (const wait of open) if (!wait.isAnswered() || reply.kind === 'ended') wait.settle(reply)
    },
    renew: (id) => waits.get(id)?.renew(),
    progress(params) {
      const token = own(params, 'progressToken')
      if (token === undefined) return
      for (const wait of open) if (tokenOf(wait.asked.params) === token) wait.renew()
    },
  }
}

function beginWait(id: number, method: string, params: Value, clock: Clock, replyMs: number): Wait {
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
    asked: { id, method, params, reply },
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

function tokenOf(params: Value): Value | undefined {
  return own(own(params, '_meta'), 'progressToken')
}
