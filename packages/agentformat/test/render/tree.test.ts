import { expect, test } from 'vitest'
import { renderTree } from '../../src/render/tree.ts'
import { agentOf, steps } from '../rules/harness.ts'

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
