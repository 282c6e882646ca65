/** Correlates responses with requests ([OATF §7.1.2](https://oatf.io/specification/protocol-bindings/mcp/)). */

import { type Clock, deferred } from '@joust/io'
import { own, type Value } from '@joust/source'
import type { ArenaError } from '../../model/errors.ts'

export type Reply =
  | { readonly kind: 'answered'; readonly failed: boolean; readonly content: Value }
  | { readonly kind: 'missing'; readonly reason: string; readonly isLate?: true }
  /** The peer is permanently lost. */
  | { readonly kind: 'gone'; readonly error: ArenaError }
  /** The run ended before the response. */
  | { readonly kind: 'ended' }

interface SentRequest {
  readonly id: number
  readonly method: string
  /** Empty if the request had no params. */
  readonly params: Value
  /** Never rejects. */
  readonly reply: Promise<Reply>
  isOpen(): boolean
  /** True even if the response was late. */
  isAnswered(): boolean
  answer(): void
  /** Restarts the timeout because the peer is working on the request. */
  renew(): void
  settle(reply: Reply): void
}

export interface Correlation {
  /** Starts the timeout. */
  ask(method: string, params: Value): SentRequest
  /** Finds a sent request, even if it has been answered. */
  find(id: Value | undefined): SentRequest | undefined
  settleAll(reply: Reply): void
  /** Restarts the timeout of the request with the progress token in `params`. */
  progress(params: Value): void
}

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
      // A response that the stage is handling still counts, unless the run has ended.
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
    const late = () => settle({ kind: 'missing', reason: `no response within ${replyMs} ms`, isLate: true })
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
