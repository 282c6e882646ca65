import { cut, describeValue, own, ownText, type Path } from '@joust/source'
import { roleOf } from '../../bindings/binding.ts'
import { isSimplePath } from '../../primitives/dot-path.ts'
import { callsDocument } from '../../rules/rule.ts'
import { pathExists } from '../../traffic/predicate-paths.ts'
import { requestAt } from '../../traffic/state-requests.ts'
import { isMessageReference, referencesOf } from '../../walk/templates.ts'
import { type ActorSite, type PhaseSite, phaseName, sitesAt, type TemplateSite } from '../../walk/walk.ts'
import type { LintRule } from '../rule.ts'

/** Validation reports undeclared names. */
export const templateFilled: LintRule = {
  summary: 'A template has a value when it is first used.',
  check({ walk }, report) {
    const captures = new Map(walk.actors.map((actor) => [actor, firstCaptures(actor)]))
    for (const template of walk.templates) {
      for (const reference of referencesOf(template)) {
        const reason = isMessageReference(reference)
          ? messageFault(reference, template)
          : captureFault(captures.get(template.actor)?.get(reference), template)
        if (reason !== undefined) report(template.path, `{{${cut(reference, 60)}}} is always empty here: ${reason}`)
      }
    }
  },
  good: callsDocument(
    `
      tools:
        - name: search
          description: Searches the web
          responses:
            - content: { content: [{ type: text, text: "Nothing about {{request.arguments.query}}" }] }
`,
    'arguments',
    'password',
  ),
  mistake: ['request.arguments', 'request.params.arguments'],
  path: 'attack.execution.state.tools[0].responses[0].content.content[0].text',
}

function firstCaptures(actor: ActorSite): ReadonlyMap<string, PhaseSite> {
  const captures = new Map<string, PhaseSite>()
  for (const phase of actor.phases) {
    for (const { value } of sitesAt(phase, 'extractors')) {
      const name = ownText(value, 'name')
      if (name !== undefined && !captures.has(name)) captures.set(name, phase)
    }
  }
  return captures
}

function messageFault(reference: string, { path, phase }: TemplateSite): string | undefined {
  const keys = path.slice(phase.path.length)
  if (keys[0] === 'on_enter') return 'entry actions run before any message is received'
  const field = reference.startsWith('request.') ? reference.slice('request.'.length) : undefined
  if (field === undefined || !isSimplePath(field) || phase.mode === undefined) return undefined
  // In AG-UI, the request can be either of two messages.
  const request = phase.mode === 'ag_ui_client' ? undefined : requestAt(phase.mode, keys.slice(1))
  if (request === undefined || pathExists(field, request.shapes)) return undefined
  return `no ${request.surface} request has ${describeValue(field)}`
}

/** Reports late captures by the same actor. The order of captures by other actors is not defined. */
function captureFault(first: PhaseSite | undefined, { actor, path, phase }: TemplateSite): string | undefined {
  if (first === undefined) return undefined
  const isEntry = path[phase.path.length] === 'on_enter'
  if (first.index > phase.index && first.index > (isEntry ? phase.index : lastUse(actor, phase)))
    return `it is first captured in the later phase ${describeValue(phaseName(first))}`
  if (isEntry && first.index === phase.index) return 'it is captured in this phase, after the entry actions run'
  if (first.index === phase.index && phase.index === actor.phases[0]?.index && isFirstMessage(path, phase))
    return 'it is captured in this phase, after this first message is sent'
  return undefined
}

function lastUse(actor: ActorSite, phase: PhaseSite): number {
  const next = actor.phases.find(({ index, value }) => index > phase.index && own(value, 'state') !== undefined)
  return next === undefined ? (actor.phases.at(-1)?.index ?? phase.index) : next.index - 1
}

function isFirstMessage(path: Path, { path: base, mode }: PhaseSite): boolean {
  if (mode === undefined || roleOf(mode) !== 'client') return false
  const [, key, index] = path.slice(base.length)
  return key === 'run_agent_input' || (key === 'actions' && index === 0)
}
