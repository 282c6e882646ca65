import type { Value } from '@joust/source'
import type { JSONPathQuery } from 'json-p3'
import type { Budget } from './budget.ts'
import type { IRegexps } from './i-regexp.ts'

/** What one run of a query needs. */
export interface PathRun {
  readonly root: Value
  readonly budget: Budget
  readonly regexes: IRegexps
}

/** Takes a node; true ends the run. */
export type Take = (node: Value) => boolean

/** Gives the nodes below a value, one by one, until one ends the run; says whether one did. */
export type PathStep = (value: Value, run: PathRun, take: Take) => boolean

/** Turns a parsed query into steps. */
export type PlanQuery = (query: JSONPathQuery) => PathStep
