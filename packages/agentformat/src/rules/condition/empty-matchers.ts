import { isList } from '@joust/source'
import type { AgentRule } from '../rule.ts'
import { operatorSites } from './matchers.ts'

/** OPEN-16: a matcher has an operator, and its lists are not empty. */
export const emptyMatchers: AgentRule = (walk, report) => {
  for (const { operators, path } of operatorSites(walk)) {
    if (Object.keys(operators).length === 0) report(path, 'without an operator this holds for every value')
    for (const [name, outcome] of outcomes) {
      const operand = operators[name]
      if (isList(operand) && operand.length === 0) report([...path, name], `an empty list: this ${outcome}`)
    }
  }
}

const outcomes = [
  ['in', 'never holds'],
  ['not_in', 'holds for every value'],
] as const
