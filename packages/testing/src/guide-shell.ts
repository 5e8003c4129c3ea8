/** Runs the shell examples of guides as a reader would. */
import { spawn } from 'node:child_process'
import type { TestContext } from 'vitest'
import { needsProgram } from './peers/needs.ts'

export interface ShellOptions {
  cwd?: string
  env?: NodeJS.ProcessEnv
}

/** Runs a script that calls the service with curl; returns all that it prints. Without curl, the test is skipped. */
export async function runGuide(
  context: Pick<TestContext, 'skip'>,
  script: string,
  { cwd, env }: ShellOptions = {},
): Promise<string> {
  needsProgram(context, 'curl')
  const child = spawn('bash', ['-ec', script], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const chunks: string[] = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => chunks.push(String(chunk)))
  const code = await new Promise((resolve, reject) => child.once('error', reject).once('close', resolve))
  if (code !== 0) throw new Error(`bash ended with ${code}: ${chunks.join('')}`)
  return chunks.join('')
}
