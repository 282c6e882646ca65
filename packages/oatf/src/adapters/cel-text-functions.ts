/** CEL functions on strings, bytes and lists. */
import { type CelValue, celError, isCelList, isCelMap } from '@bufbuild/cel'
import { compareCodePoints, containsText, countCodePoints } from '@joust/source'
import type { CelCall, CelFunction, CelReturn } from './cel-call.ts'
import { joinLists } from './cel-values.ts'
import { testRegex } from './metered-regex.ts'

export const textFunctions: readonly (readonly [string, CelFunction])[] = [
  ['size', size],
  ['contains', onTexts(containsText, (text, part) => text.length + part.length)],
  ['startsWith', onTexts((text, part) => text.startsWith(part), lengthOfPart)],
  ['endsWith', onTexts((text, part) => text.endsWith(part), lengthOfPart)],
  ['matches', matches],
  ['_+_', join],
  ['_<_', ordered((order) => order < 0)],
  ['_<=_', ordered((order) => order <= 0)],
  ['_>_', ordered((order) => order > 0)],
  ['_>=_', ordered((order) => order >= 0)],
]

function size({ target, args, run, standard }: CelCall): CelReturn {
  const value = target ?? args[0]
  if (args.length !== (target === undefined ? 1 : 0)) return undefined
  if (isCelMap(value)) run.meter.spendItems(value.size)
  if (typeof value !== 'string') return standard()
  run.meter.spendText(value.length)
  return BigInt(countCodePoints(value))
}

function onTexts(
  test: (text: string, part: string) => boolean,
  price: (text: string, part: string) => number,
): CelFunction {
  return ({ target, args, run }) => {
    const [part] = args
    if (typeof target !== 'string' || typeof part !== 'string' || args.length !== 1) return undefined
    run.meter.spendText(price(target, part))
    return test(target, part)
  }
}

function lengthOfPart(_text: string, part: string): number {
  return part.length
}

function matches({ target, args, run }: CelCall): CelReturn {
  const [text, pattern, ...rest] = target === undefined ? args : [target, ...args]
  if (typeof text !== 'string' || typeof pattern !== 'string' || rest.length > 0) return undefined
  const regex = run.regexes.compile(pattern, run.meter)
  if (!regex.ok) return celError(`matches(): ${regex.error.message}`)
  return testRegex(regex.value, text, run.meter, 'test')
}

function join({ args, run, standard }: CelCall): CelReturn {
  const [left, right] = args
  if (isCelList(left) && isCelList(right)) {
    run.meter.spendItems(left.size + right.size)
    return joinLists(left, right)
  }
  run.meter.spendText(lengthOf(left) + lengthOf(right))
  return standard()
}

/**
 * Compares two values. CEL compares strings by code point, but the library by UTF-16 unit. Integers are compared here
 * for speed, because the library has many overloads.
 */
function ordered(holds: (order: number) => boolean): CelFunction {
  return ({ args: [left, right], run, standard }) => {
    if (typeof left === 'bigint' && typeof right === 'bigint') return holds(left < right ? -1 : left > right ? 1 : 0)
    run.meter.spendText(Math.min(lengthOf(left), lengthOf(right)))
    return typeof left === 'string' && typeof right === 'string' ? holds(compareCodePoints(left, right)) : standard()
  }
}

/** Returns the length of a string or bytes; 0 for other values, which are short. */
export function lengthOf(value: CelValue | undefined): number {
  return typeof value === 'string' || value instanceof Uint8Array ? value.length : 0
}
