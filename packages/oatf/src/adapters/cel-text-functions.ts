/** The functions of CEL that read or build text, bytes and lists. */
import { type CelValue, celError, celUint, isCelList, isCelMap } from '@bufbuild/cel'
import { compareCodePoints } from '@joust/source'
import type { CelCall, CelFunction, Outcome } from './cel-call.ts'
import { joinLists } from './cel-values.ts'
import { countCodePoints } from './code-points.ts'
import { containsText } from './contains-text.ts'
import { testRegex } from './metered-regex.ts'

/** What a time zone's name costs: the calendar for it is built anew on every call. */
const TIME_ZONE_STEPS = 200
/** Longer than any number that fits. */
const LONGEST_NUMBER = 400

/** By name. */
export const textFunctions: readonly (readonly [string, CelFunction])[] = [
  ['size', size],
  ['contains', onTexts(containsText, (text, part) => text.length + part.length)],
  [
    'startsWith',
    onTexts(
      (text, part) => text.startsWith(part),
      (_text, part) => part.length,
    ),
  ],
  [
    'endsWith',
    onTexts(
      (text, part) => text.endsWith(part),
      (_text, part) => part.length,
    ),
  ],
  ['matches', matches],
  ['_+_', join],
  ['_<_', ordered((order) => order < 0)],
  ['_<=_', ordered((order) => order <= 0)],
  ['_>_', ordered((order) => order > 0)],
  ['_>=_', ordered((order) => order >= 0)],
  ['int', fromText(intFromText)],
  ['uint', fromText(uintFromText)],
  ['double', fromText(doubleFromText)],
  ...['bool', 'bytes', 'duration', 'string', 'timestamp'].map((name) => [name, fromText()] as const),
  ...[
    'FullYear',
    'Month',
    'Date',
    'DayOfMonth',
    'DayOfWeek',
    'DayOfYear',
    'Hours',
    'Minutes',
    'Seconds',
    'Milliseconds',
  ].map((part) => [`get${part}`, inTimeZone] as const),
]

function size({ target, args, run, standard }: CelCall): Outcome {
  const value = target ?? args[0]
  if (args.length !== (target === undefined ? 1 : 0)) return undefined
  if (isCelMap(value)) run.budget.spendItems(value.size)
  if (typeof value !== 'string') return standard()
  run.budget.spendText(value.length)
  return BigInt(countCodePoints(value))
}

function onTexts(
  test: (text: string, part: string) => boolean,
  price: (text: string, part: string) => number,
): CelFunction {
  return ({ target, args, run }) => {
    const [part] = args
    if (typeof target !== 'string' || typeof part !== 'string' || args.length !== 1) return undefined
    run.budget.spendText(price(target, part))
    return test(target, part)
  }
}

function matches({ target, args, run }: CelCall): Outcome {
  const [text, pattern, ...rest] = target === undefined ? args : [target, ...args]
  if (typeof text !== 'string' || typeof pattern !== 'string' || rest.length > 0) return undefined
  const regex = run.regexes.compile(pattern, run.budget)
  if (!regex.ok) return celError(`matches(): ${regex.error.message}`)
  return testRegex(regex.value, text, run.budget, 'test')
}

function join({ args, run, standard }: CelCall): Outcome {
  const [left, right] = args
  if (isCelList(left) && isCelList(right)) {
    run.budget.spendItems(left.size + right.size)
    return joinLists(left, right)
  }
  run.budget.spendText(lengthOf(left) + lengthOf(right))
  return standard()
}

/** The library compares UTF-16 units, CEL compares code points. */
function ordered(holds: (order: number) => boolean): CelFunction {
  return ({ args: [left, right], run, standard }) => {
    run.budget.spendText(Math.min(lengthOf(left), lengthOf(right)))
    return typeof left === 'string' && typeof right === 'string' ? holds(compareCodePoints(left, right)) : standard()
  }
}

function lengthOf(value: CelValue | undefined): number {
  return typeof value === 'string' || value instanceof Uint8Array ? value.length : 0
}

function fromText(read?: (text: string) => CelValue | undefined): CelFunction {
  return ({ target, args, run, standard }) => {
    const [value] = args
    run.budget.spendText(lengthOf(value))
    if (read === undefined || typeof value !== 'string' || target !== undefined || args.length !== 1) return standard()
    const result = value.length > LONGEST_NUMBER ? undefined : read(value)
    return result ?? celError('the text is not a number of that type')
  }
}

function intFromText(text: string): bigint | undefined {
  const value = /^[+-]?\d+$/.test(text) ? BigInt(text.replace(/^\+/, '')) : undefined
  return value !== undefined && BigInt.asIntN(64, value) === value ? value : undefined
}

function uintFromText(text: string): CelValue | undefined {
  const value = /^\+?\d+$/.test(text) ? BigInt(text.replace(/^\+/, '')) : undefined
  return value !== undefined && BigInt.asUintN(64, value) === value ? celUint(value) : undefined
}

function doubleFromText(text: string): number | undefined {
  if (/^[+-]?inf(inity)?$/i.test(text)) return text.startsWith('-') ? -Infinity : Infinity
  if (/^[+-]?nan$/i.test(text)) return Number.NaN
  return /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i.test(text) ? Number(text) : undefined
}

function inTimeZone({ args, run, standard }: CelCall): Outcome {
  if (args.length > 0) run.budget.spend(TIME_ZONE_STEPS)
  return standard()
}
