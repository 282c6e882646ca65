/**
 * A run that pauses at each approval request until its client answers in a later request. A timeout denies the request.
 */
import { randomUUID } from 'node:crypto'
import { type Clock, deferred, onAbort, pause, systemClock } from '@joust/io'
import { messageOf } from '@joust/source'
import type { ApprovalAnswer, ApprovalRequest, Approver } from '../model/approval.ts'
import { runtimeLimits } from '../model/limits.ts'

/** A pending approval request. Answers refer to the request by its id. */
export interface HeldRequest {
  readonly id: string
  /** The time at which the request is denied, in ISO 8601. */
  readonly expiresAt: string
  readonly request: ApprovalRequest
}

type Stop<T> = { readonly asked: HeldRequest } | { readonly ended: T }

/** A run whose approval requests are answered by its client. */
export interface HeldRun<T> {
  /** Returns the pending request, or waits for the next request or the end of the run. */
  next(): Promise<Stop<T>>
  /** Waits for the end of the run. Until then, `ask` answers approval requests; a rejected promise is a denial. */
  end(ask: (asked: HeldRequest) => Promise<ApprovalAnswer>): Promise<Stop<T>>
  /** Answers a request; returns false if it is no longer pending. */
  answer(id: string, answer: ApprovalAnswer): boolean
  readonly pending: HeldRequest | undefined
}

/** The answer if too many runs are already waiting. */
export const TOO_MANY = { approved: false, reason: 'too many runs are waiting for approval' } as const

/**
 * The answer to all later requests after a timeout, so that a late approval cannot apply to a request that the client
 * has not seen.
 */
const LEFT = { approved: false, reason: 'the client did not answer an earlier request' } as const

export function holdOptions({ approvalMs = runtimeLimits.approvalMs }: { readonly approvalMs?: number }): HoldOptions {
  return { timeoutMs: approvalMs, clock: systemClock }
}

interface HoldOptions {
  readonly timeoutMs: number
  readonly clock: Clock
}

/** Starts a run whose approver waits for `answer`. The runtime requests one approval at a time. */
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
      // Never rejects. After an answer, the promise is already resolved.
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
