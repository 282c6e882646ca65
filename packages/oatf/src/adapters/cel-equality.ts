import { type CelMap, type CelValue, isCelList, isCelMap, isCelType, isCelUint } from '@bufbuild/cel'
import { isNumeric, sameNumber } from '@joust/source'
import type { StepMeter } from './step-meter.ts'

interface Comparison {
  readonly size: number
  next: number
  readonly pair: (index: number) => readonly [CelValue | undefined, CelValue | undefined]
}

/**
 * Tests CEL equality: compares numbers across types; `NaN` and values of different types are never equal. Metered per
 * pair, and iterative, so that a deep message cannot exhaust the stack. `other` compares timestamps and durations.
 */
export function celEquals(
  left: CelValue,
  right: CelValue,
  meter: StepMeter,
  other: (left: CelValue, right: CelValue) => boolean,
): boolean {
  const open: Comparison[] = []
  let pair: readonly [CelValue | undefined, CelValue | undefined] | undefined = [left, right]
  while (pair !== undefined) {
    const [a, b]: readonly [CelValue | undefined, CelValue | undefined] = pair
    if (a === undefined || b === undefined) return false
    meter.spendItems(1)
    const children = a === b ? undefined : compareContainers(a, b, meter)
    if (children === false) return false
    if (children !== undefined) open.push(children)
    else if (a !== b && !scalarsEqual(a, b, meter, other)) return false
    pair = nextPair(open)
  }
  return true
}

function nextPair(open: Comparison[]): ReturnType<Comparison['pair']> | undefined {
  for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
    if (top.next < top.size) return top.pair(top.next++)
    open.pop()
  }
  return undefined
}

/** Returns the children to compare, false if the containers cannot be equal, or undefined for other values. */
function compareContainers(a: CelValue, b: CelValue, meter: StepMeter): Comparison | false | undefined {
  if (isCelList(a))
    return isCelList(b) && a.size === b.size && { size: a.size, next: 0, pair: (index) => [a.get(index), b.get(index)] }
  if (isCelMap(a)) return isCelMap(b) && a.size === b.size && mapComparison(a, b, meter)
  return isCelList(b) || isCelMap(b) ? false : undefined
}

function mapComparison(a: CelMap, b: CelMap, meter: StepMeter): Comparison {
  meter.spendItems(a.size)
  const keys = [...a.keys()]
  return {
    size: keys.length,
    next: 0,
    pair: (index) => {
      // `index` stays below the number of keys.
      const key = keys[index] as (typeof keys)[number]
      return [a.get(key), b.get(key)]
    },
  }
}

function scalarsEqual(
  left: CelValue,
  right: CelValue,
  meter: StepMeter,
  other: (left: CelValue, right: CelValue) => boolean,
): boolean {
  const a = isCelUint(left) ? left.value : left
  const b = isCelUint(right) ? right.value : right
  if (typeof a === 'string' && typeof b === 'string') {
    if (a.length !== b.length) return false
    meter.spendText(a.length)
    return a === b
  }
  if (isNumeric(a) && isNumeric(b)) return sameNumber(a, b)
  if (a instanceof Uint8Array && b instanceof Uint8Array) {
    if (a.length !== b.length) return false
    meter.spendText(a.length)
    return a.every((byte, index) => byte === b[index])
  }
  if (isCelType(a) && isCelType(b)) return a.kind === b.kind && a.name === b.name
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b
  return other(a, b)
}
