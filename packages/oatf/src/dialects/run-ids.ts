import { own, ownText } from '@joust/source'
import type { Edit } from './edits.ts'
import { emptyId, inputsOf } from './inputs.ts'
import { lacksId } from './places.ts'
import type { Occurrence, Translation } from './translation.ts'

export const runIds: Translation = {
  summary: 'A run of an AG-UI agent has a `threadId` and a `runId`.',
  find(places) {
    const document = ownText(places.attack, 'id')
    return inputsOf(places).flatMap(({ path, value, name }) => {
      const base = document === undefined ? name : `${document}-${name}`
      const missing = ids.filter(({ key }) => lacksId(own(value, key)))
      const absent = missing.filter(({ key }) => own(value, key) === undefined)
      const empty = missing.filter(({ key }) => own(value, key) !== undefined)
      return [absent, empty].flatMap((group): Occurrence[] => {
        const [first] = group
        if (first === undefined) return []
        const named = group.map(({ key }) => `"${key}"`).join(' and ')
        const message = `a run is started with a generated ${named}`
        const edits = group.map(({ key, suffix }): Edit => {
          return { op: 'set', path: [...path, key], value: `${base}-${suffix}`, before: 'messages', from: path }
        })
        return [{ at: path, message, edits, ...emptyId(own(value, first.key), `an empty ${named}`) }]
      })
    })
  },
  bad: `
oatf: "0.1"
attack:
  id: ACME-007
  execution:
    mode: ag_ui_client
    state:
      run_agent_input:
        messages: [{ id: m-1, role: user, content: Hello. }]
`,
}

const ids = [
  { key: 'threadId', suffix: 'thread' },
  { key: 'runId', suffix: 'run' },
] as const
