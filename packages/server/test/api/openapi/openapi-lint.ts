/** The linters of OpenAPI documents, and their findings without the documented exceptions. */
import { createConfig, lintFromString } from '@redocly/openapi-core'
import spectralCore from '@stoplight/spectral-core'
import rulesets from '@stoplight/spectral-rulesets'
import { contract } from '@waypost/contract'
import { providers } from '@waypost/providers/registry'
import { openApiDocument } from '../../../src/api/openapi/document.ts'
import type { Exception } from './openapi-exceptions.ts'

export const document = openApiDocument(contract, { providers, baseUrl: 'http://127.0.0.1:3000' })

export interface Finding {
  rule: string
  /** The path of the API that contains it. */
  path: string | undefined
  message: string
}

/** With redocly's recommended rules, warnings included. */
export async function redocly(source: object): Promise<Finding[]> {
  const config = await createConfig({ extends: ['recommended'] })
  const problems = await lintFromString({ source: JSON.stringify(source), absoluteRef: 'openapi.json', config })
  return problems.map(({ ruleId, message, location }) => {
    const [, under, path] = location[0]?.pointer?.split('/') ?? []
    const named = under === 'paths' ? path?.replaceAll('~1', '/').replaceAll('~0', '~') : undefined
    return { rule: ruleId, path: named, message: `${location[0]?.pointer}: ${message}` }
  })
}

/** With spectral's rules for OpenAPI, warnings and hints included. */
export async function spectral(source: object): Promise<Finding[]> {
  const linter = new spectralCore.Spectral()
  linter.setRuleset(rulesets.oas as never)
  const problems = await linter.run(source as Record<string, unknown>)
  return problems.map(({ code, message, path }) => ({
    rule: String(code),
    path: path[0] === 'paths' ? String(path[1]) : undefined,
    message: `${path.join('/')}: ${message}`,
  }))
}

const covers = ({ rule, paths }: Exception, finding: Finding): boolean =>
  rule === finding.rule && (finding.path === undefined ? paths.length === 0 : paths.includes(finding.path))

/** Findings without an exception, and exceptions without a finding. */
export function unsettled(findings: readonly Finding[], exceptions: readonly Exception[]): string[] {
  const open = findings.filter((finding) => !exceptions.some((exception) => covers(exception, finding)))
  const idle = exceptions.flatMap(({ rule, paths }) =>
    (paths.length > 0 ? paths : [undefined])
      .filter((path) => !findings.some((finding) => finding.rule === rule && finding.path === path))
      .map((path) => `${rule} is no longer broken at ${path ?? 'the document'}`),
  )
  return [...open.map(({ rule, message }) => `${rule} ${message}`), ...idle]
}
