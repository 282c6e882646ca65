/** Documents for tests. */
import type { Indicator, LoadedAttack } from '@joust/oatf'
import { asLoaded } from './attacks.ts'

/** An attack with one MCP server and these indicators; tests write only what they are about. */
export function documentOf(indicators: readonly Partial<Indicator>[], logic?: 'any' | 'all'): LoadedAttack {
  return asLoaded({
    oatf: '0.1',
    attack: {
      id: 'T-1',
      execution: { actors: [{ name: 'default', mode: 'mcp_server', phases: [{ name: 'p', state: {} }] }] },
      // What is left out is not read, or is what the test is about.
      indicators: indicators as readonly Indicator[],
      ...(logic === undefined ? {} : { correlation: { logic } }),
    },
  })
}
