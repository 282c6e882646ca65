/** What tokens cost. */
import { err, ok, shapes } from '@joust/source'
import type { ValueKind } from './option.ts'

/** Dollars per million tokens, read and written. */
export interface Price {
  readonly input: number
  readonly output: number
}

/** `1.25,10` */
export const price: ValueKind<Price> = {
  placeholder: 'in,out',
  shape: shapes.text,
  read: ([text = ''], option) => {
    const [, input, output] = /^(\d+(?:\.\d+)?)\s*,\s*(\d+(?:\.\d+)?)$/.exec(text) ?? []
    return input === undefined || output === undefined
      ? err(`${option} expects dollars per million tokens, in and out, such as 1.25,10, not "${text}"`)
      : ok({ input: Number(input), output: Number(output) })
  },
}
