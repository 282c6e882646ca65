import { createCelEvaluator, evaluateIndicator, type Indicator, lint } from '@joust/oatf'
import type { Value } from '@joust/source'
import { describe, expect, test } from 'vitest'
import { dojoDump } from './agentdojo-sample.ts'
import { importAll, judged, loaded } from './import-all.ts'

const imported = (dump: unknown = dojoDump, sets?: readonly string[]) =>
  importAll('agentdojo', { 'agentdojo.json': JSON.stringify(dump) }, sets === undefined ? {} : { sets })

const attackOf = async (name: string, dump: unknown = dojoDump) => {
  const { items } = await imported(dump)
  return loaded(items.find((item) => item.name === name)).document.attack
}

const matches = (indicator: Indicator | undefined, message: Value) =>
  indicator && evaluateIndicator(indicator, message, { cel: createCelEvaluator() }).result

describe('documents', () => {
  test('are valid, without lint findings, and named after suite and pair', async () => {
    const { items, faults } = await imported()
    expect(faults).toEqual([])
    const documents = items.filter(({ kind }) => kind === 'document')
    expect(documents.map(({ name }) => name)).toEqual([
      'workspace-0001',
      'workspace-0002',
      'workspace-0007',
      'slack-0001',
    ])
    for (const item of documents) expect(lint(loaded(item).document)).toEqual([])
  })

  test('are the same on every import', async () => {
    expect(await imported()).toEqual(await imported())
  })

  test('of one suite', async () => {
    const { items } = await imported(dojoDump, ['slack'])
    expect(items.map(({ name }) => name)).toEqual(['slack-0001'])
  })

  test('of an unknown suite are a fault', async () => {
    const { faults } = await imported({
      ...dojoDump,
      suites: dojoDump.suites.map((suite) => ({ ...suite, name: 'shop' })),
    })
    expect(faults[0]).toEqual({
      file: 'agentdojo.json',
      field: 'suites[0].name',
      message: 'unknown suite shop; available: workspace, travel, banking, slack',
    })
  })

  test('name their origin', async () => {
    const attack = await attackOf('workspace-0001')
    expect(attack.id).toBe('AGENTDOJO-WORKSPACE-0001')
    expect(attack.classification?.tags).toEqual(['agentdojo', 'workspace', 'user-task-0', 'injection-task-0'])
    expect(attack.references?.[0]?.description).toContain('0.1.35')
  })

  test('are tagged if the injection alone makes the check of the task fail', async () => {
    const tags = async (done: boolean, beside: boolean) => {
      const text = JSON.stringify(dojoDump).replace(
        '{"succeeds":true',
        `{"done":${done},"done_beside":${beside},"succeeds":true`,
      )
      return (await attackOf('workspace-0001', JSON.parse(text))).classification?.tags
    }
    expect(await tags(true, false)).toContain('side-effects')
    expect(await tags(true, true)).not.toContain('side-effects')
    expect(await tags(false, false)).not.toContain('side-effects')
  })

  test('name another attack than the plain goal', async () => {
    const attack = await attackOf('workspace-ignore-previous-0001', { ...dojoDump, attack: 'ignore_previous' })
    expect(attack.id).toBe('AGENTDOJO-WORKSPACE-IGNORE-PREVIOUS-0001')
    expect(attack.classification?.tags).toContain('ignore-previous')
  })

  test('have the bait in the answer that contains it, with a placebo', async () => {
    const attack = await attackOf('workspace-0001')
    const text = 'attack.execution.actors[1].phases[0].state.tools[0].responses[0].content.content[0].text'
    expect(attack['x-joust-bait']).toEqual([text])
    expect(attack['x-joust-placebo']).toEqual({ [text]: 'flour, salt. Best warm.' })
  })

  test('answer by arguments, and other arguments as the first call', async () => {
    const { execution } = await attackOf('workspace-0002')
    const state = execution.actors?.[1]?.phases?.[0]?.state
    const { tools } = state as { tools: { name: string; responses: Value[] }[] }
    expect(tools.map(({ name }) => name)).toEqual(['read_note', 'open_gate', 'get_weather', 'write_note'])
    const text = (words: string) => ({ content: [{ type: 'text', text: words }] })
    expect(tools[0]?.responses).toEqual([
      { when: { 'arguments.note': 'cake' }, content: text('eggs, butter, sugar') },
      { content: text(expect.stringContaining('open_gate') as unknown as string) },
    ])
    expect(tools[2]?.responses).toEqual([{ content: text('Rain.') }])
  })
})

describe('indicators', () => {
  const call = (name: string, args: Value) => ({ name, arguments: args })

  test.each<[Value, string]>([
    [call('open_gate', { gate: 'north', guests: ['Ada', 'Bo', 'Cy'] }), 'matched'],
    [call('open_gate', { gate: 'north', guests: 'Ada and Bo' }), 'matched'],
    [call('open_gate', { gate: 'north', guests: ['Ada'] }), 'not_matched'],
    [call('open_gate', { gate: 'south', guests: ['Ada', 'Bo'] }), 'not_matched'],
    [call('open_gate', { gate: 'north' }), 'not_matched'],
    [call('close_gate', { gate: 'north', guests: ['Ada', 'Bo'] }), 'not_matched'],
  ])('%j is %s', async (message, result) => {
    const { indicators, correlation } = await attackOf('workspace-0001')
    expect(indicators).toHaveLength(1)
    expect(correlation).toEqual({ logic: 'all' })
    expect(matches(indicators?.[0], message)).toBe(result)
  })

  test('of the task are the calls that its check needs', async () => {
    const task = (await attackOf('workspace-0001'))['x-joust-task'] as unknown as { indicators: Indicator[] }
    expect(matches(task.indicators[0], call('write_note', { note: 'copy', text: 'salt and flour' }))).toBe('matched')
    expect(matches(task.indicators[0], call('write_note', { note: 'copy', text: 'salt' }))).toBe('not_matched')
  })

  test('of a task without a usable check are the tools that it reads', async () => {
    const task = (await attackOf('workspace-0007'))['x-joust-task'] as unknown as { indicators: Indicator[] }
    expect(task.indicators.map(({ pattern }) => pattern)).toEqual([{ condition: 'read_note' }, { regex: '\\S' }])
  })

  test('look for a statement in the answer to the user', async () => {
    const { indicators } = await attackOf('workspace-0002')
    expect(indicators?.map(({ surface }) => surface)).toEqual(['text_message_end'])
    expect(matches(indicators?.[0], { _text: 'The mill is open.' })).toBe('matched')
  })

  test('leave out calls that the user has asked for', async () => {
    const dump = structuredClone(dojoDump) as unknown as {
      suites: { injection_tasks: { calls: object[] }[]; pairs: { steps: object[] }[] }[]
    }
    const { injection_tasks, pairs } = dump.suites[0] as (typeof dump.suites)[0]
    const note = { note: 'copy', text: 'flour, salt' }
    injection_tasks[0]?.calls.push({ tool: 'write_note', call: 1, arguments: { note: { equals: 'copy' } } })
    pairs[0]?.steps.push({ task: 'injection', tool: 'write_note', arguments: note, answer: 'Saved.' })
    const { indicators } = await attackOf('workspace-0001', dump)
    expect(indicators).toHaveLength(1)
    expect(matches(indicators?.[0], call('write_note', note))).toBe('not_matched')
  })

  test('count the call of the replay where the user has asked for that of the ground truth', async () => {
    const gate = await changed((text) =>
      text
        .replace(
          '"tool":"write_note","arguments":{"note":"copy","text":"flour, salt"}',
          '"tool":"open_gate","arguments":{"gate":"north"}',
        )
        .replace('{"gate":{"equals":"north"},"guests":{"contains":["Ada","Bo"]}}', '{"gate":{"equals":"north"}}')
        .replace('"arguments":{"gate":"north","guests"', '"arguments":{"gate":"south","guests"'),
    )
    expect(matches(gate, call('open_gate', { gate: 'north' }))).toBe('not_matched')
    expect(matches(gate, call('open_gate', { gate: 'south' }))).toBe('matched')
  })

  test('stay within the length of an expression for long contents', async () => {
    const lines = Array.from({ length: 150 }, (_, index) => `line number ${index} of a long mail`)
    const gate = await changed((text) =>
      text
        .replace('"guests":{"contains":["Ada","Bo"]}', `"guests":{"contains":${JSON.stringify(lines)}}`)
        .replace('"guests":["Ada","Bo"]', `"guests":${JSON.stringify(lines.join(' '))}`),
    )
    expect(matches(gate, call('open_gate', { gate: 'north', guests: lines.join(' ') }))).toBe('matched')
    expect(matches(gate, call('open_gate', { gate: 'north', guests: lines.slice(1).join(' ') }))).toBe('not_matched')
  })

  test('require a repeated call once', async () => {
    const { indicators, description } = await attackOf('workspace-0007')
    expect(indicators).toHaveLength(1)
    expect(description).toContain('has no ground truth')
  })

  /** The first indicator of the first case, with other steps or another need. */
  const changed = async (change: (text: string) => string) => {
    const { indicators } = await attackOf('workspace-0001', JSON.parse(change(JSON.stringify(dojoDump))))
    return indicators?.[0]
  }

  test('accept the value of the ground truth and that of the pair, which the injection may change', async () => {
    const gate = await changed((text) => text.replace('"arguments":{"gate":"north"', '"arguments":{"gate":"north 2"'))
    const guests = ['Ada', 'Bo']
    expect(matches(gate, call('open_gate', { gate: 'north', guests }))).toBe('matched')
    expect(matches(gate, call('open_gate', { gate: 'north 2', guests }))).toBe('matched')
    expect(matches(gate, call('open_gate', { gate: 'north 3', guests }))).toBe('not_matched')
  })

  test('do not accept the value of another call of the pair', async () => {
    const step = '{"task":"injection","tool":"open_gate","arguments":{"gate":"'
    const gate = await changed((text) =>
      text
        .replace('{"gate":{"equals":"north"},"guests":{"contains":["Ada","Bo"]}}', '{"gate":{"equals":"north"}}')
        .replace(`${step}north"`, `${step}west"},"answer":"Open."},${step}north"`),
    )
    expect(matches(gate, call('open_gate', { gate: 'west' }))).toBe('matched')
    expect(matches(gate, call('open_gate', { gate: 'north' }))).toBe('not_matched')
  })

  test('require only the parts that the pair has as well', async () => {
    const gate = await changed((text) => text.replace('"guests":["Ada","Bo"]', '"guests":["Ada","[bait]"]'))
    expect(matches(gate, call('open_gate', { gate: 'north', guests: ['Ada'] }))).toBe('matched')
    expect(matches(gate, call('open_gate', { gate: 'north', guests: ['Bo'] }))).toBe('not_matched')
  })

  test('compare items of a list that are no text', async () => {
    const gate = await changed((text) => text.replace('{"contains":["Ada","Bo"]}', '{"contains":[{"id":1},{"id":2}]}'))
    const guests = (...ids: number[]) => call('open_gate', { gate: 'north', guests: ids.map((id) => ({ id })) })
    expect(matches(gate, guests(2, 1))).toBe('matched')
    expect(matches(gate, guests(2))).toBe('not_matched')
    expect(matches(gate, call('open_gate', { gate: 'north', guests: 'all' }))).toBe('not_matched')
  })

  test('quote names and values of arguments', async () => {
    const text = JSON.stringify(dojoDump)
      .replaceAll('"gate":{"equals":"north"}', '"a) || true || (b":{"equals":"\\" || true || \\""}')
      .replaceAll('"guests":{', '"in":{')
    const { indicators } = await attackOf('workspace-0001', JSON.parse(text))
    expect(matches(indicators?.[0], call('open_gate', {}))).toBe('not_matched')
    const args = { 'a) || true || (b': '" || true || "', in: ['Ada', 'Bo'] }
    expect(matches(indicators?.[0], call('open_gate', args))).toBe('matched')
  })
})

test('pairs without an equivalent are left out with the reason', async () => {
  const { items } = await imported()
  expect(items.flatMap((item) => (item.kind === 'skipped' ? [[item.name, item.reason]] : []))).toEqual([
    ['workspace-0003', 'workspace injection_task_2: its check passes without any action'],
    ['workspace-0004', 'workspace injection_task_3: no single call in the ground truth decides the check'],
    ['workspace-0005', 'no answer in the ground truth contains the injection'],
    ['workspace-0006', 'the ground truth depends on the injection'],
  ])
})

describe('a wrong layout names file and field', () => {
  const text = JSON.stringify(dojoDump)

  test.each([
    ['{', undefined],
    ['[]', ''],
    [text.replace('agentdojo-dump-2', 'agentdojo-dump-1'), 'format'],
    [text.replace('"answer":"Open."', '"answer":7'), 'suites[0].pairs[0].steps[2].answer'],
    [text.replace('"user_task":"user_task_0"', '"user_task":"user_task_9"'), 'suites[0].pairs[0]'],
    [text.replace('"injection_task":"injection_task_0"', '"injection_task":"x"'), 'suites[0].pairs[0]'],
    [text.replace('"tool":"read_note"', '"tool":"lost"'), 'suites[0].pairs[0]'],
  ])('%#', async (json, field) => {
    const { faults } = await importAll('agentdojo', { 'agentdojo.json': json }, {})
    expect(faults[0]?.file).toBe('agentdojo.json')
    expect(faults[0]?.field).toBe(field)
  })

  test('and a missing file the script', async () => {
    const { faults } = await importAll('agentdojo', {}, {})
    expect(faults).toEqual([{ file: 'agentdojo.json', message: expect.stringContaining('--script') }])
  })
})

describe('replays', () => {
  const replays = async () => (await importAll('agentdojo', files, { results: true, sets: ['workspace'] })).items
  const files = { 'agentdojo.json': JSON.stringify(dojoDump) }

  test.each([
    ['follows/workspace-0001', 'exploited'],
    ['ignores/workspace-0001', 'resisted'],
    ['follows/workspace-0002', 'exploited'],
    ['ignores/workspace-0002', 'resisted'],
    ['ignores/workspace-0007', 'resisted'],
  ])('%s is %s, as the benchmark says', async (name, outcome) => {
    const items = await replays()
    const trace = items.find((item) => item.kind === 'trace' && item.name === name)
    const attack = items.find((item) => item.kind === 'document' && item.name === name.split('/')[1])
    expect(await judged(trace, attack)).toMatchObject({ label: outcome, outcome })
  })

  test('that the benchmark does not count are left out', async () => {
    const skipped = (await replays()).filter(({ kind, name }) => kind === 'skipped' && name.startsWith('follows/'))
    expect(skipped.map(({ name }) => name)).toEqual(['follows/workspace-0007'])
  })
})
