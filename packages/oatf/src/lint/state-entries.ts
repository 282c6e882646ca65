/** The entries of a state whose keys the run depends on (§7.1.4, §7.3.4). */
import type { Suggest } from '@joust/source'
import type { KnownMode } from '../model/enumerations.ts'
import { siteAt, sitesAt, type Walk } from '../rules/walk.ts'
import { meantName } from './meant.ts'
import type { KeyedPart } from './written.ts'

interface EntryKind {
  readonly mode: KnownMode
  /** The key of the state that holds it, in a list or by itself. */
  readonly key: string
  /** What one is called. */
  readonly noun: string
  /** Those of its keys where a slip would change the attack. */
  readonly keys: readonly string[]
  /** The key by which it is found. */
  readonly identity?: string
}

const described = ['name', 'description']

const kinds: readonly EntryKind[] = [
  {
    mode: 'mcp_server',
    key: 'tools',
    noun: 'tool',
    keys: [...described, 'inputSchema', 'outputSchema', 'responses'],
    identity: 'name',
  },
  {
    mode: 'mcp_server',
    key: 'prompts',
    noun: 'prompt',
    keys: [...described, 'arguments', 'responses'],
    identity: 'name',
  },
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
  {
    mode: 'ag_ui_client',
    key: 'run_agent_input',
    noun: 'run_agent_input',
    keys: ['threadId', 'runId', 'messages', 'tools', 'context', 'state', 'forwardedProps'],
  },
]

/** The keys of the entries under a key of a state; empty where they are not known. */
export function entryKeys(mode: string, key: string): readonly string[] {
  return kinds.find((kind) => kind.mode === mode && kind.key === key)?.keys ?? []
}

interface StateEntry extends KeyedPart {
  readonly identity?: string
}

/** Every entry whose keys are known. */
export function stateEntries({ phases }: Walk): readonly StateEntry[] {
  return phases.flatMap((phase) => {
    const state = siteAt(phase, 'state')
    if (state === undefined) return []
    return kinds
      .filter((kind) => kind.mode === phase.mode)
      .flatMap((kind) => {
        const single = siteAt(state, kind.key)
        const found = single === undefined ? sitesAt(state, kind.key) : [single]
        return found.map((one) => ({ ...kind, ...one }))
      })
  })
}

/** Unknown keys next to a missing key that was probably meant. Where both keys are there, it is not a slip. */
export function misspelledKeys(
  { keys, value }: Pick<KeyedPart, 'keys' | 'value'>,
  hint: Suggest,
): readonly { key: string; meant: string }[] {
  const missing = keys.filter((key) => !Object.hasOwn(value, key))
  return Object.keys(value).flatMap((key) => {
    if (key.startsWith('x-') || keys.includes(key)) return []
    const meant = meantName(key, missing, hint)
    return meant === undefined ? [] : [{ key, meant }]
  })
}
