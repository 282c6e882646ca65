/** Clients of MCP that were answered with a version that they do not speak, and left. */
import { ownText } from '@joust/source'
import type { TraceEntry } from '../model/trace-entry.ts'

interface LeftHandshake {
  readonly actor: string
  /** The version that the client asked for, and the one in the answer. */
  readonly asked: string
  readonly answered: string
}

/** Handshakes with different versions that were followed by nothing but goodbyes, one for each server. */
export function leftHandshakes(trace: readonly TraceEntry[]): LeftHandshake[] {
  const ofServers = trace.filter(({ mode }) => mode === 'mcp_server')
  const actors = new Set(ofServers.map(({ actor }) => actor))
  return [...actors].flatMap((actor) => {
    const entries = ofServers.filter((entry) => entry.actor === actor)
    const came = entries.filter(({ flow }) => flow === 'in')
    const stayed = came.some(({ surface }) => surface !== 'initialize' && !surface.startsWith('notifications/'))
    const asked = versionIn(came)
    const answered = versionIn(entries.filter(({ flow }) => flow === 'out'))
    if (stayed || asked === undefined || answered === undefined || asked === answered) return []
    return [{ actor, asked, answered }]
  })
}

/** The same in a sentence. */
export function leftSentence({ actor, asked, answered }: LeftHandshake): string {
  return `the agent left ${actor} after the handshake: it asked for MCP ${asked} and was answered ${answered}`
}

function versionIn(entries: readonly TraceEntry[]): string | undefined {
  return ownText(entries.findLast(({ surface }) => surface === 'initialize')?.content, 'protocolVersion')
}
