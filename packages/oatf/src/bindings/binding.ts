import type { KnownMode } from '../model/enumerations.ts'

/** What a protocol binding (§7) contributes as plain tables. */
export interface Binding {
  readonly protocol: string
  readonly title: string
  /** Clause of the binding chapter. */
  readonly section: string
  readonly modes: readonly BindingMode[]
  /** Operation names that `indicator.surface` may have. */
  readonly surfaces: readonly string[]
}

/** On which side of a connection an actor is. */
export type Role = 'server' | 'client'

/** The side of a mode, which ends its name, also in other bindings (SDK §2.20). */
export function roleOf(mode: string): Role {
  return mode.endsWith('_client') ? 'client' : 'server'
}

/** One attacker posture of a binding. */
export interface BindingMode {
  readonly mode: KnownMode
  readonly role: Role
  readonly events: readonly string[]
  /** Structural keys of `phase.state`. */
  readonly stateKeys: readonly string[]
  /** What `on_enter` can do. */
  readonly entryActions: readonly string[]
}
