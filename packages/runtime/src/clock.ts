/** Time and chance, passed in. */
import { abortable } from './abortable.ts'

/** Time and chance. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number
  /** A number from 0 up to 1. */
  random(): number
  /** Calls back after a time; returns how to cancel. */
  setTimer(milliseconds: number, callback: () => void): () => void
  /** Resolves after a time; rejects with the signal's reason when it fires. */
  sleep(milliseconds: number, signal: AbortSignal): Promise<void>
}

/** The parts that a host may replace. */
export type ClockOptions = { readonly [Part in 'now' | 'random' | 'setTimer']?: Clock[Part] }

/** The clock of a runtime. */
export function createClock(options: ClockOptions): Clock {
  const setTimer = options.setTimer ?? systemTimer
  return {
    now: options.now ?? Date.now,
    random: options.random ?? Math.random,
    setTimer,
    async sleep(milliseconds, signal) {
      let cancel = () => {}
      const elapsed = () =>
        new Promise<void>((resolve) => {
          cancel = setTimer(milliseconds, resolve)
        })
      await abortable(signal, elapsed).finally(() => cancel())
    },
  }
}

/** The longest time that a timer of the platform can wait; more would fire at once. */
const LONGEST = 2 ** 31 - 1

function systemTimer(milliseconds: number, callback: () => void): () => void {
  let timer: ReturnType<typeof setTimeout>
  const arm = (left: number) => {
    timer = setTimeout(() => (left > LONGEST ? arm(left - LONGEST) : callback()), Math.min(left, LONGEST))
  }
  arm(milliseconds)
  return () => clearTimeout(timer)
}
