/**
 * What the caller of a guest route may see: one configuration. The caller is
 *
 * - a guest with a scheduling session, which belongs to one configuration,
 * - anyone, for a configuration without `requires_session_auth`, named by its id or by slug and application, or
 * - the application itself, by an API key or an administrator, for any configuration of the application.
 *
 * Sessions that are unknown, expired or of another configuration get the same answer. So do configurations that do not exist,
 * are private or were deleted.
 */
import type { PageParams } from '@waypost/contract'
import { ApiError, invalidField } from '@waypost/platform/api-error'
import type { Clock } from '@waypost/platform/clock'
import type { DataSeals } from '@waypost/platform/crypto/data-seals'
import { isUuid } from '@waypost/platform/ids'
import type { Queries } from '@waypost/store/engine/database'
import { getApplication } from '@waypost/store/tables/applications/applications'
import { isInReach, type ReachingCaller } from '../grants/caller.ts'
import { type BookingRecord, findBooking, provedBy } from './bookings/booking-record.ts'
import {
  type ConfigurationRecord,
  findConfiguration,
  findConfigurationOfAny,
  findNamedConfiguration,
} from './configurations.ts'
import { findSchedulingSession } from './scheduling-sessions.ts'
import type { VisitorLimits } from './visitor-limits.ts'

export interface VisitServices {
  database: Queries
  seals: DataSeals
  clock: Clock
  visitorLimits: VisitorLimits
}

/** The part of a guest's request that matters; the context of a guest route has all of it. */
export interface Visit {
  application: ReachingCaller | undefined
  schedulingSession: string | undefined
  query: Pick<PageParams, 'configuration_id' | 'slug' | 'client_id'>
}

export interface PageVisitor {
  record: ConfigurationRecord
  /** `application`: the caller needs no salt, and sees what the application may see. */
  kind: 'session' | 'public' | 'application'
}

interface VisitOptions {
  /** Also find a deleted configuration, which stays for its upcoming bookings. */
  isClosedAllowed?: boolean
  /** For the application itself: the configuration, where the request names it by a booking. */
  configurationId?: string | undefined
}

/** The configuration that a guest may see. Throws 401 for a session that does not open it, otherwise 404. */
export async function findPageVisitor(
  services: VisitServices,
  visit: Visit,
  options: VisitOptions = {},
): Promise<PageVisitor> {
  const found = await findVisited(services, visit, options)
  const isOpen = found && (found.record.removedAt === null || options.isClosedAllowed === true)
  if (!isOpen) throw visit.schedulingSession === undefined ? noPage() : new ApiError('invalid_session')
  if (found.kind === 'application') return found
  services.visitorLimits.takePage(found.record.id)
  await needOpenApplication(services, found.record.applicationId)
  return found
}

const noPage = (): ApiError =>
  new ApiError('not_found', 'no such booking page: check configuration_id, or slug and client_id')

async function findVisited(
  services: VisitServices,
  visit: Visit,
  options: VisitOptions,
): Promise<PageVisitor | undefined> {
  if (visit.application) return ofApplication(services, visit, visit.application, options)
  return visit.schedulingSession === undefined
    ? ofAnyone(services, visit)
    : ofSession(services, visit, visit.schedulingSession)
}

async function ofApplication(
  { database: queries, seals }: VisitServices,
  { query }: Visit,
  caller: ReachingCaller,
  { configurationId }: VisitOptions,
): Promise<PageVisitor | undefined> {
  const { id: applicationId } = caller
  const id = configurationId ?? query.configuration_id
  if (id === undefined && query.slug === undefined) throw invalidField('configuration_id', 'is required, or slug')
  if (query.client_id !== undefined && query.client_id !== applicationId) return undefined
  const record = await findNamedConfiguration({ queries, seals }, applicationId, { id, slug: query.slug })
  const isSeen = record && (await isInReach(queries, caller, { by: 'id', value: record.grantId }))
  return isSeen ? { record, kind: 'application' } : undefined
}

async function ofSession(services: VisitServices, { query }: Visit, id: string): Promise<PageVisitor | undefined> {
  const { database: queries, seals } = services
  const session = await findSchedulingSession(services, id)
  if (!session) return undefined
  const { application_id: applicationId, configuration_id: configurationId } = session
  const record = await findConfiguration({ queries, seals }, { applicationId, id: configurationId })
  const isOther =
    (query.configuration_id !== undefined && query.configuration_id.toLowerCase() !== configurationId) ||
    (query.client_id !== undefined && query.client_id !== applicationId)
  return record && !isOther ? { record, kind: 'session' } : undefined
}

async function ofAnyone(
  { database: queries, seals }: VisitServices,
  { query }: Visit,
): Promise<PageVisitor | undefined> {
  const { configuration_id: id, slug, client_id: applicationId } = query
  if (id === undefined && (slug === undefined || applicationId === undefined)) {
    throw invalidField('configuration_id', 'is required without a session, or slug and client_id')
  }
  if (id !== undefined && !isUuid(id)) return undefined
  const record =
    id !== undefined && applicationId === undefined
      ? await findConfigurationOfAny({ queries, seals }, id)
      : await findNamedConfiguration({ queries, seals }, applicationId ?? '', { id, slug })
  return record && !record.configuration.requires_session_auth ? { record, kind: 'public' } : undefined
}

/** The pages of an application that an administrator blocked are closed. */
async function needOpenApplication({ database }: VisitServices, applicationId: string): Promise<void> {
  const row = await getApplication(database, applicationId)
  if (row?.blocked === 1) throw new ApiError('resource_blocked', 'the application is blocked by the administrator')
}

const noBooking = (visit: Visit): ApiError =>
  visit.schedulingSession === undefined
    ? new ApiError('not_found', 'no such booking: check booking_id')
    : new ApiError('invalid_session')

/** A request about an existing booking. */
type BookingVisit = Visit & { params: { booking_id: string }; query: PageParams; visitor: { address: string } }

interface FoundBooking {
  visitor: PageVisitor
  booking: BookingRecord
}

/** The application finds the configuration by its booking. */
async function configurationOf(services: VisitServices, visit: BookingVisit, id: string): Promise<string | undefined> {
  const { application } = visit
  if (!application) return undefined
  const booking = await findBooking(services.database, services.seals, {
    applicationId: application.id,
    id,
  })
  const isOut = booking && !(await isInReach(services.database, application, { by: 'id', value: booking.grantId }))
  if (isOut) throw noBooking(visit)
  const named = visit.query.configuration_id?.toLowerCase() ?? booking?.configurationId
  if (!booking || named !== booking.configurationId) throw noBooking(visit)
  return booking.configurationId
}

/** A booking of the configuration that the caller may see, also one whose page was closed. */
export async function findVisitedBooking(services: VisitServices, visit: BookingVisit): Promise<FoundBooking> {
  const id = visit.params.booking_id.toLowerCase()
  const configurationId = isUuid(id) ? await configurationOf(services, visit, id) : undefined
  if (visit.application && configurationId === undefined) throw noBooking(visit)
  const visitor = await findPageVisitor(services, visit, { isClosedAllowed: true, configurationId })
  const { applicationId } = visitor.record
  const booking = isUuid(id) ? await findBooking(services.database, services.seals, { applicationId, id }) : undefined
  const isOwn = booking?.configurationId === visitor.record.id && booking.eventId !== null
  if (!booking || !isOwn) throw noBooking(visit)
  return { visitor, booking }
}

/** The salt proves that the caller is the organizer. The application needs none. */
export function needOrganizer(
  { visitorLimits }: VisitServices,
  visit: BookingVisit,
  { visitor, booking }: FoundBooking,
  salt: string,
): void {
  if (visitor.kind === 'application') return
  const at = { bookingId: booking.id, address: visit.visitor.address }
  const isProved = visitorLimits.countWrong(at, () => provedBy(booking, salt) === 'organizer')
  if (!isProved) throw noBooking(visit)
}

export const addressOf = ({ visitor, booking }: FoundBooking, signal: AbortSignal) => ({
  applicationId: booking.applicationId,
  id: booking.id,
  configuration: visitor.record,
  signal,
  // The application answers for its own cancellations; guests keep the notice.
  isBound: visitor.kind !== 'application',
})
