import { expect, test } from 'vitest'
import { messageShapes } from '../../src/bindings/message-shapes.ts'
import { bindings } from '../../src/bindings/table.ts'
import { oldSurface, oldSurfaceNames } from '../../src/dialects/old-surface-names.ts'
import { surfacesWith } from '../../src/dialects/targets.ts'
import { testIndicator } from './translation-test.ts'

testIndicator('D-003', [
  {
    name: 'an operation of the protocol',
    before: '{ protocol: mcp, surface: tool_description, target: "tools[*].description", pattern: { contains: x } }',
    after: '{ protocol: mcp, surface: tools/list, target: "tools[*].description", pattern: { contains: x } }',
    at: ['surface'],
    says: 'the surface "tool_description" is read as "tools/list"',
  },
  {
    name: 'a target that the name implied',
    before: '{ protocol: mcp, surface: resource_content, pattern: { contains: x } }',
    after: '{ protocol: mcp, surface: resources/read, target: "contents[*].text", pattern: { contains: x } }',
  },
  {
    name: 'a target that only the pattern has',
    before: '{ protocol: mcp, surface: tool_name, pattern: { target: "tools[*].name", contains: x } }',
    after:
      '{ protocol: mcp, surface: tools/list, target: "tools[*].name", pattern: { target: "tools[*].name", contains: x } }',
  },
  {
    name: 'a target that is elsewhere',
    before: '{ protocol: mcp, surface: tool_response, target: data, pattern: { contains: x } }',
    after: '{ protocol: mcp, surface: notifications/message, target: data, pattern: { contains: x } }',
  },
  {
    name: 'a target outside of the message, in several operations',
    before:
      '{ protocol: mcp, surface: tool_response, target: "params.messages[*].content.text", pattern: { contains: x } }',
    after: '{ protocol: mcp, target: "messages[*].content.text", pattern: { contains: x } }',
    says: 'any operation of mcp with the target',
  },
  {
    name: 'an expression is shown only what it can read',
    before:
      '{ protocol: mcp, surface: tool_response, target: content, expression: { cel: size(c) > 0, variables: { c: content } } }',
    after:
      '{ protocol: mcp, surface: tools/call, direction: response, target: content, expression: { cel: size(c) > 0, variables: { c: content } } }',
  },
  {
    name: 'a task is in several operations',
    before: '{ protocol: a2a, surface: task_status, target: status.state, pattern: { contains: x } }',
    after: '{ protocol: a2a, target: status.state, pattern: { contains: x } }',
  },
  {
    name: 'any event',
    before: '{ protocol: ag_ui, surface: agent_event, target: stepName, direction: request, pattern: { contains: x } }',
    after: '{ protocol: ag_ui, target: stepName, direction: request, pattern: { contains: x } }',
  },
  { name: 'today’s name', before: '{ protocol: mcp, surface: tools/call, target: params.arguments }' },
  { name: 'an unknown name', before: '{ protocol: mcp, surface: tool_dance, target: arguments }' },
  { name: 'a name of another protocol', before: '{ protocol: a2a, surface: tool_response, target: content }' },
])

test.each(bindings.map(({ protocol }) => protocol))('the operations behind the old names of %s exist', (protocol) => {
  const known = messageShapes(protocol).map(({ surface }) => surface)
  expect(oldSurfaceNames(protocol).length).toBeGreaterThan(8)
  for (const name of oldSurfaceNames(protocol)) {
    const { surfaces, target } = oldSurface(protocol, name) ?? { surfaces: [] }
    expect(known).toEqual(expect.arrayContaining([...surfaces]))
    expect(known).not.toContain(name)
    if (target !== undefined)
      expect(surfacesWith(target, { protocol, value: {} })).toEqual(expect.arrayContaining([surfaces[0]]))
  }
})
