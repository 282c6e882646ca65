/** Signals that many may listen to. */
import { setMaxListeners } from 'node:events'

/** Makes the platform not take many listeners for a leak: everything of a run ends with its signal. */
export function unlimited(signal: AbortSignal): AbortSignal {
  setMaxListeners(0, signal)
  return signal
}
