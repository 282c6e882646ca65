/** OATF §11.3, the obligations of a tool that runs attacks. */
import { type Item, type ItemList, numbered, proof, thisPage } from './item.ts'

const arena = (file: string, title: string) => proof('arena', file, title)
const selfPlay = (title: string) => arena('self-play/self-play', title)
const contract = (title: string) => ({ file: 'packages/arena/test/drivers/contract/contract.ts', title })
const met = (id: string, strength: Item['strength'], says: string, ...shownBy: Item['shownBy']): Item => ({
  ...{ id, strength, met: 'yes', says, shownBy },
})
const partly = (
  id: string,
  strength: Item['strength'],
  says: string,
  exceptions: readonly string[],
  ...shownBy: Item['shownBy']
): Item => ({ ...met(id, strength, says, ...shownBy), met: 'partly', exceptions })

const items: readonly Item[] = [
  partly(
    '1',
    'MUST',
    'Documents are loaded by the SDK. The tests load generated documents of every form, a document with every field, and the whole library.',
    [
      'A document that exceeds a limit on hostile input (4 MiB, 100 levels, the size and number of its expressions; [limits](generated/limits.md)) is rejected, with the name of the limit.',
    ],
    proof('oatf', 'properties', 'conform'),
    proof('oatf', 'parse', 'a document with every field is preserved'),
    proof('cli', 'run/library', 'every document is sound: no warning, nothing to lint'),
    proof('oatf', 'hostile', '%s names itself, and can be tightened'),
    proof('oatf', 'rules/indicator/unique-ids', 'V-010'),
    proof('oatf', 'rules/phase/unique-names', 'V-011'),
  ),
  met(
    '2',
    'MUST',
    'MCP, A2A and AG-UI, in all five modes that OATF 0.1 defines. All drivers pass the same contract tests.',
    contract('received and sent messages are in the trace under their protocol names'),
    arena('drivers/every-event', '%s can fire a trigger'),
  ),
  partly(
    '3',
    'MUST',
    'A pure state machine advances the phases of each actor, independently of other actors and never backwards. Each phase is entered, even if the handshake of a client already ends it.',
    [
      'A client phase that inherits its state (§5.2) answers from it but does not send its actions again, which is reported (decision 0009).',
    ],
    arena('actors/phase-machine', 'never goes back, and never sets a timer in the past'),
    arena('actors/phase-machine', 'agrees with the naive model'),
    arena('run', 'is entered, and performs its entry actions before the next one'),
    arena('run', 'a client phase with inherited state sends nothing, which is reported'),
  ),
  met(
    '4',
    'MUST',
    'A message is answered by the phase in which it arrived. Then the trigger is evaluated, over the same content root as an indicator, and the next phase begins if it fires.',
    contract('an event is answered by its own phase, then the next one begins, with what was captured'),
    arena('actors/phase-machine', 'the counter starts anew in each phase'),
    arena('run', 'wire 5: a trigger and an extractor distinguish answers by their request'),
  ),
  met(
    '5',
    'MUST',
    'Templates refer to values of their own actor by name and to those of others by actor and name. An undefined value is empty, with W-004; captured values are never expanded again.',
    arena('actors/stage', 'an actor sees its own values by name, and those of all actors as actor.name'),
    selfPlay('four actors relay an extracted secret from MCP to A2A'),
    contract('a template without a value is empty, which is reported'),
    contract('a value that was captured is never expanded again'),
  ),
  met(
    '6',
    'MUST',
    'All servers listen before the target starts and before any client begins; if one cannot listen, no client begins.',
    arena('readiness', 'clients wait for all servers, in any document order'),
    arena('readiness', 'no client starts when a server cannot listen'),
  ),
  met(
    '7',
    'MUST',
    'All five lists, and `responses` of prompts: the first entry whose condition matches is sent, after templates in the condition are filled. If none matches, the entry without a condition is sent, in any position (OATF SDK §5.7); without one, the answer is empty.',
    arena('drivers/response-dispatch', '%s: the first entry that fits, and the one without a condition when none does'),
    arena('actors/stage', 'wire 2: templates in "when" of responses resolve before they are compared'),
    arena('drivers/mcp-server/binding', 'no entry that holds'),
    arena('drivers/ag-ui-client/binding', '%s the result is an empty success'),
  ),
  met(
    '8',
    'SHOULD',
    'Event, count, match and time, in every mode. `after` counts from the entry of its phase and needs no traffic. A run waits for the `after` of a server only if it can fire within the time limit and a client is connected (decision 0012).',
    arena('actors/phase-machine', 'an event of the right name and content advances'),
    arena('actors/phase-machine', 'the counter starts anew in each phase'),
    arena('actors/phase-machine', 'after fires on the clock alone, measured from the entry of the phase'),
    arena('actors/phase-machine', 'the first of event and timeout fires'),
    contract('after fires without traffic'),
    arena('actors/ending', 'is not awaited after the time limit or without a connected client'),
  ),
  partly(
    '9',
    'SHOULD',
    'All five lists (item 7), `send` and `log` (§7.1.6, §7.3.4), `send_push_notification` in both modes of A2A (§7.2.6).',
    [
      '`send` has no effect in `a2a_server`, and in `ag_ui_client` only `run_agent_input` and `tool_call_result` can be sent: the protocols have no other messages to send. Other uses are reported, with the clause.',
      'Push notifications go only to hosts that the caller allows.',
    ],
    arena('drivers/every-event', 'the entry actions of the binding are performed, and any other is reported'),
    arena('drivers/mcp-server/entry-actions', 'reaches every open session once, and is recorded for each'),
    arena('drivers/mcp-client/binding', 'a request is sent before its reply, which is an event'),
    arena('drivers/ag-ui-client/binding', '%s begins a run that carries it'),
    arena('drivers/ag-ui-client/binding', 'wire 10: of anything else is refused, with the clause'),
    arena('drivers/a2a-server/entry-actions', 'wire 10: posts the payload as it is, recorded'),
    arena('drivers/a2a-server/entry-actions', 'wire 10: a client sends one as well'),
    arena('drivers/a2a-server/entry-actions', 'wire 10: cannot send requests, and names the clause'),
    arena('drivers/a2a-server/entry-actions', 'is not sent to a host that is not allowed'),
    arena('actors/entry-actions', 'wire 11: log keeps its level'),
  ),
  met(
    '10',
    'SHOULD',
    'Each run and each trial has its own servers, sessions, clients and target.',
    arena('faults', 'two hundred concurrent runs: no cross-talk, no open handles'),
    proof('targets', 'agent', 'two runs of one target share no state and no memory'),
  ),
  {
    id: '11',
    strength: 'MAY',
    met: 'partly',
    says: 'With `--attacker`, a model writes the text before the run, and the text is inserted into the message that the binding defines there. Without it, the block causes a warning (W-006) and is never sent.',
    exceptions: [
      '`synthesize` is not supported for prompts with templates and for forms (`elicitation_responses`). Static content beside such a block is used; without it the answer is empty, and the outcome cannot be `resisted`.',
    ],
    shownBy: [
      proof('oatf', 'synthesize', 'what is written is what the binding has at its place: %s'),
      proof('oatf', 'rules/content/synthesize-reserved', 'W-006'),
      arena('judge/shortfalls', 'false pass 6: an answer that is left to a model, %s'),
      arena('drivers/ag-ui-client/binding', 'goes out without synthesize'),
    ],
  },
  met(
    '12',
    'MAY',
    'Not used: every run is judged. A document without indicators runs, and its verdict is `error`.',
    selfPlay('no indicators: an error, though the attack ran'),
  ),
  {
    id: '13',
    strength: 'MUST',
    met: 'yes',
    says: 'This page.',
    shownBy: [thisPage],
  },
]

/** §11.3. */
export const adversarial: ItemList = { title: 'OATF §11.3: tools that run attacks', ids: numbered(13), items }
