/** `x-joust-task`: indicators that show that the agent completed the user's task. */
import { checkShape, isList, own, type Path } from '@joust/source'
import { taskShape } from '../model/document.ts'
import { indicatorSites, type Walk } from '../walk/walk.ts'
import type { Report, ReportOptions } from './rule.ts'
import type { Syntax } from './syntax.ts'
import { ruleTable } from './table.ts'

export const TASK = 'x-joust-task'

interface TaskFault {
  readonly path: Path
  readonly message: string
  readonly options: ReportOptions
}

/** Returns the problems with the shape of a task or else with its indicators; empty if there is no task. */
export function taskFaults(walk: Walk, syntax: Syntax): TaskFault[] {
  const task = own(walk.attack, TASK)
  if (task === undefined) return []
  const misshapen = checkShape(task, taskShape)
  if (misshapen.length > 0) {
    return misshapen.map(({ path, message, at, meant: correction }) => ({
      path: ['attack', TASK, ...path],
      message,
      options: { ...(at === 'key' ? { at } : {}), correction },
    }))
  }
  // The shape was checked above.
  return indicatorFaults(walk, task as Walk['attack'], syntax)
}

/**
 * Returns the execution that determines the protocol of a task. A single mode is made explicit, as in normal form
 * ([OATF §6](https://oatf.io/specification/indicators/)).
 */
export function taskExecution({ execution, actors }: Pick<Walk, 'execution' | 'actors'>): Walk['execution'] {
  const [only, ...others] = actors
  const single = only?.name === 'default' && others.length === 0 && only.mode !== undefined
  return single ? { ...execution, mode: only.mode ?? '' } : execution
}

function indicatorFaults(walk: Walk, task: Walk['attack'], syntax: Syntax): TaskFault[] {
  const indicators = own(task, 'indicators')
  if (!isList(indicators) || indicators.length === 0) {
    const message = 'expected at least one indicator of task completion'
    return [{ path: ['attack', TASK, 'indicators'], message, options: {} }]
  }
  const none = { phases: [], triggers: [], extractors: [], actions: [], states: [] }
  const alone = { ...none, responseLists: [], templates: [], predicates: [] }
  const execution = taskExecution(walk)
  const view: Walk = { ...walk, ...alone, attack: task, execution, indicators: indicatorSites(task, execution) }
  const faults: TaskFault[] = []
  for (const { code, level, check } of ruleTable) {
    if (level !== 'error') continue
    const report: Report = ([root, field = '', ...rest], message, { spelled: _, ...options } = {}) => {
      if (root !== 'attack' || (field !== 'indicators' && field !== 'correlation')) return
      faults.push({ path: [root, TASK, field, ...rest], message: `${message} (${code})`, options })
    }
    check(view, report, syntax)
  }
  return faults
}
