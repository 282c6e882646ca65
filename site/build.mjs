/**
 * Builds the documentation site into site/dist and checks its links. `--api` adds the reference of the packages, `--serve`
 * serves the site.
 *
 * Pages are the Markdown files of the repository, at their own paths, with the JSON Schemas at theirs. Links to other
 * files go to the repository if JOUST_REPOSITORY has its address, and become plain text otherwise.
 */
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { checkLinks } from './check-links.mjs'
import { writeLive } from './live.mjs'

const site = dirname(fileURLToPath(import.meta.url))
const root = dirname(site)
const pages = join(site, 'pages')
const vitepress = join(site, 'node_modules', 'vitepress', 'bin', 'vitepress.js')
const repository = process.env.JOUST_REPOSITORY

/** The JSON Schemas, which the site has at the same path. */
const SCHEMAS = 'docs/schemas'

/** Packages whose API is a promise; the others are parts of the command. */
const publicPackages = ['oatf', 'agentformat', 'library', 'runtime', 'arena', 'targets', 'trials', 'adaptive']
publicPackages.push('results', 'report', 'models', 'sim', 'vitest', 'source')

rmSync(pages, { recursive: true, force: true })
rmSync(join(site, 'dist'), { recursive: true, force: true })
const files = markdownFiles()
for (const file of files) write(pageOf(file), rewritten(file, readFileSync(join(root, file), 'utf8')))
cpSync(join(root, 'docs', 'images'), join(pages, 'docs', 'images'), { recursive: true })
writeApi()
run(vitepress, ['build', site])
await writeLive(root, join(site, 'dist', 'live'))
cpSync(join(root, SCHEMAS), join(site, 'dist', SCHEMAS), { recursive: true })
const { links, dead } = checkLinks(join(site, 'dist'))
for (const line of dead) console.error(line)
console.log(`${files.length} pages, ${links} internal links, ${dead.length} dead`)
process.exitCode = dead.length === 0 ? 0 : 1
if (process.argv.includes('--serve')) run(vitepress, ['preview', site])

function markdownFiles() {
  const { stdout } = spawnSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.md'], {
    cwd: root,
    encoding: 'utf8',
  })
  return stdout.split('\n').filter((file) => file !== '' && !/(^|\/)(test|peers|editors|site|\.github)\//.test(file))
}

/** README files are the index pages of their folders. */
function pageOf(file) {
  return file.replace(/(^|\/)README\.md$/, '$1index.md')
}

function write(file, text) {
  mkdirSync(dirname(join(pages, file)), { recursive: true })
  writeFileSync(join(pages, file), text)
}

/** A page whose links fit the site, with fences in languages that the highlighter knows and no templates of Vue. */
function rewritten(file, text) {
  return text
    .split(/(^ *```[\s\S]*?^ *```$)/m)
    .map((part, index) => (index % 2 === 1 ? part.replace(/^( *```)(\w+).*$/m, '$1$2') : withLinks(file, part)))
    .join('')
}

function withLinks(file, text) {
  return withoutTemplates(text)
    .replaceAll(/\[((?:[^[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)/g, (all, words, target) => link(file, all, words, target))
    .replaceAll(/(src|srcset)="docs\/images\//g, '$1="./docs/images/')
}

/** Outside of inline code, which the site renders as it stands. */
function withoutTemplates(text) {
  return text
    .split(/(`[^`]*`)/)
    .map((part, index) => (index % 2 === 1 ? part : part.replaceAll('{{', '&#123;&#123;')))
    .join('')
}

function link(file, all, words, target) {
  if (/^[a-z]+:|^#/.test(target)) return all
  const [path, anchor = ''] = target.split(/(?=#)/)
  const resolved = posix.normalize(posix.join(posix.dirname(file), path)).replace(/\/$/, '')
  const folderPage = posix.join(resolved, 'README.md')
  const page = files.includes(resolved) ? resolved : files.includes(folderPage) ? folderPage : undefined
  if (page !== undefined) return `[${words}](/${pageOf(page)}${anchor})`
  // Not a page of the site, so the link is not one of its router.
  if (resolved.startsWith(`${SCHEMAS}/`)) return `<a href="/${resolved}" target="_self">${words}</a>`
  if (repository === undefined || !existsSync(join(root, resolved))) return words
  const kind = statSync(join(root, resolved)).isDirectory() ? 'tree' : 'blob'
  return `[${words}](${repository}/${kind}/main/${resolved}${anchor})`
}

/** One page for each public package, from its declarations; a list of them without `--api`. */
function writeApi() {
  const built = process.argv.includes('--api') ? publicPackages.filter(writePackageApi) : []
  const rows = publicPackages.map((name) => {
    const api = built.includes(name) ? ` ([API](/api/${name}.md))` : ''
    return `- [@joust/${name}](/packages/${name}/index.md)${api}`
  })
  write(
    'api/index.md',
    `# API\n\nThe public packages. Exported types and options have doc comments.\n\n${rows.join('\n')}\n`,
  )
}

function writePackageApi(name) {
  const out = join(site, 'node_modules', '.api', name)
  const options = [
    ...['--plugin', 'typedoc-plugin-markdown', '--router', 'module', '--readme', 'none', '--hideBreadcrumbs'],
    ...[
      '--hidePageHeader',
      '--useHTMLAnchors',
      '--disableSources',
      '--skipErrorChecking',
      '--logLevel',
      'Error',
      '--name',
      `@joust/${name}`,
    ],
    ...['--tsconfig', join(site, 'tsconfig.api.json'), '--out', out, '--entryPoints'],
    join(root, 'packages', name, 'dist', 'index.d.ts'),
  ]
  run(join(site, 'node_modules', 'typedoc', 'bin', 'typedoc'), options)
  const text = readFileSync(join(out, 'README.md'), 'utf8').replace(/^# .*$/m, `# @joust/${name}`)
  write(`api/${name}.md`, escapedMarkup(text))
  return true
}

/** Type parameters in angle brackets outside of code are not elements. */
function escapedMarkup(text) {
  return text
    .split(/(^ *```[\s\S]*?^ *```$|`[^`\n]*`)/m)
    .map((part, index) => (index % 2 === 1 ? part : part.replaceAll(/(?<!\\)<(?=\w)(?!a id=)/g, '\\<')))
    .join('')
}

function run(program, words) {
  const { status } = spawnSync(process.execPath, [program, ...words], { cwd: site, stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}
