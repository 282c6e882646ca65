/** An actor and its phases, independent of the protocol. */

import { type Clock, deferred } from '@joust/io'
import { type Actor, computeEffectiveState, type ProtocolEvent } from '@joust/oatf'
import type { ActorOutcome, PhaseVisit } from '@joust/results'
import type { Driver, DriverContext, Scene, Stage } from '../drivers/driver.ts'
import { recordMalformed } from '../drivers/http-body.ts'
import { type ArenaError, toArenaError } from '../model/errors.ts'
import type { AttackOptions } from '../model/options.ts'
import type { Recorder } from '../trace/recorder.ts'
import { enterPhase } from './entry-actions.ts'
import { type FinishReason, type PhasePlan, statusOf } from './phase-machine.ts'
import { PhaseProgress } from './phase-progress.ts'
import { type CapturedValues, createStage } from './stage.ts'

/** The abort reason at the end of a phase. A constant, since the default reason is an error with a stack trace. */
const PHASE_OVER = 'the phase has ended'

export interface ActorOptions {
  readonly actor: Actor
  readonly path: string
  readonly role: 'server' | 'client'
  /** True if content is sent exactly as written; see `Stage`. */
  readonly verbatim: boolean
  readonly strict: boolean
  readonly readsHeaders: boolean
  readonly createDriver: (context: DriverContext) => Driver
  readonly context: Omit<DriverContext, 'stage'>
  /** See `RunLimits`. */
  readonly limits: { readonly phaseMs: number; readonly stallMs: number }
  readonly recorder: Recorder
  readonly values: CapturedValues
  readonly startedAt: number
  readonly report: Stage['report']
  readonly onFailure: (error: ArenaError) => void
  readonly onPhase: (visit: PhaseVisit) => void
  readonly improvise: AttackOptions['improvise']
}

/** An actor in a run: binds or connects, and moves through its phases. Must be closed. */
export class RunningActor {
  readonly name: string
  readonly mode: string
  readonly role: 'server' | 'client'
  /** Resolves when the actor has finished by itself. Never rejects. */
  readonly finished: Promise<void>
  readonly #options: ActorOptions
  readonly #clock: Clock
  readonly #plan: PhasePlan
  readonly #scenes: readonly Scene[]
  readonly #stage: Stage
  readonly #driver: Driver
  readonly #visits: PhaseVisit[] = []
  readonly #performing = new Set<Promise<void>>()
  /** Client handshake events received before the first phase. */
  readonly #early: ProtocolEvent[] = []
  readonly #begun = deferred()
  readonly #finished = deferred()
  readonly #progress: PhaseProgress
  /** Delays events until a server has started, and while entry messages are sent. */
  #entering: Promise<void> | undefined
  #phaseOver = new AbortController()
  #failure: ArenaError | undefined
  #silent = false

  constructor(options: ActorOptions) {
    const { actor, role, context, limits } = options
    this.#options = options
    this.name = actor.name
    this.mode = actor.mode
    this.role = role
    this.finished = this.#finished.promise
    this.#clock = context.clock
    this.#scenes = actor.phases.map(({ name }, index) => {
      return { index, phase: name ?? `phase-${index + 1}`, state: computeEffectiveState(actor.phases, index) }
    })
    this.#entering = role === 'server' ? this.#begun.promise : undefined
    this.#progress = new PhaseProgress(this.#clock, {
      enter: (index, reason) => this.#enter(index, reason),
      finish: (reason) => this.#finish(reason),
      onError: ({ message }) => options.report('expression-failed', message),
    })
    this.#stage = this.#createStage()
    this.#driver = options.createDriver({ ...context, stage: this.#stage })
    const stallMs = this.#driver.standing === true ? limits.stallMs : 0
    this.#plan = { triggers: actor.phases.map(({ trigger }) => trigger), role, limitMs: limits.phaseMs, stallMs }
  }

  /** Binds a server. Rejects with an `ArenaError`. */
  listen(): Promise<void> {
    return this.#driver.open()
  }

  /** Returns the address of a server once it listens. */
  address(): string | undefined {
    return this.#driver.address?.()
  }

  /** Sends a request that is not part of the run. */
  get probe(): Driver['probe'] {
    return this.#driver.probe
  }

  /** A client connects before it starts its first phase. */
  begin(): void {
    if (this.role === 'server') {
      this.#progress.begin(this.#plan)
      this.#begun.resolve()
      this.#driver.gone?.then(() => this.#finished.resolve())
      return
    }
    this.#driver.open().then(
      () => this.#connected(),
      (thrown) => this.#fail(toArenaError('connect_failed', `${this.name} could not connect`, thrown)),
    )
  }

  /** Returns the time of a server's next `after` trigger; undefined if none is pending or no peer is connected. */
  dueAt(): number | undefined {
    const isTimed = this.#plan.triggers[this.#progress.index]?.after !== undefined
    return this.role === 'server' && isTimed && this.#driver.present?.() === true
      ? this.#progress.step?.wakeAt
      : undefined
  }

  listens(): boolean {
    return this.#driver.standing === true && this.#failure === undefined
  }

  /** Records bytes that could not be parsed as a request. */
  garbage(text: string, reason: string): void {
    recordMalformed(this.#stage, { direction: 'request' }, text, reason)
  }

  silence(): void {
    this.#silent = true
    this.#progress.stop()
    this.#entering = undefined
    this.#begun.resolve()
  }

  /** Closes the actor. Never rejects. */
  async close(): Promise<void> {
    this.silence()
    this.#phaseOver.abort(PHASE_OVER)
    await this.#driver.close()
    this.#finished.resolve()
  }

  /**
   * Reports the unreached phases of a server. A trigger with a `match` waits for the agent to fall for the attack. A
   * trigger without `match` waits only for traffic; if such a trigger never fired, the attack was not carried out.
   */
  reportUnreached(): void {
    const unreached = this.#unreached()
    if (this.role === 'client' || this.#progress.step === undefined || unreached === '') return
    const trigger = this.#plan.triggers[this.#progress.index]
    const times = trigger?.count === undefined || trigger.count === 1 ? '' : ` (${trigger.count} times)`
    const awaited = trigger?.event === undefined ? '' : ` while waiting for ${trigger.event}${times}`
    const where = `${this.name} ended in phase ${this.#stage.scene().phase}${awaited}${unreached}`
    if (trigger?.match === undefined)
      this.#options.report('stage-not-set', `${where}; the attack needs more messages from the agent`)
    else this.#options.report('phase-not-reached', where)
  }

  outcome(): ActorOutcome {
    const address = this.address()
    return {
      name: this.name,
      mode: this.mode,
      status: statusOf(this.role, this.#progress.step?.state.finished, this.#failure),
      ...(address === undefined ? {} : { address }),
      phases: this.#visits,
      unreached: this.#scenes.length - 1 - this.#progress.index,
      ...(this.#failure === undefined ? {} : { error: this.#failure.message }),
    }
  }

  #createStage(): Stage {
    const { actor } = this.#options
    return createStage({
      ...this.#options,
      actor: actor.name,
      mode: actor.mode,
      phases: actor.phases,
      scene: () => this.#sceneAt(this.#progress.index),
      entering: () => this.#entering,
      over: () => this.#silent,
      count: ({ index }, event_type, content) => this.#count(index, { event_type, content }),
    })
  }

  #sceneAt(index: number): Scene {
    return this.#scenes[index] ?? { index, phase: '', state: null }
  }

  #enter(index: number, reason: PhaseVisit['reason']): void {
    const { phase } = this.#sceneAt(index)
    const visit = { phase, elapsed_ms: this.#clock.now() - this.#options.startedAt, reason }
    this.#visits.push(visit)
    this.#options.onPhase(visit)
    this.#runPhase(index)
  }

  #count(phase: number, event: ProtocolEvent): void {
    if (this.#progress.step === undefined) this.#early.push(event)
    else this.#progress.take({ kind: 'event', phase, event })
  }

  /** Starts the first phase. Counts earlier handshake events once the entry messages of the phase have been sent. */
  async #connected(): Promise<void> {
    if (this.#silent) return
    this.#progress.begin(this.#plan)
    for (const event of this.#early) {
      while (this.#entering !== undefined) await this.#entering
      const { index, phase } = this.#stage.scene()
      this.#count(index, event)
      const isDone = this.#progress.step?.state.finished !== undefined
      const passed = `the handshake ended phase ${phase}, so the actions of the phase may not have been sent`
      if (isDone || this.#progress.index > index) this.#options.report('phase-passed', passed)
      if (isDone) return
    }
  }

  #runPhase(index: number): void {
    const { actor, path } = this.#options
    this.#phaseOver.abort(PHASE_OVER)
    this.#phaseOver = new AbortController()
    const scene = this.#sceneAt(index)
    const actions = actor.phases[index]?.on_enter ?? []
    const entering = enterPhase(actions, scene, this.#driver, this.#stage, `${path}.phases[${index}]`)
    if (actions.length > 0) this.#hold(entering.written)
    else this.#entering = undefined
    if (this.role === 'client') this.#act(scene, entering.answered, this.#phaseOver.signal)
  }

  #hold(written: Promise<void>): void {
    const mine = written.then(() => {
      if (this.#entering === mine) this.#entering = undefined
    })
    this.#entering = mine
  }

  #act(scene: Scene, ready: Promise<void>, signal: AbortSignal): void {
    const work = ready
      .then(() => this.#improvise(scene))
      .then(() => (this.#inherits(scene) ? undefined : this.#driver.perform?.(scene, signal)))
    this.#performing.add(work)
    const terminal = this.#plan.triggers[scene.index] === undefined
    work
      // The last phase also waits for pending actions of earlier phases.
      .then(() => (terminal ? Promise.allSettled(this.#performing).then(() => {}) : undefined))
      .then(
        () => this.#progress.take({ kind: 'acted', phase: scene.index }),
        (thrown) => this.#fail(toArenaError('connection_lost', `${this.name} could not continue`, thrown)),
      )
  }

  /** Sets template values from outside the document for a phase. */
  async #improvise({ index, phase }: Scene): Promise<void> {
    const texts = await this.#options.improvise?.({ actor: this.name, phase, index })
    for (const [name, text] of Object.entries(texts ?? {})) this.#options.values.capture(this.name, name, text)
  }

  /** The actions of an inherited state ([OATF §5.2](https://oatf.io/specification/execution-profile/)) were sent. */
  #inherits({ index, phase }: Scene): boolean {
    const inherits = index > 0 && (this.#options.actor.phases[index]?.state ?? undefined) === undefined
    if (inherits) this.#options.report('state-inherited', `phase ${phase} inherits its state, so it sends no actions`)
    return inherits
  }

  #unreached(): string {
    const names = this.#scenes.slice(this.#progress.index + 1).map(({ phase }) => phase)
    return names.length === 0 ? '' : `; never reached: ${names.join(', ')}`
  }

  #fail(error: ArenaError): void {
    if (this.#silent || this.#failure !== undefined) return
    this.#failure = error
    this.#options.onFailure(error)
    this.#progress.cancelTimer()
    this.#finished.resolve()
  }

  #finish(reason: FinishReason): void {
    const { phase } = this.#stage.scene()
    if (reason === 'triggered') this.#phaseOver.abort(PHASE_OVER)
    if (reason === 'expired')
      this.#options.report('phase-expired', `timeout: phase ${phase} ended after ${this.#plan.limitMs / 1000} s`)
    if (reason === 'stalled') {
      const what = `all actions of phase ${phase} were answered, but its trigger did not fire`
      this.#options.report('phase-stalled', `${what}${this.#unreached()}`)
    }
    this.#finished.resolve()
  }
}
