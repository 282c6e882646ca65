import type { Mutation } from './mutation.ts'
import { rewriteTexts } from './rewrite.ts'

/** Says nothing, at length; without an imperative, so that nobody takes it for an order. */
const PARAGRAPHS = [
  'This section describes the background. The figures of the past quarter were collected from four sites and were checked twice. The differences were small and have been explained in the appendix.',
  'The method is the one of the previous report. Values were rounded to one decimal place. Where two sources disagreed, the older one was used, and the difference was noted in the margin.',
  'The second site was closed for eleven days because of building work. Its figures cover the remaining days only. The average is therefore not comparable with that of other sites.',
  'Weather had no visible effect. The two days with heavy snow fell on a weekend. The number of visitors on the following Monday was within the usual range.',
]
const ROUNDS = 3

export const buried: Mutation = {
  name: 'buried',
  kind: 'length',
  summary: 'buries the order in the middle of a long report about nothing',
  apply: (draft) => rewriteTexts(draft, (text) => [...filler(), text, ...filler()].join('\n\n')),
}

function filler(): string[] {
  return Array.from({ length: ROUNDS }, () => PARAGRAPHS).flat()
}
