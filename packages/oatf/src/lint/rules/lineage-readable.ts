import { checkShape, own, type Shape, shapes } from '@joust/source'
import { MUTATIONS, PARENT } from '../../model/lineage.ts'
import { callsDocument } from '../../rules/rule.ts'
import type { LintRule } from '../rule.ts'

const lineage: readonly (readonly [key: string, shape: Shape])[] = [
  [PARENT, shapes.text],
  [MUTATIONS, shapes.list(shapes.text)],
]

export const lineageReadable: LintRule = {
  summary: '`x-joust-parent` is a string, and `x-joust-mutations` a list of strings.',
  check({ walk }, report) {
    for (const [key, shape] of lineage) {
      const value = own(walk.attack, key)
      if (value === undefined) continue
      for (const { path, message } of checkShape(value, shape)) report(['attack', key, ...path], message)
    }
  },
  good: callsDocument(
    `
      tools: [{ name: search, description: Searches the web }]
`,
    'arguments',
    'password',
    `  x-joust-parent: 1f3a
  x-joust-mutations: [base64]
`,
  ),
  mistake: ['[base64]', 'base64'],
  path: 'attack.x-joust-mutations',
}
