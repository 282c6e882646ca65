import { test } from 'vitest'
import { readFileSync } from 'node:fs'
import { planQuery } from '../../src/adapters/json-path-plan.ts'
import { readJsonPath } from '../../src/adapters/json-path-syntax.ts'
import { compileJsonPath, firstJsonPathMatch } from '../../src/adapters/json-path.ts'
import { IRegexps } from '../../src/adapters/i-regexp.ts'
import { Budget } from '../../src/adapters/budget.ts'
import { defaultLimits, deepEqual } from '@joust/source'
import { compile } from 'json-p3'
import { createCelEvaluator } from '../../src/adapters/cel.ts'
const range = (n: number) => Array.from({ length: n }, (_, i) => i)
const deep = (n: number, leaf: any = 1) => { let v: any = leaf; for (let i = 0; i < n; i++) v = [v]; return v }
const deepObj = (n: number) => { let v: any = 1; for (let i = 0; i < n; i++) v = { a: v }; return v }
test('cts', () => {
  const cts = JSON.parse(readFileSync('/tmp/cts.json', 'utf8')).tests
  let pass = 0
  for (const t of cts) {
    const q = readJsonPath(t.selector, defaultLimits)
    if (t.invalid_selector) { if (!q.ok) pass++; else console.log('ACCEPTED', t.name, t.selector); continue }
    if (!q.ok) { console.log('REFUSED', t.name, t.selector, q.error); continue }
    const out: any[] = []
    try { planQuery(q.value)(t.document, { root: t.document, budget: new Budget(defaultLimits, 'jsonPathSteps'), regexes: new IRegexps(defaultLimits) }, (n) => { out.push(n); return false }) } catch (e) { console.log('THREW', t.name, t.selector, (e as Error).message); continue }
    const wants = t.results ?? [t.result]
    if (wants.some((w: any) => deepEqual(w, out))) pass++
    else console.log('WRONG', t.name, t.selector, JSON.stringify(out), JSON.stringify(wants))
  }
  console.log(pass, cts.length)
  const objs = range(200).map((i) => ({ a: i, b: { c: i } }))
  for (const [n, e, v] of [
    ['..*..*', '$..*..*', objs], ['..*..*zzz', '$..*..*..zzz', objs], ['count', '$[?count($[?count($..*)>1])>1]', objs], ['$[?$[?$[?@.zzz]]]', '$[?$[?$[?@.zzz]]]', objs], ['chain', '$..*..*..*..*..*..zzz', deepObj(55)], ['00', '$' + '[0,0]'.repeat(22) + '.x', deep(30)], ['search', "$[?search(@,'(a+)+$')]", ['a'.repeat(100000) + 'b']], ['search p', '$[?search(@.s,@.p)]', [{ s: 'abc', p: '(\\p{L}{0,1000})'.repeat(250) }]], ['search many', '$[?search($[0].s,@.p)]', range(1000).map((i) => ({ s: 'abc', p: '\\p{L}'.repeat(300) + i }))], ['200k *', '$[*]', range(200000)], ['200k last', '$[-1]', range(200000)], ['200k *.x', '$[*].x', range(200000)], ['200k filter', '$[?@==199999]', range(200000)], ['200k filter 50k', '$[?@==49999]', range(200000)], ['inner 200k', '$[?@.a[*]]', [{ a: range(200000) }]], ['count 200k', '$[?count(@[*])>1]', [range(200000)]], ['deep ..x', '$..x', deepObj(100000)], ['deep ..a', '$..a', deepObj(100000)], ['deep eq', '$[?@==$[1]]', [deepObj(100000), deepObj(100000)]], ['eq loop', '$.l[?$.a==$.b]', { l: range(1000), a: range(100000), b: [...range(99999), -1] }], ['len loop', '$.l[?length($.s)<0]', { l: range(10000), s: 'é'.repeat(4e6) }], ['len obj', '$.l[?length($.s)<0]', { l: range(10000), s: Object.fromEntries(range(100000).map((i) => ['k' + i, i])) }], ['str <', '$.l[?$.a<$.b]', { l: range(10000), a: 'a'.repeat(4e6) + 'c', b: 'a'.repeat(4e6) + 'b' }], ['and', '$[?' + '@.a&&'.repeat(600) + '@.z]', objs], ['or', '$[?' + '@.z||'.repeat(600) + '@.z]', range(10000).map(() => ({}))], ['slice', '$[::1][::1].x', range(1000).map(() => range(1000))], ['slice-', '$[::-1]', range(200000)], ['descend wide', '$..zzz', Object.fromEntries(range(300000).map((i) => ['k' + i, i]))], ['empty alt', "$[?search(@,'(|){30}b')]", ['']], ['a{1001}', "$[?search(@,'a{1001}')]", ['']], ['63 levels', '$..b', deepObj(64)], ['64 levels', '$..b', deepObj(65)], ['66', '$..b', deepObj(66)], ['names', '$' + '.a'.repeat(64), deepObj(64)], ['names65', '$' + '.a'.repeat(65), deepObj(64)]
  ] as [string, string, any][]) {
    const t = performance.now(); const r = firstJsonPathMatch(e, v); const d = performance.now() - t
    console.log((d > 150 ? '!!!' : ' ').padEnd(4), n.padEnd(22), d.toFixed(0).padStart(6) + 'ms', r.ok ? 'ok ' + typeof r.value : JSON.stringify(r).slice(0, 120))
  }
  const msg = { tools: range(20).map((i) => ({ name: 'tool' + i, description: 'some text', inputSchema: { type: 'object' } })) }
  for (const e of ['$.tools[0].name', '$.tools[*].name', "$.tools[?@.name=='tool7'].description", '$..type']) {
    const a: any = compileJsonPath(e), b = compile(e)
    for (const [n, f] of [['ours', () => a.value(msg)], ['json-p3', () => b.match(msg)], ['ours', () => a.value(msg)], ['json-p3', () => b.match(msg)]] as const) { const t = performance.now(); for (let i = 0; i < 20000; i++) f(); console.log(e, n, ((performance.now() - t) / 20000 * 1000).toFixed(2) + 'us') }
  }
  const c = createCelEvaluator()
  for (const e of ['size(message.tools) > 2', "message.tools.exists(t, t.name == 'tool7' && size(t.description) > 3)", "has(message.tools) && message.tools[3].name.startsWith('tool')", "message.tools.exists(t, t.description.matches('ignore (all|previous)'))"]) {
    const p: any = c.compile!(e)
    for (let k = 0; k < 2; k++) { const t = performance.now(); for (let i = 0; i < 5000; i++) p.value({ message: msg }); console.log(e, ((performance.now() - t) / 5000 * 1000).toFixed(2) + 'us') }
  }
}, 100000)
