/** When a run ends: what may end it early, what it still waits for, and the grace period. */

import { deferred, onAbort, pause } from '@joust/io'
import { type Document, parseDuration } from '@joust/oatf'
import { isRecord } from '@joust/source'
import { arenaLimits } from '../model/limits.ts'
import type { EndReason } from '../model/options.ts'
import type { RunningActor } from './actor.ts'
import type { RunContext } from './context.ts'

/** Everything that may end a run before it is done: the caller, a flood, the time limit. */
export interface EndingWatch {
  /** Waits for work, but only until something ends the run. */
  until(work: Promise<EndReason>): Promise<EndReason>
  /** Whether something has ended the run. */
  over(): boolean
  /** From now on the time limit only ends waiting: resolves when it is reached. */
  patience(): Promise<void>
  /** Releases signals and timers. */
  end(): void
}

/** Begins to watch a run. */
export function watchEnding({ clock, limits, options, flooded }: RunContext): EndingWatch {
  let isOver = false
  const ended = deferred<EndReason>()
  const end = (why: EndReason) => {
    isOver = true
    ended.resolve(why)
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

/** Whatever has something to do on its own: clients, and the target in its turn. */
interface Work {
  readonly clients: readonly RunningActor[]
  readonly turn: Promise<void> | undefined
}

/** Resolves when every client is done and the target has had its turn. */
export async function workDone({ clients, turn }: Work): Promise<void> {
  await Promise.all([...clients.map((actor) => actor.finished), turn])
}

/**
 * Resolves when nothing that the document announces is due any more. If nobody had anything to do on its own: when
 * every server has gone through its phases or reached its time limit.
 */
export async function nothingDue(run: RunContext, actors: readonly RunningActor[], { clients, turn }: Work) {
  if (clients.length === 0 && turn === undefined) await Promise.all(actors.map((actor) => actor.finished))
  else await Promise.all([timersDone(run, actors), requestsDone(run, clients)])
}

/** Waits for each `after` that can still fire while somebody is there to see it. */
async function timersDone({ clock, limits, startedAt, stop }: RunContext, actors: readonly RunningActor[]) {
  for (;;) {
    const times = actors.flatMap((actor) => actor.dueAt() ?? []).filter((time) => time <= startedAt + limits.runMs)
    if (times.length === 0 || stop.signal.aborted) return
    await pause(clock, Math.max(0, Math.min(...times) - clock.now()), stop.signal)
  }
}

/** Waits for requests of the agent, as long as clients listen for them. */
async function requestsDone({ clock, limits, document, stop }: RunContext, clients: readonly RunningActor[]) {
  if (!clients.some((client) => client.listens())) return
  const milliseconds =
    limits.observeMs ?? (hasAnswers(document) ? arenaLimits.observeAnsweringMs : arenaLimits.observeMs)
  if (milliseconds > 0) await pause(clock, milliseconds, stop.signal)
}

const ANSWERS = ['sampling_responses', 'elicitation_responses', 'roots']

/** Whether a document has answers to what an agent may ask of a client (§7.1.5). */
function hasAnswers({ attack }: Document): boolean {
  const clients = attack.execution.actors?.filter(({ mode }) => mode === 'mcp_client') ?? []
  const states = clients.flatMap(({ phases }) => phases.map(({ state }) => state))
  return states.some((state) => isRecord(state) && ANSWERS.some((key) => Object.hasOwn(state, key)))
}

/** Keeps observing for as long as the document says (§6), or the default. */
export async function grace({ document, limits, clock, tell, stop }: RunContext): Promise<void> {
  const said = document.attack.grace_period
  const parsed = said === undefined ? undefined : parseDuration(said)
  const milliseconds = parsed?.ok === true ? parsed.value : limits.graceMs
  if (milliseconds === 0) return
  tell({ kind: 'grace-started', milliseconds })
  await pause(clock, milliseconds, stop.signal)
}
