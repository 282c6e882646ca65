import type { ValueRecord } from '@joust/source'
import { type Field, field, filledList, flag, object, text } from './parts.ts'

const number: ValueRecord = { type: 'number' }

const literal: ValueRecord = { type: ['string', 'number', 'boolean'] }

const literals: ValueRecord = { type: 'array', items: literal }

/** The one object of the format that is closed: an operator that nobody knows could match anything. */
const operators: ValueRecord = {
  ...object({
    gt: field(number, 'The number is greater than this.'),
    gte: field(number, 'The number is this or greater.'),
    lt: field(number, 'The number is less than this.'),
    lte: field(number, 'The number is this or less.'),
    ne: field(literal, 'The value is not this.'),
    pattern: field(text, 'The text matches this regular expression of RE2.'),
    in: field(literals, 'The value is one of these.'),
    not_in: field(literals, 'The value is none of these.'),
  }),
  additionalProperties: false,
}

const matchers: ValueRecord = { type: 'object', additionalProperties: { oneOf: [literal, operators] } }

const group: ValueRecord = object({
  args_match: field(matchers, 'What is looked at, and what it has to be; all entries have to hold.'),
})

/** One group of matchers, or several, one of which must hold. */
export const conditions: ValueRecord = { oneOf: [group, filledList(group)] }

const asked = object({
  message_template: field(text, 'What the human is asked.'),
  condition: field(conditions, 'When a human is asked; without it, always.'),
})

/** Whether a human is asked. */
export const approval: Field = field({ oneOf: [flag, asked] }, 'Whether a human is asked before it is called.')
