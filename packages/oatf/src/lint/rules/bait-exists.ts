import { baitFaults } from '../../exposure/bait.ts'
import { plantedIn } from '../../exposure/planted.ts'
import { baitedDocument } from '../../rules/rule.ts'
import type { LintRule } from '../rule.ts'

export const baitExists: LintRule = {
  summary: 'Every path in `x-joust-bait` exists, and the text at the path is sent to the agent.',
  check({ walk }, report) {
    for (const { path, message } of baitFaults(walk, plantedIn(walk))) report(path, message)
  },
  good: baitedDocument(),
  mistake: ['tools[0].description', 'tools[1].description'],
  path: 'attack.x-joust-bait[0]',
}
