/** Labels tools: sources of untrusted text, readers of private data, and sinks. */
import { type Features, featuresOf, type ToolDefinition } from './features.ts'
import { inventoryRules, type Label, toolLabels } from './rules.ts'

/** A label and the reasons for it. */
export interface Finding {
  readonly label: Label
  readonly reasons: readonly string[]
}

/** A tool and its labels. A harmless tool has no labels. */
export interface ClassifiedTool {
  readonly server: string
  readonly tool: string
  readonly labels: readonly Finding[]
  /** True if nothing is known about the tool, which is then treated as a sink. */
  readonly unsure?: true
}

interface ToolList {
  readonly name: string
  readonly tools: readonly ToolDefinition[]
}

const ENOUGH = 2
const KNOWN = new Set(inventoryRules.flatMap(({ feature, words }) => (feature === 'object' ? [...words] : [])))

/** Labels each tool of a server. */
export function classifyServer({ name, tools }: ToolList): ClassifiedTool[] {
  const features = featuresOf(tools)
  return tools.map((tool, index) => {
    const findings = features[index] === undefined ? [] : findingsOf(features[index])
    if (findings.length > 0 || !isUnknown(features[index])) return { server: name, tool: tool.name, labels: findings }
    const reasons = ['unknown tool, treated as a sink']
    return { server: name, tool: tool.name, labels: [{ label: 'sink', reasons }], unsure: true }
  })
}

function findingsOf(features: Features): Finding[] {
  return toolLabels.flatMap((label) => {
    const rows = inventoryRules.filter(
      (rule) => rule.label === label && features[rule.feature].some((word) => rule.words.has(word)),
    )
    const score = rows.reduce((sum, { points }) => sum + points, 0)
    const reasons = rows.flatMap(({ points, reason }) => (points > 0 ? [reason] : []))
    return score >= ENOUGH ? [{ label, reasons }] : []
  })
}

/** True if a name has no known verb and not just known nouns, and no annotation marks the tool as read-only. */
function isUnknown(features: Features | undefined): boolean {
  if (features === undefined) return true
  const { verb, hint, object } = features
  const isNoun = object.length > 0 && object.every((word) => KNOWN.has(word)) && !hint.includes('destructive')
  return verb.length === 0 && !isNoun && !hint.includes('read-only')
}
