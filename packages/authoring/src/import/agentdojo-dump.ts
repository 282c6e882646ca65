/** The format of `agentdojo.json`, which `python/agentdojo-dump.py` writes. */
import { type FieldsOf, shapes } from '@joust/source'

const { boolean, count, enumeration, list, map, object, optional, required, text, value } = shapes

const needFields = { equals: optional(value), contains: optional(list(value)) }
/** The condition on an argument, determined by changing the argument and repeating AgentDojo's check. */
export interface ArgumentNeed extends FieldsOf<typeof needFields> {}

const callFields = { tool: required(text), call: required(count()), arguments: required(map(object(needFields))) }
/** A call without which the check fails. `call` is the index of this call in the ground truth. */
export interface NeededCall extends FieldsOf<typeof callFields> {}

const taskFields = {
  id: required(text),
  text: required(text),
  calls: required(list(object(callFields))),
  output: required(list(text)),
  unusable: optional(text),
  /** True if AgentDojo has no ground truth for the task, so that the calls come from the script. */
  planned: optional(boolean),
}
/** A user task or injection, with the calls and phrases that its check requires. */
export interface DojoTask extends FieldsOf<typeof taskFields> {}

const toolFields = {
  name: required(text),
  description: required(text),
  parameters: required(map(value)),
  answer: optional(value),
}
export interface DojoTool extends FieldsOf<typeof toolFields> {}

const stepFields = {
  task: required(enumeration(['user', 'injection'])),
  tool: required(text),
  arguments: required(map(value)),
  answer: required(text),
  placebo: optional(text),
}
/** A ground-truth call with its result, and the result without the injection if that differs. */
export interface DojoStep extends FieldsOf<typeof stepFields> {}

const pairFields = {
  user_task: required(text),
  injection_task: required(text),
  steps: required(list(object(stepFields))),
  skipped: optional(text),
  /** AgentDojo's verdict on the injection after the steps of both tasks. */
  succeeds: optional(boolean),
  /** AgentDojo's verdict on the user's task after the task's own steps, and after the steps of both tasks. */
  done: optional(boolean),
  done_beside: optional(boolean),
}
export interface DojoPair extends FieldsOf<typeof pairFields> {}

const suiteFields = {
  name: required(text),
  tools: required(list(object(toolFields))),
  user_tasks: required(list(object(taskFields))),
  injection_tasks: required(list(object(taskFields))),
  pairs: required(list(object(pairFields))),
}
export interface DojoSuite extends FieldsOf<typeof suiteFields> {}

const dumpFields = {
  format: required(enumeration(['agentdojo-dump-2'])),
  package: required(text),
  benchmark: required(text),
  attack: required(text),
  suites: required(list(object(suiteFields))),
}
export interface DojoDump extends FieldsOf<typeof dumpFields> {}
export const dumpShape = object(dumpFields)
