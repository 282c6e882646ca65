/** OATF §7.0.3, content as written: the values that each mode adds, and messages that cannot be sent. */
import type { KnownMode } from '@joust/oatf'
import { type Item, type ItemList, proof } from './item.ts'

const driver = (file: string, ...titles: readonly string[]) =>
  titles.map((title) => proof('arena', `drivers/${file}`, title))
const fact = (id: string, says: string, exceptions: readonly string[], shownBy: Item['shownBy']): Item => ({
  ...{ id, strength: 'fact', met: 'partly', says, exceptions, shownBy },
})

const items: readonly Item[] = [
  fact(
    'mcp_server',
    'State and answers are sent as written, including wrong types and unknown fields. Tasks are supported only if `capabilities` declares them.',
    [
      'Absent values: `protocol_version`, `capabilities` and `server_info` have the defaults of §7.1.4; lists and answers are empty.',
      'A list becomes the `content` of a tool’s result; `prompts/get` repeats the `description` of its prompt; contents of a resource have its `uri` and `mimeType`.',
      '`content` of an entry of `resource_templates` is a Joust extension: the content of matching resources, which §7.1.4 defines only for `resources`. It is not listed.',
      'An elicitation gets a `mode`. A form is sent without `url` and `elicitationId`, a page without `requestedSchema` and with an `elicitationId`.',
      'For a peer of MCP 2026-07-28, if the document names that version, results have `resultType` and the caching fields of that version; requests that the version forbids get its errors.',
    ],
    [
      proof('arena', 'self-play/self-play', 'malformed content is sent as written'),
      ...driver(
        'mcp-server/binding',
        'a mapping is the result, every field of it',
        '%s of the wrong kind (%j) goes out as written, with a warning',
        'a state without any: the defaults of the binding',
        'a list is wrapped',
        'no entry at all',
        'content that is a list',
        'resource_templates',
        'a template',
        'fields of its own',
      ),
      ...driver('mcp-server/questions', 'of a form', 'of a page', 'of a page without an id'),
      ...driver(
        'mcp/tasks',
        'wire 12: a call becomes one, and its result is fetched',
        'wire 12: tasks are absent from initialize, calls and methods',
      ),
      ...driver(
        'mcp-server/peers',
        'wire 12: the official client, which has no tasks of its own, reads the declaration and calls as before',
      ),
      ...driver('mcp-server/modern', 'results', 'that say otherwise stay as they are written', 'a request is rejected'),
    ],
  ),
  fact(
    'mcp_client',
    'Params and answers are sent as written. `protocol_version`, which §7.1.5 does not define, is a Joust extension.',
    [
      'The handshake is always performed, with the defaults of §7.1.5 for absent values.',
      'An answer to an elicitation without an `action` accepts it; a sampling request that no entry matches is rejected.',
      'In MCP 2026-07-28 there is no handshake, and requests have the `_meta` of that version; values of the document take precedence.',
    ],
    [
      ...driver('mcp-client/modern', 'with an identity', 'with words of its own', 'with another kind of meta'),
      ...driver(
        'mcp-client/binding',
        'nothing',
        'wrong types',
        'elicitation, accepted by default',
        'elicitation with what is not an action',
        'elicitation without entries',
        'sampling that nothing matches, declared',
      ),
      proof('arena', 'actors/cast', 'wire 11: both sides of MCP know protocol_version'),
    ],
  ),
  fact(
    'a2a_server',
    'The card and the answers are sent as written; content that is neither a Task nor a Message is unchanged.',
    [
      'Required values that the document omits are added: `url` of a card; `id`, `contextId` and `kind` of a Task; `messageId` and `kind` of a Message. The default card is minimal, the default answer is a completed task.',
      'A stream is Task, status, artifacts (§7.2.4); after artifacts, the status is repeated at the end with `final: true`.',
    ],
    driver(
      'a2a-server/binding',
      'goes out as written',
      'gets only an absent url',
      'is a minimal one when omitted',
      'a Task gets what it leaves out',
      'a Task keeps what it has',
      'a Message gets messageId and kind',
      'any other mapping',
      'wire 6: a Task: itself, its status, its artifacts, and what ends the stream',
      'without task_responses: an empty completed task',
    ),
  ),
  fact(
    'a2a_client',
    'Params are sent as written, and absent ones stay absent. The lookup of the card for a bare origin is not an event.',
    [
      'An endpoint on another host in a card is used only if the caller allows that host, and never by an actor that is wired to another actor.',
    ],
    [
      ...driver(
        'a2a-client/endpoint',
        'wire 4: to another host only if allowed, which is reported, and without the headers of the first',
        'wire 4: the address of another actor is final, regardless of its card',
      ),
      ...driver('a2a-client/binding', 'params that are absent stay absent, and are recorded as empty'),
      ...driver('a2a-client/endpoint', 'wire 4: the lookup is not an event, and drops no action'),
    ],
  ),
  fact(
    'ag_ui_client',
    'The input and the results of tools are sent as written, including wrong types and unknown fields.',
    [
      'An input gets the fields that AG-UI requires: `messages`, `tools`, `context`, `state`, `forwardedProps`, and, with a warning, `threadId` and `runId`.',
      'The result of a tool gets `messageId` and `toolCallId`; a value that is neither a mapping nor a string becomes its content as JSON. It is sent in a new run, with the messages so far.',
      'Without `--strict`, a chunk also fires triggers of the events it expands to, and extractors also read assembled texts.',
    ],
    driver(
      'ag-ui-client/binding',
      'keeps unknown fields and wrong types',
      'gets what servers insist on',
      'gets ids where they are missing',
      'a mapping is the result',
      'a list is its content as JSON',
      'are submitted in a new run of the thread',
    ),
  ),
  fact(
    'dialects',
    'Existing values are sent as written, and the verdict is that of the document as written. With `strict` (`--strict`), a document is the result of `parse`, `validate` and `normalize`. With `x-joust-verbatim: true` on the attack, all content is sent exactly as written.',
    [
      'Without `--strict`, absent values that peers require are added: ids of AG-UI messages and runs (D-011, D-012), `role`, `kind` and `messageId` of A2A messages (D-015), the `inputSchema` of a tool and its `type` (D-018). Each is reported.',
      'Without `--strict`, a document with terms that its binding does not define (D-001 to D-010) is run as [translated](generated/dialects.md), and existing values in it that peers reject are replaced (D-013 to D-017). The verdict is still about its indicators as written; the translation affects only the outcome.',
      'With `--strict` alone, drivers still add and omit the values named above. With `x-joust-verbatim`, these values are still added: `mode` and `elicitationId` of an elicitation, `uri` and `mimeType` of the content of a resource, the ids of an AG-UI tool result, and the fields of MCP 2026-07-28 in a result; answers to A2A 1.0 clients are still translated to that version.',
    ],
    [
      proof('arena', 'self-play/self-play', 'x-joust-verbatim: content is sent unchanged'),
      proof('oatf', 'dialects/translate', 'strict: everything is an error that names its translation'),
      proof('oatf', 'dialects/translate', '%s: a written value, and the consequence is reported'),
      proof(
        'oatf',
        'dialects/translate',
        'absent values are added in any document, empty ones are replaced only with a reading',
      ),
      proof('oatf', 'dialects/translate', 'x-joust-verbatim: content on the wire'),
    ],
  ),
  fact(
    'numbers',
    '64-bit integers are exact, from the document to the wire and back (decision 0013).',
    ['Integers of more than 64 bits, and numbers with a fraction or an exponent, are doubles.'],
    [
      proof('arena', 'large-integers', 'wire 8: 64-bit integers'),
      proof('source', 'json/read-json', 'integers of more bits, as doubles'),
    ],
  ),
  fact(
    'transports',
    'MCP over standard streams and Streamable HTTP, A2A as JSON-RPC over HTTP, AG-UI as POST with event streams; each is tested against the official libraries.',
    [
      'Not supported: HTTP+SSE of MCP 2024-11-05; A2A over gRPC; AG-UI over WebSocket or as protocol buffers. For peers of A2A 1.0, over JSON-RPC or HTTP+JSON, messages are translated from and to 0.3.0 (decision 0016).',
    ],
    [
      ...driver('a2a-server/peers', 'takes a direct message'),
      proof('targets', 'a2a-modern', 'HTTP+JSON errors become JSON-RPC errors'),
      ...driver('mcp-server/peers', 'uses all features over HTTP, and receives change notifications'),
      ...driver('mcp-server/peers', 'uses all features over standard input and output'),
      ...driver('a2a-client/peers', 'is found by its card, answers, streams, gives its task, refuses'),
      ...driver('a2a-client/endpoint', 'an interface beside another transport'),
      ...driver('ag-ui-client/binding', 'needs HTTP'),
    ],
  ),
]

/** Items by mode. Every mode needs one. */
const modes = {
  mcp_server: true,
  mcp_client: true,
  a2a_server: true,
  a2a_client: true,
  ag_ui_client: true,
} satisfies Record<KnownMode, true>

/** §7.0.3. */
export const content: ItemList = {
  title: 'OATF §7.0.3: content as written',
  ids: [...Object.keys(modes), 'dialects', 'numbers', 'transports'],
  items,
}
