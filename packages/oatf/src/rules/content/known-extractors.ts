import { describeValue, ownText, type Suggest, suggestions } from '@joust/source'
import { attackDocument, type Rule } from '../rule.ts'
import { crossActorReference, isMessageReference, referencesOf } from '../templates.ts'
import { type ActorSite, sitesAt, type Walk } from '../walk.ts'

/** Every template reference names a declared extractor (W-004). Unknown actors are up to V-032. */
export const knownExtractors: Rule = {
  summary: 'A template reference names a declared extractor.',
  check(walk, report) {
    const declared = declaredExtractors(walk)
    const hint = suggestions()
    for (const template of walk.templates) {
      for (const reference of referencesOf(template)) {
        const fault = faultOf(reference, template.actor, declared, hint)
        if (fault === undefined) continue
        const { message, meant } = fault
        const part = `{{${reference}}}`
        report(template.path, `the reference ${describeValue(reference)} ${message}`, { meant, part })
      }
    }
  },
  good: attackDocument(`
    actors:
      - name: tool_server
        mode: mcp_server
        phases:
          - state: { tools: [{ name: login, description: "Your code is {{mail_server.code}}" }] }
      - name: mail_server
        mode: mcp_server
        phases:
          - state: { tools: [{ name: send_mail, description: Sends a mail }] }
            extractors:
              - { name: code, source: request, type: json_path, selector: "$.arguments.code" }
`),
  mistake: ['{{mail_server.code}}', '{{mail_server.pin}}'],
  path: 'attack.execution.actors[0].phases[0].state.tools[0].description',
}

interface Declared {
  readonly ofSite: ReadonlyMap<ActorSite, ReadonlySet<string>>
  readonly ofActor: ReadonlyMap<string, ReadonlySet<string>>
  /** An actor that declares the extractor, by the extractor's name. */
  readonly elsewhere: ReadonlyMap<string, string>
}

function declaredExtractors(walk: Walk): Declared {
  const ofSite = new Map<ActorSite, Set<string>>()
  const ofActor = new Map<string, Set<string>>()
  const elsewhere = new Map<string, string>()
  for (const actor of walk.actors) {
    const names = extractorNames(actor)
    ofSite.set(actor, new Set(names))
    if (actor.name === undefined) continue
    // Two actors with the same name are up to V-031; a reference may mean either.
    const known = ofActor.get(actor.name) ?? new Set()
    ofActor.set(actor.name, known)
    for (const name of names) {
      known.add(name)
      elsewhere.set(name, actor.name)
    }
  }
  return { ofSite, ofActor, elsewhere }
}

function extractorNames(actor: ActorSite): string[] {
  return actor.phases
    .flatMap((phase) => sitesAt(phase, 'extractors'))
    .flatMap(({ value }) => ownText(value, 'name') ?? [])
}

interface Fault {
  /** Phrased to follow the reference in a sentence. */
  readonly message: string
  /** The reference that was probably meant, in its braces. */
  readonly meant?: string | undefined
}

function faultOf(reference: string, actor: ActorSite, declared: Declared, hint: Suggest): Fault | undefined {
  if (isMessageReference(reference)) return undefined
  const local = declared.ofSite.get(actor) ?? new Set()
  if (local.has(reference)) return undefined

  const cross = crossActorReference(reference)
  if (cross !== undefined) {
    const remote = declared.ofActor.get(cross.actor)
    if (remote === undefined || remote.has(cross.extractor)) return undefined
    const message = `is always empty: the actor ${describeValue(cross.actor)} declares no such extractor.`
    const extractor = hint(cross.extractor, remote)
    return { message, meant: extractor && `{{${cross.actor}.${extractor}}}` }
  }
  const trimmed = reference.trim()
  if (trimmed !== reference) {
    return {
      message: 'has spaces, which are taken as part of the name.',
      ...(trimmed.length <= 60 && { meant: `{{${trimmed}}}` }),
    }
  }
  if (reference.includes('{{')) return { message: 'holds another "{{": the one before it is not closed' }
  if (reference.includes('.')) {
    const forms = 'an extractor, actor.extractor, or a path after "request." or "response."'
    return { message: `is always empty: a reference is ${forms}` }
  }
  const owner = declared.elsewhere.get(reference)
  const better = owner === undefined ? hint(reference, local) : `${owner}.${reference}`
  return {
    message: 'is always empty: no phase of this actor declares such an extractor.',
    meant: better && `{{${better}}}`,
  }
}
