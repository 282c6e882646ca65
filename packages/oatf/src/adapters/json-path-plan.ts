/** Runs a parsed JSONPath query lazily, in document order, on own properties only, metered per node. */
import { exceeded, isList, isRecord, type Value, type ValueRecord } from '@joust/source'
import { type JSONPathQuery, jsonpath, TokenKind } from 'json-p3'
import { type PathRun, type PathStep, planTest, type Visit } from './json-path-filter.ts'

type Segment = JSONPathQuery['segments'][number]
type Container = readonly Value[] | ValueRecord
type Selector = Segment['selectors'][number]

export function planQuery(query: JSONPathQuery): PathStep {
  return query.segments.reduceRight<PathStep>(
    (rest, segment) => planSegment(segment, rest),
    (value, _run, take) => take(value),
  )
}

function planSegment(segment: Segment, rest: PathStep): PathStep {
  const selectors = segment.selectors.map(planSelector)
  const select: PathStep = (value, run, take) => {
    const onwards: Visit = (node) => rest(node, run, take)
    return selectors.some((selector) => selector(value, run, onwards))
  }
  if (segment.token.kind !== TokenKind.DDOT) return select
  return (value, run, take) => descend(value, run, (node) => select(node, run, take))
}

/**
 * Visits a value and all containers in it, parents first. Iterative, because a message may be deeper than the stack.
 */
function descend(value: Value, run: PathRun, visit: Visit): boolean {
  if (!isContainer(value)) return false
  if (visit(value)) return true
  const open = [{ children: childrenOf(value, run), next: 0 }]
  for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
    const child = top.children[top.next++]
    if (child === undefined) open.pop()
    else if (isContainer(child)) {
      if (open.length > run.meter.limits.jsonPathDepth) run.meter.stop(exceeded(run.meter.limits, 'jsonPathDepth'))
      run.meter.spend(1)
      if (visit(child)) return true
      open.push({ children: childrenOf(child, run), next: 0 })
    }
  }
  return false
}

function planSelector(selector: Selector): PathStep {
  const { FilterSelector, IndexSelector, NameSelector, SliceSelector, WildcardSelector } = jsonpath.selectors
  if (selector instanceof NameSelector) return nameStep(selector.name)
  if (selector instanceof IndexSelector) return indexStep(selector.index)
  if (selector instanceof SliceSelector) return sliceStep(selector)
  if (selector instanceof WildcardSelector) return childStep(() => true)
  if (selector instanceof FilterSelector) return childStep(planTest(selector.expression, planQuery))
  // The parser rejects selectors that RFC 9535 does not define.
  return () => false
}

function nameStep(name: string): PathStep {
  return (value, run, take) => {
    run.meter.spend(1)
    if (!isRecord(value) || !Object.hasOwn(value, name)) return false
    return take(value[name] ?? null)
  }
}

function indexStep(index: number): PathStep {
  return (value, run, take) => {
    run.meter.spend(1)
    const item = isList(value) ? value.at(index) : undefined
    return item !== undefined && take(item)
  }
}

function sliceStep(slice: jsonpath.selectors.SliceSelector): PathStep {
  const { step = 1 } = slice
  return (value, run, take) => {
    run.meter.spend(1)
    if (!isList(value) || step === 0) return false
    const { first, end } = sliceBounds(slice, step > 0, value.length)
    for (let at = first; step > 0 ? at < end : at > end; at += step) {
      run.meter.spend(1)
      const item = value[at]
      if (item !== undefined && take(item)) return true
    }
    return false
  }
}

/** Computes the bounds of a slice (RFC 9535 §2.3.4.2.2). The end is exclusive. */
function sliceBounds({ start, stop }: jsonpath.selectors.SliceSelector, forward: boolean, length: number) {
  const [least, most] = forward ? [0, length] : [-1, length - 1]
  const bound = (index: number) => Math.min(Math.max(index < 0 ? index + length : index, least), most)
  return {
    first: start === undefined ? (forward ? least : most) : bound(start),
    end: stop === undefined ? (forward ? most : least) : bound(stop),
  }
}

function childStep(wanted: (node: Value, run: PathRun) => boolean): PathStep {
  return (value, run, take) => {
    run.meter.spend(1)
    if (!isContainer(value)) return false
    for (const child of childrenOf(value, run)) {
      run.meter.spend(1)
      if (wanted(child, run) && take(child)) return true
    }
    return false
  }
}

function isContainer(value: Value): value is Container {
  return typeof value === 'object' && value !== null
}

function childrenOf(value: Container, run: PathRun): readonly Value[] {
  if (isList(value)) return value
  const children = Object.values(value)
  run.meter.spendItems(children.length)
  return children
}
