/** A strict program: an attack against a function, its results, and tools with schemas of three libraries. */
import { runAttack, runEvents } from '@joust/arena'
import { libraryAttack } from '@joust/library'
import { suiteCode } from '@joust/results'
import { tool } from '@joust/runtime'
import { functionTarget } from '@joust/targets'
import { finishSuite, runSuite } from '@joust/trials'
import { type } from 'arktype'
import * as v from 'valibot'
import { z } from 'zod'

const attack = libraryAttack('time-bomb')
const target = functionTarget({ name: 'clerk', call: async ({ prompt }) => prompt })
export const run = () => runAttack(attack, { target })
export const events = () => runEvents(attack, { target })
export const suite = async () =>
  suiteCode(await finishSuite(runSuite([{ file: 'a', attack }], { run: () => ({ target }) })))

const tools = {
  zod: tool({ schema: z.object({ word: z.string() }), call: ({ word }) => word.toUpperCase() }),
  valibot: tool({ schema: v.object({ word: v.string() }), call: ({ word }) => word.toUpperCase() }),
  arktype: tool({ schema: type({ word: 'string' }), call: ({ word }) => word.toUpperCase() }),
}
// @ts-expect-error: the schema has a string
tool({ schema: z.object({ word: z.string() }), call: ({ word }) => word.toFixed() })
// @ts-expect-error: the schema has a string
tool({ schema: v.object({ word: v.string() }), call: ({ word }) => word.toFixed() })
// @ts-expect-error: the schema has a string
tool({ schema: type({ word: 'string' }), call: ({ word }) => word.toFixed() })

const context = { signal: new AbortController().signal }
for (const [name, { call, inputSchema }] of Object.entries(tools)) {
  const refusal = await Promise.resolve(call({ word: 5 }, context)).catch((thrown: Error) => thrown.message)
  console.log(name, await call({ word: 'joust' }, context), refusal, JSON.stringify(inputSchema?.properties ?? null))
}
