/** Checks numeric host options: invalid values would disable a limit or block every call. */
import { didYouMean, isRecord, kindOf } from '@joust/source'
import type { RuntimeOptions, Timeouts } from '../model/options.ts'
import { limitNames } from './bounds.ts'

const timeoutNames = ['modelMs', 'toolMs', 'connectMs'] as const satisfies readonly (keyof Timeouts)[]

export function optionProblems(options: RuntimeOptions): string[] {
  const { batchConcurrency, callConcurrency, modelRetries = 0, limits, timeouts } = options
  const isTimeout = (value: unknown) => isLimit(value) && value !== 0
  const timeoutProblems = numberProblems(timeouts, timeoutNames, isTimeout, 'a number of milliseconds greater than 0')
  const areRetries = Number.isInteger(modelRetries) && modelRetries >= 0
  return [
    ...(areRetries ? [] : [`modelRetries must be an integer of at least 0, not ${shown(modelRetries)}`]),
    ...Object.entries({ batchConcurrency, callConcurrency }).flatMap(([name, width]) => {
      const isWidth = width === undefined || (Number.isInteger(width) && width >= 1)
      return isWidth ? [] : [`${name} must be an integer of at least 1, not ${shown(width)}`]
    }),
    ...limitProblems(limits, limitNames).map((problem) => `limits: ${problem}`),
    ...timeoutProblems.map((problem) => `timeouts: ${problem}`),
  ]
}

export function limitProblems(limits: unknown, names: readonly string[]): string[] {
  return numberProblems(limits, names, isLimit, 'a number of at least 0')
}

export function unknownKeys(options: object, names: readonly string[]): string[] {
  return Object.keys(options)
    .filter((key) => !names.includes(key))
    .map((key) => `unknown key ${JSON.stringify(key)}.${didYouMean(key, names)}`)
}

function numberProblems(
  values: unknown,
  names: readonly string[],
  isValid: (value: unknown) => boolean,
  expected: string,
): string[] {
  if (values === undefined) return []
  if (!isRecord(values)) return [`expected an object, got ${kindOf(values)}`]
  const invalid = names.filter((name) => values[name] !== undefined && !isValid(values[name]))
  return [
    ...invalid.map((name) => `${name} must be ${expected}, not ${shown(values[name])}`),
    ...unknownKeys(values, names),
  ]
}

function isLimit(value: unknown): boolean {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0
}

function shown(value: unknown): string {
  return typeof value === 'number' ? String(value) : kindOf(value)
}
