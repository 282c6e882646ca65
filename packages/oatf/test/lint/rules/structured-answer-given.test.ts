import { testLint, withState } from '../harness.ts'

const tool = (response: string, schema = 'outputSchema: { type: object },', mode = 'mcp_server') =>
  withState(mode, `tools: [{ name: look, ${schema} responses: [{ ${response} }] }]`)
const path = 'attack.execution.state.tools[0].responses[0].content'

testLint('L-026', {
  valid: [
    tool('content: { structuredContent: { a: 1 } }'),
    // An error promises nothing, nor does a tool without the schema; what a model writes is not known.
    tool('content: { isError: true, content: [] }'),
    tool('content: { content: [] }', ''),
    tool('synthesize: { prompt: Something }'),
  ],
  invalid: [
    [tool('content: { content: [{ type: text, text: a }] }'), path],
    [tool('content: [{ type: text, text: a }]'), path],
    [tool('content: a'), path],
  ],
  messages: [
    'the tool has an outputSchema, so clients refuse this answer: it has no structuredContent; add it, or leave out the outputSchema',
    'no structuredContent',
    'no structuredContent',
  ],
})
