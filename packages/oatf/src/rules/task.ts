/** `x-joust-task`: what shows that the agent did the user's work, written as the indicators of an attack are. */
import { checkShape, isList, own, type Path } from '@joust/source'
import { taskShape } from '../model/shapes.ts'
import type { ReportOptions } from './rule.ts'
import { ruleTable } from './table.ts'
import { indicatorSites, type Walk } from './walk.ts'

/** The extension on the attack. */
export const TASK = 'x-joust-task'

/** What is wrong with a task, and where. */
interface TaskFault {
  readonly path: Path
  readonly message: string
  readonly options: ReportOptions
}

/** Every fault of a document's task: its shape, else what the rules say about its indicators. None without a task. */
export function taskFaults(walk: Walk): TaskFault[] {
  const task = own(walk.attack, TASK)
  if (task === undefined) return []
  const misshapen = checkShape(task, taskShape)
  if (misshapen.length > 0) {
    return misshapen.map(({ path, message, at, meant }) => ({
      path: ['attack', TASK, ...path],
      message,
      options: { ...(at === 'key' ? { at } : {}), meant },
    }))
  }
  // The shape has just been checked.
  return indicatorFaults(walk, task as Walk['attack'])
}

/** The execution that a task takes its protocol from: a single mode is written out here as in normal form (§6). */
export function taskExecution({ execution, actors }: Pick<Walk, 'execution' | 'actors'>): Walk['execution'] {
  const [only, ...others] = actors
  const single = only?.name === 'default' && others.length === 0 && only.mode !== undefined
  return single ? { ...execution, mode: only.mode ?? '' } : execution
}

function indicatorFaults(walk: Walk, task: Walk['attack']): TaskFault[] {
  const indicators = own(task, 'indicators')
  if (!isList(indicators) || indicators.length === 0) {
    const message = 'expected at least one indicator: what shows that the task was done'
    return [{ path: ['attack', TASK, 'indicators'], message, options: {} }]
  }
  const none = { phases: [], triggers: [], extractors: [], actions: [], states: [] }
  const alone = { ...none, responseLists: [], templates: [], predicates: [] }
  const execution = taskExecution(walk)
  const view: Walk = { ...walk, ...alone, attack: task, execution, indicators: indicatorSites(task, execution) }
  const faults: TaskFault[] = []
  for (const { code, level, check } of ruleTable) {
    if (level !== 'error') continue
    check(view, ([root, field = '', ...rest], message, { spelled: _, ...options } = {}) => {
      if (root !== 'attack' || (field !== 'indicators' && field !== 'correlation')) return
      faults.push({
        path: [root, TASK, field, ...rest],
        message: `${message} (${code})`,
        options,
      })
    })
  }
  return faults
}
