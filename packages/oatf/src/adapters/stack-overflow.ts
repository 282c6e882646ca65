/** Whether an engine ran out of stack: V8 and JavaScriptCore throw a RangeError for it, SpiderMonkey an InternalError. */
export function isStackOverflow(error: unknown): boolean {
  return error instanceof Error && /call stack|too much recursion/i.test(error.message)
}
