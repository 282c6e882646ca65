/** The start of the agent among the recorded processes. */
import { expect, test } from 'vitest'
import { type Launch, withoutLaunches } from '../../src/command/launches.ts'

const launch: Launch = { words: ['npx', '-y', 'codex', 'exec', '-C', '/work', '-'], prompt: 'Run the tests.' }

function left(launches: readonly Launch[], ...processes: readonly string[]): string[] {
  const records = processes.map((text) => {
    const [pid = '', parent = '', command = '', ...args] = text.split(' ')
    return { pid, parent, command, args: args.map((word) => word.replaceAll('_', ' ')), cwd: '/work' }
  })
  return withoutLaunches(records, launches).map(({ command, args }) => [command, ...args].join(' '))
}

test('a chain of wrappers is left out, and commands of the agent stay', () => {
  const chain = ['2 1 sh -c codex_exec_-C_"/work"_-', '2 1 node /bin/codex exec -C /work -']
  expect(left([launch], '9 1 dirname /bin/npx', ...chain, '3 2 npm test', '4 3 node --test')).toEqual([
    'dirname /bin/npx',
    'npm test',
    'node --test',
  ])
})

test('a prompt that a script passes on is that of the launch', () => {
  expect(left([launch], '2 1 node agent.mjs Run_the_tests.', '3 2 npm test')).toEqual(['npm test'])
})

test('each launch leaves out one chain', () => {
  const chains = ['2 1 node agent.mjs Run_the_tests.', '3 1 node agent.mjs Run_the_tests.']
  expect(left([launch, launch], ...chains)).toEqual([])
  expect(left([launch], ...chains)).toEqual(['node agent.mjs Run the tests.'])
})

test('the command that the agent was asked for stays, also behind a shell and with a short end', () => {
  const asked: Launch = { words: ['agent', 'npm test'], prompt: 'npm test' }
  expect(left([asked], '2 1 npm test')).toEqual(['npm test'])
  expect(left([asked], '2 1 git status', '3 2 sh -c npm_test')).toEqual(['git status', 'sh -c npm test'])
  expect(left([launch], '2 1 cat -')).toEqual(['cat -'])
})
