/** Interprets the output of `npm audit --json` and `npm audit signatures --json`. Pure. */

export type Verdict =
  | { kind: 'clean'; message: string }
  /** Found a problem that must be fixed. */
  | { kind: 'found'; message: string }
  /** Unknown: the registry does not support this request. */
  | { kind: 'unknown'; message: string }

const failing = new Set(['high', 'critical'])

const recordIn = (value: unknown): Record<string, unknown> | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined

function parsed(output: string): Record<string, unknown> | undefined {
  try {
    return recordIn(JSON.parse(output))
  } catch {
    return undefined
  }
}

/** The vulnerabilities of the dependencies that users install. */
export function auditVerdict(output: string): Verdict {
  const report = parsed(output)
  const vulnerabilities = recordIn(report?.vulnerabilities)
  if (!report || !vulnerabilities) {
    const why = typeof report?.message === 'string' ? report.message.replace(/https?:\/\/\S+/g, 'the registry') : output
    return { kind: 'unknown', message: `the registry has no audit: ${why.trim().slice(0, 200) || 'no answer'}` }
  }
  const grave = Object.entries(vulnerabilities).flatMap(([name, value]) => {
    const severity = recordIn(value)?.severity
    return typeof severity === 'string' && failing.has(severity) ? [`${name} (${severity})`] : []
  })
  if (grave.length > 0) return { kind: 'found', message: `vulnerable dependencies: ${grave.join(', ')}` }
  return { kind: 'clean', message: 'no dependency has a known vulnerability of high or critical severity' }
}

/** The signatures of the installed packages. */
export function signaturesVerdict(output: string): Verdict {
  const report = parsed(output)
  const invalid: unknown = report?.invalid
  if (!Array.isArray(invalid)) return { kind: 'unknown', message: 'the registry signs no packages' }
  const names = invalid.map((each) => String(recordIn(each)?.name ?? 'a package'))
  if (names.length > 0) return { kind: 'found', message: `packages with a wrong signature: ${names.join(', ')}` }
  return { kind: 'clean', message: 'no package has a wrong signature' }
}
