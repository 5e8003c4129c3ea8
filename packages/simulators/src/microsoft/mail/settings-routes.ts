// Operations on the whole mailbox: settings, categories, and the translation of ids.
import type { JsonObject } from '../../shared/http.ts'
import { GraphError, invalidBody } from '../errors.ts'
import type { GraphAnswer, GraphCall, GraphRoute } from '../http.ts'
import { listAnswer } from '../odata/collection.ts'
import type { AccountOwner } from '../owner.ts'
import { mailboxRoutes } from '../part.ts'
import { mailboxOf } from './mailbox.ts'
import { READ_BASIC, settings } from './scopes.ts'

const maxIds = 1000
const CATEGORY = { name: 'outlookCategory', properties: ['id', 'displayName', 'color'] }
const CATEGORIES = ['Red', 'Orange', 'Yellow', 'Green', 'Blue', 'Purple']
const presets = ['preset0', 'preset1', 'preset3', 'preset4', 'preset7', 'preset8']

const categories: readonly JsonObject[] = CATEGORIES.map((name, index) => ({
  id: `0000000${index}-1000-4000-8000-000000000000`,
  displayName: `${name} category`,
  color: presets[index],
}))

export const settingsRoutes: readonly GraphRoute[] = [
  ...mailboxRoutes('GET /mailboxSettings', settings, ({ owner }) => ({ json: settingsJson(owner) })),
  ...mailboxRoutes('GET /outlook/masterCategories', settings, (call) =>
    listAnswer(call, categories, {
      type: CATEGORY,
      context: `users('${call.owner.id}')/outlook/masterCategories`,
      json: (category) => category,
      pageSize: 100,
    }),
  ),
  ...mailboxRoutes('POST /translateExchangeIds', READ_BASIC, translate),
]

function settingsJson({ id, timezone }: AccountOwner): JsonObject {
  return {
    '@odata.context': `https://graph.microsoft.com/v1.0/$metadata#users('${id}')/mailboxSettings`,
    timeZone: timezone === 'Etc/UTC' ? 'UTC' : timezone,
    dateFormat: 'M/d/yyyy',
    timeFormat: 'h:mm tt',
    language: { locale: 'en-US', displayName: 'English (United States)' },
    userPurpose: 'user',
  }
}

/** https://learn.microsoft.com/graph/api/user-translateexchangeids */
function translate(call: GraphCall): GraphAnswer {
  const { inputIds, InputIds, sourceIdType, targetIdType, SourceIdType, TargetIdType } = call.json()
  const ids = inputIds ?? InputIds
  if (!Array.isArray(ids) || ids.length > maxIds) throw invalidBody(`Between 1 and ${maxIds} ids can be translated.`)
  const source = String(sourceIdType ?? SourceIdType).toLowerCase()
  const target = String(targetIdType ?? TargetIdType).toLowerCase()
  if (![source, target].every((type) => ['restid', 'restimmutableentryid'].includes(type))) {
    throw new GraphError(400, 'ErrorInvalidRequest', 'This pair of id types is not simulated.')
  }
  const value = ids.map((sourceId) => {
    const message = mailboxOf(call.owner).find(String(sourceId))
    return { sourceId, targetId: target === 'restid' ? message.id : message.immutableId }
  })
  return {
    json: {
      '@odata.context': 'https://graph.microsoft.com/v1.0/$metadata#Collection(microsoft.graph.convertIdResult)',
      value,
    },
  }
}
