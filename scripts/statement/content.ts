/** OATF §7.0.3, content as written: what each mode still adds to it, and what cannot be sent at all. */
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
    'State and answers go out as written, wrong types and unknown fields included. Tasks are answered where `capabilities` declares them; else they do not exist.',
    [
      'What is absent: `protocol_version`, `capabilities` and `server_info` have the defaults of §7.1.4; lists and answers are empty.',
      'A list becomes the `content` of a tool’s result; `prompts/get` repeats the `description` of its prompt; contents of resources have `uri` and `mimeType` of theirs.',
      '`content` of an entry of `resource_templates` is ours: what reading such an address returns, which §7.1.4 has for `resources` alone. It is not listed.',
      'An elicitation has a `mode`; a form goes without `url` and `elicitationId`, a page without `requestedSchema` and with an `elicitationId`.',
      'To a peer of 2026-07-28, where the document names that version, results have `resultType` and what that version says about caching.',
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
      ...driver('mcp-server/modern', 'results', 'that say otherwise stay as they are written'),
    ],
  ),
  fact(
    'mcp_client',
    'Params and answers go out as written. `protocol_version`, which §7.1.5 does not have, is reported and used.',
    [
      'The handshake is made without being asked for, with the defaults of §7.1.5 for what is absent.',
      'An answer to an elicitation without an `action` accepts; sampling that no entry fits is rejected.',
      'In the form of 2026-07-28 there is no handshake, and requests have the `_meta` of that version, under what the document has there.',
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
      proof(
        'arena',
        'actors/cast',
        'wire 11: a key of mcp_client that is not in the binding is reported, even if it is used',
      ),
    ],
  ),
  fact(
    'a2a_server',
    'The card and the answers go out as written; what looks like neither a Task nor a Message is left alone.',
    [
      'What A2A requires and the document leaves out: `url` of a card; `id`, `contextId` and `kind` of a Task; `messageId` and `kind` of a Message. Without a card there is a minimal one, without an answer a completed task.',
      'A stream is Task, status, artifacts (§7.2.4); where artifacts follow, the status comes once more at the end, with `final: true`.',
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
    'Params go out as written, and absent ones stay absent. The card that is looked up behind a bare origin is not an event.',
    [
      'A card that names another host is followed only where the caller allows that host, and never by an actor that is wired to another.',
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
    'The input and the results of tools go out as written, wrong types and unknown fields included.',
    [
      'An input gets the fields that AG-UI requires: `messages`, `tools`, `context`, `state`, `forwardedProps`, and, with a warning, `threadId` and `runId`.',
      'The result of a tool gets `messageId` and `toolCallId`; what is neither a mapping nor a text becomes its content as JSON. It is sent in a new run, with the messages so far.',
      'Without `--strict`, a chunk also fires triggers of the events that it stands for, and extractors also read assembled texts.',
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
    'Written values go out as written, and the verdict is that of the document as written. With `strict` (`--strict`), a document is what `parse`, `validate` and `normalize` make of it. With `x-joust-verbatim: true` on the attack, every byte of what it sends goes out as written.',
    [
      'Without `--strict`, absent values that peers demand are added: ids of AG-UI messages and runs (D-011, D-012), `role`, `kind` and `messageId` of A2A messages (D-015), the `inputSchema` of a tool and its `type` (D-018). Each is reported.',
      'Without `--strict`, a document with words that no message or state of its binding has (D-001 to D-010) is played as the [translations](generated/dialects.md) read them, and written values that peers refuse are replaced in it (D-013 to D-017). The verdict is still about its indicators as written; the reading informs the outcome alone.',
      '`--strict` alone still has drivers fill in and leave out what is named above. With `x-joust-verbatim` only an elicitation still gets `mode` and `elicitationId`, the content of a resource `uri` and `mimeType`, the result of a tool of AG-UI its ids, a result in the form of 2026-07-28 what that version adds, and an answer to a client of A2A 1.0 the form of that version.',
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
      proof('oatf', 'dialects/translate', 'x-joust-verbatim: what goes on the wire'),
    ],
  ),
  fact(
    'numbers',
    'Integers of 64 bits keep their digits from the document to the wire and back (decision 0013).',
    ['Integers of more than 64 bits, and numbers with a fraction or an exponent, are doubles.'],
    [
      proof('arena', 'large-integers', 'wire 8: 64-bit integers'),
      proof('source', 'json/read-json', 'integers of more bits, as doubles'),
    ],
  ),
  fact(
    'transports',
    'MCP over standard streams and Streamable HTTP, A2A as JSON-RPC over HTTP, AG-UI as POST with event streams; each against the official libraries.',
    [
      'Not spoken: HTTP+SSE of MCP 2024-11-05; A2A over gRPC; AG-UI over WebSocket or as protocol buffers. Peers of A2A 1.0, as JSON-RPC or HTTP+JSON, are spoken to in their words, translated from and to those of 0.3.0 (decision 0016).',
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

/** Every mode needs an item. */
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
