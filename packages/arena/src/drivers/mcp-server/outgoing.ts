/** Outgoing messages and their channels. */
import type { Value } from '@joust/source'
import type { Scene, Stage } from '../driver.ts'
import { writeNotification } from '../json-rpc.ts'
import type { Subscription } from './subscriptions.ts'

/** An outgoing message. */
export interface Outgoing {
  readonly text: string
  /** The name of the message in diagnostics. */
  readonly what: string
  /** Called once, on sending, with the receiving session. */
  readonly sent: (session: string | undefined) => void
  /** Called if the peer disconnected before it could read the message. */
  readonly lost?: () => void
  /** The HTTP status of an answer. @default 200 */
  readonly status?: number
  /** The message for a listener with a subscription; undefined if it does not request the message. */
  readonly shaped?: (subscription: Subscription) => Outgoing | undefined
}

/** A channel to the peer that preserves order. */
export interface Outlet {
  /** True for a channel of unsolicited messages only. */
  readonly listening: boolean
  /** Sends a message, or stores it for a peer that may reconnect. */
  put(message: Outgoing): void
}

/**
 * A message or batch of the peer, to be answered. Messages are sent synchronously and in order; phases do not wait for
 * the peer to read them.
 */
export interface Exchange {
  readonly session: string | undefined
  /** The HTTP headers of the message; undefined for a pipe. */
  readonly headers: Readonly<Record<string, string>> | undefined
  /** Sends a message before the answer, on the same stream. False when the peer does not accept it. */
  push(message: Outgoing): boolean
  /** Sends an answer. After a successful one, the peer may receive other messages. */
  answer(message: Outgoing, succeeded: boolean): void
  /** Acknowledges a message without an answer. */
  accept(): void
  /** Answers a malformed message. */
  refuse(message: Outgoing): void
  /** Keeps the stream open for later messages, instead of an answer. */
  keep(subscription: Subscription): void
}

/** A notification, recorded on sending. */
export function notification(
  stage: Stage,
  scene: Scene,
  method: string,
  params: Value | undefined,
  delivered: () => void = () => {},
): Outgoing {
  const sent = (session: string | undefined) => {
    delivered()
    const content = params ?? {}
    stage.record(scene, { direction: 'request', flow: 'out', surface: method, content, session })
  }
  return { text: writeNotification(method, params), what: method, sent }
}

/** Tracks deliveries, because an undelivered payload must not count as resisted. */
export interface Deliveries {
  /** Registers a message that must be delivered at least once; call the returned function on delivery. */
  expect(what: string): () => void
  /** Registers an answer to the peer that must be delivered; call the returned function on delivery. */
  expectAnswer(method: string): () => void
  /** Reports all undelivered messages. */
  finish(): void
}

/** The deliveries of one actor. */
export function createDeliveries(stage: Stage): Deliveries {
  const expected = new Set<() => void>()
  const expect = (report: () => void) => {
    expected.add(report)
    return () => void expected.delete(report)
  }
  return {
    expect: (what) => expect(() => stage.report('not-delivered', `${what}: no peer was connected`)),
    expectAnswer: (method) => expect(() => reportUndelivered(stage, method)),
    finish() {
      for (const report of expected) report()
      expected.clear()
    },
  }
}

/** Reports an undelivered answer. */
export function reportUndelivered(stage: Stage, method: string): void {
  stage.report('answer-undelivered', `the peer disconnected before the answer to ${method} was sent`)
}
