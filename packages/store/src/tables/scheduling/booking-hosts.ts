/**
 * The times that bookings claim from their hosts. A claim blocks the time until `holdsUntil`; afterwards only the
 * calendars decide. While a booking is moved, it has claims of two revisions: its old and its new time.
 */
import { type Queries, sql } from '../../engine/database.ts'

/** Times in Unix seconds. */
export interface ClaimedTime {
  grantId: string
  bookingId: string
  start: number
  end: number
}

export interface Claim extends ClaimedTime {
  applicationId: string
  revision: number
  /** Milliseconds. */
  holdsUntil: number
}

/** For claims that block their time until it is over. */
export const always = Number.MAX_SAFE_INTEGER

interface ClaimRow {
  grant_id: string
  booking_id: string
  starts_at: number
  ends_at: number
}

const add = sql('booking_hosts.add')`
   insert into booking_hosts (grant_id, booking_id, revision, application_id, starts_at, ends_at, holds_until)
   values ($2, $3, $4, $1, $5, $6, $7)`
const overlapping = sql<ClaimRow>('booking_hosts.overlapping')`select grant_id, booking_id, starts_at, ends_at
   from booking_hosts
   where application_id = $1 and grant_id = $2 and ends_at > $3 and starts_at < $4 and holds_until > $5
   and booking_id <> $6 order by starts_at, booking_id`
const recent = sql<{ configuration_id: string; latest: number }>('booking_hosts.recent')`
   select b.configuration_id, max(b.created_at) as latest from booking_hosts h
   join bookings b on b.application_id = h.application_id and b.id = h.booking_id
   where h.application_id = $1 and h.grant_id = $2 and h.ends_at > $3 and h.holds_until > $4
   and b.host_grant_id = $2 and b.status <> 'cancelled' and b.id <> $5 group by b.configuration_id`
const hold = sql('booking_hosts.hold')`update booking_hosts set holds_until = $4
   where application_id = $1 and booking_id = $2 and grant_id = $3`
const keepRevision = sql('booking_hosts.keepRevision')`delete from booking_hosts
   where application_id = $1 and booking_id = $2 and revision <> $3`
const removeRevision = sql('booking_hosts.removeRevision')`delete from booking_hosts
   where application_id = $1 and booking_id = $2 and revision = $3`
const removeAll = sql('booking_hosts.removeAll')`delete from booking_hosts
   where application_id = $1 and booking_id = $2`

export const addClaim = async (tx: Queries, claim: Claim): Promise<void> => {
  const { applicationId, grantId, bookingId, revision, start, end, holdsUntil } = claim
  await tx.post(add, [applicationId, grantId, bookingId, revision, start, end, holdsUntil])
}

/** The claims that block a part of a time of a host now, except those of one booking. */
export const findClaims = async (
  queries: Queries,
  { applicationId, grantId }: { applicationId: string; grantId: string },
  { from, to, now, exceptBooking }: { from: number; to: number; now: number; exceptBooking?: string | undefined },
): Promise<ClaimedTime[]> =>
  (await queries.all(overlapping, [applicationId, grantId, from, to, now, exceptBooking ?? ''])).map((row) => ({
    grantId: row.grant_id,
    bookingId: row.booking_id,
    start: row.starts_at,
    end: row.ends_at,
  }))

/**
 * When a host was booked last, by configuration: bookings that are being made or whose claims still block their time. Times
 * are in milliseconds.
 */
export const findRecentBookings = async (
  queries: Queries,
  { applicationId, grantId }: { applicationId: string; grantId: string },
  { now, exceptBooking }: { now: number; exceptBooking?: string | undefined },
): Promise<{ configurationId: string; at: number }[]> =>
  (await queries.all(recent, [applicationId, grantId, Math.floor(now / 1000), now, exceptBooking ?? ''])).map(
    ({ configuration_id, latest }) => ({ configurationId: configuration_id, at: latest }),
  )

interface RevisionAddress {
  applicationId: string
  bookingId: string
  revision: number
}

/** Changes how long the claims of a host block their time. */
export const holdClaims = (
  tx: Queries,
  { applicationId, bookingId, grantId }: Omit<RevisionAddress, 'revision'> & { grantId: string },
  until: number,
): Promise<void> => tx.post(hold, [applicationId, bookingId, grantId, until])

/** Removes the claims of all other revisions. */
export const keepClaims = (tx: Queries, at: RevisionAddress): Promise<void> =>
  tx.post(keepRevision, [at.applicationId, at.bookingId, at.revision])

export const removeClaims = (tx: Queries, at: RevisionAddress): Promise<void> =>
  tx.post(removeRevision, [at.applicationId, at.bookingId, at.revision])

export const removeAllClaims = (tx: Queries, at: Omit<RevisionAddress, 'revision'>): Promise<void> =>
  tx.post(removeAll, [at.applicationId, at.bookingId])

// A row for each account whose time is booked. A transaction that compares and writes claims first changes the rows of
// all its accounts, in order, so that two of them run one after the other.

const lock = sql('scheduler_hosts.lock')`insert into scheduler_hosts (grant_id, application_id, changes)
   values ($2, $1, 1) on conflict (grant_id, application_id) do update set changes = scheduler_hosts.changes + 1`

/** Locks accounts until the transaction ends. Every account must exist. */
export async function lockHosts(tx: Queries, applicationId: string, grantIds: Iterable<string>): Promise<void> {
  for (const grantId of [...new Set(grantIds)].toSorted()) await tx.run(lock, [applicationId, grantId])
}
