import { extractProtocol } from '../primitives/extract-protocol.ts'
import { attackOf, mappingAt, mappingsAt, phaseLists, setDefault } from './draft.ts'
import { type Draft, poisonedTool, type Step } from './step.ts'

/**
 * Adds the defaults of [OATF §11.2.1](https://oatf.io/specification/conformance/). An inherited mode is not added to
 * phases (docs/decisions/0003).
 */
export const defaults: Step = {
  summary: 'Write out default values.',
  apply(draft) {
    const attack = attackOf(draft)
    if (attack === undefined) return
    setDefault(attack, 'name', 'Untitled')
    setDefault(attack, 'version', 1)
    setDefault(attack, 'status', 'draft')
    const severity = mappingAt(attack, 'severity')
    if (severity !== undefined) setDefault(severity, 'confidence', 50)
    for (const [, mapping] of mappingsAt(mappingAt(attack, 'classification'), 'mappings'))
      setDefault(mapping, 'relationship', 'primary')
    for (const phases of phaseLists(draft)) for (const [index, phase] of phases) phaseDefaults(phase, index)
    if (Object.hasOwn(attack, 'indicators')) indicatorDefaults(attack)
  },
  before: poisonedTool,
}

function phaseDefaults(phase: Draft, index: number): void {
  setDefault(phase, 'name', `phase-${index + 1}`)
  const trigger = mappingAt(phase, 'trigger')
  if (trigger !== undefined && Object.hasOwn(trigger, 'event')) setDefault(trigger, 'count', 1)
}

function indicatorDefaults(attack: Draft): void {
  const mode = mappingAt(attack, 'execution')?.mode
  if (typeof mode === 'string') {
    for (const [, indicator] of mappingsAt(attack, 'indicators'))
      setDefault(indicator, 'protocol', extractProtocol(mode))
  }
  setDefault(attack, 'correlation', {})
  const correlation = mappingAt(attack, 'correlation')
  if (correlation !== undefined) setDefault(correlation, 'logic', 'any')
}
