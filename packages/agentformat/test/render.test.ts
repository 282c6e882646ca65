import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { renderMermaid, renderTree } from '../src/render.ts'
import { agentOf, steps } from './rules/harness.ts'

describe('tree', () => {
  test('draws steps, tools and approvals', () => {
    const researcher = {
      space: '{ local_tools: [{ alias: web_search, approval: true }], mcp_servers: [{ alias: docs }] }',
    }
    const agent = agentOf({ policy: steps('sequential', ['researcher', 'writer']), agents: { researcher, writer: {} } })
    expect(renderTree(agent)).toBe(
      [
        'Tested (agf.sequential)',
        '├─ step 1: researcher = Tested (agf.react)',
        '│  ├─ tool web_search [approval]',
        '│  └─ MCP server docs',
        '└─ step 2: writer = Tested (agf.react)',
        '',
      ].join('\n'),
    )
  })

  test('draws a shared agent once', () => {
    const shared = agentOf({ space: '{ local_tools: [{ alias: t }] }' }, 'shared')
    const agent = {
      ...agentOf({ agents: { a: {}, b: {} } }),
      agents: new Map([
        ['a', shared],
        ['b', shared],
      ]),
    }
    expect(renderTree(agent)).toBe(
      [
        'Tested (agf.react)',
        '├─ may call: a = Tested (agf.react)',
        '│  └─ tool t',
        '└─ may call: b = Tested (agf.react) (see above)',
        '',
      ].join('\n'),
    )
  })

  test('a graph of shared agents stays small', () => {
    let agent = agentOf({}, 'leaf')
    for (let level = 0; level < 40; level++) {
      const both = agentOf({ agents: { a: {}, b: {} } }, `level ${level}`)
      agent = {
        ...both,
        agents: new Map([
          ['a', agent],
          ['b', agent],
        ]),
      }
    }
    expect(renderTree(agent).split('\n').length).toBeLessThan(100)
  })

  test('names cannot forge lines', () => {
    const agent = agentOf({})
    const metadata = { ...agent.document.metadata, name: 'A\n└─ tool fake\u202e\u001b[31m' }
    const text = renderTree({ ...agent, document: { ...agent.document, metadata } })
    expect(text.trimEnd().split('\n')).toHaveLength(1)
    expect(text).not.toContain('\u202e')
    expect(text).not.toContain('\u001b')
  })
})

describe('mermaid', () => {
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
})
