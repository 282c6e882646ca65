/** The live examples of the site: a report of a real run, and the studio over a snapshot of its folder. */
import { spawn, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export async function writeLive(root, out) {
  const joust = join(root, 'packages', 'cli', 'bin', 'joust.js')
  const folder = mkdtempSync(join(tmpdir(), 'joust-site-'))
  try {
    runJoust(joust, folder, ['init'])
    runJoust(joust, folder, ['run', '--arms', 'placebo', '--trials', '3', '--quiet'])
    runJoust(joust, folder, ['run', 'library', '--severity', 'critical', '--arms', 'placebo', '--quiet'])
    const newest = readdirSync(join(folder, 'joust-results')).sort().at(-1)
    mkdirSync(join(out, 'studio'), { recursive: true })
    cpSync(join(folder, 'joust-results', newest, 'report.html'), join(out, 'report.html'))
    cpSync(join(root, 'packages', 'studio', 'dist', 'web'), join(out, 'studio'), { recursive: true })
    writeFileSync(join(out, 'studio', 'snapshot.js'), snapshotScript(await snapshotOf(joust, folder)))
    const page = readFileSync(join(out, 'studio', 'index.html'), 'utf8')
    const own = '<script src="./snapshot.js"></script>\n<script type="module" src="./studio.js"'
    writeFileSync(join(out, 'studio', 'index.html'), page.replace('<script type="module" src="/studio.js"', own))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function runJoust(joust, folder, words) {
  const { status, stderr } = spawnSync(process.execPath, [joust, ...words], { cwd: folder, encoding: 'utf8' })
  // The simulated agents are exploited: 1 to 5 are outcomes.
  if (status === null || status > 5) throw new Error(`joust ${words.join(' ')} exited with ${status}: ${stderr}`)
}

/** The response of a running studio to each request that its page sends without a change. */
async function snapshotOf(joust, folder) {
  const studio = spawn(process.execPath, [joust, 'studio', folder, '--no-open', '--port', '0'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    const address = await firstLine(studio.stdout)
    const login = await fetch(address, { redirect: 'manual' })
    const cookie = login.headers.get('set-cookie')?.split(';')[0] ?? ''
    const answers = {}
    const keep = async (path) => {
      const response = await fetch(new URL(path, address), { headers: { cookie } })
      if (!response.ok) throw new Error(`${path}: ${response.status}`)
      answers[path] = await response.json()
      return answers[path]
    }
    await keep('/api/state')
    await keep('/api/project')
    for (const path of await keep('/api/files')) await keep(`/api/file?${new URLSearchParams({ path })}`)
    await keep('/api/campaigns')
    await keep('/api/aim')
    for (const { name } of await keep('/api/results')) {
      const results = await keep(`/api/results?${new URLSearchParams({ name })}`)
      for (const { name: target, attacks } of results.targets)
        for (const { file } of attacks) await keep(`/api/attack?${new URLSearchParams({ name, target, file })}`)
      for (const trace of tracesIn(results)) await keep(`/api/trace?${new URLSearchParams({ name, trace })}`)
    }
    return answers
  } finally {
    studio.kill('SIGTERM')
  }
}

function tracesIn(value) {
  if (typeof value !== 'object' || value === null) return []
  const own = typeof value.trace === 'string' ? [value.trace] : []
  return [...own, ...Object.values(value).flatMap(tracesIn)]
}

function firstLine(stream) {
  return new Promise((resolve, reject) => {
    let text = ''
    stream.on('data', (part) => {
      text += part
      if (text.includes('\n')) resolve(text.slice(0, text.indexOf('\n')))
    })
    stream.on('end', () => reject(new Error('joust studio ended without an address')))
  })
}

/** Answers the requests of the page from the snapshot; changes are refused. */
function snapshotScript(answers) {
  const data = JSON.stringify(answers).replaceAll('<', '\\u003c')
  return `const answers = ${data}
const refused = { error: 'this is a copy without a server: changes need joust studio on your machine' }
window.fetch = async (path, options = {}) => {
  const found = (options.method ?? 'GET') === 'GET' ? answers[path.replace(/([?&])known=[^&]*&?/, '$1').replace(/[?&]$/, '')] : undefined
  return new Response(JSON.stringify(found ?? refused), { status: found === undefined ? 403 : 200 })
}
window.EventSource = class extends EventTarget { close() {} }
window.Worker = class extends Worker { constructor(path, options) { super('.' + path, options) } }
`
}
