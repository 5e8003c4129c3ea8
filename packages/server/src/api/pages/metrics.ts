/**
 * `/metrics` for Prometheus. It is open while only this machine can reach the service. Otherwise it needs the token
 * from the settings, or the password or session of an administrator with access to all applications. If a token is
 * set, one of them is always needed.
 */

import { createHash, timingSafeEqual } from 'node:crypto'
import { ApiError } from '@waypost/platform/api-error'
import { newId } from '@waypost/platform/ids'
import type { AdminAuthentication } from '../../applications/admin-authentication.ts'
import { bearerIn } from '../../applications/api-keys.ts'
import type { Exposure } from '../../applications/exposure.ts'
import type { Visitor } from '../../applications/own-page.ts'
import { expositionOf, expositionType } from '../../telemetry/exposition.ts'
import type { Metrics } from '../../telemetry/metrics.ts'
import { administratorOf } from '../pipeline/authenticate.ts'
import type { LivePage } from '../pipeline/page.ts'

export interface MetricsPageOptions {
  families: Metrics['families']
  exposure: Pick<Exposure, 'isExposed'>
  admin: AdminAuthentication
  token: string | undefined
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

export function metricsPage({ families, exposure, admin, token }: MetricsPageOptions): LivePage {
  const expected = token === undefined ? undefined : digest(token)
  const isToken = (visitor: Visitor): boolean => {
    const shown = bearerIn(visitor.header('authorization'))
    return shown !== undefined && expected !== undefined && timingSafeEqual(digest(shown), expected)
  }

  const mayRead = async (visitor: Visitor): Promise<boolean> => {
    if (isToken(visitor)) return true
    const isBasic = /^basic /i.test(visitor.header('authorization') ?? '')
    if (isBasic || (visitor.header('authorization') === null && admin.hasCookie(visitor))) {
      const { rights } = await administratorOf(admin, visitor)
      // The figures cover all applications.
      if (rights.applications !== 'all') throw new ApiError('insufficient_rights')
      return true
    }
    return expected === undefined && !exposure.isExposed
  }

  return {
    path: '/metrics',
    async answer(visit) {
      if (!(await mayRead(visit))) {
        const remedy = 'send the token of WAYPOST_METRICS_TOKEN as bearer, or the administrator as Basic credentials'
        throw new ApiError('administrator_required', `metrics need a credential: ${remedy}`, {
          headers: { 'www-authenticate': 'Bearer' },
        })
      }
      const headers = { 'content-type': expositionType, 'x-request-id': newId(), 'cache-control': 'no-store' }
      return { status: 200, headers, body: expositionOf(await families()) }
    },
  }
}
