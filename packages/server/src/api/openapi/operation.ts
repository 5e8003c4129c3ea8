/** One operation of the document. */
import type { Audience, NamedRoute } from '@waypost/contract'
import { hasOperation, namedAdapters, type Providers } from '@waypost/providers/registry'
import { isCustomerData } from '../../applications/rights.ts'
import { permissionFor } from '../../applications/service-accounts.ts'
import { successesOf } from './answers.ts'
import { codeSamplesOf } from './code-samples/index.ts'
import { failuresOf } from './error-responses.ts'
import type { Json } from './json.ts'
import { bodyOf, parametersOf } from './request.ts'

const security: Record<Audience, Json[]> = {
  public: [],
  application: [{ apiKey: [] }, { administrator: [] }],
  administrator: [{ administrator: [] }],
  grant: [{ apiKey: [] }, { accessToken: [] }],
  guest: [{ schedulingSession: [] }, {}, { apiKey: [] }, { administrator: [] }],
  client: [{ apiKey: [] }, { accessToken: [] }, {}],
}

/** A signed request has all four headers. */
const signature: Json = {
  serviceAccountKid: [],
  serviceAccountNonce: [],
  serviceAccountTimestamp: [],
  serviceAccountSignature: [],
}

const securityOf = (named: NamedRoute): Json[] => [
  ...security[named.route.audience],
  ...(named.route.token ? [{ accessToken: [] }] : []),
  ...(permissionFor(named) ? [signature] : []),
]

/** The permission that a service account needs, as part of the description. */
const permissionWords = (named: NamedRoute): string[] => {
  const permission = permissionFor(named)
  return permission ? [`Service accounts need the permission \`${permission}\`.`] : []
}

/** The provider kinds that have an operation. For kinds whose accounts differ: the variants that have it. */
const supporters = (providers: Providers, { resource, operation }: NamedRoute): string[] => {
  const able = namedAdapters(providers).filter(([, adapter]) => hasOperation(adapter, resource, operation))
  const names = new Set(able.map(([name]) => name))
  return able.filter(([name, { kind }]) => name === kind || !names.has(kind)).map(([name]) => name)
}

/** An update accepts two methods. The second one refers to the first and has no samples. */
export function operationOf(
  named: NamedRoute,
  method: string,
  { providers, baseUrl }: { providers: Providers; baseUrl: string },
): Json {
  const { route, id, resource } = named
  const isSecond = method !== route.method
  const words = [route.description, ...permissionWords(named), ...(isSecond ? [`The same as ${route.method}.`] : [])]
    .filter(Boolean)
    .join(' ')
  return {
    operationId: isSecond ? `${id}.${method.toLowerCase()}` : id,
    tags: [resource],
    summary: route.summary,
    ...(words ? { description: words } : {}),
    security: securityOf(named),
    parameters: parametersOf(named),
    ...bodyOf(named),
    responses: { ...successesOf(named), ...failuresOf(named) },
    ...(route.audience === 'grant' && !route.own ? { 'x-providers': supporters(providers, named) } : {}),
    ...(isCustomerData(named) ? { 'x-customer-data': true } : {}),
    ...(isSecond ? { 'x-scalar-ignore': true } : codeSamplesOf(named, baseUrl)),
  }
}
