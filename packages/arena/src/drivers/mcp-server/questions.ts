/** Server requests and their replies. A reply is an event like any other message from the agent. */

import { deferred } from '@joust/io'
import { type Value, type ValueRecord, writeJson } from '@joust/source'
import { acceptsRequest, declaredCapabilities } from '../../model/client-abilities.ts'
import { arenaLimits, forgetOldest } from '../../model/limits.ts'
import type { DriverContext, Scene } from '../driver.ts'
import { type Answered, type JsonRpcRequest, type JsonRpcResponse, writeRequest } from '../json-rpc.ts'
import type { Outgoing } from './outgoing.ts'

interface Question {
  readonly message: Outgoing
  /** Resolves once the reply has been handled or is no longer awaited. */
  readonly answered: Promise<void>
  /** Starts the timeout, even if the request has not been sent yet. */
  begin(session: string | undefined): void
  /** Stops waiting for the reply to a request that could not be sent. */
  drop(): void
}

export interface Questions {
  hear(request: JsonRpcRequest, session: string | undefined): void
  /** `onReply` gets the reply if the real server sent the request. */
  ask(method: string, params: Value | undefined, scene: Scene, onReply?: (reply: Answered) => void): Question
  /** Handles a reply. An unexpected reply is recorded and reported. */
  settle(response: JsonRpcResponse, session: string | undefined): Promise<void>
  /** Stops waiting for all replies; reports the reason, if any. */
  abandon(reason?: string): void
}

interface Pending {
  readonly method: string
  readonly onReply: ((reply: Answered) => void) | undefined
  end(reason?: string): void
}

export function createQuestions(context: DriverContext): Questions {
  const { stage, newId, signal, limits } = context
  const capabilities = new Map<string | undefined, ValueRecord>()
  // Entries remain after a timeout, since a late reply still counts.
  const pending = new Map<Value, Pending>()
  const abandon = (reason?: string) => {
    for (const one of pending.values()) one.end(reason)
  }
  signal.addEventListener('abort', () => abandon(), { once: true })

  return {
    hear({ method, params }, session) {
      const declared = declaredCapabilities(method, params)
      if (declared === undefined) return
      capabilities.delete(session)
      capabilities.set(session, declared)
      forgetOldest(capabilities, arenaLimits.mcpSessions)
    },
    ask(method, params, scene, onReply) {
      const id = newId()
      const content = params ?? {}
      const wait = createWait(context, method)
      const { answered, end } = wait
      pending.set(id, { method, end, onReply })
      const begin = (session: string | undefined) => {
        const accepts = acceptsRequest(capabilities.get(session), method, content)
        wait.begin(accepts ? limits.replyMs : Math.min(limits.replyMs, arenaLimits.mcpUnannouncedMs))
      }
      const sent = (session: string | undefined) => {
        stage.record(scene, { direction: 'request', flow: 'out', surface: method, content, session })
        begin(session)
      }
      const message = { text: writeRequest(id, method, params), what: method, sent }
      return { message, answered, begin, drop: () => end() }
    },
    async settle({ id, content, failed }, session) {
      const question = pending.get(id)
      const message = { direction: 'response', surface: question?.method ?? '', content, session } as const
      if (question === undefined) {
        stage.report('reply-unexpected', `reply with an unknown id ${writeJson(id)}`)
        return stage.record(stage.scene(), { ...message, flow: 'in' })
      }
      pending.delete(id)
      await stage.receive(message)
      question.onReply?.(failed ? { error: content } : { result: content })
      question.end()
    },
    abandon,
  }
}

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
