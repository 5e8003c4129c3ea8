// The time zones that a mailbox server supports. https://learn.microsoft.com/graph/api/outlookuser-supportedtimezones

import { windowsZones } from '../../shared/calendar/windows-zones.ts'
import type { GraphAnswer, GraphCall, GraphRoute } from '../http.ts'
import { mailboxRoutes } from '../part.ts'

function list({ url }: GraphCall): GraphAnswer {
  const isIana = /timezonestandard=(?:microsoft\.graph\.timezonestandard)?'iana'/i.test(
    decodeURIComponent(url.pathname),
  )
  const named = Object.entries(windowsZones).map(([alias]) => ({ alias, displayName: alias }))
  const iana = Intl.supportedValuesOf('timeZone').map((alias) => ({ alias, displayName: alias }))
  return {
    json: {
      '@odata.context': 'https://graph.microsoft.com/v1.0/$metadata#Collection(microsoft.graph.timeZoneInformation)',
      value: isIana ? iana : named,
    },
  }
}

const SCOPES = ['User.Read', 'User.ReadBasic.All', 'User.ReadWrite']

export const zonesRoutes: readonly GraphRoute[] = [
  ...mailboxRoutes('GET /outlook/supportedTimeZones', SCOPES, list),
  ...mailboxRoutes(
    "GET /outlook/supportedTimeZones(TimeZoneStandard=microsoft.graph.timeZoneStandard'Iana')",
    SCOPES,
    list,
  ),
]
