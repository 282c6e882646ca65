/** Documents that several tests share, and a way to change one place in them. */
import { cloneValue, type Path, type Value } from '@joust/source'

/** The smallest document that conforms. */
export const minimalText = `oatf: "0.1"
attack:
  execution:
    mode: mcp_server
    state:
      tools: []
`

/** Every field of the format once, in the order of the specification. Conforms, with warnings. */
export const fullDocument: Value = {
  oatf: '0.1',
  $schema: 'https://example.org/oatf.json',
  attack: {
    id: 'ACME-042',
    name: 'Borrowed badge',
    version: 2,
    status: 'experimental',
    created: '2026-03-01',
    modified: '2026-03-02T08:00:00Z',
    author: 'Acme red team',
    description: 'A tool asks for a badge number it has no use for.',
    grace_period: '20s',
    severity: { level: 'high', confidence: 70 },
    impact: ['credential_theft', 'behavior_manipulation'],
    classification: {
      category: 'capability_poisoning',
      mappings: [
        {
          framework: 'cwe',
          id: 'CWE-522',
          name: 'Credentials',
          url: 'https://example.org/522',
          relationship: 'related',
        },
      ],
      tags: ['badge', 'tool-description'],
    },
    references: [{ url: 'https://example.org/badge', title: 'Badges', description: 'Where it was seen first.' }],
    execution: {
      actors: [
        {
          name: 'front_desk',
          mode: 'mcp_server',
          phases: [
            {
              name: 'calm',
              description: 'Nothing happens yet.',
              mode: 'mcp_server',
              state: { tools: [{ name: 'open_door', description: 'Opens {{door}}.' }] },
              extractors: [{ name: 'door', source: 'request', type: 'json_path', selector: '$.arguments.door' }],
              on_enter: [
                { send: { method: 'notifications/tools/list_changed', params: { _meta: {} } } },
                { log: { message: 'calm before {{door}}', level: 'info' } },
                { ring_bell: { times: 2 } },
              ],
              trigger: {
                event: 'tools/call',
                count: 2,
                match: { name: 'open_door', 'arguments.door': { regex: '^[A-Z]' } },
                after: '5m',
              },
            },
            { name: 'storm', state: { tools: [] } },
          ],
        },
      ],
    },
    indicators: [
      {
        id: 'ACME-042-01',
        protocol: 'mcp',
        surface: 'tools/call',
        target: 'arguments.badge',
        actor: 'front_desk',
        direction: 'request',
        method: 'pattern',
        description: 'The badge number leaves the house.',
        pattern: { target: 'arguments.badge', condition: { regex: '[0-9]{6}', exists: true } },
        tier: 'boundary_breach',
        confidence: 90,
        severity: 'critical',
        false_positives: ['A door that really needs a badge.'],
      },
      {
        id: 'ACME-042-02',
        protocol: 'mcp',
        target: '',
        expression: { cel: 'size(name) > 0', variables: { name: 'name' } },
      },
      {
        id: 'ACME-042-03',
        protocol: 'mcp',
        target: 'arguments.note',
        semantic: {
          target: 'arguments.note',
          intent: 'hand over a badge number',
          intent_class: 'social_engineering',
          threshold: 0.8,
          examples: { positive: ['my badge is 123456'], negative: ['which door?'] },
        },
      },
    ],
    correlation: { logic: 'all' },
  },
}

/** A copy of a value with another value at a path; without a value, the field is removed. */
export function withValue(root: Value, path: Path, value?: Value): Value {
  const copy = cloneValue(root)
  const holder = path.slice(0, -1).reduce<unknown>((at, key) => (at as Record<string | number, unknown>)[key], copy)
  const key = path.at(-1)
  // The path leads through the copy, which nothing else refers to.
  const open = holder as Record<string | number, unknown>
  if (key === undefined) throw new Error('the root cannot be replaced')
  if (value === undefined) delete open[key]
  else open[key] = value
  return copy
}

/** A document as text with one key or value per line, so that a place in it is easy to find again. */
export function asText(value: Value): string {
  return JSON.stringify(value, null, 2)
}

/** Line and column of the first occurrence of a piece of text. */
export function positionOf(text: string, piece: string): { line: number; column: number } {
  const offset = text.indexOf(piece)
  if (offset < 0) throw new Error(`${piece} is not in the text`)
  const before = text.slice(0, offset).split('\n')
  return { line: before.length, column: (before.at(-1) ?? '').length + 1 }
}

/** The paths of the parts of the full document. */
export const places = {
  attack: ['attack'],
  actor: ['attack', 'execution', 'actors', 0],
  phase: ['attack', 'execution', 'actors', 0, 'phases', 0],
  extractor: ['attack', 'execution', 'actors', 0, 'phases', 0, 'extractors', 0],
  trigger: ['attack', 'execution', 'actors', 0, 'phases', 0, 'trigger'],
  pattern: ['attack', 'indicators', 0],
  expression: ['attack', 'indicators', 1, 'expression'],
  semantic: ['attack', 'indicators', 2, 'semantic'],
  mapping: ['attack', 'classification', 'mappings', 0],
  reference: ['attack', 'references', 0],
} as const satisfies Record<string, Path>
