import { expect, test } from 'vitest'
import { describeSimulator, help, parseCommand, simulatorsAsJson } from '../src/command.ts'
import { simulatorKinds, startSimulator } from '../src/start.ts'

test('without flags, all simulators start on their default ports', () => {
  expect(parseCommand([])).toMatchObject({
    kinds: simulatorKinds,
    ports: { google: 3100, microsoft: 3200, yahoo: 3300, exchange: 3400, zoom: 3500 },
    isJson: false,
    print: undefined,
  })
})

test('flags select simulators, ports, the address and the output', () => {
  const { kinds, ports, host, isJson } = parseCommand([
    '--google',
    '--exchange',
    '--port',
    '4000',
    '--host=::1',
    '--json',
  ])
  expect(kinds).toEqual(['google', 'exchange'])
  expect(ports).toMatchObject({ google: 4000, exchange: 4001 })
  expect([host, isJson]).toEqual(['::1', true])
  expect(parseCommand(['--port', '0']).ports).toEqual({ google: 0, microsoft: 0, yahoo: 0, exchange: 0, zoom: 0 })
  expect(parseCommand([], { SIMULATED_EWS_PORT: '5000' }).ports.exchange).toBe(5000)
  expect(parseCommand(['-h']).print).toBe('help')
  for (const kind of simulatorKinds) expect(help).toContain(`--${kind}`)
})

test.each([
  [['--gogle'], "Unknown option '--gogle'"],
  [['gmail'], 'Unknown simulator: gmail'],
  [['--port', 'web'], '--port: web is not a port'],
  [['--port', '65535', '--google', '--yahoo'], '--port: 65536 is not a port'],
  [['--port'], 'argument missing'],
])('%j is refused with a message that names the problem', (args, message) => {
  expect(() => parseCommand(args)).toThrow(message)
})

test('accounts are printed with their credentials', async () => {
  await using google = await startSimulator('google', 0)
  await using exchange = await startSimulator('exchange', 0)
  expect(describeSimulator(google)).toContain(
    'ada@example.com  refresh token simulated-refresh-token-of-ada@example.com',
  )
  expect(describeSimulator(exchange)).toContain('ada@exchange.example  password simulated-password')
  const { simulators } = JSON.parse(simulatorsAsJson([google, exchange]))
  expect(simulators).toMatchObject([
    { kind: 'google', url: google.url, client: { id: expect.any(String) }, accounts: [{}, {}] },
    { kind: 'exchange', url: exchange.url, accounts: [{ password: 'simulated-password' }, {}] },
  ])
})

test('the printed refresh tokens are valid', async () => {
  await using google = await startSimulator('google', 0)
  const { client, accounts } = google
  const body = new URLSearchParams({
    grant_type: 'refresh_token',
    client_id: client?.id ?? '',
    client_secret: client?.secret ?? '',
    refresh_token: accounts[0]?.refreshToken ?? '',
  })
  const answer = await fetch(`${google.url}/token`, { method: 'POST', body })
  expect(answer.status).toBe(200)
})
