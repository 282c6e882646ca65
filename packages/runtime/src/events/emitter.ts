/** Hands events to listeners. Watching never breaks a run. */
import type { EventListener, RunEvent } from '../model/events.ts'

/** Gives an event to every listener; what they throw or reject with goes to `onFault`. */
export function notify(listeners: readonly EventListener[], event: RunEvent, onFault: () => void = () => {}): void {
  for (const listener of listeners) {
    try {
      // An async function passes for a listener; a rejection of its promise would otherwise end the process.
      const returned: unknown = listener(event)
      if (returned instanceof Promise) returned.catch(onFault)
    } catch {
      onFault()
    }
  }
}
