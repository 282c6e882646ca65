import { expect, test } from 'vitest'
import { withoutFolders } from '../../src/html/paths.ts'

test('where things lie on the machine is cut away, whatever field tells it', () => {
  const given = {
    name: 'node /home/me/work/agent.js --port 1',
    file: '/home/my name/attacks/leak.oatf.yaml',
    details: { file: 'C:\\Users\\me\\clerk.agf.yaml', url: 'http://127.0.0.1:1/a/b/c' },
    wiring: ['server at /mcp/1', "spawn '/opt/x/y/tool' failed"],
  }
  expect(withoutFolders(given)).toEqual({
    name: 'node agent.js --port 1',
    file: 'leak.oatf.yaml',
    details: { file: 'clerk.agf.yaml', url: 'http://127.0.0.1:1/a/b/c' },
    wiring: ['server at /mcp/1', "spawn 'tool' failed"],
  })
})

test('what was said stays evidence', () => {
  const said = { answer: 'I read /home/me/.ssh/id_rsa', match: { value: '/etc/ssl/private/key' } }
  expect(withoutFolders(said)).toEqual(said)
  const attack = { name: 'Reads /etc/ssl/private/key', text: '/a/b/c/d', description: 'opens /a/b/c' }
  expect(withoutFolders({ attack })).toEqual({ attack })
  expect(withoutFolders({ attack: { name: '/home/me/broken.yaml' } })).toEqual({ attack: { name: 'broken.yaml' } })
})
