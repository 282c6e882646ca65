import { type Binding, bindingMode, headerTexts } from './binding.ts'

/** The EventType names in snake_case, and the synthetic name of the POST body. */
const events = [
  'run_agent_input',
  'run_started',
  'run_finished',
  'run_error',
  'step_started',
  'step_finished',
  'text_message_start',
  'text_message_content',
  'text_message_end',
  'text_message_chunk',
  'tool_call_start',
  'tool_call_args',
  'tool_call_end',
  'tool_call_chunk',
  'tool_call_result',
  'state_snapshot',
  'state_delta',
  'messages_snapshot',
  'activity_snapshot',
  'activity_delta',
  'reasoning_start',
  'reasoning_message_start',
  'reasoning_message_content',
  'reasoning_message_end',
  'reasoning_message_chunk',
  'reasoning_end',
  'reasoning_encrypted_value',
  'subagent_started',
  'subagent_finished',
  'subagent_error',
  'thinking_start',
  'thinking_end',
  'thinking_text_message_start',
  'thinking_text_message_content',
  'thinking_text_message_end',
  'raw',
  'custom',
] as const

/** Agent-User Interaction protocol ([OATF §7.3](https://oatf.io/specification/protocol-bindings/ag-ui/)). */
export const agUi: Binding = {
  protocol: 'ag_ui',
  title: 'Agent-User Interaction protocol',
  section: '§7.3',
  modes: [
    bindingMode({
      mode: 'ag_ui_client',
      role: 'client',
      events,
      stateTexts: {
        run_agent_input: 'The request that starts an agent run.',
        tool_responses: "The responses to calls to the client's tools; the first entry whose `when` matches is sent.",
        'x-joust-resume': 'A Joust extension: answers to interrupts; the first entry whose `when` matches is sent.',
        ...headerTexts,
      },
      entryActions: ['send', 'log'],
    }),
  ],
  surfaces: events,
}
