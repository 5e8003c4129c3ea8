/**
 * `npm run audit`: checks the dependencies that users install for published vulnerabilities, and package signatures.
 * Exits with status 1 if it finds a problem. If the registry does not support a check, it prints so and does not
 * fail.
 */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { auditVerdict, signaturesVerdict, type Verdict } from './audit/verdict.ts'

const run = promisify(execFile)
const maxMs = 120_000

/** The output of npm, which exits with status 1 when it finds something. */
async function npm(...args: string[]): Promise<string> {
  try {
    return (await run('npm', args, { timeout: maxMs, maxBuffer: 64 * 1024 * 1024 })).stdout
  } catch (error) {
    return typeof error === 'object' && error !== null && 'stdout' in error ? String(error.stdout) : ''
  }
}

/** Whether the registry publishes keys. Without keys npm would request every package in vain. */
async function hasKeys(): Promise<boolean> {
  const registry = (await npm('config', 'get', 'registry')).trim()
  if (!URL.canParse(registry)) return false
  const answer = await fetch(new URL('-/npm/v1/keys', registry), { signal: AbortSignal.timeout(10_000) }).catch(
    () => undefined,
  )
  await answer?.body?.cancel()
  return answer?.ok === true
}

const vulnerabilities = auditVerdict(await npm('audit', '--omit=dev', '--json'))
const signatures: Verdict = (await hasKeys())
  ? signaturesVerdict(await npm('audit', 'signatures', '--omit=dev', '--json'))
  : { kind: 'unknown', message: 'the registry publishes no keys for signatures' }
const marks: Record<Verdict['kind'], string> = { clean: '✓', found: '✗', unknown: '!' }
for (const { kind, message } of [vulnerabilities, signatures]) {
  process.stdout.write(`${marks[kind]} audit: ${message}${kind === 'unknown' ? '; nothing was checked' : ''}\n`)
}
if ([vulnerabilities, signatures].some(({ kind }) => kind === 'found')) process.exitCode = 1
