/** Checks of a host's numbers: taken as they are, wrong ones would limit nothing, or everything. */
import { didYouMean, isRecord, kindOf } from '@joust/source'
import type { RuntimeOptions, Timeouts } from '../model/options.ts'
import { limitNames } from './bounds.ts'

const timeoutNames = ['modelMs', 'toolMs', 'connectMs'] as const satisfies readonly (keyof Timeouts)[]

/** What is wrong with the numbers of a host. */
export function optionFaults({ batchConcurrency, callConcurrency, limits, timeouts }: RuntimeOptions): string[] {
  return [
    ...Object.entries({ batchConcurrency, callConcurrency }).flatMap(([name, width]) => {
      const isWidth = width === undefined || (Number.isInteger(width) && width >= 1)
      return isWidth ? [] : [`${name} must be a whole number of at least 1, not ${shown(width)}`]
    }),
    ...limitFaults(limits, limitNames).map((fault) => `limits: ${fault}`),
    ...numberFaults(timeouts, timeoutNames, isTimeout, 'a number of milliseconds above 0').map(
      (fault) => `timeouts: ${fault}`,
    ),
  ]
}

/** What is wrong with limits, of a host or a policy. */
export function limitFaults(given: unknown, names: readonly string[]): string[] {
  return numberFaults(given, names, isLimit, 'a number of at least 0')
}

/** Unknown keys, each with the one that may have been meant. */
export function unknownKeys(given: object, names: readonly string[]): string[] {
  return Object.keys(given)
    .filter((key) => !names.includes(key))
    .map((key) => `there is no ${JSON.stringify(key)}.${didYouMean(key, names)}`)
}

function numberFaults(
  given: unknown,
  names: readonly string[],
  isRight: (value: unknown) => boolean,
  right: string,
): string[] {
  if (given === undefined) return []
  if (!isRecord(given)) return [`it must be an object, not ${kindOf(given)}`]
  const wrong = names.filter((name) => given[name] !== undefined && !isRight(given[name]))
  return [...wrong.map((name) => `${name} must be ${right}, not ${shown(given[name])}`), ...unknownKeys(given, names)]
}

function isLimit(value: unknown): boolean {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0
}

function isTimeout(value: unknown): boolean {
  return isLimit(value) && value !== 0
}

function shown(value: unknown): string {
  return typeof value === 'number' ? String(value) : kindOf(value)
}
