/** What results tell of an attack. */
import { type Attack, extractProtocol, type Indicator, type LoadedAttack, MUTATIONS, PARENT } from '@joust/oatf'
import { fingerprint, isList, type Path, type Value } from '@joust/source'
import type { ResultAttack, ResultIndicator } from './model.ts'

/** What reports show of an attack. */
export function describeAttack(loaded: LoadedAttack): ResultAttack {
  const { attack } = loaded.document
  const { id, name, severity, description, classification = {} } = attack
  const { category, tags, mappings } = classification
  const protocols = attack.execution.actors.map(({ mode }) => extractProtocol(mode))
  const { task } = loaded
  return {
    ...(id === undefined ? {} : { id }),
    name,
    ...(severity === undefined ? {} : { severity: severity.level }),
    ...(severity?.confidence === undefined ? {} : { confidence: severity.confidence }),
    ...(category === undefined ? {} : { category }),
    protocols: [...new Set(protocols)],
    ...(tags === undefined ? {} : { tags }),
    ...(mappings === undefined ? {} : { mappings }),
    ...(description === undefined ? {} : { description }),
    text: loaded.text,
    ...adaptedFrom(attack),
    indicators: indicatorsOf(attack, ['attack'], loaded),
    // A task that is malformed cannot be judged, and its verdict says why.
    ...(task?.ok === true ? { task: indicatorsOf(task.value, ['attack', 'x-joust-task'], loaded) } : {}),
  }
}

function adaptedFrom({ [PARENT]: parent, [MUTATIONS]: by }: Attack): Pick<ResultAttack, 'adapted'> {
  // Extensions are values of the document.
  const given = (by ?? []) as Value
  const names = isList(given) ? given.filter((name) => typeof name === 'string') : []
  return typeof parent === 'string' ? { adapted: { parent, by: names } } : {}
}

/** Tells two suites apart: the attacks, each as it was written, in any order. */
export function suiteFingerprint(attacks: readonly LoadedAttack[]): string {
  return fingerprint(
    attacks
      .map((attack) => attack.fingerprint)
      .sort()
      .join(),
  )
}

function indicatorsOf({ indicators = [] }: Attack, path: Path, { locate }: LoadedAttack): ResultIndicator[] {
  return indicators.map((indicator, index) => {
    const line = locate([...path, 'indicators', index])?.line
    return { ...describeIndicator(indicator), ...(line === undefined ? {} : { line }) }
  })
}

function describeIndicator(indicator: Indicator): ResultIndicator {
  const { id = '', protocol, surface, actor, direction, target, tier, severity, confidence, description } = indicator
  const method =
    indicator.pattern !== undefined ? 'pattern' : indicator.expression !== undefined ? 'expression' : 'semantic'
  return {
    id,
    ...(protocol === undefined ? {} : { protocol }),
    ...(surface === undefined ? {} : { surface }),
    ...(actor === undefined ? {} : { actor }),
    ...(direction === undefined ? {} : { direction }),
    target,
    method,
    ...(tier === undefined ? {} : { tier }),
    ...(severity === undefined ? {} : { severity }),
    ...(confidence === undefined ? {} : { confidence }),
    ...(description === undefined ? {} : { description }),
  }
}
