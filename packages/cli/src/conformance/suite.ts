import { isList, readSource } from '@joust/source'
import { type CaseCheck, type CaseResult, readCase } from './case.ts'
import { judge, readFixture, structural } from './result.ts'

/** Every case of a file that holds a list of cases. */
export async function runSuite(
  root: string,
  directory: string,
  file: string,
  check: CaseCheck | undefined,
): Promise<CaseResult[]> {
  const path = `${directory}/${file}`
  if (check === undefined || !file.endsWith('.yaml'))
    return [structural(directory, path, 'a known fixture file', 'an unknown one')]
  const text = await readFixture(root, path)
  if (text === undefined) return [structural(directory, path, 'a file', 'something that cannot be read')]
  const source = readSource(text)
  if (!source.ok) return [structural(directory, path, 'a YAML file', source.error[0]?.message ?? 'unreadable text')]
  const cases = source.value.value
  if (!isList(cases) || cases.length === 0) return [structural(directory, path, 'a list of cases', 'something else')]
  return cases.map((value, index) => {
    const fixture = readCase(value)
    if (!fixture.ok) return structural(directory, `${path}[${index}]`, 'a case', fixture.error)
    const { id, name } = fixture.value
    return judge({ directory, file: path, id, name }, () => check(fixture.value))
  })
}
