/** Signals that many may listen to. */
import { setMaxListeners } from 'node:events'

/** Makes the platform not take many listeners for a leak: everything of a run ends with its signal. */
export function unlimited(controller: AbortController): AbortController {
  setMaxListeners(0, controller.signal)
  return controller
}
