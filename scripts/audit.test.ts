/** The audit of dependencies: what fails the check, and what is only reported. */
import { expect, test } from 'vitest'
import { auditVerdict, signaturesVerdict } from './audit/verdict.ts'

const report = (vulnerabilities: object): string => JSON.stringify({ auditReportVersion: 2, vulnerabilities })

test('a vulnerability of high or critical severity is found, and the package is named', () => {
  for (const severity of ['high', 'critical']) {
    const verdict = auditVerdict(report({ undici: { name: 'undici', severity }, other: { severity: 'low' } }))
    expect(verdict).toEqual({ kind: 'found', message: `vulnerable dependencies: undici (${severity})` })
  }
})

test('lesser vulnerabilities and none fail nothing', () => {
  expect(auditVerdict(report({})).kind).toBe('clean')
  expect(auditVerdict(report({ other: { severity: 'moderate' } })).kind).toBe('clean')
})

test('a registry without an audit is reported as unknown, and never as clean', () => {
  const refused = { message: '405 Method Not Allowed - POST https://registry.example.com/-/npm/v1/x', statusCode: 405 }
  const verdict = auditVerdict(JSON.stringify(refused))
  expect(verdict).toEqual({
    kind: 'unknown',
    message: 'the registry has no audit: 405 Method Not Allowed - POST the registry',
  })
  for (const output of ['', 'npm error', '[]', '{"vulnerabilities":3}']) {
    expect(auditVerdict(output).kind).toBe('unknown')
  }
})

test('a wrong signature is found; a registry that signs nothing is unknown', () => {
  expect(signaturesVerdict('{"invalid":[{"name":"zod"}],"missing":[]}')).toEqual({
    kind: 'found',
    message: 'packages with a wrong signature: zod',
  })
  expect(signaturesVerdict('{"invalid":[],"missing":[]}').kind).toBe('clean')
  expect(signaturesVerdict('').kind).toBe('unknown')
})
