/** The editor's web worker. It responds to requests about a document with plain data. */
import { createLanguage, type Language, type LanguageOptions, type TextFile } from '@joust/language'
import type { FileText, ProjectInfo } from '../model/api.ts'
import { ask } from './ask.ts'
import type { Checked, LanguageRequest } from './language-client.ts'

const surroundings: LanguageOptions = {
  async read(name) {
    const file = await ask<FileText>('/api/file', { path: name })
    return file.ok ? file.value.text : undefined
  },
  async list() {
    const files = await ask<string[]>('/api/files')
    return files.ok ? files.value : []
  },
}
const documents = createLanguage(surroundings)
// Warms up the language while the editor is still loading.
void documents.diagnose({
  name: 'first.oatf.yaml',
  text: 'oatf: "0.1"\nattack: { execution: { mode: mcp_server, state: { tools: [] } }, indicators: [{ target: "", pattern: { regex: a } }] }',
})
let projects: Promise<Language> | undefined

/** Returns the language service for a file. Only the project file needs a shape. The command provides it. */
async function languageFor(file: TextFile): Promise<Language> {
  if (documents.kind(file) !== 'project') return documents
  projects ??= openProjects()
  return projects
}

async function openProjects(): Promise<Language> {
  const project = await ask<ProjectInfo>('/api/project')
  const shape = project.ok ? project.value.shape : undefined
  // The command that serves this worker provides the shape.
  return createLanguage({
    ...surroundings,
    ...(shape !== undefined && { project: { shape } as NonNullable<LanguageOptions['project']> }),
  })
}

self.addEventListener('message', ({ data, ports: [port] }: MessageEvent<LanguageRequest>) => {
  void answer(data)
    .catch(() => undefined)
    .then((result) => port?.postMessage(result))
})

async function answer({ ask: question, file, offset, name }: LanguageRequest): Promise<unknown> {
  const language = await languageFor(file)
  if (question === 'check') return check(language, file)
  return question === 'rename' ? language.rename(file, offset, name) : language[question](file, offset)
}

async function check(language: Language, file: TextFile): Promise<Checked> {
  const findings = await language.diagnose(file)
  const fixes = await language.fixes(file, { start: 0, end: file.text.length }, findings)
  return { findings, fixes, outline: language.outline(file), links: language.links(file) }
}
