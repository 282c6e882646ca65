/** Names that a document declares to the agent: tools, arguments, and the words in states. */
import { isList, isRecord, ownText, type Value } from '@joust/source'
import { type Site, siteAt, sitesAt, type Walk } from '../walk/walk.ts'

export interface DeclaredNames {
  readonly tools: readonly string[]
  readonly arguments: readonly string[]
  /** All words in the states, except in conditions. */
  readonly words: ReadonlySet<string>
}

export function declaredNames({ phases }: Pick<Walk, 'phases'>): DeclaredNames {
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

export function toolsIn({ phases }: Pick<Walk, 'phases'>): Site[] {
  const states = phases.flatMap((phase) => siteAt(phase, 'state') ?? [])
  const inputs = states.flatMap((state) => siteAt(state, 'run_agent_input') ?? [])
  return [...states, ...inputs].flatMap((holder) => sitesAt(holder, 'tools'))
}

export function schemaOf(tool: Site): Site | undefined {
  return siteAt(tool, 'inputSchema') ?? siteAt(tool, 'parameters')
}

/** Keywords that may add property names. */
const OPEN = ['$ref', 'allOf', 'anyOf', 'oneOf', 'if', 'patternProperties', 'additionalProperties', 'dependentSchemas']

/** True for an object schema whose keywords allow more than its `properties`. */
export function isOpenSchema({ value }: Site | undefined = { path: [], value: {} }): boolean {
  return OPEN.some((key) => Object.hasOwn(value, key) && value[key] !== false)
}

/** Splits a text into words, and into segments between spaces or quotes. URLs and their hosts are segments. */
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
