/** Execution profiles in all three forms. */
import fc from 'fast-check'
import { findMode, knownModes } from '../../src/bindings/table.ts'
import type { Action, Actor, Execution, Extractor, Phase, Trigger } from '../../src/model/document.ts'
import { predicate } from './conditions.ts'
import { extended, fields } from './records.ts'
import { stateFor } from './states.ts'
import { anyValue, capturing, duration, jsonPath, prose, snakeCase, templateText } from './text.ts'

/** Known modes, and two that only another binding knows. */
const mode: fc.Arbitrary<string> = fc.constantFrom(...knownModes(), 'acme_bus_server', 'acme_bus_client')

const actorNames = ['alpha', 'beta', 'gamma'] as const
const ownReferences = ['token', 'door', 'request.arguments.command', 'response.content', 'undeclared']

const extractor: fc.Arbitrary<Extractor> = fc
  .tuple(snakeCase, fc.constantFrom('request', 'response'), fc.constantFrom('json_path', 'regex'), jsonPath, capturing)
  .map(([name, source, type, path, regex]) => ({ name, source, type, selector: type === 'json_path' ? path : regex }))

const action = (text: fc.Arbitrary<string>): fc.Arbitrary<Action> =>
  extended(
    fc.oneof(
      fields({ method: fc.constantFrom('notifications/tools/list_changed', 'ping'), params: anyValue }, ['method']).map(
        (send) => ({ send }),
      ),
      fields({ message: text, level: fc.constantFrom('info' as const, 'warn' as const, 'error' as const) }, [
        'message',
      ]).map((log) => ({ log })),
      anyValue.map((value) => ({ send_push_notification: value })),
    ),
  )

function trigger(modeName: string): fc.Arbitrary<Trigger> {
  const event = fc.constantFrom(...(findMode(modeName)?.events ?? ['bus/message']))
  const counted = fields<Required<Trigger>, 'event'>(
    { event, count: fc.integer({ min: 1, max: 9 }), match: predicate, after: duration },
    ['event'],
  )
  return fc.oneof({ weight: 3, arbitrary: counted }, { weight: 1, arbitrary: fields({ after: duration }, ['after']) })
}

/** The first phase has a state; only the last may do without a trigger. */
function phases(
  modeName: string,
  phaseMode: 'never' | 'maybe' | 'always',
  references: readonly string[],
): fc.Arbitrary<Phase[]> {
  const phase = (index: number, last: boolean): fc.Arbitrary<Phase> => {
    const model = {
      name: fc.constantFrom(`stage ${index}`, `étape_${index}`),
      description: prose,
      ...(phaseMode === 'never' ? {} : { mode: fc.constant(modeName) }),
      state: stateFor(modeName, references),
      extractors: fc.array(extractor, { minLength: 1, maxLength: 2 }),
      on_enter: fc.array(action(templateText(references)), { minLength: 1, maxLength: 2 }),
      trigger: trigger(modeName),
    }
    const needed = [
      ...(index === 0 ? ['state'] : []),
      ...(last ? [] : ['trigger']),
      ...(phaseMode === 'always' ? ['mode'] : []),
    ]
    return extended(
      fc.record(model, { requiredKeys: needed as 'state'[], noNullPrototype: true }) as fc.Arbitrary<Phase>,
    )
  }
  return fc
    .integer({ min: 1, max: 3 })
    .chain((count) => fc.tuple(...Array.from({ length: count }, (_, index) => phase(index, index === count - 1))))
}

const singlePhase: fc.Arbitrary<Execution> = mode.chain((name) =>
  fields({ mode: fc.constant(name), state: stateFor(name, ownReferences) }, ['mode', 'state']),
)

const multiPhase: fc.Arbitrary<Execution> = mode.chain((name) =>
  fc.oneof(
    fields({ mode: fc.constant(name), phases: phases(name, 'maybe', ownReferences) }, ['mode', 'phases']),
    fields({ phases: phases(name, 'always', ownReferences) }, ['phases']),
  ),
)

const actor = (name: string): fc.Arbitrary<Actor> =>
  mode.chain((modeName) => {
    // `alpha` always exists; whether it extracts a token only matters for a warning.
    const references = [...ownReferences, 'alpha.token']
    const all = { name: fc.constant(name), mode: fc.constant(modeName), phases: phases(modeName, 'maybe', references) }
    return extended(fields(all, ['name', 'mode', 'phases']))
  })

const multiActor: fc.Arbitrary<Execution> = fc
  .integer({ min: 1, max: 3 })
  .chain((count) => fc.tuple(...actorNames.slice(0, count).map(actor)))
  .map((actors) => ({ actors }))

/** An execution profile. */
export const execution: fc.Arbitrary<Execution> = extended(fc.oneof(singlePhase, multiPhase, multiActor))

/** The names that an indicator may give as its actor. */
export function actorNamesOf(profile: Execution): string[] {
  return profile.actors?.map((one) => one.name) ?? ['default']
}
