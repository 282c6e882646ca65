/** The phase machine of an actor, driven by a clock. */
import type { Clock } from '@joust/io'
import type { PhaseVisit } from '@joust/results'
import type { FinishReason } from './phase-machine.ts'
import { type PhaseInput, type PhasePlan, type PhaseStep, startPhases, stepPhases } from './phase-machine.ts'

interface ProgressHandlers {
  enter(index: number, reason: PhaseVisit['reason']): void
  finish(reason: FinishReason): void
  onError(error: { readonly message: string }): void
}

type UntimedInput = PhaseInput extends infer Input ? (Input extends PhaseInput ? Omit<Input, 'at'> : never) : never

export class PhaseProgress {
  readonly #clock: Clock
  readonly #handlers: ProgressHandlers
  #plan: PhasePlan = { triggers: [], role: 'server', limitMs: 0, stallMs: 0 }
  #step: PhaseStep | undefined
  #stopped = false
  #cancel = () => {}
  #timedFor: number | undefined

  constructor(clock: Clock, handlers: ProgressHandlers) {
    this.#clock = clock
    this.#handlers = handlers
  }

  /** The last step; undefined before the first phase. */
  get step(): PhaseStep | undefined {
    return this.#step
  }

  get index(): number {
    return this.#step?.state.index ?? 0
  }

  begin(plan: PhasePlan): void {
    if (this.#stopped) return
    this.#plan = plan
    this.#step = startPhases(plan, this.#clock.now())
    this.#setTimer(this.#step.wakeAt)
    this.#handlers.enter(0, 'start')
  }

  take(untimed: UntimedInput): void {
    if (this.#step === undefined || this.#stopped) return
    const input = { ...untimed, at: this.#clock.now() }
    this.#step = stepPhases(this.#plan, this.#step.state, input, { onError: this.#handlers.onError })
    for (const effect of this.#step.effects) {
      if (effect.kind === 'finish') this.#handlers.finish(effect.reason)
      else this.#handlers.enter(effect.index, effect.reason)
    }
    this.#setTimer(this.#step.wakeAt)
  }

  cancelTimer(): void {
    this.#cancel()
  }

  stop(): void {
    this.#stopped = true
    this.#cancel()
  }

  #setTimer(wakeAt: number | undefined): void {
    if (wakeAt === this.#timedFor) return
    this.#timedFor = wakeAt
    this.#cancel()
    this.#cancel = () => {}
    if (wakeAt === undefined || this.#stopped) return
    const tick = () => {
      this.#timedFor = undefined
      this.take({ kind: 'tick' })
    }
    this.#cancel = this.#clock.setTimer(wakeAt - this.#clock.now(), tick)
  }
}
