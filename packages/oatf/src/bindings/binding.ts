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
  /** Those of them that the specification does not list for the mode: other tools may never report them. */
  readonly unlisted?: readonly string[]
  /** Structural keys of `phase.state`. */
  readonly stateKeys: readonly string[]
  /** What they are for, and what the keys below them are for that no message of the protocol has: `tools.responses`. */
  readonly stateTexts: Texts
  /** What `on_enter` can do. */
  readonly entryActions: readonly string[]
}

/** Sentences by key. */
export type Texts = { readonly [key: string]: string }

/** A mode whose states have the keys that its sentences are about. */
export function bindingMode(row: Omit<BindingMode, 'stateKeys'>): BindingMode {
  return { ...row, stateKeys: Object.keys(row.stateTexts).filter((key) => !key.includes('.')) }
}

/** The keys of a state by which a client sends requests. */
export const actionTexts: Texts = {
  actions: 'The requests that the attacker sends, one after the other.',
  'actions.method': 'The method of the request.',
  'actions.params': 'What the request holds; templates are filled in.',
}

/** The keys of an answer, in every list of responses of every mode. */
export const answerTexts: Texts = {
  when: 'What the request has to hold for this answer: paths and conditions. An answer without it always fits.',
  content: 'What is sent, in the words of the protocol; templates are filled in.',
  'x-joust-during': 'A Joust extension: messages that are sent before the answer, on the same stream.',
  'x-joust-during.send': 'Sends a message of the protocol.',
  'x-joust-during.send.method': 'The method of the message.',
  'x-joust-during.send.params': 'What the message holds.',
}
