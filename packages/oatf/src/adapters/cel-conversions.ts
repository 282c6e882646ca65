/** CEL conversions between text and other types, and timestamp fields. */
import { type CelValue, celError, celUint } from '@bufbuild/cel'
import { oatfLimits } from '../model/limits.ts'
import type { CelCall, CelFunction, CelReturn } from './cel-call.ts'
import { lengthOf } from './cel-text-functions.ts'

/** The cost of a named time zone, for which a calendar is built on every call. */
const TIME_ZONE_STEPS = 200

const timeParts = 'FullYear Month Date DayOfMonth DayOfWeek DayOfYear Hours Minutes Seconds Milliseconds'.split(' ')

export const conversions: readonly (readonly [string, CelFunction])[] = [
  ['int', number(intFrom)],
  ['uint', number(uintFrom)],
  ['double', number(doubleFrom)],
  ['bool', paid],
  ['bytes', paid],
  ['string', paid],
  ['duration', paid],
  ['timestamp', paid],
  ...timeParts.map((part) => [`get${part}`, inTimeZone] as const),
]

/** Rejects texts that are numbers only in JavaScript, such as an empty string or hexadecimal digits. */
function number(read: (text: string) => CelValue | undefined): CelFunction {
  return ({ target, args, standard }) => {
    const [text] = args
    if (typeof text !== 'string' || target !== undefined || args.length !== 1) return standard()
    const value = text.length > oatfLimits.celNumber ? undefined : read(text)
    return value ?? celError('the string is not a number of this type')
  }
}

function paid({ args: [value], run, standard }: CelCall): CelReturn {
  run.meter.spend(1)
  run.meter.spendText(lengthOf(value))
  return standard()
}

function inTimeZone({ args, run, standard }: CelCall): CelReturn {
  if (args.length > 0) run.meter.spend(TIME_ZONE_STEPS)
  return standard()
}

function intFrom(text: string): bigint | undefined {
  const value = /^[+-]?\d+$/.test(text) ? BigInt(text.replace(/^\+/, '')) : undefined
  return value !== undefined && BigInt.asIntN(64, value) === value ? value : undefined
}

function uintFrom(text: string): CelValue | undefined {
  const value = /^\+?\d+$/.test(text) ? BigInt(text.replace(/^\+/, '')) : undefined
  return value !== undefined && BigInt.asUintN(64, value) === value ? celUint(value) : undefined
}

function doubleFrom(text: string): number | undefined {
  if (/^[+-]?inf(?:inity)?$/i.test(text)) return text.startsWith('-') ? -Infinity : Infinity
  if (/^[+-]?nan$/i.test(text)) return Number.NaN
  return /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i.test(text) ? Number(text) : undefined
}
