import { describeValue, own, ownText, type Path, suggestions } from '@joust/source'
import { leavesOf } from '../../exposure/marks.ts'
import { plantedIn } from '../../exposure/planted.ts'
import type { CelStep } from '../../model/evaluators.ts'
import { paymentDocument } from '../../rules/rule.ts'
import { actorsFor } from '../../traffic/message-kinds.ts'
import { type ActorSite, type Site, siteAt } from '../../walk/walk.ts'
import type { LintContext } from '../context.ts'
import { isOpenSchema, partsOf, schemaOf, toolsIn } from '../declared-names.ts'
import type { LintRule } from '../rule.ts'
import { examinedFields } from '../targets.ts'
import { isMisspelledArgument } from './declared-name-spelled.ts'

/** Does not report an argument if a tool accepts undeclared arguments or a text mentions the argument. */
export const argumentDeclared: LintRule = {
  summary: 'An argument used by an indicator or a predicate is declared by a tool or mentioned in a text.',
  check(context, report) {
    const mentioned = new Set(plantedIn(context.walk).flatMap(({ value }) => leavesOf(value).texts.flatMap(partsOf)))
    const isMisspelled = isMisspelledArgument(context, suggestions())
    for (const { actors, steps, path, at } of argumentPathsIn(context)) {
      const missing = undeclared(steps, actors.flatMap(toolsIn).map(schemaOf))
      if (missing === undefined || mentioned.has(missing) || isMisspelled(missing)) continue
      const fault = `unknown argument ${describeValue(missing)}: no tool declares it and no text mentions it`
      report(path, `${fault}, so an agent is unlikely to send it`, at === undefined ? {} : { at })
    }
  },
  good: paymentDocument,
  mistake: ['arguments.recipient', 'arguments.debug'],
  path: 'attack.indicators[0].target',
}

interface ArgumentPath {
  readonly actors: readonly ActorSite[]
  readonly steps: readonly CelStep[]
  readonly path: Path
  readonly at?: 'key'
}

function argumentPathsIn({ walk, subjects }: LintContext): readonly ArgumentPath[] {
  const inIndicators = subjects.flatMap((subject) => {
    const actors = actorsFor(walk, subject)
    const isCall = ownText(subject.value, 'surface') === 'tools/call' && own(subject.value, 'direction') !== 'response'
    if (!isCall || actors.some(({ mode }) => mode !== 'mcp_server')) return []
    return examinedFields(subject).flatMap(({ steps: [holder, ...steps], path }) =>
      isArguments(holder) && steps.length > 0 ? [{ actors, steps, path }] : [],
    )
  })
  const inPredicates = walk.predicates.flatMap(({ path, value, phase }) => {
    const actors = walk.actors.filter(({ mode, phases }) => mode === 'mcp_server' && phases.includes(phase))
    return Object.keys(value).flatMap((key): ArgumentPath[] => {
      const [holder, ...names] = key.split('.')
      if (holder !== ARGUMENTS || names.length === 0) return []
      return [{ actors, steps: names.map((field) => ({ field })), path: [...path, key], at: 'key' }]
    })
  })
  return [...inIndicators, ...inPredicates]
}

const ARGUMENTS = 'arguments'

function isArguments(step: CelStep | undefined): boolean {
  return step !== undefined && step !== 'each' && step.field === ARGUMENTS
}

/** Returns the first name in a path that no schema declares; undefined if a schema is missing or may accept it. */
function undeclared(steps: readonly CelStep[], schemas: readonly (Site | undefined)[]): string | undefined {
  let level = schemas
  for (const step of steps) {
    if (level.length === 0 || step === 'each') return undefined
    const below: (Site | undefined)[] = []
    for (const schema of level) {
      const properties = schema && siteAt(schema, 'properties')
      if (properties === undefined || isOpenSchema(schema)) return undefined
      const property = own(properties.value, step.field)
      if (property !== undefined) below.push(siteAt(properties, step.field))
    }
    if (below.length === 0) return step.field
    level = below
  }
  return undefined
}
