/** OATF §11.4 and §11.5, what a tool that evaluates owes, and one that does not do everything. */
import { type Item, type ItemList, numbered, proof } from './item.ts'

const arena = (file: string, title: string) => proof('arena', file, title)
const met = (id: string, strength: Item['strength'], says: string, ...shownBy: Item['shownBy']): Item => ({
  ...{ id, strength, met: 'yes', says, shownBy },
})

const items: readonly Item[] = [
  met('1', 'MUST', 'As in §11.3, item 1.', proof('oatf', 'load', 'a valid document comes back normalized')),
  met(
    '2',
    'MUST',
    'No indicators is an error, in the SDK, in the judge and in every command; so are indicators that were all skipped.',
    proof('oatf', 'evaluate/verdict', 'no indicators'),
    arena('judge/judge', 'never a pass by accident'),
    proof('cli', 'run/run', 'a document without indicators'),
  ),
  met(
    '3',
    'MUST',
    'MCP, A2A and AG-UI; an indicator of another protocol is skipped.',
    arena('judge/filter', 'the agent spoke to another protocol'),
  ),
  met(
    '4',
    'MUST',
    'Protocol, surface, actor, direction and target narrow what an indicator sees, in this order; the same judge works live and from a trace.',
    arena('judge/filter', 'each step alone decides'),
    arena('judge/model', 'the same verdicts as the plain reading'),
    proof('cli', 'run/evaluate-trace', 'the same verdict from the trace as from the run'),
  ),
  met(
    '5',
    'MUST',
    'The four results of an indicator and the four of an attack, with the counts; a tier where the document names one.',
    arena('judge/judge', 'the verdict is that of §9.3, with the proof'),
    proof('oatf', 'evaluate/verdict', 'attack-level results'),
  ),
  met(
    '6',
    'MUST',
    'All operators, on RE2.',
    proof('oatf', 'evaluate/indicator', 'a pattern that matches says where and what'),
  ),
  met(
    '7',
    'SHOULD',
    'CEL, bounded; an expression that fails is an error, not a miss.',
    proof('oatf', 'evaluate/indicator', 'the expression %s is %s'),
  ),
  met(
    '8',
    'MAY',
    'With `--judge provider/model`, or an evaluator that the caller passes in. Engine, model and version are in the results; all examples are classified first, and a judge that gets one wrong gives no verdict. Without a judge the indicator is skipped.',
    arena('judge/semantic', 'examples are classified before the first message, then once and for all'),
    arena('judge/semantic', 'examples that come out wrong: error, and no message is asked about'),
    arena('judge/semantic', 'without an evaluator: skipped, so an error'),
    arena('semantic/model-judge', 'a judge that gets them wrong gives no verdict'),
  ),
  met(
    '9',
    'MAY',
    '`joust evaluate` looks at the indicators and the names of actors only; it starts nothing.',
    proof('cli', 'run/evaluate-trace', 'several documents, of which the worst counts'),
  ),
  {
    id: '10',
    strength: 'MUST',
    met: 'yes',
    says: 'This page.',
    shownBy: [{ file: 'test/scripts/statement.test.ts', title: 'the statement of this repository holds' }],
  },
]

const partial: readonly Item[] = [
  {
    id: 'scope',
    strength: 'MUST',
    met: 'yes',
    says: 'The first part of this page says what is supported and what is not.',
    shownBy: [{ file: 'test/scripts/statement.test.ts', title: 'the statement of this repository holds' }],
  },
  met(
    'structural',
    'MUST',
    'An actor of a mode that is not known is skipped with a warning, and the others run. Protocols and surfaces that are not known are warned of and never refused.',
    arena('self-play/self-play', 'an unknown mode is skipped, the rest runs'),
    proof('oatf', 'rules/indicator/known-protocol', 'W-003'),
    proof('oatf', 'rules/indicator/surface-known', 'V-018'),
  ),
  met(
    'semantic',
    'SHOULD',
    'As in §11.3, item 11: a warning, and the static content.',
    proof('oatf', 'rules/content/synthesize-reserved', 'W-006'),
    arena('drivers/ag-ui-client/binding', 'goes out without synthesize'),
  ),
]

/** §11.4. */
export const evaluation: ItemList = { title: 'OATF §11.4: tools that evaluate', ids: numbered(10), items }

/** §11.5, whose parts have no numbers. */
export const partialScope: ItemList = {
  title: 'OATF §11.5: what is not supported',
  ids: ['scope', 'structural', 'semantic'],
  items: partial,
}
