/** What lint and editors know about each key of a state. The compiler asks for a new mode here, the test for a new key. */
import type { Path, Value } from '@joust/source'
import { describe, expect, test } from 'vitest'
import type { KnownMode } from '../src/index.ts'
import { findMode, messageAt, requestPaths } from '../src/vocabulary.ts'

/** `sends` for a part of a message, `answers` for the reply to one; nothing for a plain value and for `actions`. */
type Knowledge = readonly ('sends' | 'answers')[]

const expected = {
  mcp_server: {
    protocol_version: [],
    server_info: ['sends', 'answers'],
    instructions: ['answers'],
    capabilities: ['sends'],
    tools: ['sends', 'answers'],
    resources: ['sends', 'answers'],
    resource_templates: ['sends', 'answers'],
    prompts: ['sends', 'answers'],
    elicitations: ['sends', 'answers'],
    'x-joust-cache': [],
    'x-joust-pages': [],
    'x-joust-headers': [],
  },
  mcp_client: {
    protocol_version: [],
    client_info: ['sends'],
    capabilities: ['sends'],
    roots: ['sends'],
    sampling_responses: ['sends', 'answers'],
    elicitation_responses: ['sends', 'answers'],
    actions: [],
    'x-joust-headers': [],
  },
  a2a_server: {
    agent_card: ['sends'],
    task_responses: ['sends', 'answers'],
    'x-joust-signature': [],
    'x-joust-headers': [],
  },
  a2a_client: { actions: [], 'x-joust-headers': [] },
  ag_ui_client: {
    run_agent_input: ['sends'],
    tool_responses: ['answers'],
    'x-joust-resume': [],
    'x-joust-headers': [],
  },
} satisfies { readonly [mode in KnownMode]: { readonly [key: string]: Knowledge } }

describe.each(Object.entries(expected))('%s', (mode, keys) => {
  test('every key of its state is known', () => {
    const stateKeys = findMode(mode)?.stateKeys ?? []
    expect(Object.fromEntries(stateKeys.map((key) => [key, knowledgeOf(mode, key)]))).toEqual(keys)
  })
})

function knowledgeOf(mode: string, key: string): Knowledge {
  const sends = samples(key).some(([phase, path]) => messageAt(mode, phase, path) !== undefined)
  const answers = requestPaths(mode, [key, 0]).length > 0
  return [...(sends ? (['sends'] as const) : []), ...(answers ? (['answers'] as const) : [])]
}

/** The key with a mapping, with a list, and with a list of entries that have content: the forms that states take. */
function samples(key: string): (readonly [phase: Value, path: Path])[] {
  return [
    [{ state: { [key]: {} } }, ['state', key]],
    [{ state: { [key]: [{}] } }, ['state', key, 0]],
    [{ state: { [key]: [{ content: {} }] } }, ['state', key, 0, 'content']],
  ]
}
