import { cut, describeValue, own, ownText, type Path } from '@joust/source'
import { roleOf } from '../../bindings/binding.ts'
import { isSimplePath } from '../../primitives/dot-path.ts'
import { mcpServerDocument } from '../../rules/rule.ts'
import { isMessageReference, referencesOf } from '../../rules/templates.ts'
import { type ActorSite, type PhaseSite, phaseName, sitesAt, type TemplateSite } from '../../rules/walk.ts'
import { leadsSomewhere } from '../predicate-paths.ts'
import type { LintRule } from '../rule.ts'
import { requestAt } from '../state-requests.ts'

/** A template has something to say when it is first used (L-005). Names that nobody declares are up to validation. */
export const templateFilled: LintRule = {
  summary: 'A template is not empty when it is first used.',
  check({ walk }, report) {
    const captures = new Map(walk.actors.map((actor) => [actor, firstCaptures(actor)]))
    for (const template of walk.templates) {
      for (const reference of referencesOf(template)) {
        const reason = isMessageReference(reference)
          ? messageFault(reference, template)
          : captureFault(captures.get(template.actor)?.get(reference), template)
        if (reason !== undefined) report(template.path, `{{${cut(reference, 60)}}} is empty here: ${reason}`)
      }
    }
  },
  good: mcpServerDocument(`
    state:
      tools:
        - name: search
          description: Searches the web
          responses:
            - content: { content: [{ type: text, text: "Nothing about {{request.arguments.query}}" }] }
  indicators:
    - surface: tools/call
      direction: request
      target: arguments
      pattern: { contains: password }
`),
  mistake: ['request.arguments', 'request.params.arguments'],
  path: 'attack.execution.state.tools[0].responses[0].content.content[0].text',
}

function firstCaptures(actor: ActorSite): ReadonlyMap<string, PhaseSite> {
  const found = new Map<string, PhaseSite>()
  for (const phase of actor.phases) {
    for (const { value } of sitesAt(phase, 'extractors')) {
      const name = ownText(value, 'name')
      if (name !== undefined && !found.has(name)) found.set(name, phase)
    }
  }
  return found
}

function messageFault(reference: string, { path, phase }: TemplateSite): string | undefined {
  const keys = path.slice(phase.path.length)
  if (keys[0] === 'on_enter') return 'entry actions are filled before any message is there'
  const field = reference.startsWith('request.') ? reference.slice('request.'.length) : undefined
  if (field === undefined || !isSimplePath(field) || phase.mode === undefined) return undefined
  // In AG-UI it is not known which of two messages the request is.
  const request = phase.mode === 'ag_ui_client' ? undefined : requestAt(phase.mode, keys.slice(1))
  if (request === undefined || leadsSomewhere(field, request.shapes)) return undefined
  return `no request of ${request.surface} has ${describeValue(field)}`
}

/** Captures of the same actor; nobody knows when those of another one happen. */
function captureFault(first: PhaseSite | undefined, { actor, path, phase }: TemplateSite): string | undefined {
  if (first === undefined) return undefined
  const isEntry = path[phase.path.length] === 'on_enter'
  if (first.index > phase.index && first.index > (isEntry ? phase.index : lastUse(actor, phase))) {
    return `it is captured only later, in ${describeValue(phaseName(first))}`
  }
  if (isEntry && first.index === phase.index) {
    return 'it is captured in this phase, and entry actions come before that'
  }
  if (first.index === phase.index && phase.index === actor.phases[0]?.index && isOpening(path, phase)) {
    return 'it is captured in this phase, and this is the first thing that is sent'
  }
  return undefined
}

/** The last phase in which the state of a phase is in force. */
function lastUse(actor: ActorSite, phase: PhaseSite): number {
  const next = actor.phases.find(({ index, value }) => index > phase.index && own(value, 'state') !== undefined)
  return next === undefined ? (actor.phases.at(-1)?.index ?? phase.index) : next.index - 1
}

/** Whether it is what a client sends first. */
function isOpening(path: Path, { path: base, mode }: PhaseSite): boolean {
  if (mode === undefined || roleOf(mode) !== 'client') return false
  const [, key, index] = path.slice(base.length)
  return key === 'run_agent_input' || (key === 'actions' && index === 0)
}
