import type { TestService } from '../../server/test/harness.ts'
import { createWaypost, type WaypostClient, type WaypostOptions } from '../src/index.ts'

/** A `fetch` that ends in the service, without a port. */
export const fetchOf =
  (service: TestService): typeof fetch =>
  async (input, init) =>
    service.app.fetch(new Request(input, init))

/** A client of the sandbox application, or with the credentials of the options. */
export const clientOf = (service: TestService, options: WaypostOptions = { apiKey: service.apiKey }): WaypostClient =>
  createWaypost({ fetch: fetchOf(service), ...options })

/** A client of the administrator. */
export const adminClientOf = (service: TestService, application?: string): WaypostClient =>
  clientOf(service, { admin: { password: service.adminPassword, application } })
