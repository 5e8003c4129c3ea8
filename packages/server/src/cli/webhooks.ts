import type { BuiltServices } from '../services/services.ts'
import { type AttemptFilter, listAttempts } from '../store/tables/notifications/attempt-log.ts'
import { listDeliveries } from '../store/tables/notifications/deliveries.ts'
import { listWebhooks } from '../store/tables/notifications/webhooks.ts'
import { verifyListener } from '../webhooks/delivery/challenge.ts'
import { deliverNow } from '../webhooks/delivery/deliver-now.ts'
import { attemptOf, deliveryOf } from '../webhooks/delivery/delivery-log.ts'
import { changeWebhook, checkWebhookUrl, needDestination, webhookOf } from '../webhooks/destinations.ts'
import { replay } from '../webhooks/replay.ts'
import { openAnswers } from '../webhooks/sealed-payloads.ts'
import { noteCommand } from './audit.ts'
import { findApplication } from './named-application.ts'
import { type Arguments, needWord, numberOption, type StoreRun, textOption, UsageError } from './program/command.ts'
import { type Output, printList, printObject } from './program/output.ts'
import { timeOption } from './program/times.ts'
import { usualLimit } from './table/options.ts'

interface Named {
  applicationId: string
  webhookId: string
  url: string
}

/** The destination named by a command; it must exist. */
async function find(services: BuiltServices, args: Arguments): Promise<Named> {
  const webhookId = needWord(args, 0, 'WEBHOOK_ID')
  const { id: applicationId } = await findApplication(services, args)
  const { webhook_url: url } = await needDestination(services.database, applicationId, webhookId)
  return { applicationId, webhookId, url }
}

/** The parser already checked the value. */
const choiceOption = <T extends string>(args: Arguments, name: string, choices: readonly T[]): T | undefined =>
  choices.find((each) => each === textOption(args, name))

const limitOption = (args: Arguments): number => numberOption(args, 'limit', usualLimit)

const shownTime = (seconds: number | null): string | null =>
  seconds === null ? null : new Date(seconds * 1000).toISOString().replace('.000', '')

export const webhooksList: StoreRun = async (services, args, output) => {
  const limit = limitOption(args)
  const { id } = await findApplication(services, args)
  const all = await listWebhooks(services.database, id)
  const rows = all.filter(({ transport }) => transport === 'webhook').map(webhookOf)
  const shown = rows.map((row) => ({
    ...row,
    since: shownTime(row.status_updated_at),
    triggers: row.trigger_types.join(' '),
  }))
  const columns = ['id', 'status', 'since', 'webhook_url', 'triggers']
  printList(output, output.json ? rows : shown, {
    columns,
    empty: 'No destinations yet. Create one with POST /v3/webhooks.',
    limit,
  })
}

export const webhooksAttempts: StoreRun = async (services, args, output) => {
  const limit = limitOption(args)
  const [start, end] = [timeOption(args, 'start'), timeOption(args, 'end')]
  const filter: AttemptFilter = {
    notificationId: textOption(args, 'notification'),
    outcome: choiceOption(args, 'outcome', ['delivered', 'failed']),
    start: start === undefined ? undefined : start * 1000,
    end: end === undefined ? undefined : end * 1000,
  }
  const at = await find(services, args)
  const rows = await listAttempts(services.database, at, { filter, limit: limit + 1 })
  const attempts = (await openAnswers(services.payloads, at, rows)).map(attemptOf)
  const shown = attempts.map((row) => ({
    ...row,
    at: shownTime(row.at),
    attempt: row.webhook_delivery_attempt,
    answer: firstLine(row.error ?? row.answer),
  }))
  const columns = ['at', 'outcome', 'status', 'latency_ms', 'attempt', 'type', 'notification_id', 'answer']
  printList(output, output.json ? attempts : shown, { columns, empty: 'No attempts yet.', limit })
}

/** Responses are foreign text: control characters must not reach the terminal. */
const firstLine = (text: string | null): string | null =>
  text === null
    ? null
    : text
        .slice(0, 80)
        .split(/[\r\n]/, 1)
        .join('')
        .replaceAll(/[^\p{L}\p{N}\p{P}\p{S} ]/gu, '\uFFFD')

export const webhooksDeliveries: StoreRun = async (services, args, output) => {
  const limit = limitOption(args)
  const state = choiceOption(args, 'state', ['waiting', 'failed'])
  const rows = await listDeliveries(services.database, await find(services, args), { state, limit: limit + 1 })
  const deliveries = rows.map(deliveryOf)
  const shown = deliveries.map((row) => ({ ...row, next_attempt_at: shownTime(row.next_attempt_at) }))
  const columns = ['notification_id', 'type', 'grant_id', 'state', 'attempts', 'next_attempt_at']
  printList(output, output.json ? deliveries : shown, { columns, empty: 'No waiting or failed notifications.', limit })
}

export const webhooksReplay: StoreRun = async (services, args, output) => {
  const notification = textOption(args, 'notification')
  const [start, end] = [timeOption(args, 'start'), timeOption(args, 'end')]
  const failed = args.options.failed === true
  if ([notification !== undefined, start !== undefined, failed].filter(Boolean).length !== 1) {
    throw new UsageError('set one of --notification, --start (with --end) or --failed')
  }
  if (end !== undefined && (start === undefined || end <= start)) throw new UsageError('--end must be after --start')
  const at = await find(services, args)
  const request = { notification_id: notification, start, end, ...(failed ? { failed } : {}) }
  const replayed = await replay(services.database, at, request, services.clock.now())
  await services.database.transaction((tx) => {
    const { applicationId, webhookId: target } = at
    return noteCommand(tx, services, { action: 'deliveries.replay', applicationId, target })
  })
  printObject(output, { id: at.webhookId, replayed })
}

export const webhooksDeliverNow: StoreRun = async (services, args, output) => {
  const at = await find(services, args)
  const made = await deliverNow(services.database, at, services.clock.now())
  await services.database.transaction((tx) => {
    const { applicationId, webhookId: target } = at
    return noteCommand(tx, services, { action: 'deliveries.deliverNow', applicationId, target })
  })
  printObject(output, { id: at.webhookId, ...made })
}

async function change(
  services: BuiltServices,
  { applicationId, webhookId: id, url }: Named,
  { status, output }: { status: 'active' | 'pause'; output: Output },
): Promise<void> {
  const how = { change: { status }, verified: status === 'active' ? url : undefined }
  const { database, clock } = services
  const changed = await database.transaction(async (tx) => {
    await noteCommand(tx, services, { action: 'webhooks.update', applicationId, target: id })
    return changeWebhook(tx, { applicationId, id }, how, clock.now())
  })
  printObject(output, { id, webhook_url: changed.webhook_url, status: changed.status })
}

export const webhooksPause: StoreRun = async (services, args, output) => {
  await change(services, await find(services, args), { status: 'pause', output })
}

export const webhooksActivate: StoreRun = async (services, args, output) => {
  const { egress, clock, stopping } = services
  const named = await find(services, args)
  await verifyListener(checkWebhookUrl(egress, named.url), { egress, clock, signal: stopping })
  await change(services, named, { status: 'active', output })
}
