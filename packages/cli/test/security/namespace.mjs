/**
 * Run by `unshare -rn`: a network namespace in which every address in the world leads back to the loopback device, and
 * nobody answers. Runs the given commands one after the other, and reports for each which packets left for other hosts.
 */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { setTimeout as wait } from 'node:timers/promises'
import { LLMock } from '@copilotkit/aimock'

/** Every packet on the loopback device that is for another host, or asks for a name. */
const SNIFFER = `
import socket
packets = socket.socket(socket.AF_PACKET, socket.SOCK_DGRAM, socket.htons(3))
print('ready', flush=True)
while True:
    packet, (_, _, kind, _, _) = packets.recvfrom(65535)
    if kind == socket.PACKET_OUTGOING: continue
    old = packet[0] >> 4 == 4
    host = socket.inet_ntop(socket.AF_INET, packet[16:20]) if old else socket.inet_ntop(socket.AF_INET6, packet[24:40])
    at = (packet[0] & 15) * 4 if old else 40
    port = int.from_bytes(packet[at + 2:at + 4], 'big')
    ours = host == '::1' or host.startswith('127.')
    if not ours or port == 53: print(host, port, flush=True)
`

execFileSync('ip', ['link', 'set', 'lo', 'up'])
execFileSync('ip', ['route', 'add', 'local', '0.0.0.0/0', 'dev', 'lo'])
execFileSync('ip', ['-6', 'route', 'add', 'local', '::/0', 'dev', 'lo'])

const sniffer = spawn('python3', ['-c', SNIFFER], { stdio: ['ignore', 'pipe', 'inherit'] })
let strangers = []
await new Promise((resolve) => {
  createInterface(sniffer.stdout).on('line', (line) => (line === 'ready' ? resolve() : strangers.push(line)))
})

const models = new LLMock({ port: 0, host: '127.0.0.1' })
models.on({}, { content: 'I would rather not.' })
await models.start()
const addresses = Object.fromEntries(
  ['OPENAI', 'ANTHROPIC', 'GOOGLE', 'OPENAI_COMPATIBLE'].map((name) => [`${name}_BASE_URL`, `${models.url}/v1`]),
)
addresses.GOOGLE_BASE_URL = models.url

const told = []
for (const argv of JSON.parse(process.argv[2])) {
  const child = spawn(process.execPath, argv, {
    env: { ...process.env, ...addresses },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
  const [code] = await once(child, 'close')
  // The last packets are still on their way to the sniffer.
  await wait(200)
  told.push({ code, output, strangers: [...new Set(strangers)] })
  strangers = []
}
const asked = models.getRequests().map(({ path }) => path)
sniffer.kill()
await models.stop()
console.log(JSON.stringify({ told, asked: [...new Set(asked)] }))
