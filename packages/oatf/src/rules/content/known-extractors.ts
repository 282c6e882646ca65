import { describeValue, ownText, type Suggest, suggestions } from '@joust/source'
import { ADDRESS, roleOf } from '../../bindings/binding.ts'
import { crossActorReference, isMessageReference, referencesOf } from '../../walk/templates.ts'
import { type ActorSite, sitesAt, type Walk } from '../../walk/walk.ts'
import { crossActorDocument, type Rule } from '../rule.ts'

/** V-032 reports unknown actors. */
export const knownExtractors: Rule = {
  summary: 'The extractor of a template reference is declared.',
  check(walk, report) {
    const declared = declaredExtractors(walk)
    const hint = suggestions()
    for (const template of walk.templates) {
      for (const reference of referencesOf(template)) {
        const fault = faultOf(reference, template.actor, declared, hint)
        if (fault === undefined) continue
        const { message, correction } = fault
        const part = `{{${reference}}}`
        report(template.path, `the reference ${describeValue(reference)} ${message}`, { correction, part })
      }
    }
  },
  good: crossActorDocument,
  mistake: ['{{mail_server.code}}', '{{mail_server.pin}}'],
  path: 'attack.execution.actors[0].phases[0].state.tools[0].description',
}

interface Declared {
  readonly ofSite: ReadonlyMap<ActorSite, ReadonlySet<string>>
  readonly ofActor: ReadonlyMap<string, ReadonlySet<string>>
  /** For each extractor name, an actor that declares it. */
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
    // V-031 reports two actors with the same name. A reference may refer to either of them.
    const extractors = ofActor.get(actor.name) ?? new Set()
    ofActor.set(actor.name, extractors)
    for (const name of names) {
      extractors.add(name)
      elsewhere.set(name, actor.name)
    }
  }
  return { ofSite, ofActor, elsewhere }
}

function extractorNames(actor: ActorSite): string[] {
  const isServer = actor.phases.some(({ mode }) => mode !== undefined && roleOf(mode) === 'server')
  const names = actor.phases
    .flatMap((phase) => sitesAt(phase, 'extractors'))
    .flatMap(({ value }) => ownText(value, 'name') ?? [])
  return isServer ? [...names, ADDRESS] : names
}

interface Fault {
  /** The predicate of a sentence whose subject is the reference. */
  readonly message: string
  readonly correction?: string | undefined
}

function faultOf(reference: string, actor: ActorSite, declared: Declared, hint: Suggest): Fault | undefined {
  if (isMessageReference(reference)) return undefined
  const local = declared.ofSite.get(actor) ?? new Set()
  if (local.has(reference)) return undefined

  const cross = crossActorReference(reference)
  if (cross !== undefined) {
    const remote = declared.ofActor.get(cross.actor)
    if (remote === undefined || remote.has(cross.extractor)) return undefined
    const message = `is always empty: no such extractor in the actor ${describeValue(cross.actor)}.`
    const extractor = hint(cross.extractor, remote)
    return { message, correction: extractor && `{{${cross.actor}.${extractor}}}` }
  }
  const trimmed = reference.trim()
  const spaces = 'contains spaces, which are part of the name.'
  if (trimmed !== reference) return { message: spaces, ...(trimmed.length <= 60 && { correction: `{{${trimmed}}}` }) }
  if (reference.includes('{{')) return { message: 'contains "{{", because the previous "{{" is not closed' }
  if (reference.includes('.')) {
    const forms = 'an extractor, actor.extractor, or a path that starts with "request." or "response."'
    return { message: `is always empty: expected ${forms}` }
  }
  const owner = declared.elsewhere.get(reference)
  const better = owner === undefined ? hint(reference, local) : `${owner}.${reference}`
  const message = 'is always empty: no phase of this actor declares this extractor.'
  return { message, correction: better && `{{${better}}}` }
}
