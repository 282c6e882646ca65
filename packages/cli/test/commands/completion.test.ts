import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { commands } from '../../src/program.ts'
import { folder, joust } from '../world.ts'

/** What a shell is asked: the words so far, the last one unfinished; some of what it must offer, and must not. */
const asked: [words: string[], offered: string[], not: string[]][] = [
  [['va'], ['validate'], ['run']],
  [['agent', ''], ['check', 'graph', 'run', 'serve'], ['validate']],
  [['run', '--fail'], ['--fail-on'], ['--report', '--listen']],
  [['run', '--report', ''], ['html', 'junit', 'sarif'], ['--report']],
  [['validate', '--format', 'js'], ['json'], ['sarif']],
  [['completion', ''], ['bash', 'fish', 'zsh'], ['validate']],
  [['run', '--model', ''], ['sim/credulous', 'openai/'], ['--model']],
  [['run', '--exec', 'co'], ['codex'], ['claude']],
  [
    ['run', '--on', ''],
    ['clerk', 'night-shift'],
    ['model', 'attacks'],
  ],
  [['run', '@o'], ['@owasp-agentic', '@owasp-mcp'], ['@quick']],
  [['library', 'list', '@q'], ['@quick'], ['@atlas']],
  [['run', '--framework', 'owasp'], ['owasp-agentic', 'owasp-mcp'], ['atlas']],
  [['library', 'show', 'time'], ['time-bomb'], ['tool-ping-pong']],
  [['presets', 'show', ''], ['claude', 'codex'], ['list']],
  [['explain', 'L-03'], ['L-035'], ['V-001', 'placebo']],
  [['explain', 'pla'], ['placebo'], ['L-035']],
  [['he'], ['help'], ['run']],
  [['help', 'va'], ['validate'], ['run']],
]

const PROJECT = `attacks: [library]
targets:
  clerk:
    model: sim/credulous
  # A comment.
  night-shift: { model: sim/cautious }
`

/** Programs that print what is offered, one per line, for the script `$1` and the words after it. */
const shells: Record<string, string> = {
  bash: `source "$1"; shift; COMP_WORDS=(joust "$@"); COMP_CWORD=$#; _joust; printf "%s\\n" "\${COMPREPLY[@]}"`,
  fish: 'source $argv[1]; complete -C "joust $argv[2..-1]" | string split -f1 \\t',
  // Without a terminal zsh has no completion system, so printers stand in for its functions.
  zsh: `compdef() { : }; _files() { : }
    _describe() { local -a rows=(\${(P)2}); print -l -- \${(M)\${rows%%:*}:#$PREFIX*} }
    compadd() { print -l -- \${(M)@:#$PREFIX*} }
    compset() { [[ $PREFIX = \${~2}* ]] && PREFIX=\${PREFIX#\${~2}} }
    source $1; shift; words=(joust "$@"); CURRENT=$#words; PREFIX=$words[-1]; _joust`,
}

/** The words of `joust run --category=cap` as each shell splits them, and what the last one is completed to. */
const joined: Record<string, [words: string[], offered: string]> = {
  bash: [['run', '--category', '=', 'cap'], 'capability_poisoning'],
  fish: [['run', '--category=cap'], '--category=capability_poisoning'],
  zsh: [['run', '--category=cap'], 'capability_poisoning'],
}

describe.each(Object.entries(shells))('%s', (shell, program) => {
  const isThere = spawnSync(shell, ['-c', 'true']).status === 0
  if (!isThere) console.warn(`SKIPPED: ${shell} is not installed, its completion is not tried`)

  test.runIf(isThere).each(asked)('%j', async (words, offered, not) => {
    const found = await offeredFor(words)
    expect(found).toEqual(expect.arrayContaining(offered))
    expect(found.filter((word) => not.includes(word))).toEqual([])
  })

  test.runIf(isThere)('a value behind an equals sign', async () => {
    const [words, offered] = joined[shell] ?? [[], '']
    expect(await offeredFor(words)).toContain(offered)
  })

  async function offeredFor(words: readonly string[]): Promise<string[]> {
    const { code, stdout } = await joust(['completion', shell])
    expect(code).toBe(0)
    const home = folder({ 'joust.yaml': PROJECT })
    writeFileSync(join(home, 'script'), stdout)
    const rest = shell === 'fish' ? [] : [shell]
    const done = spawnSync(shell, ['-c', program, ...rest, join(home, 'script'), ...words], {
      cwd: home,
      env: { ...process.env, HOME: home },
      encoding: 'utf8',
    })
    expect(done.stderr).toBe('')
    return done.stdout.split('\n')
  }
})

test('bash completes files by default, without features that bash 3 of macOS lacks', async () => {
  const { stdout } = await joust(['completion', 'bash'])
  expect(stdout).toContain('complete -o default -F _joust joust\n')
  expect(stdout).not.toContain('compopt')
})

test('every command is in every script; another shell is wrong usage', async () => {
  for (const shell of Object.keys(shells)) {
    const { stdout } = await joust(['completion', shell])
    for (const { name } of commands) expect(stdout).toContain(`/${name}'`)
  }
  expect(await joust(['completion', 'tcsh'])).toMatchObject({
    code: 64,
    stderr: expect.stringContaining('bash, fish, zsh'),
  })
})
