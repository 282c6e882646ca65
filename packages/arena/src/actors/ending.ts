/** The end of a run: early ends, pending work, and the grace period. */

import { deferred, onAbort, pause } from '@joust/io'
import { type Document, PUSH_SURFACE, parseDuration } from '@joust/oatf'
import type { EndReason } from '@joust/results'
import { isRecord } from '@joust/source'
import { arenaLimits } from '../model/limits.ts'
import type { RunningActor } from './actor.ts'
import type { RunContext } from './context.ts'

/** A watch for an early end of a run: interrupted by the caller, flooded with messages, or out of time. */
export interface EndingWatch {
  /** Resolves when the work is done or the run ends early. */
  until(work: Promise<EndReason>): Promise<EndReason>
  over(): boolean
  /** Resolves at the time limit. Once this is called, the limit no longer ends the run. */
  patience(): Promise<void>
  end(): void
}

export function watchEnding({ clock, limits, options, flooded }: RunContext): EndingWatch {
  let isOver = false
  const ended = deferred<EndReason>()
  const end = (reason: EndReason) => {
    isOver = true
    ended.resolve(reason)
  }
  let onLimit = () => end('expired')
  const { signal } = options
  const stops = [
    clock.setTimer(limits.runMs, () => onLimit()),
    onAbort(flooded.signal, () => end('flooded')),
    ...(signal ? [onAbort(signal, () => end('interrupted'))] : []),
  ]
  if (signal?.aborted === true) end('interrupted')
  return {
    until: (work) => Promise.race([work, ended.promise]),
    over: () => isOver,
    patience: () =>
      new Promise((resolve) => {
        onLimit = resolve
      }),
    end() {
      for (const stop of stops) stop()
    },
  }
}

interface Work {
  readonly clients: readonly RunningActor[]
  readonly turn: Promise<void> | undefined
}

/** Resolves when no timer or request of the document is pending; if there are only servers, when all have finished. */
export async function nothingDue(run: RunContext, actors: readonly RunningActor[], { clients, turn }: Work) {
  if (clients.length === 0 && turn === undefined) await Promise.all(actors.map((actor) => actor.finished))
  else await Promise.all([timersDone(run, actors), requestsDone(run, clients)])
}

async function timersDone({ clock, limits, startedAt, stop }: RunContext, actors: readonly RunningActor[]) {
  for (;;) {
    const times = actors.flatMap((actor) => actor.dueAt() ?? []).filter((time) => time <= startedAt + limits.runMs)
    if (times.length === 0 || stop.signal.aborted) return
    await pause(clock, Math.max(0, Math.min(...times) - clock.now()), stop.signal)
  }
}

/** Waits for push notifications from the agent, and for its requests if a client can receive them. */
async function requestsDone({ clock, limits, document, stop }: RunContext, clients: readonly RunningActor[]) {
  const isPushed = expectsPush(document)
  if (!isPushed && !clients.some((client) => client.listens())) return
  const isLong = isPushed || hasAnswers(document)
  const milliseconds = limits.observeMs ?? (isLong ? arenaLimits.observeAnsweringMs : arenaLimits.observeMs)
  if (milliseconds > 0) await pause(clock, milliseconds, stop.signal)
}

const ANSWERS = ['sampling_responses', 'elicitation_responses', 'roots']

/** True if the document answers the agent ([OATF §7.1.5](https://oatf.io/specification/protocol-bindings/mcp/)). */
function hasAnswers({ attack }: Document): boolean {
  const clients = attack.execution.actors?.filter(({ mode }) => mode === 'mcp_client') ?? []
  const states = clients.flatMap(({ phases }) => phases.map(({ state }) => state))
  return states.some((state) => isRecord(state) && ANSWERS.some((key) => Object.hasOwn(state, key)))
}

/** True for a document with an indicator on push notifications, which an agent may send after its response. */
function expectsPush({ attack: { indicators = [] } }: Document): boolean {
  return indicators.some((indicator) => isRecord(indicator) && indicator.surface === PUSH_SURFACE)
}

/** Waits for the grace period of the document (OATF §6), or the default. */
export async function grace({ document, limits, clock, tell, stop }: RunContext): Promise<void> {
  const { grace_period: period } = document.attack
  const parsed = period === undefined ? undefined : parseDuration(period)
  const milliseconds = parsed?.ok === true ? parsed.value : limits.graceMs
  if (milliseconds === 0) return
  tell({ type: 'grace-started', milliseconds })
  await pause(clock, milliseconds, stop.signal)
}
