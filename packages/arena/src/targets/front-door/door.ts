/** What the protocols of a front door share. */
import type { Reception } from './reception.ts'

/** A front door, as its protocols see it. */
export interface DoorContext {
  readonly reception: Reception
  readonly newId: () => string
  readonly maxBytes: number
  /** Keeps a failure that the client does not hear of. */
  readonly fail: (fault: string) => void
}
