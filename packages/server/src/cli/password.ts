/** Reads a password for a command. It is never an argument, because every process on the machine could read it. */
import { type Arguments, UsageError } from './program/command.ts'
import type { Terminal } from './program/output.ts'

/** The environment variable that can contain it. */
export const passwordVariable = 'DOCTOR_PASSWORD'
const maxBytes = 4096

type Input = NonNullable<Terminal['input']>

/**
 * The password of a user: from standard input if requested, from the environment, or from a prompt; otherwise
 * undefined.
 */
export async function readPassword(
  terminal: Terminal,
  { options }: Arguments,
  user: string,
): Promise<string | undefined> {
  const { input, env } = terminal
  if (options['password-stdin'] === true) {
    if (!input) throw new UsageError('there is no standard input to read the password from')
    return given(firstLine(await readAll(input)))
  }
  const named = env[passwordVariable]
  if (named !== undefined) return given(named)
  if (!input?.isTTY || !input.setRawMode) return undefined
  return given(await prompt(terminal, input, `Password for ${user}: `))
}

function given(password: string): string {
  if (password === '') throw new UsageError('the password is empty')
  return password
}

const firstLine = (text: string): string => text.split(/\r?\n/, 1)[0] ?? ''

async function readAll(input: Input): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of input) {
    chunks.push(Buffer.from(chunk))
    bytes += chunks.at(-1)?.length ?? 0
    if (bytes > maxBytes) throw new UsageError('standard input contains more than a password')
  }
  return Buffer.concat(chunks).toString()
}

/** Reads a line from a terminal without echo. */
async function prompt({ err }: Terminal, input: Input, question: string): Promise<string> {
  err(question)
  input.setRawMode?.(true)
  const line = Promise.withResolvers<string>()
  let typed: string[] = []
  const hear = (chunk: Buffer): void => {
    for (const key of chunk.toString()) {
      if (key === '\r' || key === '\n' || key === '\u0004') line.resolve(typed.join(''))
      else if (key === '\u0003') line.reject(new Error('canceled'))
      else if (key === '\u007f' || key === '\b') typed = typed.slice(0, -1)
      else typed.push(key)
    }
  }
  const end = (): void => line.resolve(typed.join(''))
  input.on('data', hear)
  input.on('end', end)
  try {
    return await line.promise
  } finally {
    input.off('data', hear)
    input.off('end', end)
    input.setRawMode?.(false)
    input.pause()
    err('\n')
  }
}
