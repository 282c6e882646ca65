import { testRule } from '../harness.ts'

testRule('OPEN-36', 'invariant_lifted', {
  severity: 'warning',
  valid: [{}, { constraints: '{ tighten_only_invariant: true }' }],
  invalid: [[{ constraints: '{ tighten_only_invariant: false }' }, 'constraints.tighten_only_invariant']],
  message: 'sub-agents of this agent may declare more than it allows itself',
})
