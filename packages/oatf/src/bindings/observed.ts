/** Protocols without an actor, whose messages report what the agent does with content of the attack. */
import type { Value } from '@joust/source'
import { hasApp, MCP_APP } from './apps.ts'
import { needsFolder, WORKSPACE } from './workspace.ts'

interface Observable {
  readonly attack: object
  readonly states: readonly { readonly value: Value }[]
}

/** The observed protocols of an attack: the working folder if the attack writes files, and its apps. */
export function observedProtocols({ attack, states }: Observable): readonly string[] {
  return [...(needsFolder(attack) ? [WORKSPACE] : []), ...(states.some(({ value }) => hasApp(value)) ? [MCP_APP] : [])]
}
