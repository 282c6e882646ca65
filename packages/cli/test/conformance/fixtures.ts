import { GOOD } from '../world.ts'

export interface Case {
  readonly id: string
  readonly input: unknown
  readonly expected: unknown
  readonly [extra: string]: unknown
}

/** A fixture file: JSON is YAML, too. */
export function suite(...cases: readonly Case[]): string {
  return JSON.stringify(cases.map((one) => ({ name: `about ${one.id}`, ...one })))
}

/** A small tree in the official layout in which every case passes. */
export const passing: { readonly [path: string]: string } = {
  'README.md': 'notes',
  'parse/valid/a.yaml': GOOD,
  'parse/invalid/b.yaml': 'oatf: [',
  'parse/invalid/b.meta.yaml': 'expected_error: "not YAML"',
  'validate/suite.yaml': suite({ id: 'VAL-1', input: GOOD, expected: { valid: true } }),
  'normalize/suite.yaml': suite({ id: 'NORM-1', input: minimal(), expected: normalized() }),
  'roundtrip/suite.yaml': suite({ id: 'ROUND-1', input: GOOD, expected: { identical: true } }),
  'evaluate/pattern.yaml': suite({ id: 'EVAL-1', input: evaluation('x'), expected: 'matched' }),
  'verdict/any.yaml': suite({ id: 'VERDICT-1', input: verdict('matched'), expected: exploited(1) }),
  'primitives/parse-duration.yaml': suite({ id: 'DUR-1', input: '5m', expected: { seconds: 300 } }),
}

/** An indicator that looks for an x, and a message. */
export function evaluation(text: string): { indicator: object; message: object } {
  return { indicator: { target: 'a', pattern: { contains: 'x' } }, message: { a: text } }
}

export function verdict(result: string): object {
  return {
    correlation_logic: 'any',
    indicators: [{ id: 'i' }],
    verdicts: [{ indicator_id: 'i', result, timestamp: null }],
  }
}

export function exploited(matched: number): object {
  return { result: 'exploited', evaluation_summary: { matched, not_matched: 0, error: 0, skipped: 0 } }
}

export function minimal(): string {
  return 'oatf: "0.1"\nattack: { execution: { mode: mcp_server, state: { tools: [] } } }\n'
}

export function normalized(): string {
  return `oatf: "0.1"
attack:
  name: Untitled
  version: 1
  status: draft
  execution:
    actors:
      - { name: default, mode: mcp_server, phases: [{ name: phase-1, state: { tools: [] } }] }
`
}
