import { testTranslation } from './translation-test.ts'

testTranslation(
  'D-012',
  (state) => ({ attack: { id: 'ACME-1', execution: { mode: 'ag_ui_client', state } } }),
  ['attack', 'execution', 'state'],
  [
    {
      name: 'both, of the document and the phase',
      before: '{ run_agent_input: { messages: [] } }',
      after:
        '{ run_agent_input: { threadId: ACME-1-default-phase-1-thread, runId: ACME-1-default-phase-1-run, messages: [] } }',
      at: ['run_agent_input'],
      says: 'a run is started with a generated "threadId" and "runId"',
    },
    {
      name: 'one',
      before: '{ run_agent_input: { threadId: t } }',
      after: '{ run_agent_input: { threadId: t, runId: ACME-1-default-phase-1-run } }',
    },
    {
      name: 'ids that are none',
      before: '{ run_agent_input: { threadId: "", runId: null } }',
      after: '{ run_agent_input: { threadId: ACME-1-default-phase-1-thread, runId: ACME-1-default-phase-1-run } }',
    },
    { name: 'none is missing', before: '{ run_agent_input: { threadId: t, runId: r } }' },
    { name: 'no run', before: '{ run_agent_input: 1 }' },
  ],
)
