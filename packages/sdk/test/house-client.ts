import type { TestHouse } from '../../server/test/harness.ts'
import { createWaypost, type WaypostClient, type WaypostOptions } from '../src/index.ts'

/** A `fetch` that ends in the house, without a port. */
export const fetchOf =
  (house: TestHouse): typeof fetch =>
  async (input, init) =>
    house.app.fetch(new Request(input, init))

/** A client of the sandbox application, or of whom the options name. */
export const clientOf = (house: TestHouse, options: WaypostOptions = { apiKey: house.apiKey }): WaypostClient =>
  createWaypost({ fetch: fetchOf(house), ...options })

/** A client of the administrator. */
export const adminClientOf = (house: TestHouse, application?: string): WaypostClient =>
  clientOf(house, { admin: { password: house.adminPassword, application } })
