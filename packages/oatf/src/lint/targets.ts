import { isList, isRecord, own, ownText, type Path, type Suggest, type Value } from '@joust/source'
import { observedProtocols } from '../bindings/observed.ts'
import { followShape } from '../bindings/shape-paths.ts'
import { directions } from '../model/enumerations.ts'
import type { CelStep } from '../model/evaluators.ts'
import { isMatchCondition } from '../model/operators.ts'
import { wildcardSteps } from '../primitives/resolve-wildcard-path.ts'
import { actorsFor, kindsFor, type MessageKind } from '../traffic/message-kinds.ts'
import type { Payload } from '../traffic/payloads/payload.ts'
import type { LintContext, Subject } from './context.ts'

export interface ExaminedField {
  readonly form: 'target' | 'variable' | 'read'
  readonly steps: readonly CelStep[]
  /** The target as written, or the path of a CEL read. */
  readonly shown: string
  readonly path: Path
}

export function examinedFields(subject: Subject): readonly ExaminedField[] {
  if (subject.expression === undefined) return targetOf(subject)
  const path = [...subject.path, 'expression']
  const variables = [...subject.variables].map(([name, shown]): ExaminedField => {
    return { form: 'variable', steps: wildcardSteps(shown) ?? [], shown, path: [...path, 'variables', name] }
  })
  const reads = subject.reads.flatMap(({ root, steps }): ExaminedField[] => {
    const from = root === 'message' && !subject.variables.has(root) ? [] : variableSteps(subject, root)
    if (from === undefined || (root !== 'message' && steps.length === 0)) return []
    const all = [...from, ...steps]
    return [{ form: 'read', steps: all, shown: shownSteps(all), path: [...path, 'cel'] }]
  })
  return [...variables, ...reads]
}

/** True if a field exists in a message that the indicator applies to, or in an attacker payload. */
export function canBe(field: ExaminedField, subject: Subject, context: LintContext): boolean {
  return (
    isIn(field, subject.kinds) ||
    ownPayloads(subject, context).some(({ content }) => has(content, field.steps, field.form === 'read'))
  )
}

export function isIn({ steps, form }: ExaminedField, kinds: readonly MessageKind[]): boolean {
  const entry = form === 'read' ? 'anything' : 'lists'
  return kinds.some(({ shapes }) => shapes.some((shape) => followShape(shape, steps, entry).length > 0))
}

/** Returns the direction in which only the agent sends the examined field, if the indicator has no direction. */
export function agentDirection(subject: Subject): 'request' | 'response' | undefined {
  if (own(subject.value, 'direction') !== undefined) return undefined
  // If no surface is set, operations started by a server are ignored, because this advice is for the usual case.
  const named = own(subject.value, 'surface') !== undefined
  const kinds = subject.kinds.filter(({ row }) => named || row.by === 'client')
  const holds = (kind: MessageKind): boolean => examinedFields(subject).some((field) => isIn(field, [kind]))
  return directions.find((direction) => {
    const senders = kinds.filter((kind) => kind.direction === direction && holds(kind))
    return senders.length > 0 && senders.every((kind) => !kind.fromAttacker)
  })
}

export function ownPayloads(subject: Subject, { walk, payloads }: LintContext): readonly Payload[] {
  const actors = new Set(actorsFor(walk, subject))
  const surface = ownText(subject.value, 'surface')
  const direction = ownText(subject.value, 'direction')
  return payloads.filter((payload) => {
    if (!actors.has(payload.actor) || (surface !== undefined && payload.surface !== surface)) return false
    return direction === undefined || direction === payload.direction
  })
}

/**
 * Returns examined fields that no message can have. Fields that an expression tests with `has()` may be missing, unless
 * all of them are.
 */
export function missingFields(subject: Subject, context: LintContext): readonly ExaminedField[] {
  const examined = examinedFields(subject)
  const missing = examined.filter((field) => !canBe(field, subject, context))
  if (missing.length === examined.length) return missing
  const tests = subject.reads.filter(({ tested, root }) => tested && root === 'message').map(({ steps }) => steps)
  return missing.filter((field) => !tests.some((steps) => startsWith(field.steps, steps)))
}

/**
 * Returns fields that an expression tests with `has()` but no message has, if a similar field exists that the
 * expression does not read as an alternative.
 */
export function misspelledTests(subject: Subject, context: LintContext, hint: Suggest): readonly ExaminedField[] {
  const examined = examinedFields(subject)
  const isConjunction = !/\|\||\?/.test(ownText(subject.expression, 'cel') ?? '')
  return examined.filter((field) => {
    if (field.form !== 'read' || canBe(field, subject, context)) return false
    const at = field.steps.findIndex(
      (_, index) => !canBe({ ...field, steps: field.steps.slice(0, index + 1) }, subject, context),
    )
    const [before, step] = [field.steps.slice(0, at), field.steps[at]]
    if (step === undefined || step === 'each') return false
    const shapes = subject.kinds.flatMap((kind) => kind.shapes).flatMap((one) => followShape(one, before, 'anything'))
    const names = shapes.flatMap((one) =>
      one.kind === 'fields' ? Object.keys({ ...one.required, ...one.optional }) : [],
    )
    const correction = hint(step.field, names, 1)
    return (
      correction !== undefined &&
      (isConjunction || !examined.some(({ steps }) => startsWith(steps, [...before, { field: correction }])))
    )
  })
}

function startsWith(steps: readonly CelStep[], start: readonly CelStep[]): boolean {
  return JSON.stringify(steps.slice(0, start.length)) === JSON.stringify(start)
}

/** True if an indicator can never match, because no message has any field that it examines. */
export function isDead(subject: Subject, context: LintContext): boolean {
  const { protocol, kinds } = subject
  const { walk } = context
  const isObserved = (name: string) => observedProtocols(walk).includes(name) || actorsFor(walk, subject).length > 0
  if (protocol !== undefined && walk.actors.length > 0 && !isObserved(protocol)) return true
  if (kinds.length === 0) return otherDirection(subject, context) !== undefined
  if (wantsAbsence(subject)) return false
  const examined = examinedFields(subject)
  return examined.length > 0 && examined.every((field) => !canBe(field, subject, context))
}

/** Returns the only direction of messages on the surface, if the indicator sets the opposite direction. */
export function otherDirection(subject: Subject, { walk }: LintContext): 'request' | 'response' | undefined {
  if (subject.kinds.length > 0 || own(subject.value, 'direction') === undefined) return undefined
  return directions.find((direction) => kindsFor(walk, subject, direction).length > 0)
}

/** True for `exists: false`, which matches a missing field. */
function wantsAbsence({ value }: Subject): boolean {
  const condition = own(own(value, 'pattern'), 'condition')
  return isRecord(condition) && isMatchCondition(condition) && own(condition, 'exists') === false
}

function targetOf(subject: Subject): readonly ExaminedField[] {
  for (const key of ['pattern', 'semantic']) {
    const block = own(subject.value, key)
    if (!isRecord(block)) continue
    const override = ownText(block, 'target')
    const target = override ?? ownText(subject.value, 'target')
    const steps = target === undefined ? undefined : wildcardSteps(target)
    if (target === undefined || steps === undefined) return []
    const path = override === undefined ? [...subject.path, 'target'] : [...subject.path, key, 'target']
    return [{ form: 'target', steps, shown: target, path }]
  }
  return []
}

function variableSteps(subject: Subject, root: string): readonly CelStep[] | undefined {
  const target = subject.variables.get(root)
  return target === undefined ? undefined : wildcardSteps(target)
}

function shownSteps(steps: readonly CelStep[]): string {
  return steps.reduce<string>((text, step) => {
    if (step === 'each') return `${text}[*]`
    return text === '' ? step.field : `${text}.${step.field}`
  }, '')
}

function has(content: Value, steps: readonly CelStep[], anything: boolean): boolean {
  let reached: readonly Value[] = [content]
  for (const step of steps) {
    reached = reached.flatMap((value): readonly Value[] => {
      if (step === 'each') return isList(value) ? value : anything && isRecord(value) ? Object.values(value) : []
      const child = own(value, step.field)
      return child === undefined ? [] : [child]
    })
    if (reached.length === 0) return false
  }
  return true
}
