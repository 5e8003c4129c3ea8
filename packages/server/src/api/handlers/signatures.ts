import { limits, type Signature } from '@waypost/contract'
import { ApiError, invalidField } from '@waypost/platform/api-error'
import { seconds } from '@waypost/platform/clock'
import { newId } from '@waypost/platform/ids'
import { lockGrant } from '@waypost/store/tables/grants/grants'
import {
  countSignatures,
  deleteSignature,
  getSignature,
  insertSignature,
  listSignatures,
  type SignatureRow,
  updateSignature,
} from '@waypost/store/tables/mail/signatures'
import { mailboxOf } from '../../grants/locator.ts'
import { safeSignature } from '../../sending/compose/signature-html.ts'
import type { Services } from '../../services/services.ts'
import type { Handlers } from '../pipeline/handler-types.ts'
import { listCreated } from './lists/keyset-page.ts'

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
  list: (context) =>
    listCreated(context, (page) => listSignatures(database, mailboxOf(context.grant), page), signatureOf),
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
