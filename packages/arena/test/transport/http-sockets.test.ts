import { createHttpSend } from '../../src/transport/http-client.ts'
import { listenHttp } from '../../src/transport/http-server.ts'
import { describeHttp } from './http-contract.ts'

describeHttp('HTTP over sockets', 5000, () => ({
  listen: listenHttp({ maxBodyBytes: 5000 }),
  send: createHttpSend(),
}))
