import { type AttemptFilter, listAttempts } from '@waypost/store/tables/notifications/attempt-log'
import { listDeliveries } from '@waypost/store/tables/notifications/deliveries'
import { listWebhooks, type WebhookRow } from '@waypost/store/tables/notifications/webhooks'
import type { BuiltServices } from '../services/services.ts'
import { deliverNow } from '../webhooks/delivery/deliver-now.ts'
import { attemptOf, deliveryOf } from '../webhooks/delivery/delivery-log.ts'
import { needDestination } from '../webhooks/destinations.ts'
import { replay } from '../webhooks/replay.ts'
import { openAnswers } from '../webhooks/sealed-payloads.ts'
import { isTransport } from '../webhooks/transports/transports.ts'
import { noteCommand } from './audit.ts'
import { setStatus, shownDestination, verifyDestination } from './destinations.ts'
import { findApplication } from './named.ts'
import {
  type Arguments,
  needWord,
  numberOption,
  type StoreRun,
  textOption,
  timeOption,
  UsageError,
} from './program/command.ts'
import { type Output, printList, printObject, shownTime } from './program/output.ts'

/** The destination named by a command; it must exist. */
async function findRow(services: BuiltServices, args: Arguments): Promise<WebhookRow> {
  const webhookId = needWord(args, 0, 'WEBHOOK_ID')
  const { id: applicationId } = await findApplication(services, args)
  return needDestination(services.storage.database, applicationId, webhookId)
}

interface NamedWebhook {
  applicationId: string
  webhookId: string
}

async function find(services: BuiltServices, args: Arguments): Promise<NamedWebhook> {
  const { application_id: applicationId, id: webhookId } = await findRow(services, args)
  return { applicationId, webhookId }
}

/** The parser already checked the value. */
const choiceOption = <T extends string>(args: Arguments, name: string, choices: readonly T[]): T | undefined =>
  choices.find((each) => each === textOption(args, name))

export const webhooksList: StoreRun = async (services, args, output) => {
  const limit = numberOption(args, 'limit')
  const { id } = await findApplication(services, args)
  const all = await listWebhooks(services.storage.database, id)
  const rows = all.filter(({ transport }) => isTransport(transport))
  const destinations = rows.map((row) => shownDestination(services, row))
  const shown = destinations.map(({ address, fields }) => ({
    ...fields,
    since: shownTime(fields.status_updated_at),
    address,
    triggers: fields.trigger_types.join(' '),
  }))
  const columns = ['id', 'transport', 'status', 'since', 'address', 'triggers']
  printList(output, output.json ? destinations.map(({ fields }) => fields) : shown, {
    columns,
    empty: 'No destinations yet. Create one with POST /v3/webhooks, or POST /v3/channels/nats, amqp, pubsub or sns.',
    limit,
  })
}

export const webhooksAttempts: StoreRun = async (services, args, output) => {
  const limit = numberOption(args, 'limit')
  const [start, end] = [timeOption(args, 'start'), timeOption(args, 'end')]
  const filter: AttemptFilter = {
    notificationId: textOption(args, 'notification'),
    outcome: choiceOption(args, 'outcome', ['delivered', 'failed']),
    start: start === undefined ? undefined : start * 1000,
    end: end === undefined ? undefined : end * 1000,
  }
  const at = await find(services, args)
  const rows = await listAttempts(services.storage.database, at, { filter, limit: limit + 1 })
  const attempts = (await openAnswers(services.storage.payloads, at, rows)).map(attemptOf)
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
  const limit = numberOption(args, 'limit')
  const state = choiceOption(args, 'state', ['waiting', 'failed'])
  const rows = await listDeliveries(services.storage.database, await find(services, args), { state, limit: limit + 1 })
  const deliveries = rows.map(deliveryOf)
  const shown = deliveries.map((row) => ({ ...row, next_attempt_at: shownTime(row.next_attempt_at) }))
  const columns = ['notification_id', 'type', 'grant_id', 'state', 'attempts', 'next_attempt_at']
  printList(output, output.json ? deliveries : shown, { columns, empty: 'No waiting or failed notifications.', limit })
}

const note = (services: BuiltServices, action: string, { applicationId, webhookId: target }: NamedWebhook) =>
  noteCommand(services.storage.database, services, { action, applicationId, target })

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
  const replayed = await replay(services.storage.database, at, request, services.storage.clock.now())
  await note(services, 'deliveries.replay', at)
  printObject(output, { id: at.webhookId, replayed })
}

export const webhooksDeliverNow: StoreRun = async (services, args, output) => {
  const at = await find(services, args)
  const made = await deliverNow(services.storage.database, at, services.storage.clock.now())
  await note(services, 'deliveries.deliverNow', at)
  printObject(output, { id: at.webhookId, ...made })
}

async function change(
  services: BuiltServices,
  args: Arguments,
  { status, output }: { status: 'active' | 'pause'; output: Output },
): Promise<void> {
  const row = await findRow(services, args)
  if (status === 'active') await verifyDestination(services, row)
  const { address, fields } = await setStatus(services, row, status)
  const place = 'webhook_url' in fields ? { webhook_url: fields.webhook_url } : { address }
  printObject(output, { id: row.id, ...place, status: fields.status })
}

export const webhooksPause: StoreRun = (services, args, output) => change(services, args, { status: 'pause', output })

export const webhooksActivate: StoreRun = (services, args, output) =>
  change(services, args, { status: 'active', output })
