import { a2a } from './a2a.ts'
import { agUi } from './ag-ui.ts'
import type { Binding, BindingMode } from './binding.ts'
import { mcp } from './mcp.ts'

/** The bindings in OATF 0.1. */
export const bindings: readonly Binding[] = [mcp, a2a, agUi]

/**
 * Returns the modes of the included bindings ([OATF SDK §3.2](https://oatf.io/sdk/entry-points/)).
 *
 * @example
 * console.log(knownModes().includes('mcp_server'))
 */
export function knownModes(): readonly string[] {
  return bindings.flatMap((binding) => binding.modes.map((mode) => mode.mode))
}

/**
 * Returns the protocols of the included bindings (OATF SDK §3.2).
 *
 * @example
 * console.log(knownProtocols().join(', '))
 */
export function knownProtocols(): readonly string[] {
  return bindings.map((binding) => binding.protocol)
}

/** Returns the tables of a mode; undefined for a mode without an included binding. */
export function findMode(mode: string): BindingMode | undefined {
  return modes.get(mode)
}

const modes: ReadonlyMap<string, BindingMode> = new Map(
  bindings.flatMap((binding) => binding.modes.map((row) => [row.mode, row])),
)

export function findBinding(protocol: string): Binding | undefined {
  return bindings.find((binding) => binding.protocol === protocol)
}
