/** What a command can take of an attack, as far as its words say. */

import { type AttackNeeds, lackingOf } from '../../model/needs.ts'
import { inRequest } from '../front-door/carries.ts'
import { frontDoorAbilities } from '../front-door/front-door.ts'
import type { Pasteable } from '../front-door/request.ts'
import type { Preset } from '../presets/preset.ts'
import { placeholdersIn } from './placeholders.ts'

/** What a command lacks for an attack, a sentence each. */
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

/** Actors that a command asks for by name and the document does not have. */
function strangers(names: readonly string[], { servers }: AttackNeeds): string[] {
  const known = new Set(servers.map(({ actor }) => `${actor}.url`))
  return names
    .filter((name) => name.endsWith('.url') && !known.has(name))
    .map((name) => `the command asks for {${name}}, and the attack has no server actor of that name`)
}
