/** OATF §11.3, what a tool that runs attacks owes. */
import { type Item, type ItemList, numbered, proof } from './item.ts'

const arena = (file: string, title: string) => proof('arena', file, title)
const selfPlay = (title: string) => arena('self-play/self-play', title)
const contract = (title: string) => ({ file: 'packages/arena/test/drivers/contract/contract.ts', title })
const met = (id: string, strength: Item['strength'], says: string, ...shownBy: Item['shownBy']): Item => ({
  ...{ id, strength, met: 'yes', says, shownBy },
})

const items: readonly Item[] = [
  met(
    '1',
    'MUST',
    'Documents go through the SDK, which is judged by the official fixtures; every document of the library and the examples loads.',
    proof('cli', 'conformance/official', 'the official fixtures, where they lie beside the repository'),
    proof('cli', 'run/library', 'every document is sound: no warning, nothing to lint'),
  ),
  met(
    '2',
    'MUST',
    'MCP, A2A and AG-UI, in all five modes that OATF 0.1 defines.',
    arena('drivers/every-event', 'every mode is played here'),
  ),
  met(
    '3',
    'MUST',
    'One pure function decides about phases; it only ever goes forward, each actor by itself.',
    arena('actors/phase-machine', 'never goes back, and never wakes for the past'),
    arena('actors/phase-machine', 'agrees with the naive model'),
  ),
  met(
    '4',
    'MUST',
    'A message is answered by the phase in which it came; then its trigger is looked at, and the next phase begins.',
    contract('an event is answered by its own phase, then the next one begins, with what was captured'),
    arena('actors/phase-machine', 'the counter starts anew in each phase'),
  ),
  met(
    '5',
    'MUST',
    'Templates see the values of their own actor by name and those of others by actor and name. What is undefined is empty, with W-004; what was captured is never expanded again.',
    arena('actors/values', 'an actor sees its own values by name, and everybody’s by actor'),
    selfPlay('four actors relay an extracted secret from MCP to A2A'),
    contract('a template without a value is empty, and said to be'),
  ),
  met(
    '6',
    'MUST',
    'All servers listen before the target starts and before a client begins; when one cannot listen, no client begins.',
    arena('readiness', 'clients wait for all servers, wherever they stand and however slow one is'),
    arena('readiness', 'a server that cannot listen keeps every client at home'),
  ),
  met(
    '7',
    'MUST',
    'The first entry whose condition holds answers; the entry without a condition waits, wherever it stands.',
    proof(
      'oatf',
      'primitives/select-response',
      'a predicate without an answer is told, and the next entry has its turn',
    ),
    arena('drivers/mcp-server/binding', 'the entry whose condition holds'),
    arena('drivers/mcp-client/binding', 'sampling by a predicate, before the entry without one'),
    arena(
      'drivers/a2a-server/binding',
      'takes the first entry that matches, else the one without when, and fills it with the request',
    ),
  ),
  met(
    '8',
    'SHOULD',
    'Event, count, match and time; `after` needs no traffic.',
    arena('actors/phase-machine', 'an event of the right name and content advances'),
    arena('actors/phase-machine', 'whichever comes first, event or time'),
    contract('after fires without traffic'),
  ),
  met(
    '9',
    'SHOULD',
    'All five lists and all entry actions of the bindings. `send` is told to be without effect on `a2a_server`, where the protocol has no way for it; push notifications go only to hosts that the caller allows.',
    arena('drivers/every-event', 'the entry action %s is known, or told'),
    arena('drivers/ag-ui-client/binding', 'are submitted in a new run of the thread'),
    arena('drivers/a2a-server/entry-actions', 'goes nowhere that the run does not allow'),
  ),
  met(
    '10',
    'SHOULD',
    'Each run and each trial has servers, sessions, clients and a target of its own.',
    arena('faults', 'two hundred runs side by side: no cross-talk, no handles left'),
    arena('agent', 'two runs of one target share nothing, and each has its own memory'),
  ),
  {
    id: '11',
    strength: 'MAY',
    met: 'no',
    says: '`synthesize` is not supported. It is warned of (W-006), never sent, and what the document says beside it is used.',
    shownBy: [
      proof('oatf', 'rules/content/synthesize-reserved', 'W-006'),
      arena('drivers/ag-ui-client/binding', 'warns of synthesize and of ids that are missing'),
    ],
  },
  met(
    '12',
    'MAY',
    'No use is made of this: every run is judged. A document without indicators runs, and its verdict is an error.',
    selfPlay('no indicators: an error, though the attack ran'),
  ),
  {
    id: '13',
    strength: 'MUST',
    met: 'yes',
    says: 'This page, which cannot differ from the tables that the program uses.',
    shownBy: [{ file: 'test/scripts/statement.test.ts', title: 'the statement of this repository holds' }],
  },
]

/** §11.3. */
export const adversarial: ItemList = { title: 'OATF §11.3: tools that run attacks', ids: numbered(13), items }
