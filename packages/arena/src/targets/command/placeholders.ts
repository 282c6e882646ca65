/** Placeholders: `{name}`, or `{name|otherwise}` for what may be missing; `{{name}}` stands for `{name}` itself. */
import { didYouMean, err, isList, isRecord, ok, type Result, type Value } from '@joust/source'
import { type AttackNeeds, lackingOf } from '../../model/needs.ts'
import { frontDoorAbilities } from '../front-door/front-door.ts'
import { inRequest, type Pasteable } from '../front-door/request.ts'
import type { Preset } from '../presets/preset.ts'

const PLACEHOLDER = /\{(\{[\w.-]+\})\}|\{([\w.-]+)(?:\|([^{}]*))?\}/g

/** The names of the placeholders in some words. */
export function placeholdersIn(words: readonly string[]): readonly string[] {
  return words.flatMap((word) => [...word.matchAll(PLACEHOLDER)].flatMap(([, , name]) => name ?? []))
}

/** What the words of a command may hold, besides the addresses of actors. */
const known = ['prompt', 'input', 'session', 'mcp_config', 'a2a_config', 'home', 'work'] as const

/** Why words can never be filled, whatever they are run with. */
export function placeholderFault(words: readonly string[], more: readonly string[] = []): string | undefined {
  const names = [...known, ...more]
  const [name] = placeholdersIn(words).filter((one) => !one.endsWith('.url') && !names.includes(one))
  if (name === undefined) return undefined
  const list = [...names, 'ACTOR.url'].map((one) => `{${one}}`).join(', ')
  return `there is no placeholder {${name}}; there are ${list}, and {{${name}}} stands for {${name}} itself.${didYouMean(name, names)}`
}

/** Fills words; an unknown name is an error that lists the known ones. */
export function fillPlaceholders(
  words: readonly string[],
  values: ReadonlyMap<string, string>,
): Result<string[], string> {
  const unknown = words.flatMap((word) =>
    [...word.matchAll(PLACEHOLDER)].flatMap(([, , name, otherwise]) =>
      name === undefined || values.has(name) || otherwise !== undefined ? [] : [name],
    ),
  )[0]
  if (unknown === undefined) return ok(words.map((word) => fillText(word, values)))
  const known = [...values.keys()]
  const list = known.map((name) => `{${name}}`).join(', ')
  return err(`the command has the placeholder {${unknown}}; there are ${list}.${didYouMean(unknown, known)}`)
}

/** Fills a text; what has neither a value nor an alternative becomes empty. */
export function fillText(text: string, values: ReadonlyMap<string, string>): string {
  return text.replace(
    PLACEHOLDER,
    (_, literal?: string, name?: string, otherwise?: string) => literal ?? values.get(name ?? '') ?? otherwise ?? '',
  )
}

/** Fills every text and key of a value. */
export function fillValue(value: Value, values: ReadonlyMap<string, string>): Value {
  if (typeof value === 'string') return fillText(value, values)
  if (isList(value)) return value.map((item) => fillValue(item, values))
  if (!isRecord(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [fillText(key, values), fillValue(item, values)]),
  )
}

/** What a command lacks for an attack, one sentence each. */
export function lackingOfCommand(agent: Preset, needs: AttackNeeds, paste: readonly Pasteable[]): readonly string[] {
  const names = placeholdersIn([...agent.command, ...(agent.next ?? [])])
  const takesRequest = names.includes('input')
  const goesOn = agent.lines === true || agent.next !== undefined || takesRequest || names.includes('session')
  const carries = [
    ...(agent.carries ?? []),
    ...(goesOn ? ['turns' as const] : []),
    ...(takesRequest ? inRequest : []),
    ...paste,
  ]
  const isTold = (actor: string) => names.includes('a2a_config') || names.includes(`${actor}.url`)
  const servers = needs.servers.filter(({ actor, mode }) => mode !== 'a2a_server' || !isTold(actor))
  const { without } = agent
  const offer = {
    ...frontDoorAbilities,
    who: agent.about === '' ? 'a command' : agent.name,
    carries,
    ...(without && { without }),
  }
  return [...lackingOf({ clients: needs.clients, servers }, offer), ...strangers(names, needs)]
}

/** Actors that a command names but the document does not have. */
function strangers(names: readonly string[], { servers }: AttackNeeds): string[] {
  const known = new Set(servers.map(({ actor }) => `${actor}.url`))
  return names
    .filter((name) => name.endsWith('.url') && !known.has(name))
    .map((name) => `the command asks for {${name}}, and the attack has no server actor of that name`)
}
