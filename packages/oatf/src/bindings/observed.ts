/** Protocols that have no actor. Their messages report how the agent uses content from the attack. */
import type { Value } from '@joust/source'
import { hasApp, MCP_APP } from './apps.ts'
import { needsFolder, WORKSPACE } from './workspace.ts'

interface Observable {
  readonly attack: object
  readonly states: readonly { readonly value: Value }[]
}

/** Returns the observed protocols of an attack that writes files to the working folder or has an app. */
export function observedProtocols({ attack, states }: Observable): readonly string[] {
  return [...(needsFolder(attack) ? [WORKSPACE] : []), ...(states.some(({ value }) => hasApp(value)) ? [MCP_APP] : [])]
}
