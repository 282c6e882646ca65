/** Names and words that a document offers an agent: tools, arguments, and the texts of its states. */
import { isList, isRecord, ownText, type Value } from '@joust/source'
import { type Site, siteAt, sitesAt, type Walk } from '../rules/walk.ts'

/** What states of a document offer. */
export interface Offers {
  readonly tools: readonly string[]
  readonly arguments: readonly string[]
  /** Every word of a state that is not itself looked for. */
  readonly words: ReadonlySet<string>
}

/** The offers of all states. */
export function offersIn({ phases }: Pick<Walk, 'phases'>): Offers {
  const tools = toolsIn({ phases })
  const words = new Set<string>()
  for (const phase of phases) {
    const state = siteAt(phase, 'state')
    if (state !== undefined) collectWords(state.value, words)
  }
  return {
    tools: tools.flatMap(({ value }) => ownText(value, 'name') ?? []),
    arguments: tools.flatMap((tool) => {
      const schema = schemaOf(tool)
      return Object.keys((schema && siteAt(schema, 'properties')?.value) ?? {})
    }),
    words,
  }
}

/** The tools of phases: those of a server, and those of a front end. */
export function toolsIn({ phases }: Pick<Walk, 'phases'>): Site[] {
  const states = phases.flatMap((phase) => siteAt(phase, 'state') ?? [])
  const inputs = states.flatMap((state) => siteAt(state, 'run_agent_input') ?? [])
  return [...states, ...inputs].flatMap((holder) => sitesAt(holder, 'tools'))
}

/** The schema of the arguments of a tool. */
export function schemaOf(tool: Site): Site | undefined {
  return siteAt(tool, 'inputSchema') ?? siteAt(tool, 'parameters')
}

/** Keywords that bring in names from elsewhere. */
const OPEN = ['$ref', 'allOf', 'anyOf', 'oneOf', 'if', 'patternProperties', 'additionalProperties', 'dependentSchemas']

/** True for a schema of an object that may have more than its `properties`, apart from what JSON Schema always allows. */
export function isOpenSchema({ value }: Site | undefined = { path: [], value: {} }): boolean {
  return OPEN.some((key) => Object.hasOwn(value, key) && value[key] !== false)
}

/** Words, and parts between spaces and quotes: an address is a word, too, and so is the host in it. */
export function partsOf(text: string): string[] {
  return [
    ...text.split(/[^\w-]+/),
    ...text.split(/[\s"'`<>(),;]+|(?<![.:])[.:]+(?=\s|$)/),
    ...text.split(/[^\w.@-]+|(?<!\.)\.+(?=\s|$)/),
  ]
}

function collectWords(value: Value, words: Set<string>): void {
  if (typeof value === 'string') for (const word of partsOf(value)) words.add(word)
  else if (isList(value)) for (const item of value) collectWords(item, words)
  else if (isRecord(value)) {
    for (const [key, inner] of Object.entries(value)) {
      if (key === 'when') continue
      words.add(key)
      collectWords(inner, words)
    }
  }
}
