import { expect, test } from 'vitest'
import * as enumerations from '../../src/model/enumerations.ts'

// SDK §2.20. `tiers` and the elicitation actions are explained in docs/decisions.
test('every enumeration has its values', () => {
  const { severityRank: _, ...lists } = enumerations
  expect(lists).toEqual({
    severityLevels: ['informational', 'low', 'medium', 'high', 'critical'],
    impacts: [
      'behavior_manipulation',
      'data_exfiltration',
      'data_tampering',
      'unauthorized_actions',
      'information_disclosure',
      'credential_theft',
      'service_disruption',
      'privilege_escalation',
    ],
    categories: [
      'capability_poisoning',
      'response_fabrication',
      'context_manipulation',
      'oversight_bypass',
      'temporal_manipulation',
      'availability_disruption',
      'cross_protocol_chain',
    ],
    statuses: ['draft', 'experimental', 'stable', 'deprecated'],
    correlationLogics: ['any', 'all'],
    extractorSources: ['request', 'response'],
    extractorTypes: ['json_path', 'regex'],
    semanticIntentClasses: [
      'prompt_injection',
      'data_exfiltration',
      'privilege_escalation',
      'social_engineering',
      'instruction_override',
    ],
    relationships: ['primary', 'related'],
    logLevels: ['info', 'warn', 'error'],
    elicitationModes: ['form', 'url'],
    elicitationActions: ['accept', 'decline', 'cancel'],
    directions: ['request', 'response'],
    indicatorMethods: ['pattern', 'expression', 'semantic'],
    tiers: ['ingested', 'local_action', 'boundary_breach'],
    frameworks: ['atlas', 'mitre_attack', 'owasp_llm', 'owasp_mcp', 'owasp_agentic', 'cwe', 'other'],
    indicatorResults: ['matched', 'not_matched', 'error', 'skipped'],
    attackResults: ['exploited', 'not_exploited', 'partial', 'error'],
    responseListKeys: ['responses', 'sampling_responses', 'elicitation_responses', 'task_responses', 'tool_responses'],
  })
})

test('severity levels ascend, and other values are below all of them', () => {
  expect(['critical', 'informational', 'high', undefined, 'grave'].map(enumerations.severityRank)).toEqual([
    4, 0, 3, -1, -1,
  ])
})
