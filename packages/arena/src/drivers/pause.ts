/** Waiting that ends with the run. */
import { type Clock, within } from '../model/clock.ts'

/** Waits, unless the signal fires. Never rejects. */
export function pause(clock: Clock, milliseconds: number, signal: AbortSignal): Promise<void> {
  return within(clock, milliseconds, new Promise<never>(() => {}), signal, () => {})
}
