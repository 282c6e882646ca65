/** From runs to `results.json`. */
import { type Attack, type Document, extractProtocol, type Indicator, normalize } from '@joust/oatf'
import { type Path, readSource, type Source } from '@joust/source'
import { fingerprint } from '../model/fingerprint.ts'
import type { SuiteResult } from '../suite/suite.ts'
import type { ResultAttack, ResultIndicator, Trial } from './model.ts'
import { TASK, taskDocument } from './task.ts'

/** What reports show of an attack. With its text, indicators know their lines. */
export function describeAttack(document: Document, text?: string): ResultAttack {
  const { attack } = normalize(document)
  const read = text === undefined ? undefined : readSource(text)
  const source = read?.ok === true ? read.value : undefined
  const { id, name, description, classification = {} } = attack
  const severity = typeof attack.severity === 'string' ? attack.severity : attack.severity?.level
  const { category, tags, mappings } = classification
  const protocols = (attack.execution.actors ?? []).map(({ mode }) => extractProtocol(mode))
  return {
    ...(id === undefined ? {} : { id }),
    name: name ?? 'Untitled',
    ...(severity === undefined ? {} : { severity }),
    ...(category === undefined ? {} : { category }),
    protocols: [...new Set(protocols)],
    ...(tags === undefined ? {} : { tags }),
    ...(mappings === undefined ? {} : { mappings }),
    ...(description === undefined ? {} : { description }),
    indicators: indicatorsOf(attack, ['attack'], source),
    ...taskOf(document, source),
  }
}

/** What is kept of a run; its trace is in a file. */
export function trialOf({ trial, run }: SuiteResult, trace: string): Trial {
  const { verdict, duration_ms, ended, actors, diagnostics, wiring, approvals } = run
  return {
    trial,
    verdict,
    trace,
    duration_ms,
    ended,
    actors,
    diagnostics,
    ...(wiring === undefined ? {} : { wiring }),
    ...(approvals === undefined ? {} : { approvals }),
  }
}

/** Tells two suites apart: the attacks, each as it was written, in any order. */
export function suiteFingerprint(documents: readonly Document[]): string {
  return fingerprint(documents.map(documentFingerprint).sort().join())
}

/** Tells two versions of a document apart. */
export function documentFingerprint(document: Document): string {
  return fingerprint(JSON.stringify(normalize(document)))
}

/** A task that is malformed cannot be judged, and its verdict says why. */
function taskOf(document: Document, source: Source | undefined): Pick<ResultAttack, 'task'> {
  const task = taskDocument(document)
  if (!task.ok || task.value === undefined) return {}
  return { task: indicatorsOf(normalize(task.value).attack, ['attack', TASK], source) }
}

function indicatorsOf({ indicators = [] }: Attack, path: Path, source: Source | undefined): ResultIndicator[] {
  return indicators.map((indicator, index) => {
    const line = source?.locate([...path, 'indicators', index])?.line
    return { ...describeIndicator(indicator), ...(line === undefined ? {} : { line }) }
  })
}

function describeIndicator(indicator: Indicator): ResultIndicator {
  const { id = '', protocol, surface, actor, direction, target, tier, description } = indicator
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
    ...(description === undefined ? {} : { description }),
  }
}
