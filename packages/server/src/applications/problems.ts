/** The problems of an application for its overview, as a pure function. */
import type { ApplicationOverview, OverviewProblem } from '@waypost/contract'

export interface Facts {
  isBlocked: boolean
  /** Whether a node that delivers and watches is alive. */
  hasWorker: boolean
  grantLimit: number | null
  grantCount: number
  destinations: ApplicationOverview['destinations']
  /** Notifications that wait for another attempt, by destination. */
  retrying: ReadonlyMap<string, number>
  /** Of the last hour. */
  requests: number
  errors: number
  providers: readonly { provider: string; requests: number; errors: number }[]
  /** Grants that lost access in the last 24 hours and have not regained it. */
  expired: number
  notFetched: number
  /** Background jobs that failed permanently. */
  failedJobs: number
  /** Unix seconds. */
  now: number
}

/** Deliveries due for longer than this are late. */
const lateSeconds = 300
/** Fewer errors than this are not reported. */
const fewErrors = 5
const errorShare = 0.01
const providerShare = 0.05
const providerDown = 0.5

type Part = Omit<OverviewProblem, 'provider' | 'webhook_id'> & Partial<OverviewProblem>

const problem = (part: Part): OverviewProblem => ({ provider: null, webhook_id: null, ...part })

/** A count with its noun. */
const many = (count: number, one: string, several: string): string => (count === 1 ? `1 ${one}` : `${count} ${several}`)

/** The host of a URL. The name of a topic has none and is shown as it is. */
const hostOf = (place: string): string => URL.parse(place)?.host || place

function* destinationProblems({ destinations, retrying, hasWorker, now }: Facts): Generator<Part> {
  for (const { id: webhook_id, transport, webhook_url, status, due_since } of destinations) {
    const host = hostOf(webhook_url)
    const receiver = transport === 'webhook' ? 'receiver' : 'broker'
    if (status === 'failed') {
      const message = `The service stopped sending to ${host} after too many failed attempts. Fix the ${receiver}, then activate the destination.`
      yield { code: 'destination_failed', severity: 'trouble', message, webhook_id }
    } else if (status === 'failing') {
      const message = `Most deliveries to ${host} fail. The service stops sending after 72 hours of failures.`
      yield { code: 'destination_failing', severity: 'trouble', message, webhook_id }
    } else if (status === 'pause') {
      const message = `The destination at ${host} is paused. It receives no notifications.`
      yield { code: 'destination_paused', severity: 'attention', message, webhook_id }
    } else if (hasWorker && due_since !== null && now - due_since > lateSeconds) {
      const minutes = many(Math.floor((now - due_since) / 60), 'minute', 'minutes')
      const message = `Notifications for ${host} have been waiting for ${minutes}. The ${receiver} is slow or cannot keep up.`
      yield { code: 'deliveries_late', severity: 'attention', message, webhook_id }
    } else if ((retrying.get(webhook_id) ?? 0) > 0) {
      const waiting = many(retrying.get(webhook_id) ?? 0, 'notification waits', 'notifications wait')
      const message = `${waiting} for another attempt, because the ${receiver} at ${host} did not accept the last one. Find its answers in the log of the destination.`
      yield { code: 'deliveries_late', severity: 'attention', message, webhook_id }
    }
  }
}

function* trafficProblems({ requests, errors, providers }: Facts): Generator<Part> {
  if (errors >= fewErrors && errors > requests * errorShare) {
    const message = `${errors} of ${requests} requests in the last hour failed in the service. Find them in the log by request ID.`
    yield { code: 'service_errors', severity: 'trouble', message }
  }
  for (const { provider, requests: requested, errors: failed } of providers) {
    const share = failed / Math.max(requested, failed)
    if (failed < fewErrors || share < providerShare) continue
    const message = `${many(failed, 'error', 'errors')} from ${provider} in the last hour.`
    yield { code: 'provider_errors', severity: share >= providerDown ? 'trouble' : 'attention', message, provider }
  }
}

function* grantProblems({ expired, notFetched, grantLimit, grantCount }: Facts): Generator<Part> {
  if (expired > 0) {
    const message =
      expired === 1
        ? '1 grant lost access in the last 24 hours. The account owner must authenticate again.'
        : `${expired} grants lost access in the last 24 hours. The account owners must authenticate again.`
    yield { code: 'grants_expired', severity: 'attention', message }
  }
  if (notFetched > 0) {
    const message = `The service cannot fetch changes of ${many(notFetched, 'account', 'accounts')} at the moment. It retries automatically.`
    yield { code: 'changes_not_fetched', severity: 'attention', message }
  }
  if (grantLimit !== null && grantCount >= grantLimit) {
    const message = `All ${grantLimit} grants are in use. Delete one, or create an application without a limit.`
    yield { code: 'grant_limit_reached', severity: 'attention', message }
  }
}

function* serviceProblems({ isBlocked, hasWorker, failedJobs }: Facts): Generator<Part> {
  if (isBlocked) {
    const message = 'The application is blocked and all its requests are refused. Unblock it under Applications.'
    yield { code: 'application_blocked', severity: 'trouble', message }
  }
  if (!hasWorker) {
    const message = 'No worker is running. Nothing is delivered, sent on schedule or checked for changes.'
    yield { code: 'no_worker', severity: 'trouble', message }
  }
  if (failedJobs > 0) {
    const them = failedJobs === 1 ? 'it' : 'them'
    const message = `${many(failedJobs, 'background job', 'background jobs')} failed permanently. Find the reason under Failed jobs, then retry or discard ${them}.`
    yield { code: 'jobs_failed', severity: 'trouble', message }
  }
}

/** All problems that need action, most severe first. */
export function problemsOf(facts: Facts): OverviewProblem[] {
  const all = [
    ...serviceProblems(facts),
    ...destinationProblems(facts),
    ...trafficProblems(facts),
    ...grantProblems(facts),
  ].map(problem)
  return [
    ...all.filter(({ severity }) => severity === 'trouble'),
    ...all.filter(({ severity }) => severity !== 'trouble'),
  ]
}
