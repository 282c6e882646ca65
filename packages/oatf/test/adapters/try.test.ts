import { test } from 'vitest'
import { createCelEvaluator, celSyntaxError } from '../../src/adapters/cel.ts'
const range = (n: number) => Array.from({ length: n }, (_, i) => i)
const deep = (n: number, leaf: any = 1) => { let v: any = leaf; for (let i = 0; i < n; i++) v = [v]; return v }
const deepObj = (n: number) => { let v: any = 1; for (let i = 0; i < n; i++) v = { a: v }; return v }
const s4 = 'a'.repeat(4e6)
const cases: [string, string, any][] = [
  ['triple 400', 'message.l.all(a, message.l.all(b, message.l.all(c, a+b+c >= 0)))', { l: range(400) }],
  ['triple || true', '(message.l.all(a, message.l.all(b, message.l.all(c, a+b+c >= 0)))) || true', { l: range(400) }],
  ['12 nested', range(12).reduce((e) => `message.l.all(x, ${e})`, 'true'), { l: range(10) }],
  ['map exists 5000', 'message.l.map(x, x).exists(y, y == -1)', { l: range(5000) }],
  ['map exists 20000', 'message.l.map(x, x).exists(y, y == -1)', { l: range(20000) }],
  ['exists 30000', 'message.l.exists(y, y.name == "x" && size(y.d) > 3)', { l: range(30000).map((i) => ({ name: 'n' + i, d: 'xx' })) }],
  ['exists 200000', 'message.l.exists(y, y == -1)', { l: range(200000) }],
  ['index 200000', 'message.l[199999] == 199999', { l: range(200000) }],
  ['hostile pattern', 'message.s.matches(message.p)', { s: 'abc', p: '(\\pL{0,1000})'.repeat(300) }],
  ['hostile pattern long', 'message.s.matches(message.p)', { s: 'abc', p: 'a'.repeat(100000) }],
  ['hostile patterns many', 'message.p.exists(p, message.s.matches(p))', { s: 'xyz', p: range(1000).map((i) => '(?i)' + '[\\pL\\pN]'.repeat(300) + i) }],
  ['hostile patterns many lit', 'message.p.exists(p, message.s.matches(p))', { s: 'xyz', p: range(1000).map((i) => 'a'.repeat(1900) + i) }],
  ['regex work', 'message.s.matches("(?:a?){400}a{400}")', { s: 'a'.repeat(16000) }],
  ['regex work many', 'message.l.all(x, x.matches("(?:a?){400}a{400}b"))  || true', { l: range(1000).map(() => 'a'.repeat(2000)) }],
  ['regex (a+)+$', 'message.s.matches("(a+)+$")', { s: 'a'.repeat(100000) + 'b' }],
  ['missing in loop', 'message.l.exists(x, x.missing == 1)', { l: range(100000).map(() => ({})) }],
  ['missing body', `message.l.all(x, ${range(100).map((i) => `x.a${i}==1`).join('||')} || true)`, { l: range(100000).map(() => ({})) }],
  ['unresolved body', `message.l.all(x, ${range(200).map((i) => `v${i}`).join('||')} || true)`, { l: range(100000) }],
  ['overload err body', `message.l.all(x, ${range(200).map(() => `x<'a'`).join('||')} || true)`, { l: range(100000) }],
  ['unbound body', `message.l.all(x, ${range(200).map(() => `f(x)`).join('||')} || true)`, { l: range(100000) }],
  ['div by zero body', `message.l.all(x, ${range(200).map(() => `1/0==1`).join('||')} || true)`, { l: range(100000) }],
  ['timestamp < body', `[timestamp(0)].all(t, message.l.all(x, ${range(200).map(() => `t<t`).join('||')} || true))`, { l: range(100000) }],
  ['timestamp parse body', `message.l.all(x, ${range(100).map(() => `timestamp("2020-01-01T00:00:00Z")!=timestamp(0)`).join('&&')})`, { l: range(100000) }],
  ['timestamp string body', `[timestamp(0)].all(t, message.l.all(x, ${range(200).map(() => `string(t)==''`).join('||')} || true))`, { l: range(100000) }],
  ['big literal map', `[{${range(1200).map((i) => `${i}u:1`).join(',')}}].all(m, message.l.all(x, m[5000000+x] == 1 || true))`, { l: range(100000) }],
  ['big literal list', `[[${range(2000).map((i) => `${i % 10}`).join(',')}]].all(m, message.l.all(x, m.exists(y, true)))`, { l: range(100000) }],
  ['double string', '[message.s]' + range(100).map(() => '.map(a,a+a)').join('') + ' == []', { s: 'aaaaaaaaaaaaaaaa' }],
  ['double string 30', '[message.s]' + range(30).map(() => '.map(a,a+a)').join('') + ' == []', { s: 'aaaaaaaaaaaaaaaa' }],
  ['double list', '[message.l]' + range(30).map(() => '.map(a,a+a)').join('') + ' == []', { l: range(10) }],
  ['nest map', 'message.l' + range(30).map(() => '.map(a,[a,a])').join('') + ' == []', { l: range(1000) }],
  ['nest map eq', '[1]' + range(30).map(() => '.map(a,[a,a])').join('') + ' == ' + '[1]' + range(30).map(() => '.map(a,[a,a])').join(''), {}],
  ['contains BM', 'message.s.contains(message.p)', { s: 'a'.repeat(2e6), p: 'b' + 'a'.repeat(1e6) }],
  ['contains BM2', 'message.s.contains(message.p)', { s: 'a'.repeat(2e6), p: 'a'.repeat(5e5) + 'b' + 'a'.repeat(5e5) }],
  ['contains BM3', 'message.s.contains(message.p)', { s: ('a'.repeat(249) + 'b').repeat(8000), p: 'b' + ('a'.repeat(249) + 'b').repeat(4000) }],
  ['contains BM4', 'message.s.contains(message.p)', { s: ('ab').repeat(1000000), p: 'b' + ('ab').repeat(500000) }],
  ['deep eq', 'message.a == message.b', { a: deep(100000), b: deep(100000) }],
  ['deep eq obj', 'message.a == message.b', { a: deepObj(100000), b: deepObj(100000) }],
  ['deep in', 'message.a in [message.b]', { a: deepObj(10000), b: deepObj(10000) }],
  ['list eq', 'message.a == message.b', { a: range(200000), b: range(200000) }],
  ['in loop', 'message.l.all(x, x in message.l)', { l: range(5000) }],
  ['in loop big', 'message.l.all(x, !("x" in message.l))', { l: range(100000) }],
  ['size loop', 'message.l.all(x, size(message.s) > 0)', { l: range(100000), s: s4 }],
  ['size map loop', 'message.l.all(x, size(message.m) > 0)', { l: range(100000), m: Object.fromEntries(range(100000).map((i) => ['k' + i, i])) }],
  ['map iter', 'message.m.all(k, message.m[k] >= 0)', { m: Object.fromEntries(range(100000).map((i) => ['k' + i, i])) }],
  ['map eq loop', 'message.l.all(x, message.m == message.n)', { l: range(100), m: Object.fromEntries(range(50000).map((i) => ['k' + i, i])), n: Object.fromEntries(range(50000).map((i) => ['k' + i, i])) }],
  ['early inner', 'message.l.exists(x, message.l.exists(y, true) && false)', { l: range(50000) }],
  ['tz loop', 'message.l.all(x, timestamp(0).getHours("America/New_York") > 0 || true)', { l: range(50000) }],
  ['tz body', `message.l.all(x, ${range(100).map(() => 'timestamp(0).getHours("America/New_York") > 100').join('||')} || true)`, { l: range(50000) }],
  ['int 4MB', 'int(message.s) > 0', { s: '1'.repeat(4e6) }],
  ['double 4MB', 'double(message.s) > 0.0', { s: '1'.repeat(4e6) }],
  ['bytes', 'string(bytes(message.s)) == message.s', { s: s4 }],
  ['timestamp 4MB', 'timestamp(message.s) > timestamp(0)', { s: s4 }],
  ['bool 4MB', 'bool(message.s)', { s: s4 }],
  ['str eq loop', 'message.l.all(x, message.a == message.b || true)', { l: range(100000), a: s4 + 'x', b: s4 + 'y' }],
  ['str < loop', 'message.l.all(x, message.a < message.b)', { l: range(100000), a: s4 + 'x', b: s4 + 'y' }],
  ['startsWith loop', 'message.l.all(x, message.a.startsWith(message.b) || true)', { l: range(100000), a: s4 + 'x', b: s4 + 'y' }],
  ['big body', `message.l.all(x, ${range(1000).map(() => 'x>=0').join('&&')})`, { l: range(100000) }],
  ['big body str', `message.l.all(x, ${range(300).map(() => '"a"+"b"<"c"').join('&&')})`, { l: range(100000) }],
  ['has body', `message.l.all(x, ${range(300).map(() => 'has(x.a.b)').join('||')}||true)`, { l: range(100000).map(() => ({ a: {} })) }],
  ['select chain body', `message.l.all(x, ${range(100).map(() => 'x.a.b.c.d.e.f.g.h.i == 1').join('||')}||true)`, { l: range(100000).map(() => ({ a: { b: { c: { d: { e: { f: { g: { h: { i: 2 } } } } } } } } })) }],
  ['literal body', `message.l.all(x, [${range(2000).map(() => '1').join(',')}].size() > 0)`, { l: range(100000) }],
  ['literal map body', `message.l.all(x, {${range(900).map((i) => i + ':1').join(',')}}.size() > 0)`, { l: range(100000) }],
  ['literal map ubody', `message.l.all(x, {${range(900).map((i) => i + 'u:1').join(',')}}[1000000] > 0 || true)`, { l: range(100000) }],
  ['deep select', 'message' + '.a'.repeat(90) + ' == 1', deepObj(90)],
  ['deep msg size', 'size(message) == 1', deep(100000)],
  ['deep result', 'message', deep(100000)],
  ['ext chars', 'message.l.all(x, string(x) == "a" || true)', { l: range(100000) }],
]
test('h', () => {
  const c = createCelEvaluator({ now: () => 0 })
  ;(Error as any).stackTraceLimit = Number(process.env.STL ?? 100)
  for (const [n, e, m] of cases) {
    const t = performance.now()
    const r = c.evaluate(e, { message: m })
    const d = performance.now() - t
    console.log((d > 300 ? '!!!' : d > 150 ? '!' : ' ').padEnd(4), n.padEnd(22), d.toFixed(0).padStart(6) + 'ms', JSON.stringify(r).slice(0, 120))
  }
  for (const [n, e] of [['3000 paren', '('.repeat(3000) + '1' + ')'.repeat(3000)], ['1+1', range(2000).map(() => '1').join('+')], ['tern', range(1200).map(() => 'a?b:').join('') + 'c'], ['- - ', '- '.repeat(4000) + 'x'], ['-', '-'.repeat(8000) + 'x'], ['ws', ' '.repeat(8000) + 'x'], ['ident', 'x'.repeat(8000)], ['!=', range(1500).map(() => 'y!=-y').join('-')], ['str', '"' + '\\n'.repeat(4000) + '"'], ['str2', '"'.repeat(8000)], ['list', '[' + '1,'.repeat(4000) + ']'], ['map', '{' + '1:1,'.repeat(2000) + '}'], ['dots', 'a' + '.a'.repeat(4000)], ['calls', 'a' + '.a()'.repeat(2000)], ['idx', 'a' + '[0]'.repeat(2500)], ['macros', '[1]' + '.map(a,a)'.repeat(800)], ['comment', '//\n'.repeat(2700) + '1'], ['quotes', "''+".repeat(2000) + "''"], ['and', range(1500).map(() => 'a').join('&&')], ['slashes', '/'.repeat(8000)], ['nested unclosed', '(a?{1:[f('.repeat(24)], ['nested2', '[a,{b:'.repeat(45)], ['msgs', 'a{b:'.repeat(95)], ['dots.', '.'.repeat(8000)], ['num', '1'.repeat(8000)], ['hex', '0x' + 'f'.repeat(8000)], ['float', '1.' + '1'.repeat(8000)], ['1e', '1e' + '1'.repeat(8000)], ['tri', '"""' + '\\'.repeat(8000)]] as const) {
    const t = performance.now(); const r = celSyntaxError(e); const d = performance.now() - t
    console.log((d > 100 ? '!!!' : ' ').padEnd(4), n.padEnd(22), d.toFixed(0).padStart(6) + 'ms', JSON.stringify(r)?.slice(0, 120))
  }
}, 600000)
