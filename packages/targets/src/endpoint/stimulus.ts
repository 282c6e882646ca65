/** Sends prompts for documents without a client actor. Uses a client driver, but writes no trace. */

import type { ClientEnd } from '@joust/arena'
import { ArenaError, type ClientMessage, defaultRunLimits, finalAnswer } from '@joust/arena'
import type { Driver, DriverContext, HttpSend, Scene, Stage } from '@joust/arena/wire'
import { createA2aClientDriver, createAgUiClientDriver, createHttpSend } from '@joust/arena/wire'
import { systemClock } from '@joust/io'
import type { DiagnosticCode } from '@joust/results'
import type { Value } from '@joust/source'
import { callsClientTool, nextRequest, repeatedRequests, type UserMode, userRequests } from '../chat/user-request.ts'

export type StimulusProtocol = 'ag_ui' | 'a2a'

interface ProtocolDriver {
  readonly mode: UserMode
  readonly create: (context: DriverContext, end: ClientEnd) => Driver
  /** Timeout for the start of a response. Streams start immediately; messages are answered once the work is done. */
  readonly replyMs: number
}

const drivers: Readonly<Record<StimulusProtocol, ProtocolDriver>> = {
  ag_ui: { mode: 'ag_ui_client', create: createAgUiClientDriver, replyMs: defaultRunLimits.replyMs },
  a2a: { mode: 'a2a_client', create: createA2aClientDriver, replyMs: defaultRunLimits.phaseMs },
}

interface StimulusOptions {
  readonly signal: AbortSignal
  readonly send?: HttpSend | undefined
  /** Overrides the protocol's timeout for the start of a response. */
  readonly replyMs?: number | undefined
}

type Address = { readonly url: string; readonly headers?: Readonly<Record<string, string>> }

/** Sends a prompt to an agent and returns the messages. Rejects with an `ArenaError` if there is no answer. */
export function askAgent(
  protocol: StimulusProtocol,
  endpoint: Address,
  prompt: string,
  options: StimulusOptions,
): Promise<readonly ClientMessage[]> {
  const state = userRequests[drivers[protocol].mode](prompt, newId)
  return exchange(protocol, endpoint, state, options)
}

type Addresses = Readonly<Partial<Record<StimulusProtocol, Address>>>
type OptionsOf = (protocol: StimulusProtocol) => StimulusOptions

/** Asks a question in the last conversation of `messages`; undefined if the conversation cannot be continued. */
export function askAgain(
  addresses: Addresses,
  question: string,
  messages: readonly ClientMessage[],
  options: OptionsOf,
): Promise<string> | undefined {
  const request = nextRequest(question, messages, newId)
  return request && converse(addresses, request.mode, [() => request.state], options)
}

/** Repeats the last conversation of `messages` with an addition; undefined if it is not repeatable. */
export function repeatTo(
  addresses: Addresses,
  addition: string,
  messages: readonly ClientMessage[],
  options: OptionsOf,
): Promise<string> | undefined {
  const repeated = repeatedRequests(addition, messages, newId)
  return repeated && converse(addresses, repeated.mode, repeated.requests, options)
}

type Request = (earlier: readonly ClientMessage[]) => Value

/** Sends requests one after another and returns the last answer. */
function converse(
  addresses: Addresses,
  mode: UserMode,
  requests: readonly Request[],
  options: OptionsOf,
): Promise<string> | undefined {
  const protocol = mode === 'a2a_client' ? 'a2a' : 'ag_ui'
  const endpoint = addresses[protocol]
  if (endpoint === undefined) return undefined
  const send = async () => {
    const earlier: ClientMessage[] = []
    let answer = ''
    for (const request of requests) {
      const state = request(earlier)
      const messages = await exchange(protocol, endpoint, state, options(protocol))
      earlier.push(...messages)
      // Without the call's result, the answer is incomplete.
      answer = callsClientTool(state, messages) ? '' : (finalAnswer(messages) ?? '')
    }
    return answer
  }
  return send()
}

async function exchange(
  protocol: StimulusProtocol,
  endpoint: Address,
  state: Value,
  options: StimulusOptions,
): Promise<readonly ClientMessage[]> {
  const { mode, create, replyMs: defaultMs } = drivers[protocol]
  const { signal, send = createHttpSend(), replyMs = defaultMs } = options
  const scene = { index: 0, phase: 'stimulus', state }
  const { stage, faults, messages } = createBareStage(scene, mode)
  const { messageBytes, retries } = defaultRunLimits
  const context: DriverContext = {
    stage,
    clock: systemClock,
    newId,
    signal,
    limits: { messageBytes, retries, replyMs },
    mayReach: () => false,
    mayFollow: () => false,
    outbound: createHttpSend(),
  }
  const driver = create(context, { kind: 'http', send, ...endpoint })
  try {
    await driver.open()
    await driver.perform?.(scene, signal)
  } finally {
    await driver.close()
  }
  if (faults.length > 0) throw new ArenaError('target_failed', `${protocol} endpoint: ${faults.join('; ')}`)
  return messages
}

/** Codes of diagnostics that mean that an answer is missing. */
const failures: ReadonlySet<string> = new Set<DiagnosticCode>(['agent-failed', 'connection-lost', 'reply-missing'])

/** Creates a stage without a run, which only collects messages and failures. */
function createBareStage(scene: Scene, mode: string) {
  const faults: string[] = []
  const messages: ClientMessage[] = []
  const stage: Stage = {
    actor: 'user',
    mode,
    verbatim: false,
    strict: false,
    scene: () => scene,
    async receive({ surface, content }, answer) {
      messages.push({ mode, flow: 'in', surface, content })
      await answer?.(scene)
    },
    record() {},
    send(_, { surface, content }) {
      messages.push({ mode, flow: 'out', surface, content })
      return { arrived() {}, lost() {} }
    },
    count() {},
    withHeaders: (request) => request,
    fill: (value) => value,
    choose: () => undefined,
    holds: () => true,
    report(code, message) {
      if (failures.has(code)) faults.push(message)
    },
  }
  return { stage, faults, messages }
}

function newId(): string {
  return crypto.randomUUID()
}
