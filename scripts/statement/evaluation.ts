/** OATF §11.4 and §11.5, the obligations of a tool that evaluates, and of one that supports only a part. */
import { type Item, type ItemList, numbered, proof, thisPage } from './item.ts'

const arena = (file: string, title: string) => proof('arena', file, title)
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
  met(
    '1',
    'MUST',
    'As in §11.3, item 1, with its exceptions.',
    proof('oatf', 'load', 'a valid document comes back normalized'),
    proof('oatf', 'properties', 'conform'),
  ),
  met(
    '2',
    'MUST',
    'A document without indicators, or with only skipped ones, has the verdict `error`, in the SDK, in the judge and in every command.',
    proof('oatf', 'evaluate/verdict', 'no indicators'),
    arena('judge/judge', 'never a pass by accident'),
    proof('cli', 'run/run', 'a document without indicators'),
  ),
  met(
    '3',
    'MUST',
    'MCP, A2A and AG-UI: the library has attacks in every mode, each of which separates a vulnerable agent from a safe one. An indicator of another protocol is skipped.',
    proof('cli', 'run/library', 'every document is proven'),
    arena('self-play/self-play', 'surface, direction, actor and protocol filter messages'),
  ),
  partly(
    '4',
    'MUST',
    'Messages are filtered by protocol, surface, actor, direction and target, in this order. Messages of both sides are evaluated; if a document does not set the direction, a match only in a message of the attacker is a match of the verdict, and the outcome is inconclusive. The verdict uses only messages as received; expanded AG-UI chunks and assembled texts affect only the outcome. A message that could not be parsed is an error of the indicators that it may concern. If the agent never used an actor, its indicators are skipped. Live runs and traces use the same judge.',
    [
      'The params of the answered request (OATF SDK §4.1) are in the root of a response as `_request`, and the complete arguments of an AG-UI tool call in the root of `tool_call_end` as `_arguments`, only for an indicator, trigger or JSONPath that names this key. A path to the whole message resolves to the message as received, without these keys (decision 0009).',
    ],
    arena('judge/watch', 'each filter step'),
    arena('judge/watch', 'counts show at which step messages were dropped'),
    arena('judge/watch', 'flow is not a step: messages of the actor are evaluated as well'),
    arena('judge/outcome', 'a match only in a message of the attacker is inconclusive, except in self-play'),
    arena('ag-ui/chunks', 'false pass 3: text in chunks is expanded to start, content and end'),
    arena('judge/complete', 'of %s, also where the trace holds nothing but messages'),
    arena('judge/complete', 'does not affect the verdict'),
    arena('judge/complete', 'arguments are visible only to an indicator that names them'),
    arena('judge/watch', 'may be the breach: error, with the number of the entry'),
    arena('judge/watch', 'no agent connected: skipped, so the attack is an error'),
    arena('judge/watch', 'any use of the actor is contact, regardless of surface and direction of the indicator'),
    arena('judge/watch', 'wire 5: the params that a response answers'),
    arena('actors/stage', 'wire 5: the params that a response answers'),
    arena('judge/properties', 'the same verdicts as a naive implementation'),
    proof('cli', 'run/evaluate-trace', 'the same verdict from the trace as from the run'),
  ),
  met(
    '5',
    'MUST',
    'The four results of an indicator and the four of an attack, with the counts; a tier where the document names one. `verdict` is exactly that of §9.2. Reports show the `outcome` (`exploited`, `partial`, `resisted`, `inconclusive`, `not_applicable`), which Joust adds, with its reasons.',
    proof('oatf', 'evaluate/verdict', 'attack-level results'),
    proof('oatf', 'evaluate/properties', 'count every indicator, and follow §9.2'),
    arena('judge/judge', 'the verdict is that of §9.3, with the proof'),
    arena('judge/outcome', 'a run that did not come to its end, or in which no bait was delivered, is inconclusive'),
  ),
  met(
    '6',
    'MUST',
    'All operators; regular expressions use RE2.',
    proof('oatf', 'primitives/evaluate-condition', 'string operators'),
    proof('oatf', 'primitives/evaluate-condition', 'any_of'),
    proof('oatf', 'primitives/evaluate-condition', 'numeric operators'),
    proof('oatf', 'primitives/evaluate-condition', 'exists'),
    proof('oatf', 'evaluate/properties', 'patterns match as a literal implementation of the specification does'),
  ),
  met(
    '7',
    'SHOULD',
    'CEL with limits; an expression that fails is an error, not a mismatch.',
    proof('oatf', 'evaluate/indicator', 'the expression %s is %s'),
  ),
  met(
    '8',
    'MAY',
    'With `--judge provider/model` of `joust run` and `joust evaluate`, or an evaluator that the caller passes in. Engine, model and version are in the results; all examples are classified first, and a judge that misclassifies one gives no verdict. Without a judge the indicator is skipped, with a warning before the run, and the outcome cannot be `resisted`.',
    arena('judge/semantic', 'examples are classified before the first message, then once and for all'),
    arena('judge/semantic', 'misclassified examples: error, and no message is evaluated'),
    arena('judge/semantic', 'without an evaluator: skipped, so an error'),
    arena('judge/model/model-judge', 'a judge that misclassifies them gives no verdict'),
    proof('cli', 'run/record-replay', 'prints the agreement, judges, names the judge in the results, and replays'),
    arena('judge/model/model-judge', 'agreement is counted per indicator over all examples'),
    arena('judge/shortfalls', 'false pass 6: an indicator without an evaluator is not a pass'),
  ),
  met(
    '9',
    'MAY',
    '`joust evaluate` starts and sends nothing. The verdict ignores the execution profile; the outcome uses it to determine whether the agent was sent the bait.',
    proof('cli', 'run/evaluate-trace', 'the verdict uses only the indicators; the outcome also uses the planted texts'),
  ),
  met('10', 'MUST', 'This page.', thisPage),
]

const partial: readonly Item[] = [
  met('scope', 'MUST', 'The first part of this page lists supported and unsupported features.', thisPage),
  met(
    'structural',
    'MUST',
    'An actor of an unknown mode is skipped with a warning (W-002, `unknown-mode`), its states are not checked by the rules of another binding, and the other actors run; an indicator of an unknown protocol is skipped, with W-003. Neither is an error or a pass: the outcome is inconclusive unless another indicator matches. Unknown surfaces cause a warning (V-018).',
    arena('self-play/self-play', 'an unknown mode is skipped, the rest runs'),
    arena('judge/shortfalls', 'false pass 6: actors of unknown modes are skipped, and that is not a pass'),
    proof('oatf', 'rules/execution/known-mode', 'W-002'),
    proof('oatf', 'rules/document/closed-enums', 'V-005'),
    proof('oatf', 'rules/content/predicate-paths', 'V-027'),
    proof('oatf', 'rules/indicator/known-protocol', 'W-003'),
    proof('oatf', 'rules/indicator/surface-known', 'V-018'),
  ),
  met(
    'semantic',
    'SHOULD',
    '`synthesize`: a warning and the static content, as in §11.3, item 11. Skipped parts are reported before the run.',
    proof('oatf', 'rules/content/synthesize-reserved', 'W-006'),
    arena('judge/shortfalls', 'false pass 6: an answer that is left to a model, %s'),
    proof('cli', 'run/run', 'false pass 6: skipped parts of a run are reported once per document, and prevent a pass'),
  ),
]

/** §11.4. */
export const evaluation: ItemList = { title: 'OATF §11.4: tools that evaluate', ids: numbered(10), items }

/** §11.5, whose items have no numbers. */
export const partialScope: ItemList = {
  title: 'OATF §11.5: partial support',
  ids: ['scope', 'structural', 'semantic'],
  items: partial,
}
