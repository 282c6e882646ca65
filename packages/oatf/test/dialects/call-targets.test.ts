import { testIndicator } from './translation-test.ts'

testIndicator('D-002', [
  {
    name: 'the message of a task',
    before: '{ protocol: a2a, direction: request, target: a2a.task.message, pattern: { regex: x } }',
    after: '{ protocol: a2a, direction: request, target: "message.parts[*].text", pattern: { regex: x } }',
    at: ['target'],
    says: '"a2a.task.message" is read as "message.parts[*].text"',
  },
  {
    name: 'the message that a task answers with',
    before: '{ protocol: a2a, direction: response, target: a2a.task.message, pattern: { regex: x } }',
    after: '{ protocol: a2a, direction: response, target: "_texts[*]", pattern: { regex: x } }',
  },
  {
    name: 'the rest of a task',
    before: '{ protocol: a2a, direction: response, target: a2a.task.status, pattern: { regex: x } }',
    after: '{ protocol: a2a, direction: response, target: status.state, pattern: { regex: x } }',
  },
  {
    name: 'a path below a task',
    before: '{ protocol: a2a, target: "a2a.task.artifacts[*].name", pattern: { regex: x } }',
    after: '{ protocol: a2a, target: "artifacts[*].name", pattern: { regex: x } }',
  },
  {
    name: 'what an agent is asked, as a tool would be',
    before: '{ protocol: a2a, direction: request, target: arguments, pattern: { regex: x } }',
    after: '{ protocol: a2a, direction: request, target: "message.parts[*].text", pattern: { regex: x } }',
  },
  {
    name: 'the whole message',
    before: '{ protocol: a2a, target: body, pattern: { regex: x } }',
    after: '{ protocol: a2a, target: "", pattern: { regex: x } }',
    says: 'the whole message, ""',
  },
  {
    name: 'the arguments of a tool call in AG-UI',
    before: '{ protocol: ag_ui, target: arguments, pattern: { regex: x } }',
    after: '{ protocol: ag_ui, surface: tool_call_end, target: _arguments, pattern: { regex: x } }',
  },
  {
    name: 'the name of a tool call in AG-UI',
    before: '{ protocol: ag_ui, direction: response, target: name, surface: tool_call_start, pattern: { regex: x } }',
    after:
      '{ protocol: ag_ui, direction: response, target: toolCallName, surface: tool_call_start, pattern: { regex: x } }',
  },
  {
    name: 'the name of a tool call in AG-UI, on a surface of an earlier draft',
    before: '{ protocol: ag_ui, surface: tool_call, direction: response, target: name, pattern: { contains: x } }',
    after:
      '{ protocol: ag_ui, surface: tool_call_start, direction: response, target: toolCallName, pattern: { contains: x } }',
  },
  { name: 'a name on no surface: custom events have one', before: '{ protocol: ag_ui, target: name }' },
  { name: 'a vendor surface', before: '{ protocol: ag_ui, surface: acme_event, target: arguments }' },
  { name: 'the name of another event', before: '{ protocol: ag_ui, surface: custom, target: name }' },
  { name: 'the name of something else', before: '{ protocol: ag_ui, surface: tool_definition, target: name }' },
  { name: 'MCP has arguments', before: '{ protocol: mcp, target: arguments, pattern: { regex: x } }' },
  { name: 'a card has a name', before: '{ protocol: a2a, target: name, pattern: { regex: x } }' },
  {
    name: 'no request of A2A has a name, or anything like it',
    before: '{ protocol: a2a, direction: request, target: name, pattern: { regex: x } }',
  },
  { name: 'a client has no arguments', before: '{ protocol: ag_ui, direction: request, target: arguments }' },
  { name: 'nothing of the kind', before: '{ protocol: a2a, target: a2a.task.wishes, pattern: { regex: x } }' },
])
