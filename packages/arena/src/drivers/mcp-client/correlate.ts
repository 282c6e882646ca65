/**
 * Correlates answers with requests ([OATF §7.1.2](https://oatf.io/specification/protocol-bindings/mcp/)), with a
 * timeout.
 */

import { type Clock, deferred } from '@joust/io'
import { own, type Value } from '@joust/source'
import type { ArenaError } from '../../model/errors.ts'

/** The outcome of a request. */
export type Reply =
  | { readonly kind: 'answered'; readonly failed: boolean; readonly content: Value }
  | { readonly kind: 'missing'; readonly reason: string; readonly isLate?: true }
  /** The peer has disconnected for good. */
  | { readonly kind: 'gone'; readonly error: ArenaError }
  /** The run ended before the answer. */
  | { readonly kind: 'ended' }

/** A sent request, possibly unanswered. */
interface SentRequest {
  readonly id: number
  readonly method: string
  /** The params of the request; empty when it had none. */
  readonly params: Value
  /** The answer to the request. Never rejects. */
  readonly reply: Promise<Reply>
  /** True while an answer is expected. */
  isOpen(): boolean
  /** True once an answer has arrived, in time or late. */
  isAnswered(): boolean
  /** Marks the request as answered. */
  answer(): void
  /** Restarts the timeout because the peer is working on the request. */
  renew(): void
  /** Ends the wait for an answer. */
  settle(reply: Reply): void
}

/** The requests of one driver. */
export interface Correlation {
  /** Registers a request; its timeout starts now. */
  ask(method: string, params: Value): SentRequest
  /** The request with this id, answered or not. */
  find(id: Value | undefined): SentRequest | undefined
  /** Ends the wait for all pending answers. */
  settleAll(reply: Reply): void
  /** Restarts the timeout of the request with a progress token. */
  progress(params: Value): void
}

/** Creates a correlation with a timeout of `replyMs`. */
export function createCorrelation(clock: Clock, replyMs: number): Correlation {
  const all = new Map<Value | undefined, SentRequest>()
  const open = new Set<SentRequest>()
  return {
    ask(method, params) {
      const request = beginWait(all.size + 1, method, params, clock, replyMs)
      all.set(request.id, request)
      open.add(request)
      void request.reply.then(() => open.delete(request))
      return request
    },
    find: (id) => all.get(id),
    settleAll(reply) {
      // An answer that the stage is handling still counts, unless the run has ended.
      for (const request of open) if (!request.isAnswered() || reply.kind === 'ended') request.settle(reply)
    },
    progress(params) {
      const token = own(params, 'progressToken')
      if (token === undefined) return
      for (const request of open) if (own(own(request.params, '_meta'), 'progressToken') === token) request.renew()
    },
  }
}

function beginWait(id: number, method: string, params: Value, clock: Clock, replyMs: number): SentRequest {
  let isSettled = false
  let isAnswered = false
  let cancel = () => {}
  const { promise: reply, resolve } = deferred<Reply>()
  const settle = (result: Reply) => {
    isSettled = true
    cancel()
    resolve(result)
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
