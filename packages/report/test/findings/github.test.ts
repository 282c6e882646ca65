import { expect, test } from 'vitest'
import { renderFindingsGithub } from '../../src/findings/github.ts'
import { files } from './files.ts'

test('one command per finding; what would end a property or the line is escaped', () => {
  expect(renderFindingsGithub(files).split('\n')).toEqual([
    '::error file=a b/ä%2Cx%3Ay%25.yaml,line=1,col=7,endColumn=12,title=V-005::100%25 "wrong",%0Areally',
    '::warning file=a b/ä%2Cx%3Ay%25.yaml,line=1,col=1,title=W-001::hm',
    '::error file=a b/ä%2Cx%3Ay%25.yaml,title=syntax::no place',
    '::notice file=b.agf.yaml,title=not checked::not checked',
    '',
  ])
})

test('a file name cannot start a command of its own', () => {
  const name = 'x\n::set-output name=a::b'
  const [line, ...rest] = renderFindingsGithub([{ name, diagnostics: [], note: 'n' }]).split('\n')
  expect(line).toBe('::notice file=x%0A%3A%3Aset-output name=a%3A%3Ab,title=not checked::n')
  expect(rest).toEqual([''])
})
