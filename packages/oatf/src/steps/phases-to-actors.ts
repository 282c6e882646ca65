import { attackOf, defaultActor, mappingAt, mappingsAt } from './draft.ts'
import type { Step } from './step.ts'

/**
 * Moves `execution.phases` into a single actor ([OATF §11.2.7](https://oatf.io/specification/conformance/)). If
 * `execution.mode` is not set, the actor has the mode of the first phase.
 */
export const phasesToActors: Step = {
  summary: 'Turn the multi-phase form into one actor.',
  apply(draft) {
    const execution = mappingAt(attackOf(draft), 'execution')
    if (execution === undefined || !Object.hasOwn(execution, 'phases') || Object.hasOwn(execution, 'actors')) return
    if (Object.hasOwn(execution, 'state')) return
    const [first] = mappingsAt(execution, 'phases')
    const mode = execution.mode ?? first?.[1].mode
    const { phases } = execution
    delete execution.mode
    delete execution.phases
    execution.actors = [defaultActor(mode, phases)]
  },
  before: `
oatf: "0.1"
attack:
  execution:
    mode: mcp_server
    phases:
      - state: { tools: [] }
        trigger: { event: tools/call }
      - state: { tools: [{ name: other }] }
`,
}
