/** The tool features that the rules examine. Descriptions are ignored because a hostile server can write them. */
import { isList, isRecord, own, type Value } from '@joust/source'
import { CHANGES, COMPUTES, type FeatureName, inventoryRules, READS, SENDS } from './rules.ts'

/** The fields of a listed tool that the inventory reads. */
export interface ToolDefinition {
  readonly name: string
  readonly inputSchema?: Value | undefined
  readonly outputSchema?: Value | undefined
  readonly annotations?: Value | undefined
}

/** The words in each feature of a tool. */
export type Features = Readonly<Record<FeatureName, readonly string[]>>

const VERBS = new Set(inventoryRules.flatMap(({ feature, words }) => (feature === 'verb' ? [...words] : [])))
const OBJECTS = new Set(inventoryRules.flatMap(({ feature, words }) => (feature === 'object' ? [...words] : [])))
const PREPOSITIONS = new Set(['in', 'by', 'of', 'for', 'from', 'with', 'to', 'on', 'at', 'as'])
const FILLERS = new Set(['a', 'an', 'the', 'all', 'my', 'tool', 'api', 'and', 'or', 'batch', 'simple', 'v2', 'full'])
const LONGEST_NAME = 200

/** Splits a name into words: `getUserInfo` and `get_user_info` become `get user info`. Plurals become singular. */
export function wordsOf(name: string): string[] {
  return name
    .slice(0, LONGEST_NAME)
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '')
    .map(singular)
}

function singular(word: string): string {
  if (word.length < 4 || /(?:ss|us|is|news|status|sms)$/.test(word)) return word
  if (word === 'indices') return 'index'
  if (word.endsWith('ies')) return `${word.slice(0, -3)}y`
  if (/(?:x|ch|sh|ss)es$/.test(word)) return word.slice(0, -2)
  return word.endsWith('s') ? word.slice(0, -1) : word
}

/** Extracts the features of each tool of a server. */
export function featuresOf(tools: readonly ToolDefinition[]): Features[] {
  const prefix = commonPrefix(tools.map(({ name }) => wordsOf(name)))
  const verbs = tools.map(({ name }) => verbIn(wordsOf(name).slice(prefix)))
  const changes = verbs.some((verb) => CHANGES.has(verb) || SENDS.has(verb))
  const server = [changes ? 'changes' : 'reads-only']
  return tools.map((tool, index) => {
    const words = wordsOf(tool.name)
    const verb = verbs[index] ?? ''
    const phrase = phraseOf(words.slice(prefix), verb)
    return {
      verb: verb === '' ? [] : [verb],
      object: phrase.length === 0 && READS.has(verb) ? ['anything'] : phrase,
      head: phrase.slice(-1),
      argument: argumentWords(tool),
      hint: hintsOf(tool.annotations),
      output: isRecord(own(tool.outputSchema ?? null, 'properties'))
        ? propertyNames(tool.outputSchema).flatMap(wordsOf)
        : [],
      server,
    }
  })
}

/** Returns the object of the verb: the words up to a preposition, without the verb. */
function phraseOf(words: readonly string[], verb: string): string[] {
  const rest = words.filter((word, at) => word !== verb || words.indexOf(word) !== at)
  const end = rest.findIndex((word, at) => at > 0 && PREPOSITIONS.has(word))
  return (end < 0 ? rest : rest.slice(0, end)).filter((word) => !FILLERS.has(word))
}

/** Returns the words in argument names, down to the first nested level; `=name` stands for a name of a single word. */
function argumentWords(tool: ToolDefinition): string[] {
  return argumentsOf(tool).flatMap(({ name, schema, format }) => {
    const below = [...propertyNames(schema), ...propertyNames(own(schema, 'items'))]
    return [name, ...below].flatMap((one) => {
      const words = wordsOf(one)
      return words.length === 1 ? [...words, `=${words[0]}`, ...(format === 'uri' ? ['=uri'] : [])] : words
    })
  })
}

/** Returns the number of leading words that all names share, such as a server name. */
function commonPrefix(names: readonly (readonly string[])[]): number {
  const [first = []] = names
  if (names.length < 2) return 0
  const end = first.findIndex((word, at) => VERBS.has(word) || names.some((other) => other[at] !== word))
  return end < 0 ? 0 : end
}

/** Returns the first verb in a name. A verb of change or sending wins at the end or after `and`: `issue_create`. */
function verbIn(words: readonly string[]): string {
  const added = words.find((word, at) => words[at - 1] === 'and' && (CHANGES.has(word) || SENDS.has(word)))
  if (added !== undefined) return added
  const verbs = words.filter((word) => VERBS.has(word))
  const last = words.at(-1) ?? ''
  const [first = ''] = verbs
  // `mail.read_email`: the last word is the object of the verb.
  if (verbs.length > 1 && OBJECTS.has(last)) return first
  if (first === words[0] || !(CHANGES.has(last) || SENDS.has(last) || READS.has(last) || COMPUTES.has(last)))
    return first
  return last
}

/** A tool argument. */
export interface ToolArgument {
  readonly name: string
  readonly schema: Value
  readonly format?: string
  readonly required: boolean
}

/** Returns the arguments of a tool in schema order; empty if the schema is not an object. */
export function argumentsOf({ inputSchema = null }: ToolDefinition): ToolArgument[] {
  const properties = own(inputSchema, 'properties')
  const required = own(inputSchema, 'required')
  const needed = new Set(isList(required) ? required : [])
  return Object.entries(isRecord(properties) ? properties : {}).map(([name, schema]) => {
    const format = own(schema, 'format')
    return { name, schema, required: needed.has(name), ...(typeof format === 'string' && { format }) }
  })
}

function propertyNames(schema: Value | undefined): string[] {
  const properties = own(schema ?? null, 'properties')
  return isRecord(properties) ? Object.keys(properties) : []
}

function hintsOf(annotations: Value | undefined): string[] {
  const hint = (name: string) => own(annotations ?? null, name)
  return [
    ...(hint('readOnlyHint') === true ? ['read-only'] : []),
    ...(hint('readOnlyHint') === false ? ['not-read-only'] : []),
    ...(hint('destructiveHint') === true && hint('readOnlyHint') !== true ? ['destructive'] : []),
  ]
}
