import { load } from '@joust/oatf'
import { describe, expect, test } from 'vitest'
import type { TraceEntry } from '../../../results/src/model/trace-entry.ts'
import { unmatchedValues } from '../../src/prove/unmatched.ts'

const loaded = load(`oatf: "0.1"
attack:
  id: TEST-001
  execution: { mode: mcp_server, state: { tools: [{ name: pay }] } }
  indicators:
    - { surface: tools/call, direction: request, target: arguments.to, pattern: { contains: box-7 } }
    - { surface: tools/call, target: arguments, expression: { cel: has(message.arguments.other) } }
    - { surface: tools/list, target: cursor, pattern: { contains: a } }
`)
if (!loaded.ok) throw new Error(JSON.stringify(loaded.error))
const attack = loaded.value

const call = (seq: number, args: object, flow: 'in' | 'out' = 'in'): TraceEntry => ({
  ...{ seq, at: '', elapsed_ms: 0, actor: 'default', mode: 'mcp_server', protocol: 'mcp', phase: 'phase-1' },
  ...{ direction: 'request', flow, surface: 'tools/call', content: { name: 'pay', arguments: { ...args } } },
})

describe('values that did not match', () => {
  test('the last one that the agent sent, and none where there is none', async () => {
    const trace = [call(1, { to: 'box-8' }), call(2, { to: 'box-9' }), call(3, {}), call(4, { to: 'box-5' }, 'out')]
    const values = await unmatchedValues(attack, trace)
    expect(values.get('TEST-001-01')).toEqual({
      entry: { seq: 2, actor: 'default', phase: 'phase-1', surface: 'tools/call', flow: 'in' },
      target: 'arguments.to',
      value: 'box-9',
    })
    expect(values.get('TEST-001-02')).toMatchObject({ entry: { seq: 3 }, value: '{}' })
    expect(values.has('TEST-001-03')).toBe(false)
  })

  test('not one that matched; secrets are hidden, and long texts cut', async () => {
    const secret = `sk-ant-api03-${'Ab1'.repeat(20)}`
    const values = await unmatchedValues(attack, [
      call(1, { to: `${secret} ${'x'.repeat(2000)}` }),
      call(2, { to: 'box-7' }),
    ])
    const { value = '' } = values.get('TEST-001-01') ?? {}
    expect(value).not.toContain(secret)
    expect(value.length).toBeLessThan(600)
  })
})
