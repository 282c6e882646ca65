/** Rules for the order in which path expressions read local agents (Agent Format). */
import { quote } from '../model/quote.ts'
import type { PlanOrder } from '../policies/plan.ts'
import type { AgentRule } from './rule.ts'
import { type AgentWalk, type ReadSite, readSites } from './walk.ts'

const reasons: { readonly [order in PlanOrder]: string } = {
  sequence: 'no earlier step runs this agent',
  loop: 'no step of the loop runs this agent',
  together: 'agents in agf.parallel run concurrently and can only read parent.input',
  choice: 'only the chosen agent runs, so routes can only read parent.input',
  items: 'a batch has no earlier steps and can only read parent.input',
}

/** P-03: a path expression reads a step only after that step has run. */
export const sourcesFinished: AgentRule = (walk, report) => {
  for (const { site, expression } of tooEarly(walk, 'order')) {
    const message = `${quote(expression.source)} has not run yet: ${reasons[walk.plan?.order ?? 'choice']}`
    report(site.path, message, site.at && { at: site.at })
  }
}

/** OPEN-30: a loop step cannot read a later step, which has no output in the first iteration. */
export const noEarlierIteration: AgentRule = (walk, report) => {
  for (const { site, expression } of tooEarly(walk, 'another iteration')) {
    const message = `${quote(expression.source)} has not run when this step starts, and outputs of the previous iteration are not kept`
    report(site.path, message)
  }
}

/** P-21: a route is chosen before any agent runs, so `when` reads the parent's input. */
export const whenReadsInput: AgentRule = (walk, report) => {
  for (const { site, expression } of tooEarly(walk, 'input only')) {
    const message = `a route is chosen before ${quote(expression.source)} runs: "when" can only read parent.input`
    report(site.path, message, { at: 'key' })
  }
}

function* tooEarly(walk: AgentWalk, wanted: 'another iteration' | 'input only' | 'order'): Generator<ReadSite> {
  const steps = new Set(walk.plan?.order === 'loop' ? walk.plan.delegations.map((step) => step.alias) : [])
  for (const { site, expression } of readSites(walk)) {
    const { source } = expression
    if (site.place === 'delegation' || source === 'parent' || !walk.localAliases.has(source)) continue
    if (site.finished(source)) continue
    const reason = site.place === 'when' ? 'input only' : steps.has(source) ? 'another iteration' : 'order'
    if (reason === wanted) yield { site, expression }
  }
}
