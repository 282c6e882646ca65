import { describeValue, own } from '@joust/source'
import type { Rule } from '../rule.ts'

const ATTACK_ID = /^[A-Z][A-Z0-9-]*-[0-9]{3,}$/

export const attackIdFormat: Rule = {
  summary: '`attack.id` is an upper-case prefix, a hyphen and at least three digits.',
  check(walk, report) {
    const id = own(walk.attack, 'id')
    if (id === undefined || (typeof id === 'string' && ATTACK_ID.test(id))) return
    report(
      ['attack', 'id'],
      `invalid attack id ${describeValue(id)}: expected upper-case letters, digits and hyphens, then "-" and at least ` +
        'three digits, such as ACME-001.',
      { correction: wellFormed(id) },
    )
  },
  good: `
oatf: "0.1"
attack:
  id: ACME-007
  execution:
    mode: mcp_server
    state: { tools: [] }
`,
  mistake: ['id: ACME-007', 'id: acme-7'],
  path: 'attack.id',
}

/** Corrects the case and pads the number, if that makes the id valid. */
function wellFormed(id: unknown): string | undefined {
  if (typeof id !== 'string' || id.length > 64) return undefined
  const upper = id.toUpperCase().replaceAll(/[_ ]/g, '-')
  const filled = upper.replace(/-([0-9]{1,2})$/, (_, digits: string) => `-${digits.padStart(3, '0')}`)
  return ATTACK_ID.test(filled) ? filled : undefined
}
