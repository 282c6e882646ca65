import { expect, test } from 'vitest'
import { openDatabaseMemory } from '../src/index.ts'
import { withPostgres } from './server.ts'

withPostgres('the memory of agents', (server) => {
  test('keeps the latest turns of each scope, for every process', async () => {
    const turn = (number: number) => ({ agent: 'clerk', input: { z: number, a: [number] }, output: `about ${number}` })
    const first = await openDatabaseMemory(server().database('memory'), 3)
    const second = await openDatabaseMemory(server().database('memory'), 3)
    await first.remember('bo', turn(0))
    for (const number of [1, 2, 3, 4, 5]) await (number % 2 === 0 ? first : second).remember('ada', turn(number))
    expect(await second.recall('ada')).toEqual([turn(3), turn(4), turn(5)])
    expect(JSON.stringify(await first.recall('bo'))).toBe(JSON.stringify([turn(0)]))
    await Promise.all([first.close(), second.close()])
  })

  test('writers at a time lose nothing', async () => {
    const memories = await Promise.all([1, 2, 3].map(() => openDatabaseMemory(server().database('memory'))))
    const writes = memories.flatMap((memory, writer) =>
      Array.from({ length: 10 }, (_, at) =>
        memory.remember('all', { agent: 'clerk', input: `${writer}.${at}`, output: 1 }),
      ),
    )
    await Promise.all(writes)
    expect(await memories[0]?.recall('all')).toHaveLength(30)
    await Promise.all(memories.map((memory) => memory.close()))
  })
})
