/** Document schemas of conditions and approvals. */
import type { ValueRecord } from '@joust/source'
import { type Field, field, filledList, flag, object, text } from './parts.ts'

const number: ValueRecord = { type: 'number' }

const literal: ValueRecord = { type: ['string', 'number', 'boolean'] }

const literals: ValueRecord = { type: 'array', items: literal }

/**
 * The only object in the format that forbids additional properties, because an unknown operator could match anything.
 */
const operators: ValueRecord = {
  ...object({
    gt: field(number, 'The number is greater than this value.'),
    gte: field(number, 'The number is greater than or equal to this value.'),
    lt: field(number, 'The number is less than this value.'),
    lte: field(number, 'The number is less than or equal to this value.'),
    ne: field(literal, 'The value differs from this value.'),
    pattern: field(text, 'The string matches this RE2 regular expression.'),
    in: field(literals, 'The value is in this list.'),
    not_in: field(literals, 'The value is not in this list.'),
  }),
  additionalProperties: false,
}

const matchers: ValueRecord = { type: 'object', additionalProperties: { oneOf: [literal, operators] } }

const group: ValueRecord = object({
  args_match: field(matchers, 'Arguments or path expressions with the values to match; all entries must match.'),
})

/** One group of matchers, or several, one of which must match. */
export const conditions: ValueRecord = { oneOf: [group, filledList(group)] }

const approvalConfig = object({
  message_template: field(text, 'The message for the approver.'),
  condition: field(conditions, 'Calls that need approval; all by default.'),
})

export const approval: Field = field({ oneOf: [flag, approvalConfig] }, 'Requires human approval before each call.')
