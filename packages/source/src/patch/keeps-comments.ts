import { lineEnd } from '../yaml/scan.ts'

/** Whether two texts have the same comments, wherever they are. */
export function keepsComments(
  before: { readonly text: string; comments(): readonly number[] },
  after: { readonly text: string; comments(): readonly number[] },
): boolean {
  const left = commentsOf(before)
  const right = commentsOf(after)
  return left.length === right.length && left.every((comment, index) => comment === right[index])
}

function commentsOf(source: { readonly text: string; comments(): readonly number[] }): string[] {
  const { text } = source
  return source
    .comments()
    .map((offset) => text.slice(offset, lineEnd(text, offset)).trimEnd())
    .sort()
}
