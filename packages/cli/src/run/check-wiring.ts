/** Whether the words about wiring fit the attacks, before anything is opened. */
import type { ResultTarget } from '@joust/arena'
import { type Actor, type Role, roleOf } from '@joust/oatf'
import { didYouMean } from '@joust/source'
import type { SelectedAttack } from './attacks.ts'
import type { TargetWords } from './options.ts'

/** What is wrong: names that no attack has, client actors that have nowhere to go. */
export function wiringFaults(attacks: readonly SelectedAttack[], words: TargetWords, { kind }: ResultTarget): string[] {
  const servers = namesOf(attacks, 'server')
  const clients = namesOf(attacks, 'client')
  const unknown = [
    ...namesIn(words.listen, 'left').flatMap((name) => unknownName('--listen', name, servers, 'server')),
    ...namesIn(words.wire, 'left').flatMap((name) => unknownName('--wire', name, clients, 'client')),
    ...namesIn(words.wire, 'right').flatMap((name) => unknownName('--wire', name, servers, 'server')),
    ...namesIn(words.bind, 'right').flatMap((name) => unknownName('--bind', name, servers, 'server')),
  ]
  const lost = kind === 'none' ? attacks.find((attack) => actorsOf(attack, 'client').length > 0) : undefined
  if (lost === undefined) return unknown
  const help = 'which needs somebody to connect to: give --agent, --model, --target or --wire'
  return [...unknown, `${lost.file} has a client actor, ${help}`]
}

/** What a user should know beforehand. */
export function wiringHints(attacks: readonly SelectedAttack[], words: TargetWords, { kind }: ResultTarget): string[] {
  if (kind !== 'endpoint') return []
  const placed = new Set(namesIn(words.listen, 'left'))
  const [free] = [...namesOf(attacks, 'server')].filter((name) => !placed.has(name))
  if (free === undefined) return []
  return [`the agent cannot know where ${free} will listen; --listen ${free}=127.0.0.1:PORT gives it a fixed address`]
}

/** Whether two attacks want the same port, so that only one can run at a time. */
export function sharesPorts(attacks: readonly SelectedAttack[], trials: number, { listen }: TargetWords): boolean {
  const placed = namesIn(listen, 'left')
  return placed.some((name) => attacks.filter((attack) => hasActor(attack, name)).length * trials > 1)
}

function actorsOf({ document }: SelectedAttack, role: Role): readonly Actor[] {
  return (document.attack.execution.actors ?? []).filter(({ mode }) => roleOf(mode) === role)
}

function hasActor({ document }: SelectedAttack, name: string): boolean {
  return document.attack.execution.actors?.some((actor) => actor.name === name) === true
}

function namesOf(attacks: readonly SelectedAttack[], role: Role): ReadonlySet<string> {
  return new Set(attacks.flatMap((attack) => actorsOf(attack, role).map(({ name }) => name)))
}

/** The names on one side of `a=b`; what is no pair is told elsewhere. */
function namesIn(words: readonly string[] = [], side: 'left' | 'right'): string[] {
  return words.flatMap((word) => {
    const at = word.indexOf('=')
    return at < 1 ? [] : [side === 'left' ? word.slice(0, at) : word.slice(at + 1)]
  })
}

function unknownName(option: string, name: string, known: ReadonlySet<string>, role: string): string[] {
  if (known.has(name)) return []
  return [`${option}: no attack has a ${role} actor "${name}".${didYouMean(name, known)}`]
}
