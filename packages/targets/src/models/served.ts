/** A model proxy at a fixed address, for a running agent whose configuration is written once. */
import { setTimeout as sleep } from 'node:timers/promises'
import { ArenaError, type ModelObservation } from '@joust/arena'
import { type AnswerSource, type ModelProxy, type ModelRun, startModelProxy } from '@joust/models'
import { diagnostic } from '@joust/results'
import { messageOf } from '@joust/source'
import { targetLimits } from '../limits.ts'
import { asGiven, type ModelAccessOptions, notesOf, type OpenModelAccess, observationOf } from './access.ts'
import type { ModelRoute } from './variables.ts'

/** Options of `createServedModel`. */
export interface ServedModelOptions extends Pick<ModelAccessOptions, 'answer'> {
  /** An address of the loopback interface. */
  readonly host?: string
  readonly port: number
  readonly route: ModelRoute
}

/** The model access of a running agent. All of its calls have one address, so its runs go one at a time. */
export interface ServedModel {
  /** The base address for the configuration of the agent. */
  readonly url: string
  /** The address without the path of the model API. */
  readonly origin: string
  readonly access: OpenModelAccess
  /** Starts listening. Rejects with an `ArenaError` if the address is not available. */
  open(): Promise<void>
  close(): Promise<void>
}

/** Creates a proxy that does not listen yet. Between runs, it answers as in a run, and no run gets the calls. */
export function createServedModel({ host = '127.0.0.1', port, route, answer }: ServedModelOptions): ServedModel {
  const { origin: upstream, pathname } = new URL(route.address)
  const origin = `http://${host.includes(':') ? `[${host}]` : host}:${port}`
  const url = `${origin}${pathname === '/' ? '' : pathname}`
  const liveSource = (listed: Parameters<NonNullable<typeof answer>>[0]): AnswerSource =>
    answer === undefined ? { upstream } : { answer: answer(listed) }
  let proxy: ModelProxy | undefined
  let between: ModelRun | undefined
  let last: ModelRun | undefined
  let isInUse = false
  const openBetween = () => {
    between = proxy?.open({ ...liveSource(() => []), atRoot: true })
  }
  return {
    url,
    origin,
    async open() {
      proxy ??= await startModelProxy({ host, port }).catch((cause: unknown) => {
        throw new ArenaError('listen_failed', messageOf(cause), { cause })
      })
      openBetween()
    },
    async access({ listedTools = () => [] }, { source = asGiven, ...listeners } = {}) {
      if (proxy === undefined) throw new ArenaError('listen_failed', 'the model proxy is not open')
      if (isInUse) throw new ArenaError('listen_failed', ONE_AT_A_TIME)
      isInUse = true
      const earlier = [last, between].filter((run) => run !== undefined)
      const stray = await callsOutside(last, between)
      const run = proxy.open({ ...source(liveSource(listedTools)), ...listeners, atRoot: true })
      await Promise.allSettled(earlier.map((one) => one.close()))
      const observation = observe(run, stray)
      return {
        url,
        env: {},
        wiring: `model calls at ${url} → ${answer === undefined ? route.address : 'a model of this run'}`,
        observation,
        notes: () => (stray === 0 ? notesOf(run.calls()) : [diagnostic('model-calls-unattributed', UNATTRIBUTED)]),
        async close() {
          last = run
          openBetween()
          isInUse = false
        },
      }
    },
    async close() {
      await proxy?.close()
      proxy = undefined
    },
  }
}

const ONE_AT_A_TIME = 'the model proxy is in use by another run: an agent with one model address has one run at a time'

const UNATTRIBUTED = 'the agent called its model between runs: the model calls of this run may belong to an earlier one'

/**
 * Waits until the calls of the last run have ended; returns the number of model calls between runs and of active calls.
 */
async function callsOutside(last: ModelRun | undefined, between: ModelRun | undefined): Promise<number> {
  const active = () => (last?.active() ?? 0) + (between?.active() ?? 0)
  const end = Date.now() + targetLimits.modelIdleMs
  while (active() > 0 && Date.now() < end) await sleep(25)
  return active() + (between?.calls().filter(({ wire }) => wire !== 'other').length ?? 0)
}

/** An agent that calls its model between runs may still work on an earlier one, so its calls belong to no run. */
function observe(run: ModelRun, stray: number): ModelObservation {
  const observed = observationOf([run])
  if (stray === 0) return observed
  return { calls: () => [], missed: () => stray + observed.calls().length + observed.missed() }
}
