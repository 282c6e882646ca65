/** One actor: goes through its phases, whatever protocol its driver speaks. */

import { type Clock, deferred } from '@joust/io'
import { type Actor, computeEffectiveState, type Phase, type ProtocolEvent } from '@joust/oatf'
import type { Driver, DriverContext, Scene, Stage } from '../drivers/driver.ts'
import { recordMalformed } from '../drivers/http-body.ts'
import { type ActorOutcome, type FinishReason, type PhaseVisit, statusOf } from '../model/actor-outcome.ts'
import type { DiagnosticCode } from '../model/diagnostics.ts'
import { type ArenaError, toArenaError } from '../model/errors.ts'
import type { Recorder } from '../trace/recorder.ts'
import { enterPhase } from './entry-actions.ts'
import type { PhasePlan } from './phase-machine.ts'
import { PhaseProgress } from './phase-progress.ts'
import { type CapturedValues, createStage } from './stage.ts'

/** A constant reason: by default the platform would create an error with a stack each time. */
const PHASE_OVER = 'the phase is over'

/** What an actor is made with. */
export interface ActorOptions {
  readonly actor: Actor
  readonly path: string
  readonly role: 'server' | 'client'
  /** See `Stage`. */
  readonly verbatim: boolean
  readonly strict: boolean
  readonly createDriver: (context: DriverContext) => Driver
  /** Everything in a driver's context except the stage. */
  readonly context: Omit<DriverContext, 'stage'>
  /** How long a terminal phase may last, and how long a client waits for its trigger; see `RunLimits`. */
  readonly limits: { readonly phaseMs: number; readonly stallMs: number }
  readonly recorder: Recorder
  readonly values: CapturedValues
  readonly startedAt: number
  readonly report: (code: DiagnosticCode, message: string, path?: string) => void
  readonly onPhase: (visit: PhaseVisit) => void
}

/** An actor of a run: binds or connects, goes from phase to phase, and has to be closed. */
export class RunningActor {
  readonly name: string
  readonly mode: string
  readonly role: 'server' | 'client'
  /** Resolves when the actor has nothing more to do by itself. Never rejects. */
  readonly finished: Promise<void>
  readonly #options: ActorOptions
  readonly #clock: Clock
  readonly #plan: PhasePlan
  readonly #scenes: readonly Scene[]
  readonly #stage: Stage
  readonly #driver: Driver
  readonly #visits: PhaseVisit[] = []
  readonly #performing = new Set<Promise<void>>()
  /** What the handshake of a client brought, before the first phase could begin. */
  readonly #early: ProtocolEvent[] = []
  readonly #begun = deferred()
  readonly #finished = deferred()
  readonly #progress: PhaseProgress
  /** Events wait for this: until a server may begin, and while entry messages go out. */
  #entering: Promise<void> | undefined
  #phaseOver = new AbortController()
  #failure: ArenaError | undefined
  #silent = false

  constructor(options: ActorOptions) {
    const { actor, role, context } = options
    this.#options = options
    this.name = actor.name
    this.mode = actor.mode
    this.role = role
    this.finished = this.#finished.promise
    this.#clock = context.clock
    this.#scenes = actor.phases.map((phase, index) => sceneOf(actor.phases, phase, index))
    this.#entering = role === 'server' ? this.#begun.promise : undefined
    this.#progress = new PhaseProgress(this.#clock, {
      enter: (index, reason) => this.#enter(index, reason),
      finish: (reason) => this.#finish(reason),
      onError: ({ message }) => options.report('expression-failed', message),
    })
    this.#stage = this.#createStage()
    this.#driver = options.createDriver({ ...context, stage: this.#stage })
    this.#plan = planOf(options, this.#driver)
  }

  /** Servers: binds. Rejects with an `ArenaError`. */
  listen(): Promise<void> {
    return this.#driver.open()
  }

  /** Where a server is found, once it listens. */
  address(): string | undefined {
    return this.#driver.address?.()
  }

  /** Begins the first phase; a client connects before its entry actions. */
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

  /** When the next `after` of a server fires that somebody is there to see; undefined when there is none. */
  dueAt(): number | undefined {
    const isTimed = this.#plan.triggers[this.#progress.index]?.after !== undefined
    return this.role === 'server' && isTimed && this.#driver.present?.() === true
      ? this.#progress.step?.wakeAt
      : undefined
  }

  /** Whether a client is there for what the agent may ask of it. */
  listens(): boolean {
    return this.#driver.standing === true && this.#failure === undefined
  }

  /** Bytes that the transport could not read. */
  garbage(text: string, reason: string): void {
    recordMalformed(this.#stage, { direction: 'request' }, text, reason)
  }

  /** Records and counts nothing from now on. */
  silence(): void {
    this.#silent = true
    this.#progress.stop()
    this.#entering = undefined
    this.#begun.resolve()
  }

  /** Ends everything. Never rejects. */
  async close(): Promise<void> {
    this.silence()
    this.#phaseOver.abort(PHASE_OVER)
    await this.#driver.close()
    this.#finished.resolve()
  }

  /**
   * Reports the phases of a server that the agent never reached. A trigger that waits for something particular waits
   * for the agent to fall for it; one that waits for traffic sets the stage, and without it there was no attack.
   */
  reportUnreached(): void {
    const unreached = this.#unreached()
    if (this.role === 'client' || this.#progress.step === undefined || unreached === '') return
    const staging = this.#plan.triggers[this.#progress.index]?.match === undefined
    const where = `${this.name} ended in ${this.#stage.scene().phase}${unreached}`
    if (staging) this.#options.report('stage-not-set', `${where}; the attack needs more traffic than there was`)
    else this.#options.report('phase-not-reached', where)
  }

  /** How it has fared so far. */
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
    const { actor, verbatim, strict, recorder, values, report } = this.#options
    return createStage({
      actor: actor.name,
      mode: actor.mode,
      verbatim,
      strict,
      recorder,
      values,
      phases: actor.phases,
      scene: () => this.#sceneAt(this.#progress.index),
      entering: () => this.#entering,
      over: () => this.#silent,
      count: ({ index }, event_type, content) => this.#count(index, { event_type, content }),
      report,
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

  /** What the handshake brought counts once the first phase has begun, its entry messages included. */
  async #connected(): Promise<void> {
    if (this.#silent) return
    this.#progress.begin(this.#plan)
    for (const event of this.#early) {
      while (this.#entering !== undefined) await this.#entering
      const { index, phase } = this.#stage.scene()
      this.#count(index, event)
      const isDone = this.#progress.step?.state.finished !== undefined
      if (isDone || this.#progress.index > index)
        this.#options.report('phase-passed', `the handshake ended ${phase}, so its actions may not have been sent`)
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
    const work = ready.then(() => (this.#inherits(scene) ? undefined : this.#driver.perform?.(scene, signal)))
    this.#performing.add(work)
    const terminal = this.#plan.triggers[scene.index] === undefined
    work
      // The last phase also waits for what earlier phases have begun.
      .then(() => (terminal ? Promise.allSettled(this.#performing).then(() => {}) : undefined))
      .then(
        () => this.#progress.take({ kind: 'acted', phase: scene.index }),
        (thrown) => this.#fail(toArenaError('connection_lost', `${this.name} could not continue`, thrown)),
      )
  }

  /** A phase that inherits its state (§5.2) answers from it; what it sends was sent by the phase that declares it. */
  #inherits({ index, phase }: Scene): boolean {
    const inherits = index > 0 && (this.#options.actor.phases[index]?.state ?? undefined) === undefined
    if (inherits) this.#options.report('state-inherited', `${phase} has no state of its own, so it sends nothing`)
    return inherits
  }

  /** What did not happen, for messages. */
  #unreached(): string {
    const names = this.#scenes.slice(this.#progress.index + 1).map(({ phase }) => phase)
    return names.length === 0 ? '' : `; never reached: ${names.join(', ')}`
  }

  #fail(error: ArenaError): void {
    if (this.#silent || this.#failure !== undefined) return
    this.#failure = error
    this.#options.report('actor-failed', `${this.name}: ${error.message}`)
    this.#progress.cancelTimer()
    this.#finished.resolve()
  }

  #finish(reason: FinishReason): void {
    const { phase } = this.#stage.scene()
    if (reason === 'triggered') this.#phaseOver.abort(PHASE_OVER)
    if (reason === 'expired') {
      this.#options.report('phase-expired', `${phase} was ended after ${this.#plan.limitMs / 1000} s, the time limit`)
    }
    if (reason === 'stalled') {
      const what = `${phase} sent everything and has its answers, but its trigger did not fire`
      this.#options.report('phase-stalled', `${what}${this.#unreached()}`)
    }
    this.#finished.resolve()
  }
}

function sceneOf(phases: readonly Phase[], phase: Phase, index: number): Scene {
  return { index, phase: phase.name ?? `phase-${index + 1}`, state: computeEffectiveState(phases, index) }
}

function planOf({ actor, role, limits }: ActorOptions, driver: Driver): PhasePlan {
  const stallMs = driver.standing === true ? limits.stallMs : 0
  return { triggers: actor.phases.map((phase) => phase.trigger), role, limitMs: limits.phaseMs, stallMs }
}
