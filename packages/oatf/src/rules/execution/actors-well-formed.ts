import { describeValue, isList, isRecord, own, type Value } from '@joust/source'
import { isSnakeCase, snakeCaseFault } from '../names.ts'
import { repeated } from '../repeated.ts'
import { attackDocument, type Report, type Rule } from '../rule.ts'
import type { ActorSite } from '../walk.ts'

const ACTORS = ['attack', 'execution', 'actors']

/** Actors have unique snake_case names, a mode and at least one phase (V-031). Names of phases are up to V-011. */
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
    for (const { path, text } of repeated(actors, 'name')) {
      report(path, `another actor is already called ${describeValue(text)}`)
    }
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
  else if (list.length === 0) report(ACTORS, 'the list of actors is empty; it needs at least one actor')
  else {
    list.forEach((actor, index) => {
      if (!isRecord(actor)) report([...ACTORS, index], `expected an actor as a mapping, got ${describeValue(actor)}`)
    })
  }
}

function checkName(actor: ActorSite, report: Report): void {
  const name = own(actor.value, 'name')
  const path = [...actor.path, 'name']
  if (name === undefined) report(path, 'an actor needs a "name" by which references and indicators find it')
  else if (typeof name !== 'string' || !isSnakeCase(name)) report(path, ...snakeCaseFault(name))
}

function checkMode(actor: ActorSite, report: Report): void {
  if (actor.mode !== undefined) return
  const mode = own(actor.value, 'mode')
  const seen = mode === undefined ? '' : `, got ${describeValue(mode)}`
  report([...actor.path, 'mode'], `an actor needs a "mode" of its own such as mcp_server${seen}`)
}

function checkPhases(actor: ActorSite, report: Report): void {
  const phases = own(actor.value, 'phases')
  if (!isList(phases) || phases.length === 0) {
    const seen =
      phases === undefined ? 'it has no "phases"' : `"phases" is ${isList(phases) ? 'empty' : describeValue(phases)}`
    report([...actor.path, 'phases'], `an actor needs at least one phase; ${seen}`)
  }
}
