/** A message of ours on its way, and where it can go. */
import type { Value } from '@joust/source'
import type { Scene, Stage } from '../driver.ts'
import { writeNotification } from '../json-rpc.ts'

/** A message of ours. */
export interface Outgoing {
  readonly text: string
  /** What it is, for diagnostics. */
  readonly what: string
  /** Called once, when it goes on the wire, with the session that gets it. */
  readonly sent: (session: string | undefined) => void
  /** Called after that if the peer turns out to have left before it could have read it. */
  readonly lost?: () => void
}

/** Something that carries messages to the peer, in order. */
export interface Outlet {
  /** Whether it is only there for messages that answer nothing. */
  readonly listening: boolean
  /** Puts a message on the wire, or keeps it for a peer that may come back for it. */
  put(message: Outgoing): void
}

/**
 * One text of the peer, as its transport sees it: a message or a batch, to be answered. What is sent is on the wire, in
 * this order, when the call returns; the phases must not wait for the peer to read it.
 */
export interface Exchange {
  readonly session: string | undefined
  /** Sends a message ahead of the answer, on the same stream. False when the peer cannot take it. */
  push(message: Outgoing): boolean
  /** Sends an answer. After a successful one, the peer may be sent other messages. */
  answer(message: Outgoing, succeeded: boolean): void
  /** Acknowledges a text that has no answer. */
  accept(): void
  /** Answers a text that could not be read. */
  refuse(message: Outgoing): void
  /** Keeps the stream for messages to come, instead of an answer. */
  keep(): void
}

/** A notification, recorded when it is sent. */
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

/** Keeps track of what has reached a peer: a payload that nobody got must not look like one that was resisted. */
export interface Deliveries {
  /** Expects a message to be delivered at least once; call the returned function when it is. */
  expect(what: string): () => void
  /** The same for the answer to a request of the peer, from the moment the request came in. */
  expectAnswer(method: string): () => void
  /** Reports what has not been delivered. */
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
    expect: (what) => expect(() => stage.report('not-delivered', `${what}: no peer was there to take it`)),
    expectAnswer: (method) => expect(() => reportUndelivered(stage, method)),
    finish() {
      for (const report of expected) report()
      expected.clear()
    },
  }
}

/** Says that the peer never got what it asked for. */
export function reportUndelivered(stage: Stage, method: string): void {
  stage.report('answer-undelivered', `nobody was there to take the answer to ${method}`)
}
