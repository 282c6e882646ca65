import { agentCodeSummaries } from '@joust/agentformat'

/** Summaries of codes without a page of their own. Both formats have `type_mismatch`. */
export const findingSummaries: ReadonlyMap<string, string> = new Map([
  ...Object.entries(agentCodeSummaries),
  ['syntax', 'The text is not YAML or JSON.'],
  ['type_mismatch', 'A field has a value of the wrong type, or is unknown.'],
  ['unknown_variant', 'A value is not one of the allowed values.'],
  ['missing', 'The file does not exist.'],
  ['not-a-file', 'The path is a folder, a pipe or a device.'],
  ['unreadable', 'The file cannot be read.'],
  ['too-large', 'The file is over the size limit.'],
  ['binary', 'The file is not text.'],
  ['not-utf-8', 'The file is not UTF-8.'],
  ['agent-format', 'An agent file (Agent Format) where an attack document (OATF) is expected.'],
  ['not-oatf', 'The file is neither an attack document nor an agent file.'],
  ['not-agent-format', 'The file is not an Agent Format document.'],
])
