/**
 * State entries whose keys affect a run ([OATF §7.1.4](https://oatf.io/specification/protocol-bindings/mcp/), §7.3.4).
 */
import type { KnownMode } from '../model/enumerations.ts'
import { siteAt, sitesAt, type Walk } from '../walk/walk.ts'
import type { KeyedPart } from './written.ts'

interface EntryKind {
  readonly mode: KnownMode
  readonly key: string
  readonly noun: string
  /** Keys in which a typo would change the attack. */
  readonly keys: readonly string[]
  readonly identity?: string
}

const described = ['name', 'description']
const named = { mode: 'mcp_server', identity: 'name' } as const
const inputKeys = ['threadId', 'runId', 'messages', 'tools', 'context', 'state', 'forwardedProps']

const kinds: readonly EntryKind[] = [
  { ...named, key: 'tools', noun: 'tool', keys: [...described, 'inputSchema', 'outputSchema', 'responses'] },
  { ...named, key: 'prompts', noun: 'prompt', keys: [...described, 'arguments', 'responses'] },
  {
    mode: 'mcp_server',
    key: 'resources',
    noun: 'resource',
    keys: [...described, 'uri', 'mimeType', 'content'],
    identity: 'uri',
  },
  {
    mode: 'mcp_server',
    key: 'resource_templates',
    noun: 'resource template',
    keys: [...described, 'uriTemplate', 'mimeType', 'content'],
    identity: 'uriTemplate',
  },
  { mode: 'mcp_server', key: 'elicitations', noun: 'elicitation', keys: ['message', 'requestedSchema'] },
  { mode: 'ag_ui_client', key: 'run_agent_input', noun: 'run_agent_input', keys: inputKeys },
]

/** Returns the entry keys at a state key; empty if unknown. */
export function entryKeys(mode: string, key: string): readonly string[] {
  return kinds.find((kind) => kind.mode === mode && kind.key === key)?.keys ?? []
}

interface StateEntry extends KeyedPart {
  readonly identity?: string
}

/** Returns all entries with known keys. */
export function stateEntries({ phases }: Walk): readonly StateEntry[] {
  return phases.flatMap((phase) => {
    const state = siteAt(phase, 'state')
    if (state === undefined) return []
    return kinds
      .filter((kind) => kind.mode === phase.mode)
      .flatMap((kind) => {
        const single = siteAt(state, kind.key)
        const entries = single === undefined ? sitesAt(state, kind.key) : [single]
        return entries.map((one) => ({ ...kind, ...one }))
      })
  })
}
