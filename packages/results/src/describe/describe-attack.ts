import { type Attack, cvssOf, extractProtocol, type LoadedAttack, MUTATIONS, PARENT, remediationOf } from '@joust/oatf'
import { defined, fingerprint, ownList, ownText, type Path } from '@joust/source'
import type { ResultAttack, ResultIndicator } from '../model/results.ts'

/** Returns the attack properties that reports show. */
export function describeAttack(loaded: LoadedAttack): ResultAttack {
  const { attack } = loaded.document
  const { id, name, severity, description, classification = {} } = attack
  const { category, tags, mappings } = classification
  const protocols = attack.execution.actors.map(({ mode }) => extractProtocol(mode))
  const { task } = loaded
  return defined({
    id,
    name,
    severity: severity?.level,
    confidence: severity?.confidence,
    category,
    protocols: [...new Set(protocols)],
    tags,
    mappings,
    description,
    remediation: remediationOf(attack),
    cvss: cvssOf(attack),
    text: loaded.text,
    adapted: adaptedFrom(attack),
    indicators: indicatorsOf(attack, ['attack'], loaded),
    // The verdict of a malformed task contains the error.
    task: task?.ok === true ? indicatorsOf(task.value, ['attack', 'x-joust-task'], loaded) : undefined,
  })
}

function adaptedFrom(attack: Attack): ResultAttack['adapted'] {
  const parent = ownText(attack, PARENT)
  return parent === undefined ? undefined : { parent, by: mutationsOf(attack) }
}

/** Returns the mutations that produced an attack. */
export function mutationsOf(attack: unknown): string[] {
  return ownList(attack, MUTATIONS).filter((name) => typeof name === 'string')
}

/** Returns a hash of the attacks in a suite. The hash does not depend on the order of the attacks. */
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
    const { id = '', protocol, surface, actor, direction, target, tier, severity, confidence, description } = indicator
    const { pattern, expression } = indicator
    const method = pattern !== undefined ? 'pattern' : expression !== undefined ? 'expression' : 'semantic'
    const line = locate([...path, 'indicators', index])?.line
    const facts = { method, tier, severity, confidence, description, line } as const
    return defined({ id, protocol, surface, actor, direction, target, ...facts })
  })
}
