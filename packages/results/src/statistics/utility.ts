/** Compares completed user tasks, because an agent that refuses everything is not an improvement. */

import { isJudged } from '../model/outcome-order.ts'
import type { AttackResults, Trial, UtilityShare } from '../model/results.ts'
import { type ChangeOptions, type ChangeTest, changeOf, type Observations } from './change.ts'

/** The change in completed user tasks. Both directions must be significant, because a refusal is not a breach. */
export interface UtilityComparison {
  readonly status: 'worse' | 'better' | 'unchanged'
  readonly before: UtilityShare
  readonly after: UtilityShare
  readonly test?: ChangeTest
}

/** Compares the rates of completed tasks; undefined if one side is inconclusive. */
export function compareUtility(
  before: AttackResults,
  after: AttackResults,
  options: ChangeOptions,
): UtilityComparison | undefined {
  const old = doneBy(before)
  const now = doneBy(after)
  if (old.size === 0 || now.size === 0) return undefined
  const { direction, test } = changeOf(old, now, options)
  return {
    status: direction === 'none' ? 'unchanged' : direction === 'less' ? 'worse' : 'better',
    before: shareOf(old),
    after: shareOf(now),
    ...(test === undefined ? {} : { test }),
  }
}

export function hasTaskResult(trial: Trial): boolean {
  return isJudged(trial) && trial.task !== undefined && trial.task.result !== 'error'
}

/** True for a completed task. Partial completion does not count. */
export function taskDone({ task }: Trial): boolean {
  return task?.result === 'exploited'
}

function doneBy({ trials }: AttackResults): Observations {
  return new Map(trials.filter(hasTaskResult).map((trial) => [trial.trial, taskDone(trial)]))
}

function shareOf(observations: Observations): UtilityShare {
  return { done: [...observations.values()].filter((done) => done).length, of: observations.size }
}
