import type { ValueRecord } from '@joust/source'
import { filledList, flag, object, text } from './parts.ts'

const number: ValueRecord = { type: 'number' }

const literal: ValueRecord = { type: ['string', 'number', 'boolean'] }

const literals: ValueRecord = { type: 'array', items: literal }

/** The one object of the format that is closed: an operator that nobody knows could match anything. */
const operators: ValueRecord = {
  ...object({
    gt: number,
    gte: number,
    lt: number,
    lte: number,
    ne: literal,
    pattern: text,
    in: literals,
    not_in: literals,
  }),
  additionalProperties: false,
}

const matcher: ValueRecord = { oneOf: [literal, operators] }

const group: ValueRecord = object({ args_match: { type: 'object', additionalProperties: matcher } })

/** One group of matchers, or several, one of which must hold. */
export const conditions: ValueRecord = { oneOf: [group, filledList(group)] }

/** Whether a human is asked. */
export const approval: ValueRecord = { oneOf: [flag, object({ message_template: text, condition: conditions })] }
