/** The rules of the Path Expression Reference in Agent Format 1.0. The reference has no numbers; these are Joust's. */
import { type Item, type ItemList, proof } from './item.ts'

const agf = (file: string, title: string) => proof('agentformat', file, title)
const rule = (file: string, title: string) => agf(`rules/${file}`, title)
const step = (title: string) => proof('runtime', 'mapping/step-input', title)
const met = (id: string, strength: Item['strength'], says: string, ...shownBy: Item['shownBy']): Item => ({
  ...{ id, strength, met: 'yes', says, shownBy },
})

const items: readonly Item[] = [
  met(
    'P-01',
    'MUST',
    'A malformed expression is an error when the agent is loaded, before anything runs.',
    rule('path-syntax', 'P-01 invalid_path_expression'),
    agf('paths/path-expression', 'P-01: the grammar'),
  ),
  met(
    'P-02',
    'MUST',
    'A source that is neither `parent` nor a local agent is an error when the agent is loaded.',
    rule('path-sources', 'P-02 unknown_agent'),
  ),
  met(
    'P-03',
    'MUST',
    'A step that cannot have run yet (a later one, a sibling, itself) is an error when the agent is loaded.',
    rule('dependency-order', 'P-03 dependency_order'),
    step('an agent that was built by hand, without loading: %s'),
  ),
  met(
    'P-04',
    'SHOULD',
    'A field that the schema of its source does not declare is a warning, if that schema declares fields at all.',
    rule('path-sources', 'P-04 unresolved_field'),
  ),
  met(
    'P-05',
    'MUST',
    'If such a field is absent in the run, that is an error.',
    agf('paths/resolve-path', 'P-05: an undeclared and missing field is an error'),
    step('P-05: absent and undeclared'),
  ),
  met(
    'P-06',
    'MUST',
    'Iterating over a value that is not a list is a type mismatch: on loading if the schema shows it, otherwise in the run.',
    rule('path-syntax', 'P-06 type_mismatch'),
    agf('paths/resolve-path', 'P-06: iterating over %j is a type mismatch'),
  ),
  met(
    'P-07',
    'MUST',
    'At most one `[]` is allowed; a second one is an error.',
    rule('path-syntax', 'P-07 invalid_path_expression'),
  ),
  met(
    'P-08',
    'MUST',
    'All `[]` of one mapping iterate over the same list; otherwise loading fails.',
    rule('policies', 'P-08 batch_prefix_mismatch'),
  ),
  met(
    'P-09',
    'fact',
    'They go in lockstep.',
    agf('paths/map-items', 'P-09, P-12: one per element, in lockstep, with shared fields and defaults (P-17)'),
  ),
  met(
    'P-10',
    'MUST',
    'Lists of different lengths are an error. This cannot happen in a loaded agent, because P-08 rejects two lists even if their lengths are equal.',
    agf('paths/map-items', 'P-10: lists of different lengths are an error'),
    rule('policies', 'OPEN-13: different lists are rejected even if their lengths must be equal'),
  ),
  met(
    'P-11',
    'MUST',
    '`[]` outside the mapping of a batch is an error.',
    rule('path-syntax', 'P-11 invalid_path_expression'),
  ),
  met(
    'P-12',
    'fact',
    'The agent of a batch runs once for each element.',
    agf('paths/resolve-path', 'P-12: one outcome per element, in order'),
    proof('runtime', 'policies/batch', 'runs once per element, in order, with the same other fields'),
  ),
  met(
    'P-13',
    'MUST NOT',
    'Nothing is converted: neither text to numbers nor numbers to text.',
    agf('paths/map-input', 'P-13, P-14: types without coercion'),
    step('P-13: text is not a number'),
  ),
  met(
    'P-14',
    'MUST',
    'A value of a type other than the target declares is a type mismatch, reported on loading if the schemas show it.',
    rule('inputs', 'P-14 type_mismatch'),
    step('P-14: another type'),
  ),
  met(
    'P-15',
    'MUST',
    'An explicit null is passed on as null.',
    agf('paths/map-input', 'P-15: is accepted by a nullable optional field'),
    step('P-15: null is passed to an optional field'),
  ),
  met(
    'P-16',
    'MUST',
    'For a required field, null is an error, even if the type allows it.',
    agf('paths/map-input', 'P-16, OPEN-10: is an error for a required field, even a nullable one'),
    step('P-16: null for a required field'),
  ),
  met(
    'P-17',
    'SHOULD',
    'An absent value takes the default of the target field.',
    agf('paths/map-input', 'P-17: uses the default, required or not'),
    step('P-17: an absent value takes the default'),
  ),
  met(
    'P-18',
    'MUST',
    'Without a default, it is an error for a required field; an optional field is omitted.',
    agf('paths/map-input', 'P-18: is an error for a required field without a default'),
    step('P-18: absent and required'),
  ),
  met(
    'P-19',
    'fact',
    'Expressions are values in mappings of steps, routes and batches, and keys in conditions of routes and loops; nothing else is parsed as one.',
    rule('path-syntax', 'P-19: other strings are not path expressions'),
  ),
  met(
    'P-20',
    'fact',
    'Conditions on approvals of delegations read the input of the parent; any other key is an error that shows the right form.',
    rule('conditions', 'P-20 invalid_path_expression'),
  ),
  met(
    'P-21',
    'fact',
    'The keys of a route’s condition read the input of the parent.',
    rule('dependency-order', 'P-21 dependency_order'),
  ),
]

/** P-01 to P-21. */
export const paths: ItemList = {
  title: 'Agent Format: path expressions',
  ids: Array.from({ length: 21 }, (_, index) => `P-${String(index + 1).padStart(2, '0')}`),
  items,
}
