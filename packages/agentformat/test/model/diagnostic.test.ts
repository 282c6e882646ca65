import { expect, test } from 'vitest'
import { agentCodeSummaries, agentCodes } from '../../src/index.ts'

/** The codes of each phase. */
const named = {
  parse: ['yaml_syntax', 'schema_violation', 'unsupported_schema_version', 'invalid_interface_schema'],
  load: [
    'unknown_field',
    'duplicate_alias',
    'unknown_agent',
    'invalid_path_expression',
    'dependency_order',
    'unresolved_field',
    'batch_without_iteration',
    'batch_prefix_mismatch',
    'batch_output_shape',
    'invalid_pattern',
    'unresolvable_source',
    'agent_cycle',
    'depth_impossible',
    'memory_contradiction',
  ],
  prepare: [
    'unsupported_policy',
    'unbound_tool',
    'unmapped_server',
    'unknown_transform',
    'policy_unresolved',
    'memory_required',
  ],
  run: [
    'input_validation',
    'output_validation',
    'type_mismatch',
    'missing_value',
    'null_for_required',
    'field_absent',
    'length_mismatch',
    'no_route_matched',
    'merge_conflict',
    'limit_exceeded',
    'max_steps_exceeded',
    'approval_denied',
    'approval_unavailable',
    'agent_failed',
  ],
}

test.each(Object.entries(named))('the codes of the phase %s', (phase, codes) => {
  const ours = Object.entries(agentCodes).flatMap(([code, row]) => (row.phase === phase ? [code] : []))
  expect(ours).toEqual(expect.arrayContaining(codes))
})

test('codes are lower-case words', () => {
  for (const code of Object.keys(agentCodes)) expect(code).toMatch(/^[a-z]+(?:_[a-z]+)*$/)
})

test('every code has its own sentence', () => {
  const sentences = Object.values(agentCodeSummaries)
  expect(Object.keys(agentCodeSummaries)).toEqual(Object.keys(agentCodes))
  expect(new Set(sentences).size).toBe(sentences.length)
  for (const sentence of sentences) expect(sentence).toMatch(/^[A-Z].*\.$/)
})
