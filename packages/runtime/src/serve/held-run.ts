/**
 * A run that pauses at each approval request until its client answers in a later request; a timeout denies the
 * approval.
 */
import { randomUUID } from 'node:crypto'
import { type Clock, deferred, onAbort, pause, systemClock } from '@joust/io'
import { messageOf } from '@joust/source'
import type { ApprovalAnswer, ApprovalRequest, Approver } from '../model/approval.ts'
import { runtimeLimits } from '../model/limits.ts'

/** An approval request with an id to which the answer refers. */
export interface HeldRequest {
  readonly id: string
  /** The time at which it is denied without an answer, in ISO 8601. */
  readonly expiresAt: string
  readonly request: ApprovalRequest
}

/** The next stop of a run: an approval request, or its end. */
type Stop<T> = { readonly asked: HeldRequest } | { readonly ended: T }

/** A run that its client can answer. */
export interface HeldRun<T> {
  /** Resolves with the pending request, or waits for the next one or the end. */
  next(): Promise<Stop<T>>
  /** Waits for the end; until then, `ask` answers approval requests. A rejected promise is a denial. */
  end(ask: (asked: HeldRequest) => Promise<ApprovalAnswer>): Promise<Stop<T>>
  /** Answers a request; false if it is no longer pending. */
  answer(id: string, answer: ApprovalAnswer): boolean
  /** The pending request, if any. */
  readonly pending: HeldRequest | undefined
}

/** The answer if too many runs wait already. */
export const TOO_MANY = { approved: false, reason: 'too many runs wait for an approval' } as const

/**
 * The answer to all requests after a timeout, so that a late approval does not apply to a request that the client has
 * not seen.
 */
const LEFT = { approved: false, reason: 'the client did not answer an earlier request' } as const

/** Options of held runs of a server. */
export function holdOptions({ approvalMs = runtimeLimits.approvalMs }: { readonly approvalMs?: number }): HoldOptions {
  return { timeoutMs: approvalMs, clock: systemClock }
}

/** Options of a held run. */
interface HoldOptions {
  readonly timeoutMs: number
  readonly clock: Clock
}

/** Starts a run with an approver that waits for `answer`. The runtime requests one approval at a time. */
export function holdRun<T>(start: (approve: Approver) => Promise<T>, { timeoutMs, clock }: HoldOptions): HeldRun<T> {
  let open: { readonly held: HeldRequest; settle(answer: ApprovalAnswer): void } | undefined
  let nextRequest = deferred<HeldRequest>()
  let isLeft = false
  const approve: Approver = (request, signal) =>
    new Promise((resolve) => {
      if (isLeft) return resolve(LEFT)
      const expiresAt = new Date(clock.now() + timeoutMs).toISOString()
      const held = { id: randomUUID(), expiresAt, request }
      const timer = new AbortController()
      const settle = (answer: ApprovalAnswer) => {
        if (open?.held !== held) return
        open = undefined
        timer.abort()
        removeListener()
        resolve(answer)
      }
      const removeListener = onAbort(signal, () => settle({ approved: false, reason: 'the run was cancelled' }))
      open = { held, settle }
      const late = { approved: false, reason: `no answer within ${timeoutMs / 1000} seconds` }
      // Never rejects; after an answer, there is nothing left to settle.
      void pause(clock, timeoutMs, timer.signal).then(() => {
        isLeft ||= open?.held === held
        settle(late)
      })
      nextRequest.resolve(held)
      nextRequest = deferred()
    })
  const ended = start(approve)
  const next = async (): Promise<Stop<T>> => {
    if (open !== undefined) return { asked: open.held }
    return Promise.race([
      ended.then((value) => ({ ended: value })),
      nextRequest.promise.then((held) => ({ asked: held })),
    ])
  }
  const answer: HeldRun<T>['answer'] = (id, answer) => {
    if (open?.held.id !== id) return false
    open.settle(answer)
    return true
  }
  return {
    get pending() {
      return open?.held
    },
    next,
    answer,
    async end(ask) {
      for (;;) {
        const stop = await next()
        if ('ended' in stop) return stop
        const denied = (thrown: unknown) => ({ approved: false, reason: messageOf(thrown) })
        answer(stop.asked.id, await ask(stop.asked).catch(denied))
      }
    },
  }
}
