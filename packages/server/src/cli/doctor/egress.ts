/** Findings of `waypost doctor` about allowed hosts. */

import { readAllowList } from '@waypost/platform/egress/allow'
import { portOf } from '@waypost/platform/egress/host'
import type { Config } from '../../config.ts'
import { type Finding, ok, problem } from './findings.ts'

/** The hosts that the operator allows. The service's own sign-in host must be among them. */
export function* allowFindings({ egressAllow, oidc }: Pick<Config, 'egressAllow' | 'oidc'>): Generator<Finding> {
  if (egressAllow === undefined) {
    yield ok('egress', 'WAYPOST_EGRESS_ALLOW is not set: no host is excluded by its name')
    return
  }
  yield ok('egress', `connections are limited to WAYPOST_EGRESS_ALLOW: ${egressAllow.join(', ')}`)
  const issuer = oidc && new URL(oidc.issuer)
  const allow = readAllowList(egressAllow)
  if (issuer && !allow.allowsHost(issuer.hostname, portOf(issuer)) && !allow.hasRanges(portOf(issuer))) {
    yield problem(
      'egress',
      `${issuer.hostname}, the issuer of WAYPOST_OIDC_ISSUER, is not in WAYPOST_EGRESS_ALLOW: nobody can sign in with it`,
      `add ${issuer.hostname} to WAYPOST_EGRESS_ALLOW`,
    )
  }
}
