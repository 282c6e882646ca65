/** Placeholders: `{name}`, `{name|default}`, and `{{name}}` for a literal `{name}`. */

import { type AttackNeeds, lackingOf } from '@joust/arena'
import { didYouMean, err, isList, isRecord, ok, type Result, type Value } from '@joust/source'
import { chatAbilities } from '../chat/chat.ts'
import { type Pasteable, requestParts } from '../chat/request.ts'
import type { Preset } from '../presets/preset.ts'

const PLACEHOLDER = /\{(\{[\w.-]+\})\}|\{([\w.-]+)(?:\|([^{}]*))?\}/g

/**
 * Lists the placeholder names in some words.
 *
 * @example
 * console.log(placeholdersIn(['my-agent', '--say', '{prompt}'])) // [ 'prompt' ]
 */
export function placeholdersIn(words: readonly string[]): readonly string[] {
  return words.flatMap((word) => [...word.matchAll(PLACEHOLDER)].flatMap(([, , name]) => name ?? []))
}

/** Placeholders in commands, except for actor URLs. */
const commandPlaceholders = [
  'prompt',
  'input',
  'session',
  'mcp_config',
  'a2a_config',
  'home',
  'work',
  'model_url',
] as const

/**
 * Checks a command's placeholders. The error describes the first unknown one.
 *
 * @example
 * const checked = checkPlaceholders(['my-agent', '{promt}'])
 * if (!checked.ok) console.error(checked.error)
 */
export function checkPlaceholders(words: readonly string[], more: readonly string[] = []): Result<void, string> {
  const names = [...commandPlaceholders, ...more]
  const [name] = placeholdersIn(words).filter((one) => !one.endsWith('.url') && !names.includes(one))
  if (name === undefined) return ok(undefined)
  const list = [...names, 'ACTOR.url'].map((one) => `{${one}}`).join(', ')
  const hint = didYouMean(name, names)
  return err(`unknown placeholder {${name}}; available: ${list}; for a literal {${name}}, write {{${name}}}.${hint}`)
}

/** Replaces placeholders in words. Unknown names are errors. */
export function fillPlaceholders(
  words: readonly string[],
  values: ReadonlyMap<string, string>,
): Result<string[], string> {
  const unknown = words.flatMap((word) =>
    [...word.matchAll(PLACEHOLDER)].flatMap(([, , name, fallback]) =>
      name === undefined || values.has(name) || fallback !== undefined ? [] : [name],
    ),
  )[0]
  if (unknown === undefined) return ok(words.map((word) => fillText(word, values)))
  const names = [...values.keys()]
  const list = names.map((name) => `{${name}}`).join(', ')
  return err(`unknown placeholder {${unknown}}; available: ${list}.${didYouMean(unknown, names)}`)
}

/** Replaces placeholders in a text. A placeholder that has neither value nor default becomes empty. */
export function fillText(text: string, values: ReadonlyMap<string, string>): string {
  return text.replace(
    PLACEHOLDER,
    (_, literal?: string, name?: string, fallback?: string) => literal ?? values.get(name ?? '') ?? fallback ?? '',
  )
}

/** Replaces placeholders in all strings and keys of a value. */
export function fillValue(value: Value, values: ReadonlyMap<string, string>): Value {
  if (typeof value === 'string') return fillText(value, values)
  if (isList(value)) return value.map((item) => fillValue(item, values))
  if (!isRecord(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [fillText(key, values), fillValue(item, values)]),
  )
}

/** True if the command can continue a conversation. */
export function hasTurns({ command, next, lines, carries = [] }: Preset): boolean {
  if (lines === true || next !== undefined || carries.includes('turns')) return true
  return placeholdersIn(command).some((name) => name === 'input' || name === 'session')
}

/** Describes the abilities that an attack needs and the command lacks, one sentence each. */
export function lackingOfCommand(agent: Preset, needs: AttackNeeds, paste: readonly Pasteable[]): readonly string[] {
  const names = placeholdersIn([...agent.command, ...(agent.next ?? [])])
  const takesRequest = names.includes('input')
  const carries = [
    ...(agent.carries ?? []),
    ...(hasTurns(agent) ? ['turns' as const] : []),
    ...(takesRequest ? requestParts : []),
    ...paste,
  ]
  const isReachable = (actor: string) => names.includes('a2a_config') || names.includes(`${actor}.url`)
  const servers = needs.servers.filter(({ actor, mode }) => mode !== 'a2a_server' || !isReachable(actor))
  const { without } = agent
  const abilities = {
    ...chatAbilities,
    who: agent.about === '' ? 'a command' : agent.name,
    carries,
    ...(without && { without }),
  }
  const { files: _, ...others } = needs
  return [...lackingOf({ ...others, servers }, abilities), ...unknownActors(names, needs)]
}

/** Describes placeholders for actors that the document does not have. */
function unknownActors(names: readonly string[], { servers }: AttackNeeds): string[] {
  const valid = new Set(servers.map(({ actor }) => `${actor}.url`))
  return names
    .filter((name) => name.endsWith('.url') && !valid.has(name))
    .map((name) => `the command contains {${name}}, but the attack has no server actor of that name`)
}
