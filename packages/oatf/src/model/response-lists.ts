/** The keys of response-dispatch lists (§7.0.1), wherever they stand in a state. */
export const responseListKeys = [
  'responses',
  'sampling_responses',
  'elicitation_responses',
  'task_responses',
  'tool_responses',
] as const
