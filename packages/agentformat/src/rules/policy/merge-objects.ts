import { OBJECT, typeNames } from '../../data-flow/json-types.ts'
import { possibleTypes } from '../../data-flow/possible-types.ts'
import { rootNode } from '../../data-flow/schema-node.ts'
import { quote } from '../../model/quote.ts'
import type { AgentRule } from '../rule.ts'
import { mergedOutputs } from './merged-outputs.ts'

/** OPEN-27: only objects are merged. */
export const mergeObjects: AgentRule = (walk, report) => {
  for (const { delegation, child } of mergedOutputs(walk)) {
    const types = possibleTypes([rootNode(child.document.interface.output)], walk.effort)
    if ((types & OBJECT) !== 0) continue
    report(delegation.path, `only objects can be merged, and ${quote(delegation.alias)} gives ${typeNames(types)}`)
  }
}
