import type { PathExpression } from '../../paths/path-expression.ts'
import type { PathSite } from '../path-sites.ts'
import { type AgentWalk, readSites } from '../walk.ts'

/** An expression that reads from a local agent which has not run by then. */
interface TooEarly {
  readonly site: PathSite
  readonly expression: PathExpression
  /** Why it has not. */
  readonly reason: 'another iteration' | 'input only' | 'order'
}

/** Every expression that is evaluated too early; each is the business of one rule. */
export function* tooEarly(walk: AgentWalk): Generator<TooEarly> {
  const steps = new Set(walk.plan?.order === 'loop' ? walk.plan.delegations.map((step) => step.alias) : [])
  for (const { site, expression } of readSites(walk)) {
    const { source } = expression
    if (site.place === 'delegation' || source === 'parent' || !walk.localAliases.has(source)) continue
    if (site.finished(source)) continue
    if (site.place === 'when') yield { site, expression, reason: 'input only' }
    else if (steps.has(source)) yield { site, expression, reason: 'another iteration' }
    else yield { site, expression, reason: 'order' }
  }
}
