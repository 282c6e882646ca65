/** Settings of the documentation site. `build.mjs` collects the pages. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const pages = join(import.meta.dirname, '..', 'pages')

/** The guides in the order in which people need them; every page of docs is in one of these lists. */
const guides = {
  'Begin here': ['install', 'project-file', 'targets', 'running-attacks', 'results', 'studio'],
  'Attacks of your own': [
    'writing-attacks',
    'recording',
    'aiming',
    'through',
    'adaptive',
    'importing',
    'servers',
    'dialects',
    'editors',
  ],
  'Agents and defence': ['hardening', 'running-agents', 'writing-agents'],
  'At scale': ['campaigns', 'packages', 'recipes'],
  Evidence: ['conformance', 'coverage', 'benchmarks', 'agents', 'public-library'],
  Reference: ['commands', 'glossary', ...pagesIn('docs/generated').map((name) => `generated/${name}`)],
}

function pagesIn(folder) {
  return readdirSync(join(pages, folder))
    .filter((name) => name.endsWith('.md') && name !== 'index.md')
    .map((name) => name.slice(0, -'.md'.length))
    .sort()
}

function titleOf(file) {
  const heading = /^# (.+)$/m.exec(readFileSync(join(pages, file), 'utf8'))
  return (heading?.[1] ?? file).replaceAll('`', '').replaceAll('\\', '')
}

function entries(folder, names) {
  return names.map((name) => ({ text: titleOf(`${folder}/${name}.md`), link: `/${folder}/${name}` }))
}

const present = new Set([...pagesIn('docs'), ...pagesIn('docs/generated').map((name) => `generated/${name}`)])
const listed = Object.values(guides).flat()
const unlisted = [...present].filter((name) => !listed.includes(name))
if (unlisted.length > 0)
  throw new Error(`site/.vitepress/config.mjs lists no place for docs/${unlisted.join(', docs/')}`)

export default {
  title: 'Joust',
  description: 'Runs AI agents, attacks them over their real protocols, and reports which attacks they resist',
  srcDir: 'pages',
  outDir: 'dist',
  cacheDir: '../node_modules/.cache/joust/vitepress',
  cleanUrls: false,
  lastUpdated: false,
  markdown: {
    // Attack documents are full of {{templates}}, which are not those of Vue; build.mjs escapes them in text.
    config(md) {
      md.renderer.rules.code_inline = (tokens, index, _options, _env, self) =>
        `<code v-pre${self.renderAttrs(tokens[index])}>${md.utils.escapeHtml(tokens[index].content)}</code>`
    },
  },
  // build.mjs checks the links and anchors of the built pages, embedded ones included.
  ignoreDeadLinks: true,
  themeConfig: {
    // Guides and the glossary come before the many entries of the API reference.
    search: {
      provider: 'local',
      options: { miniSearch: { searchOptions: { boostDocument: (id) => (id.startsWith('/api/') ? 0.2 : 1) } } },
    },
    outline: [2, 3],
    nav: [
      { text: 'Guides', link: '/docs/install' },
      { text: 'Library', link: '/library/' },
      { text: 'API', link: '/api/' },
      { text: 'Live report', link: '/live/report.html', target: '_self' },
      { text: 'Live studio', link: '/live/studio/index.html', target: '_self' },
    ],
    sidebar: {
      '/api/': [{ text: 'API', items: entries('api', pagesIn('api')) }],
      '/': [
        ...Object.entries(guides).map(([text, names]) => ({
          text,
          collapsed: text === 'Reference',
          items: entries(
            'docs',
            names.filter((name) => present.has(name)),
          ),
        })),
        { text: 'Examples', collapsed: true, items: examples() },
        { text: 'Decisions', collapsed: true, items: entries('docs/decisions', pagesIn('docs/decisions')) },
        {
          text: 'Project',
          items: ['ARCHITECTURE', 'CONTRIBUTING', 'CHANGELOG', 'SECURITY'].map((name) => ({
            text: titleOf(`${name}.md`),
            link: `/${name}`,
          })),
        },
      ],
    },
  },
}

function examples() {
  return readdirSync(join(pages, 'examples'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && readdirSync(join(pages, 'examples', entry.name)).includes('index.md'))
    .map(({ name }) => ({ text: titleOf(`examples/${name}/index.md`), link: `/examples/${name}/` }))
}
