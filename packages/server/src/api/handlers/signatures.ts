import { limits, type Signature } from '@waypost/contract'
import { ApiError, invalidField } from '@waypost/platform/api-error'
import { seconds } from '@waypost/platform/clock'
import { newId } from '@waypost/platform/ids'
import { lockGrant } from '@waypost/store/tables/grants/grants'
import {
  type After,
  countSignatures,
  deleteSignature,
  getSignature,
  insertSignature,
  listSignatures,
  type SignatureRow,
  updateSignature,
} from '@waypost/store/tables/mail/signatures'
import { z } from 'zod'
import { mailboxOf } from '../../grants/mailbox.ts'
import { safeSignature } from '../../sending/compose/signature-html.ts'
import type { Services } from '../../services/services.ts'
import type { Handlers } from '../pipeline/handler-types.ts'

const Place = z.tuple([z.number(), z.string()])

/** The start of a page, from its cursor. */
export function placeOf(position: unknown): After | undefined {
  if (position === undefined) return undefined
  const [createdAt, id] = Place.parse(position)
  return { createdAt, id }
}

/** One page; `rows` has one row more than the page if there is a next one. */
export function pageOf<R extends { created_at: number; id: string }, T>(
  rows: readonly R[],
  limit: number,
  show: (row: R) => T,
) {
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  const next = rows.length > limit && last ? { next: [last.created_at, last.id] } : {}
  return { items: shown.map(show), ...next }
}

const signatureOf = (row: SignatureRow): Signature => ({
  id: row.id,
  grant_id: row.grant_id,
  object: 'signature',
  name: row.name,
  body: row.body,
  created_at: seconds(row.created_at),
  updated_at: seconds(row.updated_at),
})

function safeBody(html: string): string {
  const safe = safeSignature(html)
  if (safe === '') throw invalidField('body', 'nothing is left of it once what is not safe is taken out')
  return safe
}

const need = (row: SignatureRow | undefined): SignatureRow => {
  if (!row) throw new ApiError('not_found')
  return row
}

export const signatures = ({ storage: { database, clock } }: Pick<Services, 'storage'>): Handlers['signatures'] => ({
  list: async ({ grant, query, position }) => {
    const { limit } = query
    const rows = await listSignatures(database, mailboxOf(grant), { after: placeOf(position), limit: limit + 1 })
    return pageOf(rows, limit, signatureOf)
  },
  create: ({ grant, body, write }) => {
    const at = mailboxOf(grant)
    const safe = safeBody(body.body)
    return write(async (tx) => {
      // Locks the grant, so that the count stays correct.
      if (!(await lockGrant(tx, at.applicationId, at.grantId))) throw new ApiError('grant_not_found')
      if ((await countSignatures(tx, at)) >= limits.signatures) {
        throw invalidField('signatures', `the grant has ${limits.signatures} signatures, which is the limit`)
      }
      const now = clock.now()
      const row = {
        id: newId(),
        application_id: at.applicationId,
        grant_id: at.grantId,
        name: body.name,
        body: safe,
        created_at: now,
        updated_at: now,
      }
      await insertSignature(tx, row)
      return signatureOf(row)
    })
  },
  get: async ({ grant, params }) =>
    signatureOf(need(await getSignature(database, mailboxOf(grant), params.signature_id))),
  update: ({ grant, params, body, write }) => {
    const safe = body.body === undefined ? undefined : safeBody(body.body)
    const at = mailboxOf(grant)
    return write(async (tx) => {
      await lockGrant(tx, at.applicationId, at.grantId)
      const row = need(await getSignature(tx, at, params.signature_id))
      const changed = { ...row, name: body.name ?? row.name, body: safe ?? row.body, updated_at: clock.now() }
      await updateSignature(tx, changed)
      return signatureOf(changed)
    })
  },
  delete: ({ grant, params, write }) =>
    write(async (tx) => {
      if (!(await deleteSignature(tx, mailboxOf(grant), params.signature_id))) throw new ApiError('not_found')
    }),
})
