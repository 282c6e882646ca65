import { testIndicator } from './translation-test.ts'

testIndicator('D-001', [
  {
    name: 'AG-UI: the whole text of a message',
    before: '{ protocol: ag_ui, direction: response, target: response.content, pattern: { contains: x } }',
    after:
      '{ protocol: ag_ui, direction: response, surface: text_message_end, target: _text, pattern: { contains: x } }',
    at: ['target'],
    says: 'the whole response text, "_text" of text_message_end',
  },
  {
    name: 'AG-UI on another surface, by another name, in a semantic block',
    before: '{ protocol: ag_ui, surface: run_finished, target: body, semantic: { target: response.text, intent: x } }',
    after: '{ protocol: ag_ui, surface: text_message_end, target: _text, semantic: { target: _text, intent: x } }',
  },
  {
    name: 'AG-UI on a surface that has such a field',
    before: '{ protocol: ag_ui, surface: tool_call_result, target: response.content, pattern: { contains: x } }',
    after: '{ protocol: ag_ui, surface: tool_call_result, target: content, pattern: { contains: x } }',
    says: '"response.content" is read as "content"',
  },
  {
    name: 'AG-UI: what a failed run says',
    before: '{ protocol: ag_ui, surface: run_error, target: response.message, pattern: { contains: x } }',
    after: '{ protocol: ag_ui, surface: run_error, target: message, pattern: { contains: x } }',
  },
  {
    name: 'AG-UI on a surface of an earlier draft',
    before: '{ protocol: ag_ui, surface: agent_response, target: response.content, pattern: { contains: x } }',
    after: '{ protocol: ag_ui, surface: text_message_end, target: _text, pattern: { contains: x } }',
  },
  {
    name: 'the variables of an expression, and the target that documents it',
    before:
      '{ protocol: ag_ui, target: response.content, expression: { cel: "size(said) > 0", variables: { said: response.content } } }',
    after:
      '{ protocol: ag_ui, surface: text_message_end, target: _text, expression: { cel: "size(said) > 0", variables: { said: _text } } }',
  },
  {
    name: 'MCP without a surface: what a tool says',
    before: '{ protocol: mcp, direction: response, target: response.content, pattern: { contains: x } }',
    after: '{ protocol: mcp, direction: response, target: "content[*].text", pattern: { contains: x } }',
    says: '"response.content" is read as "content[*].text"',
  },
  {
    name: 'MCP on a surface: what that answers',
    before: '{ protocol: mcp, surface: resources/read, target: response.content, pattern: { contains: x } }',
    after: '{ protocol: mcp, surface: resources/read, target: "contents[*].text", pattern: { contains: x } }',
  },
  {
    name: 'MCP on a surface of an earlier draft',
    before: '{ protocol: mcp, surface: prompt_content, target: response.content, pattern: { contains: x } }',
    after: '{ protocol: mcp, surface: prompt_content, target: "messages[*].content.text", pattern: { contains: x } }',
  },
  {
    name: 'A2A: everything that an answer says',
    before: '{ protocol: a2a, target: response.content, pattern: { contains: x } }',
    after: '{ protocol: a2a, target: "_texts[*]", pattern: { contains: x } }',
  },
  {
    name: 'A2A on a surface: what that says',
    before: '{ protocol: a2a, surface: message/stream, target: response.content, pattern: { contains: x } }',
    after: '{ protocol: a2a, surface: message/stream, target: "_texts[*]", pattern: { contains: x } }',
  },
  {
    name: 'A2A on a card: no answer in words',
    before: '{ protocol: a2a, surface: agent_card/get, target: response.content, pattern: { contains: x } }',
    after: '{ protocol: a2a, surface: agent_card/get, target: "skills[*].description", pattern: { contains: x } }',
  },
  {
    name: 'a protocol from the mode',
    before: '{ target: response.content, pattern: { contains: x } }',
    after: '{ target: "content[*].text", pattern: { contains: x } }',
  },
  { name: 'no request answers', before: '{ protocol: ag_ui, direction: request, target: response.content }' },
  { name: 'a vendor surface', before: '{ protocol: ag_ui, surface: acme_event, target: response.content }' },
  { name: 'another protocol', before: '{ protocol: acme, target: response.content }' },
  { name: 'what a message has', before: '{ protocol: mcp, target: content, pattern: { contains: x } }' },
  {
    name: 'an unused target',
    before: '{ protocol: ag_ui, target: response.content, expression: { cel: "message.delta == \'x\'" } }',
  },
  {
    name: 'an expression that looks at something else as well',
    before:
      '{ protocol: ag_ui, target: delta, expression: { cel: "a == b", variables: { a: response.content, b: delta } } }',
  },
])
