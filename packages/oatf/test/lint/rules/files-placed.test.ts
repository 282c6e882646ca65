import { testLint, withState } from '../harness.ts'

const laid = (files: string) => withState('ag_ui_client', 'run_agent_input: {}', `x-joust-files: ${files}`)

testLint('L-043', {
  valid: [laid('[]'), laid('[{ path: .claude/skills/a/SKILL.md, text: "" }]')],
  invalid: [
    [laid('{ path: a, text: b }'), 'attack.x-joust-files'],
    [
      laid('[{ path: /etc/a, text: b }, { path: a, text: 5 }, { path: a/../../b, text: b }, c]'),
      ...[0, 1, 2, 3].map((index) => `attack.x-joust-files[${index}]`),
    ],
    [
      laid(
        '[{ path: a, text: b }, { path: a, text: c }, { path: a/b, text: d }, { path: e/f, text: g }, { path: e, text: h }]',
      ),
      ...[1, 2, 4].map((index) => `attack.x-joust-files[${index}]`),
    ],
    [laid('[{ path: a, text: b, mode: 5 }]'), 'attack.x-joust-files[0].mode'],
  ],
  messages: [
    'expected a list of files, got a mapping',
    'expected files with a relative `path`',
    '"a" is already the path or folder of another file; not written',
    'unknown key "mode"; expected `path` and `text`',
  ],
})
