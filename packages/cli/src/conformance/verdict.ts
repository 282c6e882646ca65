/** Cases of `verdict/`: indicator verdicts to the verdict of the attack. */
import { type Attack, computeVerdict, type IndicatorVerdict } from '@joust/oatf'
import { isList, isRecord, own, type Value } from '@joust/source'
import { type Failure, type FixtureCase, fields, unknownShape } from './case.ts'
import { difference } from './difference.ts'

/** Result and counts must be the expected ones. */
export function checkVerdict({ input, expected }: FixtureCase): Failure | undefined {
  const record = fields(input, ['correlation_logic', 'indicators', 'verdicts'])
  const wanted = fields(expected, ['result', 'evaluation_summary'])
  const indicators = record && own(record, 'indicators')
  const verdicts = record && readVerdicts(own(record, 'verdicts'))
  if (record === undefined || wanted === undefined || !isList(indicators) || verdicts === undefined)
    return unknownShape('input and expected', input)

  const attack = { execution: {}, indicators, correlation: { logic: own(record, 'correlation_logic') } }
  // Fixtures give only the parts of an attack that a verdict depends on.
  const { result, evaluation_summary } = computeVerdict(attack as unknown as Attack, verdicts)
  return difference(wanted, { result, evaluation_summary: { ...evaluation_summary } })
}

function readVerdicts(value: Value | undefined): ReadonlyMap<string, IndicatorVerdict> | undefined {
  if (!isList(value)) return undefined
  const verdicts = new Map<string, IndicatorVerdict>()
  for (const item of value) {
    const id = isRecord(item) ? own(item, 'indicator_id') : undefined
    if (typeof id !== 'string') return undefined
    // The id was checked; results come from the fixture as they are.
    verdicts.set(id, item as unknown as IndicatorVerdict)
  }
  return verdicts
}
