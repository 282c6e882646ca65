/** The options of `joust run` and `joust library list` that select attacks. */
import { categories, severityLevels } from '@joust/oatf/enumerations'
import { type OptionsOf, type OptionTable, option, type TargetedTable, targeted } from './option.ts'
import { choice, choices, patterns, texts, toggle } from './values.ts'

/** Options that select attacks. Each option narrows the selection; the values of one option are alternatives. */
// biome-ignore format: a row is a line
export const choiceOptions = {
  tag: targeted({ group: 'Choice', identity: 'none', value: texts('tag'), default: [], targets: 'all', help: 'only attacks with one of these tags' }),
  severity: targeted({ group: 'Choice', identity: 'none', value: choice('level', severityLevels), default: undefined, targets: 'all', help: 'only attacks of at least this severity' }),
  category: targeted({ group: 'Choice', identity: 'none', value: choices('category', categories), default: [], targets: 'all', help: 'only attacks of these categories' }),
  protocol: targeted({ group: 'Choice', identity: 'none', value: choices('protocol', ['mcp', 'a2a', 'ag_ui']), default: [], targets: 'all', help: 'only attacks over one of these protocols' }),
  framework: targeted({ group: 'Choice', identity: 'none', value: texts('name'), default: [], targets: 'all', help: 'only attacks mapped to one of these frameworks: owasp-agentic, owasp-mcp, atlas, …' }),
  id: targeted({ group: 'Choice', identity: 'none', value: texts('id'), default: [], targets: 'all', help: 'only attacks with one of these ids, or mapped to one of these techniques, such as ASI01' }),
  grep: targeted({ group: 'Choice', identity: 'none', value: patterns, default: [], targets: 'all', help: 'only attacks whose id, name or file matches one of these expressions (RE2, case ignored)' }),
  strict: targeted({ group: 'Choice', identity: 'none', value: toggle, default: false, targets: 'all', help: 'read documents exactly as written, without translating older spellings (dialects)' }),
} satisfies TargetedTable

export const libraryListOptions = {
  ...choiceOptions,
  json: option({ group: 'Output', value: toggle, default: false, help: 'print the list as JSON' }),
} satisfies OptionTable

export type ChoiceOptions = OptionsOf<typeof choiceOptions>
export type LibraryListOptions = OptionsOf<typeof libraryListOptions>
