import fc from 'fast-check'
import { expect, test } from 'vitest'
import { renderMermaid } from '../../src/render/mermaid.ts'
import { agentOf, steps } from '../rules/harness.ts'

test('draws nodes by kind and edges by role', () => {
  const space =
    '{ local_tools: [{ alias: t, approval: true }], mcp_servers: [{ alias: s }], remote_agents: [{ alias: r }], local_agents: [{ alias: a, source: x }] }'
  const agent = agentOf({ policy: steps('sequential', ['a']), space, agents: { a: {} } })
  expect(renderMermaid(agent)).toBe(
    [
      'flowchart TD',
      '  n0["Tested<br/>agf.sequential"]',
      '  n1("t")',
      '  n2[("s")]',
      '  n3(["r"])',
      '  n4["Tested<br/>agf.react"]',
      '  n0 -->|"step 1: a"| n4',
      '  n0 -.->|"may call: t, approval"| n1',
      '  n0 -->|"may call: s"| n2',
      '  n0 -->|"may call: r"| n3',
      '',
    ].join('\n'),
  )
})

test('hostile names stay inside their label', () => {
  const agent = agentOf({})
  const named = (name: string) => ({
    ...agent,
    document: { ...agent.document, metadata: { ...agent.document.metadata, name } },
  })
  expect(renderMermaid(named('"]\nclick n0 "javascript:alert(1)"'))).toContain('#34;#93;')
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (name) => {
      const lines = renderMermaid(named(name)).trimEnd().split('\n')
      expect(lines).toHaveLength(2)
      expect(lines[1]).toMatch(/^ {2}n0\["[^"`<>]*<br\/>agf\.react"\]$/u)
    }),
  )
})

test('long names are cut', () => {
  const agent = agentOf({})
  const metadata = { ...agent.document.metadata, name: '😀'.repeat(500) }
  expect(renderMermaid({ ...agent, document: { ...agent.document, metadata } }).length).toBeLessThan(1200)
})
