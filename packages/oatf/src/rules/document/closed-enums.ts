import { describeValue, isList, isRecord, own, type Path, type Suggest, suggestions, type Value } from '@joust/source'
import {
  categories,
  correlationLogics,
  directions,
  elicitationActions,
  elicitationModes,
  extractorSources,
  extractorTypes,
  impacts,
  indicatorMethods,
  logLevels,
  relationships,
  semanticIntentClasses,
  severityLevels,
  statuses,
  tiers,
} from '../../model/enumerations.ts'
import type { Report, Rule } from '../rule.ts'
import type { Walk } from '../walk.ts'

/** A place where a value of a closed enumeration stands. */
interface Place {
  readonly path: Path
  readonly value: Value | undefined
  readonly values: readonly string[]
  readonly required?: boolean
}

/** Every value of a closed enumeration is one of its members (V-005). */
export const closedEnums: Rule = (walk, report) => {
  const hint = suggestions()
  for (const place of [...inAttack(walk), ...inPhases(walk), ...inStates(walk), ...inIndicators(walk)]) {
    check(place, hint, report)
  }
  const impact = own(walk.attack, 'impact')
  if (impact !== undefined && !isList(impact)) {
    report(['attack', 'impact'], `expected a list of ${impacts.join(', ')}, got ${describeValue(impact)}`)
  }
}

function check({ path, value, values, required }: Place, hint: Suggest, report: Report): void {
  if (value === undefined ? required !== true : typeof value === 'string' && values.includes(value)) return
  const choices = `one of ${values.join(', ')}`
  if (value === undefined) report(path, `the field "${path.at(-1)}" is required: ${choices}`)
  else if (typeof value !== 'string') report(path, `expected ${choices}, got ${describeValue(value)}`)
  else report(path, `${describeValue(value)} is not ${choices}.`, { meant: hint(value, values) })
}

function inAttack({ attack }: Walk): Place[] {
  const at: Path = ['attack']
  const classification = own(attack, 'classification')
  const inClassification: Path = [...at, 'classification']
  return [
    field(at, attack, 'status', statuses),
    inSeverity(own(attack, 'severity')),
    ...inImpact(own(attack, 'impact')),
    field(inClassification, classification, 'category', categories),
    ...inItems([...inClassification, 'mappings'], child(classification, 'mappings'), 'relationship', relationships),
    field([...at, 'correlation'], own(attack, 'correlation'), 'logic', correlationLogics),
  ]
}

function inSeverity(severity: Value | undefined): Place {
  const path: Path = ['attack', 'severity']
  return isRecord(severity)
    ? { ...field(path, severity, 'level', severityLevels), required: true }
    : { path, value: severity, values: severityLevels }
}

function inImpact(impact: Value | undefined): Place[] {
  if (!isList(impact)) return []
  return impact.map((value, index) => ({ path: ['attack', 'impact', index], value, values: impacts }))
}

function inPhases(walk: Walk): Place[] {
  return [
    ...walk.extractors.flatMap(({ path, value }) => [
      { ...field(path, value, 'source', extractorSources), required: true },
      { ...field(path, value, 'type', extractorTypes), required: true },
    ]),
    ...walk.actions.map(({ path, value }) => field([...path, 'log'], own(value, 'log'), 'level', logLevels)),
  ]
}

/** The enumerations that the MCP binding brings (§7.1.4, §7.1.5). */
function inStates(walk: Walk): Place[] {
  return walk.states.flatMap(({ path, value }) => [
    ...inItems([...path, 'elicitation_responses'], child(value, 'elicitation_responses'), 'action', elicitationActions),
    ...inItems([...path, 'elicitations'], child(value, 'elicitations'), 'mode', elicitationModes),
  ])
}

function inIndicators(walk: Walk): Place[] {
  return walk.indicators.flatMap(({ path, value }) => [
    field(path, value, 'direction', directions),
    field(path, value, 'method', indicatorMethods),
    field([...path, 'semantic'], own(value, 'semantic'), 'intent_class', semanticIntentClasses),
    field(path, value, 'tier', tiers),
    field(path, value, 'severity', severityLevels),
  ])
}

function field(path: Path, parent: Value | undefined, key: string, values: readonly string[]): Place {
  return { path: [...path, key], value: child(parent, key), values }
}

function inItems(path: Path, items: Value | undefined, key: string, values: readonly string[]): Place[] {
  return isList(items) ? items.map((item, index) => field([...path, index], item, key, values)) : []
}

function child(parent: Value | undefined, key: string): Value | undefined {
  return isRecord(parent) ? own(parent, key) : undefined
}
