/** Requests that the server sends, and what comes back. A reply is an event like any other message of the agent. */
import { type Value, writeJson } from '@joust/source'
import type { DriverContext, Scene } from '../driver.ts'
import { type JsonRpcResponse, writeRequest } from '../json-rpc.ts'
import { inSession, type Outgoing } from './outgoing.ts'

/** A request of ours. */
interface Question {
  readonly message: Outgoing
  /** Resolves once the reply has been taken in, or will not come. */
  readonly answered: Promise<void>
  /** Begins to wait, should the request not be on the wire yet. */
  begin(): void
  /** Stops waiting: the request could not be sent. */
  drop(): void
}

/** All requests of ours. */
export interface Questions {
  ask(method: string, params: Value | undefined, scene: Scene): Question
  /** Takes in a reply; one that answers nothing is recorded and reported. */
  settle(response: JsonRpcResponse, session: string | undefined): Promise<void>
  /** Nobody will answer any more, and that is worth a report if there is a reason. */
  abandon(reason?: string): void
}

interface Pending {
  readonly method: string
  end(reason?: string): void
}

/** No requests yet. */
export function createQuestions(context: DriverContext): Questions {
  const { stage, newId, signal } = context
  // A late reply still answers what was asked, so entries stay until it comes.
  const pending = new Map<Value, Pending>()
  const abandon = (reason?: string) => {
    for (const one of pending.values()) one.end(reason)
  }
  signal.addEventListener('abort', () => abandon(), { once: true })

  return {
    ask(method, params, scene) {
      const id = newId()
      const { answered, begin, end } = createWait(context, method)
      pending.set(id, { method, end })
      const sent = (session: string | undefined) => {
        const content = params ?? {}
        stage.record(scene, { direction: 'request', flow: 'out', surface: method, content, ...inSession(session) })
        begin()
      }
      return {
        message: { text: writeRequest(id, method, params), what: method, sent },
        answered,
        begin,
        drop: () => end(),
      }
    },
    async settle({ id, content }, session) {
      const found = pending.get(id)
      const message = { direction: 'response', surface: found?.method ?? '', content, ...inSession(session) } as const
      if (found === undefined) {
        stage.report('reply-unexpected', `a reply with the id ${writeJson(id)}, which nothing was asked with`)
        return stage.record(stage.scene(), { ...message, flow: 'in' })
      }
      pending.delete(id)
      await stage.receive(message)
      found.end()
    },
    abandon,
  }
}

/** Waits for one reply. The time counts from when the request is on the wire. */
function createWait({ stage, clock, limits, signal }: DriverContext, method: string) {
  let over = signal.aborted
  let begun = false
  let cancel = () => {}
  let resolve = () => {}
  const answered = new Promise<void>((settle) => {
    resolve = settle
  })
  const end = (reason?: string) => {
    if (reason !== undefined && !over) stage.report('reply-missing', `${method}: ${reason}`)
    over = true
    cancel()
    resolve()
  }
  if (over) resolve()
  const begin = () => {
    if (over || begun) return
    begun = true
    cancel = clock.setTimer(limits.replyMs, () => end(`no reply within ${limits.replyMs} ms`))
  }
  return { answered, begin, end }
}
