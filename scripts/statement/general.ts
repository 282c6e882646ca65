/** OATF §11.2, the obligations of every tool. */
import { type Item, type ItemList, numbered, proof } from './item.ts'

const step = (file: string, title: string) => proof('oatf', `steps/${file}`, title)
const DEFAULTS = 'every default of §11.2 is written out, but not the mode of a phase'
const must = (id: string, says: string, ...shownBy: Item['shownBy']): Item => ({
  ...{ id, strength: 'MUST', met: 'yes', says, shownBy },
})

const items: readonly Item[] = [
  {
    id: '1',
    strength: 'MUST',
    met: 'partly',
    says: 'N-001 writes the defaults of the table into the document.',
    exceptions: [
      'No `mode` is added to a phase without one. Later stages use the mode of its actor; the official fixtures add none either (decision 0003).',
    ],
    shownBy: [
      proof('oatf', 'serialize', DEFAULTS),
      step('defaults', 'names of phases count from 1 within their actor; modes stay where they were written'),
    ],
  },
  must('2', 'N-002 expands a severity level to an object.', step('severity-object', 'N-002: %j')),
  must(
    '3',
    'N-003 adds missing ids of indicators: `{attack.id}-{NN}`, or `indicator-{NN}` if the attack has no id.',
    step('indicator-ids', 'N-003: the id of the attack, else "indicator", and the position in two digits'),
  ),
  must(
    '4',
    'N-004 copies the target of an indicator to its pattern or semantic block, unless that has its own.',
    step('indicator-targets', 'a target of its own comes first'),
  ),
  must(
    '5',
    'N-005 moves the operator of a shorthand pattern into a condition before evaluation.',
    step('pattern-standard-form', 'N-005: %s moves into a condition'),
  ),
  must(
    '6',
    'N-006 turns the single-phase form into one actor with one phase; later stages see only this form.',
    step('single-phase-to-actors', 'N-006: state becomes the one phase of the one actor'),
  ),
  must(
    '7',
    'N-007 does the same for the multi-phase form, with or without `execution.mode`.',
    step('phases-to-actors', 'N-007: the phases become those of the one actor'),
    step('phases-to-actors', 'N-007: without execution.mode the first phase gives the mode, and keeps its own'),
  ),
  must(
    '8',
    'V-029 warns of an event that the binding of a known mode does not list; events of unknown modes are not checked. A document with such a warning is valid and runs, even if `joust lint` reports a misspelled event as an error.',
    proof('oatf', 'rules/trigger/event-known-for-mode', 'V-029'),
    proof('oatf', 'rules/execution/known-mode', 'W-002'),
  ),
  {
    id: '9',
    strength: 'MUST',
    met: 'partly',
    says: 'The output of `serialize` and `joust fmt --canonical` begins with `oatf` and has the form of actors, with all defaults. The output of `joust fmt`, `joust migrate` and `joust mutate` begins with `oatf` and otherwise keeps the form of its source.',
    exceptions: [
      'The `mode` of a phase is not written out, as in item 1 (the SHOULD of this item).',
      '`joust library show` prints a document of the library as written: `oatf` first, not expanded.',
      'The canonical form has no comments; `joust fmt --canonical --write` does not change a file with comments unless `--drop-comments` is set. Without `--canonical`, a document is formatted and keeps its comments.',
      '`joust fmt`, `joust migrate` and `joust mutate` keep the order of keys if moving `oatf` would change the value of the document: the version is an alias (an error, V-020), or the blank lines below it would become part of a block scalar above (`|+`).',
    ],
    shownBy: [
      proof('oatf', 'serialize', 'oatf is always the first key'),
      proof('oatf', 'version-first', 'the version of any document comes first, and the document stays the same'),
      proof('cli', 'commands/fmt', 'oatf is always the first key: %s'),
      proof('cli', 'commands/migrate', 'oatf is always the first key'),
      proof('cli', 'commands/mutate', 'oatf is always the first key'),
      proof('oatf', 'serialize', DEFAULTS),
      proof('cli', 'commands/fmt', 'the canonical form goes to stdout, with LF'),
      proof('cli', 'run/library', 'joust library'),
      proof('cli', 'commands/fmt', 'comments are not thrown away unless that is wanted'),
    ],
  },
]

/** §11.2. */
export const general: ItemList = { title: 'OATF §11.2: every tool', ids: numbered(9), items }
