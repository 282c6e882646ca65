/** The worker of the editor: questions about a text in, plain data out. */
import { createLanguage, type Language, type LanguageOptions } from '@joust/language'
import type { FileText, ProjectInfo } from '../model/api.ts'
import { ask } from './ask.ts'
import type { LanguageAnswer, LanguageQuestion } from './language-client.ts'

/** The project file has the shape that the command gives it. */
const language: Promise<Language> = openLanguage()

async function openLanguage(): Promise<Language> {
  const project = await ask<ProjectInfo>('/api/project')
  const shape = project.ok ? project.value.shape : undefined
  return createLanguage({
    async read(name) {
      const file = await ask<FileText>('/api/file', { path: name })
      return file.ok ? file.value.text : undefined
    },
    async list() {
      const files = await ask<string[]>('/api/files')
      return files.ok ? files.value : []
    },
    // Written by the command that serves this worker.
    ...(shape !== undefined && { project: { shape } as NonNullable<LanguageOptions['project']> }),
  })
}

self.addEventListener('message', ({ data }: MessageEvent<LanguageQuestion>) => {
  void answer(data).then((said) => self.postMessage(said))
})

async function answer({ id, ask: question, file, offset = 0 }: LanguageQuestion): Promise<LanguageAnswer> {
  try {
    const known = await language
    if (question === 'complete') return { id, value: await known.complete(file, offset) }
    if (question === 'hover') return { id, value: await known.hover(file, offset) }
    if (question === 'picture') return { id, value: await known.picture(file) }
    if (question === 'format') return { id, value: known.format(file) }
    if (question === 'definition') return { id, value: await known.definition(file, offset) }
    const findings = await known.diagnose(file)
    const fixes = await known.fixes(file, { start: 0, end: file.text.length }, findings)
    return { id, value: { findings, fixes } }
  } catch (thrown) {
    return { id, value: undefined, fault: thrown instanceof Error ? thrown.message : String(thrown) }
  }
}
