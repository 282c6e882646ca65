/** A request of an ordinary user, for documents without a client actor: sent by the driver of a client, unrecorded. */

import { systemClock } from '@joust/io'
import { createA2aClientDriver } from '../../drivers/a2a-client/driver.ts'
import { createAgUiClientDriver } from '../../drivers/ag-ui-client/driver.ts'
import type { Driver, DriverContext, Scene, Stage } from '../../drivers/driver.ts'
import type { DiagnosticCode } from '../../model/diagnostics.ts'
import { ArenaError } from '../../model/errors.ts'
import { finalAnswer, type Heard } from '../../model/final-answer.ts'
import type { HttpSend } from '../../model/http.ts'
import { defaultRunLimits } from '../../model/limits.ts'
import { type UserMode, userRequests } from '../../model/user-request.ts'
import type { ClientEnd } from '../../model/wiring.ts'
import { createHttpSend } from '../../transport/http-client.ts'

/** The protocols over which a user can ask. */
export type StimulusProtocol = 'ag_ui' | 'a2a'

interface Way {
  readonly mode: UserMode
  readonly create: (context: DriverContext, end: ClientEnd) => Driver
  /** How long an answer may take to begin: a stream begins at once, a message is answered when the work is done. */
  readonly replyMs: number
}

const ways: Readonly<Record<StimulusProtocol, Way>> = {
  ag_ui: { mode: 'ag_ui_client', create: createAgUiClientDriver, replyMs: defaultRunLimits.replyMs },
  a2a: { mode: 'a2a_client', create: createA2aClientDriver, replyMs: defaultRunLimits.phaseMs },
}

interface StimulusSetting {
  readonly signal: AbortSignal
  readonly send?: HttpSend | undefined
  /** Milliseconds that an answer may take to begin, in place of those of the protocol. */
  readonly replyMs?: number | undefined
}

/** Asks an agent, waits for its answer and returns the text. Rejects with an `ArenaError` when there is none. */
export async function askAgent(
  protocol: StimulusProtocol,
  place: { readonly url: string; readonly headers?: Readonly<Record<string, string>> },
  prompt: string,
  setting: StimulusSetting,
): Promise<string> {
  const { mode, create, replyMs: usual } = ways[protocol]
  const { signal, send = createHttpSend(), replyMs = usual } = setting
  const scene = { index: 0, phase: 'stimulus', state: userRequests[mode](prompt, newId) }
  const { stage, faults, heard } = createBareStage(scene, mode)
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
  const driver = create(context, { kind: 'http', send, ...place })
  try {
    await driver.open()
    await driver.perform?.(scene, signal)
  } finally {
    await driver.close()
  }
  if (faults.length > 0) throw new ArenaError('target_failed', `${protocol} endpoint: ${faults.join('; ')}`)
  return finalAnswer(heard) ?? ''
}

/** Diagnostics that leave a request without its answer. */
const failures: ReadonlySet<string> = new Set<DiagnosticCode>(['agent-failed', 'connection-lost', 'reply-missing'])

/** A stage without a run: nothing is recorded, but what is said and what goes wrong is kept. */
function createBareStage(scene: Scene, mode: string) {
  const faults: string[] = []
  const heard: Heard[] = []
  const stage: Stage = {
    actor: 'user',
    mode,
    verbatim: false,
    strict: false,
    scene: () => scene,
    async receive({ surface, content }, answer) {
      heard.push({ mode, flow: 'in', surface, content })
      await answer?.(scene)
    },
    record() {},
    send: () => ({ arrived() {}, lost() {} }),
    count() {},
    fill: (value) => value,
    choose: () => undefined,
    holds: () => true,
    report(code, message) {
      if (failures.has(code)) faults.push(message)
    },
  }
  return { stage, faults, heard }
}

function newId(): string {
  return crypto.randomUUID()
}
