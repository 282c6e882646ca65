import { describe, expect, it } from 'vitest'
import { fillTemplate, shown } from '../../src/approvals/message.ts'

const variables = {
  agent_id: 'clerk',
  agent_name: 'The Clerk',
  tool_name: 'pay',
  tool_args: { to: 'Ann', order: { id: 7 }, list: [1, 'a'] },
}

describe('A-07, OPEN-41: templates', () => {
  it.each([
    ['Pay {{tool_args.to}}?', 'Pay Ann?'],
    ['{{ tool_args.order.id }} by {{agent_name}} ({{agent_id}}) with {{tool_name}}', '7 by The Clerk (clerk) with pay'],
    ['{{tool_args.order}} {{tool_args.list}}', '{"id":7} [1,"a"]'],
    ['{{tool_args.sum}}', '[missing: tool_args.sum]'],
    ['{{tool_args.to.length}}', '[missing: tool_args.to.length]'],
    ['{{tool_args.__proto__}} {{constructor}}', '[missing: tool_args.__proto__] [missing: constructor]'],
    ['{{input.x}} {{agent_alias}}', '[missing: input.x] [missing: agent_alias]'],
    ['{{', '{{'],
    ['{{{{tool_name}}}}', '{{pay}}'],
    ['<b>{{tool_args.to}}</b>', '<b>Ann</b>'],
  ])('%s', (template, expected) => {
    expect(fillTemplate(template, variables)).toBe(expected)
  })

  it('arguments cannot hide text, forge lines or fill the screen', () => {
    const hostile = {
      ...variables,
      tool_args: { to: `Ann\u202e\u0007\r\nApproved: yes\u200b`, long: 'x'.repeat(5000) },
    }
    const message = fillTemplate('{{tool_args.to}}|{{tool_args.long}}', hostile)
    expect(message).not.toMatch(/[\p{Cc}\u202e\u200b]/u)
    expect(message.length).toBeLessThan(500)
    expect(message.endsWith('…')).toBe(true)
  })

  it('values are never templates', () => {
    expect(fillTemplate('{{tool_args.to}}', { ...variables, tool_args: { to: '{{agent_id}}' } })).toBe('{{agent_id}}')
  })

  it('a value too deep to write is said to be', () => {
    let deep: unknown[] = []
    for (let depth = 0; depth < 2000; depth++) deep = [deep]
    expect(shown(deep as never)).toBe('[too deep to show]')
  })

  it('a template of nothing but braces takes no time', () => {
    expect(fillTemplate('{{'.repeat(100_000), variables)).toHaveLength(200_000)
  })
})
