import { agentCodeSummaries } from '@joust/agentformat'

/** Codes that are words, with a sentence that says all there is to say. Both formats have `type_mismatch`. */
export const findingSummaries: ReadonlyMap<string, string> = new Map([
  ...Object.entries(agentCodeSummaries),
  ['syntax', 'The text is not YAML or JSON.'],
  ['type_mismatch', 'A field has a value of the wrong type, or is unknown.'],
  ['unknown_variant', 'A value is not one of those allowed.'],
  ['missing', 'There is no such file.'],
  ['not-a-file', 'This is a folder, a pipe or a device.'],
  ['unreadable', 'The file cannot be read.'],
  ['too-large', 'The file is over the size limit.'],
  ['binary', 'The file is not text.'],
  ['not-utf-8', 'The file is not UTF-8.'],
  ['agent-format', 'An Agent Format file where an OATF document is expected.'],
  ['not-oatf', 'The file is not a document.'],
  ['not-agent-format', 'The file is not an Agent Format document.'],
])
