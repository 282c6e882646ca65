/** The editor's worker: questions about a text in, plain data out. */
import { createLanguage, type Language, type LanguageOptions, type TextFile } from '@joust/language'
import type { FileText, ProjectInfo } from '../model/api.ts'
import { ask } from './ask.ts'
import type { Checked, LanguageQuestion } from './language-client.ts'

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
// Loads what the first question needs while the editor is still being fetched.
void documents.diagnose({
  name: 'first.oatf.yaml',
  text: 'oatf: "0.1"\nattack: { execution: { mode: mcp_server, state: { tools: [] } }, indicators: [{ target: "", pattern: { regex: a } }] }',
})
let projects: Promise<Language> | undefined

/** Only the project file has to wait for its shape, which comes from the command. */
async function languageFor(file: TextFile): Promise<Language> {
  if (documents.kind(file) !== 'project') return documents
  projects ??= openProjects()
  return projects
}

async function openProjects(): Promise<Language> {
  const project = await ask<ProjectInfo>('/api/project')
  const shape = project.ok ? project.value.shape : undefined
  // Written by the command that serves this worker.
  return createLanguage({
    ...surroundings,
    ...(shape !== undefined && { project: { shape } as NonNullable<LanguageOptions['project']> }),
  })
}

self.addEventListener('message', ({ data, ports: [port] }: MessageEvent<LanguageQuestion>) => {
  void answer(data)
    .catch(() => undefined)
    .then((said) => port?.postMessage(said))
})

async function answer({ ask: question, file, offset, name }: LanguageQuestion): Promise<unknown> {
  const known = await languageFor(file)
  if (question === 'check') return check(known, file)
  return question === 'rename' ? known.rename(file, offset, name) : known[question](file, offset)
}

async function check(known: Language, file: TextFile): Promise<Checked> {
  const findings = await known.diagnose(file)
  const fixes = await known.fixes(file, { start: 0, end: file.text.length }, findings)
  return { findings, fixes, outline: known.outline(file), links: known.links(file) }
}
