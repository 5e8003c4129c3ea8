/**
 * `waypost mcp`: an MCP server on standard input and output for assistants on this machine. It connects to a running
 * service. Standard output carries only the protocol; problems go to standard error.
 */
import { readFile } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { isLoopbackHost } from '@waypost/platform/egress/addresses'
import { type Arguments, type PlainRun, textOption, UsageError } from '../program/command.ts'
import type { Terminal } from '../program/output.ts'
import { Posts } from './posts.ts'
import { Relay } from './relay.ts'

const keyVariable = 'WAYPOST_API_KEY'

async function readKey({ env }: Terminal, args: Arguments): Promise<string> {
  const file = textOption(args, 'key-file')
  const key = (file === undefined ? env[keyVariable] : await readFile(file, 'utf8'))?.trim()
  if (key === undefined || key === '') {
    throw new UsageError(
      file === undefined ? `set ${keyVariable} to an API key, or name a file with --key-file` : `${file} is empty`,
      'mcp',
    )
  }
  return key
}

/** The endpoint of a service: its base URL, or the URL of the endpoint itself. */
export function endpointOf(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new UsageError(
      `--url must be the URL of the service, such as https://waypost.example.com, not ${text}`,
      'mcp',
    )
  }
  if (url.username !== '' || url.search !== '' || url.hash !== '') {
    throw new UsageError('--url must have no user name, query or fragment', 'mcp')
  }
  url.pathname = url.pathname.replace(/\/+$/, '')
  if (!/\/mcp(?:\/[^/]+)?$/.test(url.pathname)) url.pathname += '/mcp'
  return url
}

/** Reads until the input ends, or a signal asks this process to end. */
async function endOf(lines: AsyncIterable<string>, hear: (line: string) => void): Promise<'signal' | 'input'> {
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
  const { promise: reported, resolve } = Promise.withResolvers<'signal'>()
  const tell = (): void => resolve('signal')
  for (const signal of signals) process.once(signal, tell)
  const read = async (): Promise<'input'> => {
    for await (const line of lines) hear(line)
    return 'input'
  }
  try {
    return await Promise.race([reported, read()])
  } finally {
    for (const signal of signals) process.off(signal, tell)
  }
}

export const mcpCommand: PlainRun = async ({ terminal, args }) => {
  const { env, out, err, input } = terminal
  if (!input) throw new UsageError('there is no standard input', 'mcp')
  const url = endpointOf(textOption(args, 'url') ?? env.WAYPOST_BASE_URL ?? 'http://127.0.0.1:3000')
  const key = await readKey(terminal, args)
  const report = (text: string): void => err(`waypost mcp: ${text}\n`)
  if (url.protocol === 'http:' && !isLoopbackHost(url.hostname)) {
    report(`${url.origin} is not encrypted: others on the network can read the key`)
  }
  if (input.isTTY) report('waits for an assistant. Configure it to start this command; see docs/agents.md')
  await using posts = new Posts(url)
  const relay = new Relay({
    posts,
    key,
    write: (message) => out(`${JSON.stringify(message)}\n`),
    report,
  })
  const lines = createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })
  const end = await endOf(lines, (line) => relay.receive(line))
  lines.close()
  // After the end of the input, a script still wants its answers. A signal asks to end now.
  if (end === 'input') await relay.finish()
  else relay.abort()
  return 0
}
