/** Steps of AG-UI: each has a name that no other open step has. */
import { type AGUIEvent, EventType } from '@ag-ui/core'
import type { Place } from '../model/events.ts'

/** Tells steps. */
interface StepEvents {
  start(place: Place): void
  finish(place: Place): void
  /** Ends those that are still open. */
  end(): void
}

/** Sends steps. */
export function createStepEvents(send: (event: AGUIEvent) => void): StepEvents {
  const open = new Set<string>()
  const finish = (stepName: string) => {
    if (open.delete(stepName)) send({ type: EventType.STEP_FINISHED, stepName })
  }
  return {
    start(place) {
      const stepName = nameOf(place)
      open.add(stepName)
      send({ type: EventType.STEP_STARTED, stepName })
    },
    finish: (place) => finish(nameOf(place)),
    end() {
      for (const stepName of [...open]) finish(stepName)
    },
  }
}

/** Different for different places of one policy. */
function nameOf({ alias, step, iteration, item }: Place): string {
  return [
    ...(iteration === undefined ? [] : [`iteration ${iteration + 1}`]),
    ...(item === undefined ? [] : [`item ${item + 1}`]),
    ...(step === undefined ? [] : [`step ${step + 1}`]),
    ...(alias === undefined ? [] : [alias]),
  ].join(' / ')
}
