/** `npm run demo`: compiles the packages and prints a message, because compiling takes a while. */
import { spawnSync } from 'node:child_process'

const began = Date.now()
process.stderr.write('compiling the packages (about 10 s the first time) …\n')
const { status } = spawnSync('npm', ['run', '--silent', 'compile'], {
  stdio: 'inherit',
  shell: process.platform === 'win32',
})
if (status === 0) process.stderr.write(`compiled in ${((Date.now() - began) / 1000).toFixed(1)} s\n`)
process.exit(status ?? 1)
