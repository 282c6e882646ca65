/** Small attacks for tests of a run. */
import { type Attack, type Document, load } from '@joust/oatf'
import { writeYaml } from '@joust/source'

/** A document with an attack of these parts; throws when it is not valid. */
export function attackDocument(attack: Partial<Attack>): Document {
  // Tests write plain data.
  const loaded = load(writeYaml({ oatf: '0.1', attack: { name: 'test', ...attack } } as never))
  if (!loaded.ok) throw new Error(loaded.error.map(({ message }) => message).join('\n'))
  return loaded.value.document
}

const echoState = (word: string) => ({
  tools: [{ name: 'echo', responses: [{ content: { content: [{ type: 'text', text: `said ${word}` }] } }] }],
})
const called = (word: string) =>
  ({
    surface: 'tools/call',
    direction: 'request',
    target: 'arguments.text',
    pattern: { condition: { contains: word } },
  }) as const

/** A server with one tool that says something, and an indicator for its being called with a word. */
export const echoServer = (word: string): Partial<Attack> => ({
  execution: { mode: 'mcp_server', state: echoState(word) },
  indicators: [called(word)],
})

/** A client that calls the tool of a server with some texts, in one document with it. */
export const selfPlay = (word: string, texts: readonly string[]): Partial<Attack> => {
  const actions = texts.map((text) => ({ method: 'tools/call', params: { name: 'echo', arguments: { text } } }))
  return {
    execution: {
      actors: [
        { name: 'server', mode: 'mcp_server', phases: [{ name: 'serving', state: echoState(word) }] },
        { name: 'client', mode: 'mcp_client', phases: [{ name: 'calling', state: { actions } }] },
      ],
    },
    indicators: [{ protocol: 'mcp', actor: 'server', ...called(word) }],
  }
}
