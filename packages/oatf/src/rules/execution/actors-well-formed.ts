import { describeValue, isList, isRecord, own, type Value } from '@joust/source'
import type { ActorSite } from '../../walk/walk.ts'
import { isSnakeCase, snakeCaseFault } from '../names.ts'
import { repeated } from '../repeated.ts'
import { attackDocument, type Report, type Rule } from '../rule.ts'

const ACTORS = ['attack', 'execution', 'actors']

/** V-011 checks phase names. */
export const actorsWellFormed: Rule = {
  summary: 'Actors have unique names in snake_case, a mode and at least one phase.',
  check(walk, report) {
    const list = own(walk.execution, 'actors')
    if (list === undefined) return
    checkList(list, report)
    const actors = walk.actors.filter((actor) => actor.form === 'actors')
    for (const actor of actors) {
      checkName(actor, report)
      checkMode(actor, report)
      checkPhases(actor, report)
    }
    for (const { path, text } of repeated(actors, 'name')) report(path, `duplicate actor name ${describeValue(text)}`)
  },
  good: attackDocument(`
    actors:
      - name: weather_server
        mode: mcp_server
        phases:
          - state: { tools: [] }
`),
  mistake: ['- name: weather_server', '- name: Weather-Server'],
  path: 'attack.execution.actors[0].name',
}

function checkList(list: Value, report: Report): void {
  if (!isList(list)) report(ACTORS, `expected a list of actors, got ${describeValue(list)}`)
  else if (list.length === 0) report(ACTORS, 'expected at least one actor, got an empty list')
  else {
    list.forEach((actor, index) => {
      if (!isRecord(actor)) report([...ACTORS, index], `expected a mapping, got ${describeValue(actor)}`)
    })
  }
}

function checkName(actor: ActorSite, report: Report): void {
  const name = own(actor.value, 'name')
  const path = [...actor.path, 'name']
  if (name === undefined) report(path, 'the field "name" is required: references and indicators use it')
  else if (typeof name !== 'string' || !isSnakeCase(name)) report(path, ...snakeCaseFault(name))
}

function checkMode(actor: ActorSite, report: Report): void {
  if (actor.mode !== undefined) return
  const mode = own(actor.value, 'mode')
  const fault = mode === undefined ? 'the field "mode" is required' : `expected a mode, got ${describeValue(mode)}`
  report([...actor.path, 'mode'], `${fault}, for example mcp_server`)
}

function checkPhases(actor: ActorSite, report: Report): void {
  const phases = own(actor.value, 'phases')
  if (!isList(phases) || phases.length === 0) {
    const actual = phases === undefined ? 'no "phases"' : isList(phases) ? 'an empty list' : describeValue(phases)
    report([...actor.path, 'phases'], `expected at least one phase, got ${actual}`)
  }
}
