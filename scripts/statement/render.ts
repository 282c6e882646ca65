/** Renders docs/conformance.md. */
import { posix } from 'node:path'
import { wrappedPage } from '../generated-text.ts'
import type { Page } from '../render-tables.ts'
import type { Tables } from '../tables.ts'
import type { Item, ItemList, Proof } from './item.ts'

const FILE = 'docs/conformance.md'
const states = { yes: '', partly: 'met in part', no: 'not done' } as const

export function renderStatement(tables: Tables, lists: readonly ItemList[]): Page {
  const text = [head(lists), supported(tables), ...lists.map(list)].join('\n\n')
  return { file: FILE, text: `${wrappedPage(text)}\n` }
}

function head(lists: readonly ItemList[]): string {
  const open = lists.flatMap(({ title, items }) =>
    items.flatMap(({ id, exceptions = [] }) =>
      exceptions.map((exception) => `${title.split(':')[0]}, ${id}: ${exception}`),
    ),
  )
  return `# Statement of conformance

Written by \`npm run generate\` from the tables of the packages and from \`scripts/statement\`; edit those instead. \`npm test\`
fails if an item is missing here, if a named test does not exist, may be skipped or only compares with our own tables, if a
mode has no driver, or if no test uses a key of a state. Every event and every entry action below is tested by
[every-event.test.ts](../packages/arena/test/drivers/every-event.test.ts).

Joust claims to be a conforming tool of OATF 0.1, both adversarial (§11.3) and evaluating (§11.4), for all bindings of that
version, and \`@joust/oatf\` claims to be an SDK of the OATF SDK specification 0.1. Joust also claims to follow the rules for
path expressions of Agent Format 1.0. The claims need no flag: by default, a valid document is executed and judged as written.
The exceptions:

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
    '## Supported features',
    ...modes,
    `### Detection methods

${code(methods)}. \`semantic\` needs a model (\`--judge\`) or an evaluator of the caller.`,
    `### Transports

MCP over standard streams and Streamable HTTP: versions up to 2025-11-25 with a handshake, and 2026-07-28 if the document
or \`--mcp-version\` names exactly that version and the peer requests it. A2A 0.3 as JSON-RPC over HTTP with event streams. AG-UI as POST with
event streams. Unsupported transports are among the exceptions above.`,
    `### Extensions

\`x-joust-during\` on a response of a tool or prompt of \`mcp_server\`, \`x-joust-overlay\` on a response of a tool, \`x-joust-cache\` on its state,
\`x-joust-headers\` on a state or an action, \`x-joust-resume\` on a state of \`ag_ui_client\`, \`x-joust-signature\` on one of \`a2a_server\`, the template \`{{x_joust_address}}\`, \`x-joust-files\`, \`x-joust-task\`, \`x-joust-bait\`, \`x-joust-placebo\`, \`x-joust-canaries\`,
\`x-joust-remediation\` and \`x-joust-verbatim\` on an attack, \`x-joust-flow\` on an indicator; see [writing attacks](writing-attacks.md). Other tools ignore them.`,
    `### Policies of Agent Format

${code(policies)}, and policies of a host with names that begin with \`x-\`.`,
    `### Diagnostics of a run

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

function quoted(text: string): string {
  return text.includes('`') ? `\`\` ${text} \`\`` : `\`${text}\``
}

function code(words: readonly string[]): string {
  return words.map((word) => `\`${word}\``).join(', ')
}
