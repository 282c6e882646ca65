import type { KnownMode } from '../model/enumerations.ts'

/** The tables of a protocol binding ([OATF §7](https://oatf.io/specification/protocol-bindings/)). */
export interface Binding {
  readonly protocol: string
  readonly title: string
  readonly section: string
  readonly modes: readonly BindingMode[]
  /** The valid values of `indicator.surface`. */
  readonly surfaces: readonly string[]
}

export type Role = 'server' | 'client'

/**
 * Returns the role in a mode, based on the suffix of the mode. Also works for other bindings ([OATF SDK
 * §2.20](https://oatf.io/sdk/core-types/)).
 */
export function roleOf(mode: string): Role {
  return mode.endsWith('_client') ? 'client' : 'server'
}

/** A mode in a binding, which determines the attacker's role. */
export interface BindingMode {
  readonly mode: KnownMode
  readonly role: Role
  readonly events: readonly string[]
  /** Events that the specification does not list for the mode, so that other tools may not report them. */
  readonly unlisted?: readonly string[]
  /** The keys that the mode defines in `phase.state`. */
  readonly stateKeys: readonly string[]
  /** Descriptions of state keys, including nested keys that protocol messages lack, such as `tools.responses`. */
  readonly stateTexts: Texts
  readonly entryActions: readonly string[]
}

export type Texts = { readonly [key: string]: string }

/** Defines a mode whose state keys are the described top-level keys. */
export function bindingMode(row: Omit<BindingMode, 'stateKeys'>): BindingMode {
  return { ...row, stateKeys: Object.keys(row.stateTexts).filter((key) => !key.includes('.')) }
}

/** The template for a server actor's address: `{{x_joust_address}}`, or `{{name.x_joust_address}}` for other actors. */
export const ADDRESS = 'x_joust_address'

export const headerTexts: Texts = {
  'x-joust-headers': "A Joust extension: HTTP headers of the actor's messages; null removes a header.",
}

export const actionTexts: Texts = {
  actions: "The attacker's requests, sent in order.",
  'actions.method': 'The method of the request.',
  'actions.params': 'The parameters of the request; templates are interpolated.',
  'actions.x-joust-headers': 'A Joust extension: HTTP headers of this request; null removes a header.',
}

export const answerTexts: Texts = {
  when: 'Paths and conditions that the request must match. If omitted, the entry always matches.',
  content: 'The content to send, as in the protocol; templates are interpolated.',
  'x-joust-during': 'A Joust extension: messages sent before the response, on the same stream.',
  'x-joust-during.send': 'Sends a protocol message.',
  'x-joust-during.send.method': 'The method of the message.',
  'x-joust-during.send.params': 'The parameters of the message.',
}
