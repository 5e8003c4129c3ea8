/**
 * The routes that service accounts may call, by permission. A route that is not listed accepts no signatures: people,
 * sessions, service accounts and the settings of the installation stay with people. Pure.
 */
import type { NamedRoute, ServiceAccountPermission } from '@waypost/contract'

const routesByPermission: Record<ServiceAccountPermission, readonly string[]> = {
  'apikey.create': ['apiKeys.create'],
  'apikey.get': ['apiKeys.list', 'apiKeys.get', 'apiKeys.requests'],
  'apikey.update': ['apiKeys.update'],
  'apikey.delete': ['apiKeys.delete'],
  'application.create': ['adminApplications.create'],
  'application.get': ['adminApplications.list', 'adminApplications.get'],
  'application.update': ['adminApplications.update'],
  'usage.get': ['usage.list', 'usage.get'],
  'audit.get': ['audit.list'],
  'health.get': ['health.get', 'health.series'],
}

const permissions = new Map(
  Object.entries(routesByPermission).flatMap(([permission, ids]) =>
    ids.map((id) => [id, permission as ServiceAccountPermission] as const),
  ),
)

/** The permission that a service account needs for a route. Undefined: no permission opens it. */
export const permissionFor = ({ id }: Pick<NamedRoute, 'id'>): ServiceAccountPermission | undefined =>
  permissions.get(id)
