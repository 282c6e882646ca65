import { attackOf, defaultActor, mappingAt } from './draft.ts'
import type { Step } from './step.ts'

/**
 * Moves `execution.state` into one actor with one phase ([OATF §11.2.6](https://oatf.io/specification/conformance/)).
 */
export const singlePhaseToActors: Step = {
  summary: 'Turn the single-phase form into one actor.',
  apply(draft) {
    const execution = mappingAt(attackOf(draft), 'execution')
    if (execution === undefined || !Object.hasOwn(execution, 'state')) return
    if (Object.hasOwn(execution, 'phases') || Object.hasOwn(execution, 'actors')) return
    const { mode, state } = execution
    delete execution.mode
    delete execution.state
    execution.actors = [defaultActor(mode, [{ name: 'phase-1', state }])]
  },
  before: `
oatf: "0.1"
attack:
  execution:
    mode: mcp_server
    state: { tools: [] }
`,
}
