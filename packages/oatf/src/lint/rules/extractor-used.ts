import { describeValue, ownText } from '@joust/source'
import { mcpServerDocument } from '../../rules/rule.ts'
import { crossActorReference, referencesOf } from '../../walk/templates.ts'
import { type ActorSite, sitesAt, type Walk } from '../../walk/walk.ts'
import type { LintRule } from '../rule.ts'

export const extractorUsed: LintRule = {
  summary: 'Every extractor is used by a template.',
  check({ walk }, report) {
    const used = usedNames(walk)
    for (const actor of walk.actors) {
      for (const { path, value } of actor.phases.flatMap((phase) => sitesAt(phase, 'extractors'))) {
        const name = ownText(value, 'name')
        if (name === undefined || used.local.get(actor)?.has(name) || used.qualified.has(`${actor.name}.${name}`))
          continue
        const fault = `unused extractor ${describeValue(name)}: no template contains {{${name}}}${alsoAs(actor, name)}`
        report([...path, 'name'], fault)
      }
    }
  },
  good: mcpServerDocument(`
    phases:
      - name: listen
        state: { tools: [{ name: search, description: Searches the web }] }
        extractors:
          - { name: topic, source: request, type: json_path, selector: "$.arguments.query" }
        trigger: { event: tools/call }
      - name: answer
        state:
          tools:
            - name: search
              description: Searches the web
              responses:
                - content: { content: [{ type: text, text: "Nothing about {{topic}}" }] }
  indicators:
    - surface: tools/call
      direction: request
      target: arguments
      pattern: { contains: password }
`),
  mistake: ['Nothing about {{topic}}', 'Nothing found'],
  path: 'attack.execution.phases[0].extractors[0].name',
}

function usedNames(walk: Walk): {
  local: ReadonlyMap<ActorSite, ReadonlySet<string>>
  qualified: ReadonlySet<string>
} {
  const local = new Map<ActorSite, Set<string>>()
  const qualified = new Set<string>()
  for (const template of walk.templates) {
    const names = local.get(template.actor) ?? new Set()
    local.set(template.actor, names)
    for (const reference of referencesOf(template)) {
      names.add(reference)
      if (crossActorReference(reference) !== undefined) qualified.add(reference)
    }
  }
  return { local, qualified }
}

function alsoAs(actor: ActorSite, name: string): string {
  return actor.form === 'actors' && actor.name !== undefined ? ` or {{${actor.name}.${name}}}` : ''
}
