import { knownProtocols } from '../../bindings/table.ts'
import { extractProtocol } from '../../primitives/extract-protocol.ts'
import { isSnakeCase } from '../names.ts'
import type { Walk } from '../walk.ts'

/** The protocols that the actors of a document speak. */
export function spokenProtocols(walk: Walk): ReadonlySet<string> {
  const modes = [...walk.actors, ...walk.phases].flatMap((site) => site.mode ?? [])
  return new Set(modes.map(extractProtocol))
}

/** Whether a text is a protocol name, but not one of an included binding. */
export function isForeignProtocol(protocol: string): boolean {
  return isSnakeCase(protocol) && !knownProtocols().includes(protocol)
}
