/** Checks the connection options against the attacks before anything is opened. */

import { isLoopback } from '@joust/io'
import { type Actor, extractProtocol, type Role, roleOf } from '@joust/oatf'
import type { ResultTarget } from '@joust/results'
import { didYouMean } from '@joust/source'
import type { SuiteAttack } from '@joust/trials'
import type { TargetOptions } from '../options/run.ts'

/** Returns errors for unknown actors, pairs of actors with different protocols, and clients without a server. */
export function wiringFaults(
  attacks: readonly SuiteAttack[],
  { listen, wire = {}, bind }: TargetOptions,
  { kind }: ResultTarget,
): string[] {
  const servers = namesOf(attacks, 'server')
  const clients = namesOf(attacks, 'client')
  const unknown = [
    ...Object.keys(listen).flatMap((name) => unknownName('--listen', name, servers, 'server')),
    ...Object.keys(wire).flatMap((name) => unknownName('--wire', name, clients, 'client')),
    ...Object.values(wire).flatMap((name) => unknownName('--wire', name, servers, 'server')),
    ...Object.values(bind).flatMap((name) => unknownName('--bind', name, servers, 'server')),
    ...attacks.flatMap((attack) => unlikeActors(attack, wire)),
  ]
  const lost = kind === 'none' ? attacks.find((attack) => actorsOf(attack, 'client').length > 0) : undefined
  if (lost === undefined) return unknown
  const help = 'use --agent, --model, --target or --wire'
  return [...unknown, `${lost.file} has a client actor and needs a target to connect to; ${help}`]
}

export function wiringHints(
  attacks: readonly SuiteAttack[],
  { listen, listenToken, gateway }: TargetOptions,
  { kind, details }: ResultTarget,
): string[] {
  const hasSlots = gateway !== undefined || details?.serve !== undefined
  return [...openHints(listen, listenToken), ...(hasSlots ? [] : addressHints(attacks, listen, kind))]
}

function openHints(listen: TargetOptions['listen'], token: string | undefined): string[] {
  return Object.entries(listen).flatMap(([actor, place]) => {
    if (place === 'stdio' || place.host === undefined || isLoopback(place.host)) return []
    const clients = `that can connect to ${place.host}:${place.port} can talk to the actor`
    return [
      token === undefined
        ? `--listen ${actor}: any client ${clients}; use --listen-token to require a token`
        : `--listen ${actor}: any client with the token ${clients}`,
    ]
  })
}

function addressHints(
  attacks: readonly SuiteAttack[],
  listen: TargetOptions['listen'],
  kind: ResultTarget['kind'],
): string[] {
  if (kind !== 'endpoint') return []
  const [free] = [...namesOf(attacks, 'server')].filter((name) => !Object.hasOwn(listen, name))
  if (free === undefined) return []
  return [
    `the agent does not know the address of ${free}; use --gateway 127.0.0.1:7000 for fixed addresses of all server actors`,
  ]
}

/** True if attacks share a port, a gateway or a model proxy address, so that only one run is possible at a time. */
export function sharesPorts(
  attacks: readonly SuiteAttack[],
  trials: number,
  { listen, gateway, gatewayHeader, modelListen }: TargetOptions,
): boolean {
  if (modelListen !== undefined) return true
  if (gateway !== undefined && gatewayHeader === undefined) return true
  return Object.keys(listen).some((name) => attacks.filter((attack) => hasActor(attack, name)).length * trials > 1)
}

function actorsOf({ attack }: SuiteAttack, role: Role): readonly Actor[] {
  return attack.document.attack.execution.actors.filter(({ mode }) => roleOf(mode) === role)
}

function hasActor({ attack }: SuiteAttack, name: string): boolean {
  return attack.document.attack.execution.actors.some((actor) => actor.name === name)
}

function namesOf(attacks: readonly SuiteAttack[], role: Role): ReadonlySet<string> {
  return new Set(attacks.flatMap((attack) => actorsOf(attack, role).map(({ name }) => name)))
}

function unlikeActors({ file, attack }: SuiteAttack, wire: Readonly<Record<string, string>>): string[] {
  const modeOf = (name: string) => attack.document.attack.execution.actors.find((actor) => actor.name === name)?.mode
  return Object.entries(wire).flatMap(([client, server]) => {
    const [from, to] = [modeOf(client), modeOf(server)]
    if (from === undefined || to === undefined || extractProtocol(from) === extractProtocol(to)) return []
    return [`--wire ${client}=${server}: different protocols in ${file}: ${from} and ${to}`]
  })
}

function unknownName(option: string, name: string, known: ReadonlySet<string>, role: string): string[] {
  if (known.has(name)) return []
  return [`${option}: no attack has a ${role} actor "${name}".${didYouMean(name, known)}`]
}
