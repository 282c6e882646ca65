import { expect, test } from 'vitest'
import { findSecrets, secretParameters } from '../../src/target/command-secrets.ts'
import { secretsInCommand, shownPlace, withoutSecretValues } from '../../src/target/shown-command.ts'

test.each([
  ['agent --api-key abc --model m', 'agent --api-key [hidden] --model m'],
  ['agent --cookie abc --authorization=xyz', 'agent --cookie [hidden] --authorization=[hidden]'],
  ['agent --token=abc {prompt}', 'agent --token=[hidden] {prompt}'],
  ['env OPENAI_API_KEY=abc LANG=C agent', 'env OPENAI_API_KEY=[hidden] LANG=[hidden] agent'],
  ['agent --passphrase abc --credential=abc', 'agent --passphrase [hidden] --credential=[hidden]'],
  ['agent --auth abc --pass abc --pwd abc', 'agent --auth [hidden] --pass [hidden] --pwd [hidden]'],
  ['curl -u me:abc -X GET', 'curl -u [hidden] -X GET'],
  ['curl -ume:abc --proxy-user="me:a b" x', 'curl -u[hidden] --proxy-user="[hidden]" x'],
  ['agent --user me -u http://h/', 'agent --user me -u http://h/'],
  [`agent '{"apiKey":"abc","model":"m"}'`, `agent '{"apiKey":[hidden],"model":"m"}'`],
  ['agent "{\\"apiKey\\": \\"abc\\"}"', 'agent "{\\"apiKey\\": [hidden]}"'],
  ['agent {model:m,api_key:abc}', 'agent {model:m,api_key:[hidden]}'],
  [
    'agent --author me --pass-env NAME --at http://key-server:80/',
    'agent --author me --pass-env NAME --at http://key-server:80/',
  ],
  ['agent --password 83124567', 'agent --password [hidden]'],
  ['agent --key --next', 'agent --key --next'],
  ['agent url={a.url}', 'agent url={a.url}'],
])('%s', (command, shown) => {
  expect(withoutSecretValues(command)).toBe(shown)
})

test.each([
  `agent "--api-key" hunter2x`,
  `agent '--api-key' hunter2x`,
  'agent --api-key=-hunter2x',
  'agent --api-key -hunter2x',
  'agent --api-key\thunter2x',
  'agent --api-key:hunter2x',
  'agent --api-key = hunter2x',
  'agent --set auth.key=hunter2x',
  'agent --set a=1,auth.key=hunter2x',
  'agent --passw"ord" hunter2x',
  'agent --pass-phrase hunter2x',
  'agent --pw hunter2x',
  'agent --jwt hunter2x',
  'agent --tokens hunter2x',
  `agent --auth '{"value":"hunter2x"}'`,
  `agent --config '{"auth":{"value":"hunter2x"}}'`,
  `agent --config '{"token":["hunter2x"]}'`,
  `agent --config={"auth":{"a":1,"b":[{"c":"hunter2x"}]}}`,
  `agent '{"apiKey":"hu\\"hunter2x"}'`,
  `agent '{"a":"{\\"apiKey\\":\\"x\\\\\\"hunter2x\\"}"}'`,
  `agent '{"api\\u004bey":"hunter2x"}'`,
  'agent {model: m, api_key: hunter2x}',
  'agent {auth: {value: hunter2x}}',
  'curl -HX-Api-Key:hunter2x http://h/',
  'curl -H "X-Custom: hunter2x" http://h/',
  'curl -sH "X-Custom: hunter2x" http://h/',
  'curl --header=X-Custom:hunter2x http://h/',
  'http GET http://h/ X-Api-Key:hunter2x',
  'curl -U me:hunter2x http://h/',
  'curl "-u" me:hunter2x http://h/',
  'curl -sSu me:hunter2x http://h/',
  `sh -c 'agent "--api-key" hunter2x'`,
  `sh -c "sh -c 'API_KEY=hunter2x agent'"`,
  `sh -c 'true;API_KEY=hunter2x agent'`,
  `agent it's --api-key hunter2x`,
  'mysql -h db -uroot -phunter2x shop',
  '/usr/bin/mysqldump -phunter2x shop',
  'docker exec db mariadb -u root -phunter2x',
  'sshpass -p hunter2x ssh h',
  'redis-cli -h db -a hunter2x ping',
  'agent me:hunter2x@db.example/shop',
  'agent --dsn=me:hunter2x@tcp(127.0.0.1:3306)/shop',
  `agent "\${USER}:hunter2x@10.0.0.1:5432"`,
  `agent '{"name":"Authorization","value":"hunter2x"}'`,
  `agent '{"headers":[{"name":"accept","value":"a"},{"value":"hunter2x","name":"X-Api-Key"}]}'`,
  `agent '{"key":"X-Api-Key","value":"hunter2x"}'`,
  `agent "{\\"name\\": \\"authorization\\", \\"value\\": \\"hunter2x\\"}"`,
  'docker run --rm img curl -u me:hunter2x http://h/',
  'docker run -u node:node img curl -u me:hunter2x http://h/',
  'curl -u hunter2x:hunter2x http://h/',
])('the secret of %s is hidden, and found', (command) => {
  expect(withoutSecretValues(command)).not.toContain('hunter2x')
  expect(findSecrets(command).map(({ value }) => value)).toContainEqual(expect.stringContaining('hunter2x'))
})

test.each([
  'agent --max-tokens 100',
  'agent --tokens 5 --token-limit=4k',
  'docker run -u 1000:1000 img',
  'agent --keyboard us --keywords a,b',
  'agent --password-file /x/y --key-path=/x --secret-dir /x',
  'agent --token-env NAME --auth-type oauth',
  'agent --no-auth run',
  'agent --auth none --cookies=false',
  'agent --tokenizer words',
  `agent '{"max_tokens":100,"auth":{"type":"none"},"keyboard":"us"}'`,
  `agent '{"auth":{"value":"\${KEY}"},"token":["\${KEY}"]}' --api-key \${KEY} --token {prompt}`,
  `curl -H 'content-type: application/json' -H 'x-auth: \${KEY}' http://h/`,
  'sudo -H agent',
  'docker run --rm -u node:node img',
  'docker exec -it --user=www-data:www-data -w /app c agent',
  'podman run --name a -e A -u 1000:node img',
  'docker run --name mysql -p3306:3306 img',
  'ssh -p 22 git@host:org/repo',
  'npx npm:left-pad@1.3.0 jsr:@std/path@1 mailto:me@example.org',
  'docker run node:20@sha256:0123456789abcdef img',
  `mysql -p\${PASSWORD} \${USER}:\${PASSWORD}@host`,
  `agent '{"name":"Authorization","value":"\${KEY}"}' '{"name":"accept","value":"text"}'`,
  `agent '[{"name":"token"},{"value":"text"}]'`,
  'docker -H tcp://127.0.0.1:1 run token-service:1.2',
])('%s has no secret', (command) => {
  expect(findSecrets(command)).toEqual([])
  expect(withoutSecretValues(command)).toBe(command)
})

test.each([
  ['http://h/#token=hunter2x', 'token'],
  ['http://h/#/a?token=hunter2x', 'token'],
  ['http://h/?a=1;token=hunter2x', 'token'],
  ['http://h/;token=hunter2x', 'token'],
  ['http://h/a;b=1;token=hunter2x/c', 'token'],
  ['http://h/?sig=hunter2x', 'sig'],
  ['http://h/?code=hunter2x', 'code'],
  ['http://h/?access=hunter2x', 'access'],
  ['http://h/?to=http%3A%2F%2Fi%2F%3Ftoken%3Dhunter2x', 'token'],
])('the parameters of %s', (url, name) => {
  expect(secretParameters(url)).toContain(name)
  expect(shownPlace(url)).not.toContain('hunter2x')
  expect(withoutSecretValues(`agent --at ${url}`)).not.toContain('hunter2x')
})

test.each(['{"a":', '{"key":', '"value":[{"name":"auth",', '"name":"auth" "value":[', '\\', 'a="', "{key:'"])(
  'a long line of %s takes no longer than its length',
  (piece) => {
    const begun = performance.now()
    findSecrets(piece.repeat(10_000))
    expect(performance.now() - begun).toBeLessThan(5000)
  },
)

test('parameters that are no secrets', () => {
  expect(secretParameters(`http://h/a;v=1/b?max_tokens=5&keyboard=us&api_key=\${KEY}#part`)).toEqual([])
})

test.each([
  ['agent --passphrase abcdefgh', 'abcdefgh'],
  ['curl -u me:abcdefgh x', 'me:abcdefgh'],
  [`agent '{"apiKey":"abcdefgh"}'`, 'abcdefgh'],
  [`agent '{"auth":{"value":"abcdefgh"}}'`, 'abcdefgh'],
  [`agent --header 'x-key: abcdefgh'`, 'abcdefgh'],
  ['env API_KEY=abcdefgh agent', 'abcdefgh'],
])('what %s holds may be repeated by the program', (command, secret) => {
  expect(secretsInCommand(command)).toContain(secret)
})
