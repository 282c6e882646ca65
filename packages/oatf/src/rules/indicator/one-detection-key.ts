import { describeValue, isRecord, own, type Path, type Value } from '@joust/source'
import { indicatorMethods } from '../../model/enumerations.ts'
import { operatorNames } from '../../model/operators.ts'
import { indicatorsDocument, type Report, type Rule } from '../rule.ts'

const EXAMPLES = ['positive', 'negative']

export const oneDetectionKey: Rule = {
  summary:
    'An indicator has exactly one of `pattern`, `expression` and `semantic`; a pattern has one condition, and `semantic.examples` is not empty.',
  check(walk, report) {
    for (const { path, value } of walk.indicators) {
      const present = indicatorMethods.filter((key) => own(value, key) !== undefined)
      if (present.length === 0) report(path, `missing detection key; expected one of: ${indicatorMethods.join(', ')}`)
      if (present.length > 1)
        report(path, `expected one detection key, got ${present.join(' and ')}; write one indicator for each`)
      for (const key of present) checkDetection(key, own(value, key), [...path, key], report)
    }
  },
  good: indicatorsDocument(`
    - target: arguments.note
      pattern: { contains: PRIVATE KEY }
`),
  mistake: ['pattern:', 'expression: { cel: size(message.arguments.note) > 1000 }\n      pattern:'],
  path: 'attack.indicators[0]',
}

function checkDetection(key: string, detection: Value | undefined, path: Path, report: Report): void {
  if (!isRecord(detection)) report(path, `expected a mapping, got ${describeValue(detection)}`)
  else if (key === 'pattern') {
    const fault = patternFault(
      own(detection, 'condition') !== undefined,
      operatorNames.filter((name) => own(detection, name) !== undefined),
    )
    if (fault !== undefined) report(path, fault)
  } else if (key === 'semantic') {
    const examples = own(detection, 'examples')
    if (isRecord(examples) && EXAMPLES.every((kind) => own(examples, kind) === undefined))
      report([...path, 'examples'], 'expected "positive" or "negative" examples, or both', { at: 'key' })
  }
}

function patternFault(hasCondition: boolean, operators: readonly string[]): string | undefined {
  if (hasCondition) {
    return operators.length === 0
      ? undefined
      : `the pattern has both "condition" and ${operators.join(', ')}; move the latter into "condition"`
  }
  if (operators.length === 0) return 'missing condition; add an operator such as contains, or "condition"'
  if (operators.length > 1)
    return `expected one operator in the short form, got ${operators.join(', ')}; put them under "condition"`
  return operators[0] === 'exists' ? '"exists" has no short form; put it under "condition"' : undefined
}
