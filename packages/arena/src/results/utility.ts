/** The user's task before and after: an agent that now refuses everything has not become better. */
import { type ChangeOptions, type ChangeTest, changeOf, type Observations } from './change.ts'
import type { AttackResults, Trial, UtilityShare } from './model.ts'
import { isJudged } from './outcome-order.ts'

/** How the task has changed. A refusal is not a breach, so both directions have to be a change by the rule. */
export interface UtilityComparison {
  readonly status: 'worse' | 'better' | 'unchanged'
  readonly before: UtilityShare
  readonly after: UtilityShare
  readonly test?: ChangeTest
}

/** Compares how often the task was done; undefined when one side does not tell. */
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

/** Whether a trial shows if the agent did what the user wanted: a run that failed says nothing about it. */
export function tellsTask(trial: Trial): boolean {
  return isJudged(trial) && trial.task !== undefined && trial.task.result !== 'error'
}

/** Only a fully done task counts. */
export function taskDone({ task }: Trial): boolean {
  return task?.result === 'exploited'
}

function doneBy({ trials }: AttackResults): Observations {
  return new Map(trials.filter(tellsTask).map((trial) => [trial.trial, taskDone(trial)]))
}

function shareOf(observations: Observations): UtilityShare {
  return { done: [...observations.values()].filter((done) => done).length, of: observations.size }
}
