/** What an actor presents, by mode: the binding's structural keys around pass-through content. */
import type { Value } from '@joust/source'
import fc from 'fast-check'
import type { KnownMode } from '../../src/model/enumerations.ts'
import { predicate } from './conditions.ts'
import { mapping } from './records.ts'
import { anyValue, phrase, templateText } from './text.ts'

type Text = fc.Arbitrary<string>

const optional = (model: { [key: string]: fc.Arbitrary<Value> }, requiredKeys: string[] = []): fc.Arbitrary<Value> =>
  fc.record(model, { requiredKeys, noNullPrototype: true }) as fc.Arbitrary<Value>

const listOf = (item: fc.Arbitrary<Value>, maxLength = 3): fc.Arbitrary<Value> => fc.array(item, { maxLength })

/** Entries with `when`, and perhaps a last one without. */
function responses(content: { [key: string]: fc.Arbitrary<Value> }): fc.Arbitrary<Value> {
  // A predicate is a plain value.
  const when = predicate as fc.Arbitrary<Value>
  const entry = optional({ when, ...content }, ['when'])
  return fc
    .tuple(fc.array(entry, { maxLength: 2 }), fc.option(optional(content), { nil: undefined }))
    .map(([entries, last]) => (last === undefined ? entries : [...entries, last]))
}

const actions = listOf(
  optional({ method: fc.constantFrom('tools/call', 'message/send', 'agent_card/get'), params: anyValue }, ['method']),
)

function mcpServer(text: Text): fc.Arbitrary<Value> {
  const content = optional({ content: listOf(optional({ type: fc.constant('text'), text })), isError: fc.boolean() })
  const tool = optional({ name: phrase, description: text, inputSchema: anyValue, responses: responses({ content }) }, [
    'name',
  ])
  return optional({
    protocol_version: fc.constant('2025-11-25'),
    server_info: mapping(phrase, anyValue),
    instructions: text,
    capabilities: anyValue,
    tools: listOf(tool, 4),
    resources: listOf(optional({ uri: phrase, name: phrase, content: anyValue })),
    prompts: listOf(optional({ name: phrase, responses: responses({ messages: listOf(anyValue) }) })),
    elicitations: listOf(
      optional({ mode: fc.constantFrom('form', 'url'), message: text, when: predicate as fc.Arbitrary<Value> }),
    ),
  })
}

const byMode: { [mode: string]: (text: Text) => fc.Arbitrary<Value> } = {
  mcp_server: mcpServer,
  mcp_client: (text) =>
    optional({
      protocol_version: anyValue,
      client_info: anyValue,
      actions,
      sampling_responses: responses({ content: text }),
      elicitation_responses: responses({ action: fc.constantFrom('accept', 'decline', 'cancel'), content: anyValue }),
      roots: listOf(optional({ uri: phrase })),
    }),
  a2a_server: (text) =>
    optional({
      agent_card: optional({ name: text, description: text, skills: listOf(anyValue) }),
      task_responses: responses({ content: optional({ status: anyValue, history: listOf(anyValue) }) }),
    }),
  a2a_client: () => optional({ actions }),
  ag_ui_client: (text) =>
    optional({
      run_agent_input: optional({
        threadId: phrase,
        runId: phrase,
        messages: listOf(optional({ role: phrase, content: text })),
      }),
      tool_responses: responses({ content: text }),
    }),
} satisfies Record<KnownMode, (text: Text) => fc.Arbitrary<Value>>

/** A state for a mode; references fill its templates. Unknown modes get any mapping. */
export function stateFor(mode: string, references: readonly string[]): fc.Arbitrary<Value> {
  const build = Object.hasOwn(byMode, mode) ? byMode[mode] : undefined
  return build === undefined ? mapping(phrase, anyValue) : build(templateText(references))
}
