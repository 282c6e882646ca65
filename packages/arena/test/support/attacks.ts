/** Small attacks for tests of a run. */
import { type Attack, type Document, type LoadedAttack, load, normalize } from '@joust/oatf'
import { walkValue } from '@joust/oatf/vocabulary'
import { writeYaml } from '@joust/source'

/** An attack with these parts; throws when they do not make a valid document. */
export function loadedAttack(attack: Partial<Attack>): LoadedAttack {
  // Tests write plain data.
  const loaded = load(writeYaml({ oatf: '0.1', attack: { name: 'test', ...attack } } as never))
  if (!loaded.ok) throw new Error(loaded.error.map(({ message }) => message).join('\n'))
  return loaded.value
}

/** A text as an attack; throws when it is not a valid document. */
export function attackFrom(text: string): LoadedAttack {
  const loaded = load(text)
  if (!loaded.ok) throw new Error(loaded.error.map(({ message }) => message).join('\n'))
  return loaded.value
}

/** Presents any document as a loaded one, for tests that only look at the document. */
export function asLoaded(document: Document): LoadedAttack {
  const normal = normalize(document)
  const plants = { planted: [], baits: [], guessed: true, needed: [] }
  return {
    text: '',
    document: normal,
    written: document,
    warnings: [],
    fingerprint: 'x',
    plants,
    patterns: new Map(),
    walk: walkValue(document as never),
    lint: [],
    defects: [],
    deadIndicators: [],
    unknownSurfaceIndicators: [],
    locate: () => undefined,
    source: { value: null, locate: () => undefined } as never,
    options: {},
  }
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

/** A server with one tool that says something, and an indicator for calls to it with a word. */
export const echoServer = (word: string): Partial<Attack> => ({
  execution: { mode: 'mcp_server', state: echoState(word) },
  indicators: [called(word)],
})

/** A client that calls a server's tool with some texts, both in one document. */
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
