/** docs/conformance.md. */
import { posix } from 'node:path'
import type { Page } from '../render-tables.ts'
import type { Tables } from '../tables.ts'
import type { Item, ItemList, Proof } from './item.ts'

const FILE = 'docs/conformance.md'
const states = { yes: '', partly: 'met in part', no: 'not done' } as const

/** The whole page. */
export function renderStatement(tables: Tables, lists: readonly ItemList[]): Page {
  const text = [head(lists), supported(tables), ...lists.map(list)].join('\n\n')
  return { file: FILE, text: `${text}\n` }
}

function head(lists: readonly ItemList[]): string {
  const open = lists.flatMap(({ title, items }) =>
    items.flatMap(({ id, exceptions = [] }) =>
      exceptions.map((exception) => `${title.split(':')[0]}, ${id}: ${exception}`),
    ),
  )
  return `# Statement of conformance

Written by \`npm run generate\` from the tables of the packages and from \`scripts/statement\`; edit those instead. \`npm test\`
fails when an item is missing here, when a test that is named is not there, may be skipped or only compares with a table of
ours, when a mode has no driver, or when no test uses a key of a state. Every event and every entry action below is played by
[every-event.test.ts](../packages/arena/test/drivers/every-event.test.ts).

Joust claims to be a conforming tool of OATF 0.1, both adversarial (§11.3) and evaluating (§11.4), for all bindings of that
version; \`@joust/oatf\`, to be an SDK of version 0.1 of its SDK specification. Joust also claims to keep the rules for path
expressions of Agent Format 1.0. The claim needs no flag: by default, a valid document is executed and judged as written. The exceptions:

${open.map((line) => `- ${line}`).join('\n')}`
}

function supported({ bindings, drivers, methods, policies, diagnostics }: Tables): string {
  const modes = bindings.flatMap(({ title, section, modes: list }) => [
    `### ${title} (${section})`,
    ...list.map(({ mode, stateKeys, entryActions, events }) => {
      const role = drivers.find((driver) => driver.mode === mode)?.role ?? 'not run'
      return [
        `- \`${mode}\`, ${role}`,
        `  - state: ${code(stateKeys)}`,
        `  - entry actions: ${code(entryActions)}`,
        `  - events: ${code(events)}`,
      ].join('\n')
    }),
  ])
  return [
    '## What is supported',
    ...modes,
    `### Detection methods

${code(methods)}. \`semantic\` needs a model (\`--judge\`) or an evaluator of the caller.`,
    `### Transports

MCP over standard streams and Streamable HTTP, with the handshake of the versions up to 2025-11-25 or, with a peer that asks
for it in a document that names exactly that version, in the form of 2026-07-28. A2A 0.3 as JSON-RPC over HTTP with event
streams. AG-UI as POST with event streams. What is not spoken is among the exceptions above.`,
    `### Extensions

\`x-joust-during\` on a response of a tool or prompt of \`mcp_server\`, \`x-joust-task\`, \`x-joust-bait\` and \`x-joust-verbatim\` on an attack; see
[writing attacks](writing-attacks.md). Other tools ignore them.`,
    `### Policies of Agent Format

${code(policies)}, and those of a host under names that begin with \`x-\`.`,
    `### What a run reports

${code(Object.keys(diagnostics).sort())}`,
  ].join('\n\n')
}

function list({ title, items }: ItemList): string {
  return [`## ${title}`, items.map(entry).join('\n')].join('\n\n')
}

function entry({ id, strength, met, says, exceptions = [], shownBy }: Item): string {
  const state = met === 'yes' ? '' : `, ${states[met]}`
  return [
    `- **${id}** (${strength}${state}) ${[says, ...exceptions].join(' ')}`,
    ...shownBy.map((shown) => `  - ${link(shown)}`),
  ].join('\n')
}

function link({ file, title }: Proof): string {
  return `[${posix.basename(file)}](${posix.relative(posix.dirname(FILE), file)}): ${quoted(title)}`
}

/** Titles may contain anything, and Markdown must not interpret it. */
function quoted(text: string): string {
  return text.includes('`') ? `\`\` ${text} \`\`` : `\`${text}\``
}

function code(words: readonly string[]): string {
  return words.map((word) => `\`${word}\``).join(', ')
}
