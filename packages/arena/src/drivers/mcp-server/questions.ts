/** Requests that the server sends, and what comes back. A reply is an event like any other message of the agent. */

import { deferred } from '@joust/io'
import { type Value, type ValueRecord, writeJson } from '@joust/source'
import { takesQuestion, toldAbilities } from '../../model/client-abilities.ts'
import { arenaLimits, forgetOldest } from '../../model/limits.ts'
import type { DriverContext, Scene } from '../driver.ts'
import { type JsonRpcRequest, type JsonRpcResponse, writeRequest } from '../json-rpc.ts'
import type { Outgoing } from './outgoing.ts'

interface Question {
  readonly message: Outgoing
  /** Resolves once the reply has been taken in, or will not come. */
  readonly answered: Promise<void>
  /** Begins to wait for somebody if the request is not on the wire yet. */
  begin(session: string | undefined): void
  /** Stops waiting: the request could not be sent. */
  drop(): void
}

/** All requests of ours. */
export interface Questions {
  /** Notes what a client says it can be asked. */
  hear(request: JsonRpcRequest, session: string | undefined): void
  ask(method: string, params: Value | undefined, scene: Scene): Question
  /** Takes in a reply; one that answers nothing is recorded and reported. */
  settle(response: JsonRpcResponse, session: string | undefined): Promise<void>
  /** Nobody will answer any more; if there is a reason, it is reported. */
  abandon(reason?: string): void
}

interface Pending {
  readonly method: string
  end(reason?: string): void
}

/** The questions of one actor. */
export function createQuestions(context: DriverContext): Questions {
  const { stage, newId, signal, limits } = context
  const told = new Map<string | undefined, ValueRecord>()
  // A late reply still answers what was asked, so entries stay until it comes.
  const pending = new Map<Value, Pending>()
  const abandon = (reason?: string) => {
    for (const one of pending.values()) one.end(reason)
  }
  signal.addEventListener('abort', () => abandon(), { once: true })

  return {
    hear({ method, params }, session) {
      const abilities = toldAbilities(method, params)
      if (abilities === undefined) return
      told.delete(session)
      told.set(session, abilities)
      forgetOldest(told, arenaLimits.mcpSessions)
    },
    ask(method, params, scene) {
      const id = newId()
      const content = params ?? {}
      const wait = createWait(context, method)
      const { answered, end } = wait
      pending.set(id, { method, end })
      const begin = (session: string | undefined) => {
        const takes = takesQuestion(told.get(session), method, content)
        wait.begin(takes ? limits.replyMs : Math.min(limits.replyMs, arenaLimits.mcpUnannouncedMs))
      }
      const sent = (session: string | undefined) => {
        stage.record(scene, { direction: 'request', flow: 'out', surface: method, content, session })
        begin(session)
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
      const message = { direction: 'response', surface: found?.method ?? '', content, session } as const
      if (found === undefined) {
        stage.report('reply-unexpected', `a reply with the id ${writeJson(id)}, which no request has`)
        return stage.record(stage.scene(), { ...message, flow: 'in' })
      }
      pending.delete(id)
      await stage.receive(message)
      found.end()
    },
    abandon,
  }
}

/** Waits for one reply. The time counts from the moment the request is on the wire. */
function createWait({ stage, clock, signal }: DriverContext, method: string) {
  let over = signal.aborted
  let begun = false
  let cancel = () => {}
  const { promise: answered, resolve } = deferred()
  const end = (reason?: string) => {
    if (reason !== undefined && !over) stage.report('reply-missing', `${method}: ${reason}`)
    over = true
    cancel()
    resolve()
  }
  if (over) resolve()
  const begin = (milliseconds: number) => {
    if (over || begun) return
    begun = true
    cancel = clock.setTimer(milliseconds, () => end(`no reply within ${milliseconds} ms`))
  }
  return { answered, begin, end }
}
