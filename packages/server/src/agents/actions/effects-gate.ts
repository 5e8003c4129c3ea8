/**
 * What requests of restricted credentials must pass once they are parsed: the sender, the recipients, messages per hour, and
 * the approval of a person.
 */
import { ApiError, invalidField } from '@waypost/platform/api-error'
import { emailKey } from '@waypost/platform/email-key'
import { fieldOf } from '@waypost/platform/json/values'
import { checkLimits } from '@waypost/providers/limits'
import { countMessages } from '@waypost/store/tables/applications/credential-messages'
import { type Credential, isAllowedRecipient } from '../../applications/key-rights.ts'
import type { Approvals } from '../approvals/node-approvals.ts'
import type { RequestedAction } from '../approvals/stored-request.ts'
import { type EffectRule, effectRuleOf } from '../effects/effect-rules.ts'
import { type EffectRecipient, shownDigest, snapshotOf } from '../effects/effects.ts'
import type { ActionContext, ActionTools } from './action.ts'
import { effectsOf, type FoundEffects } from './action-effects.ts'
import type { Approved, CallRoute } from './call-route.ts'

export interface GateTools extends ActionTools {
  approvals: Pick<Approvals, 'prepare'>
}

export type PreparedApproval = Awaited<ReturnType<Approvals['prepare']>>

export interface Judgement {
  /** The digest that a draft must still have when it is sent. */
  onlyAs?: string | undefined
  /** The approval that the request waits for. Its handler must not run. */
  held?: PreparedApproval
}

/** Judges a parsed request of a restricted key or an agent. Throws where it is refused. */
export type EffectsGate = (context: ActionContext, credential: Credential) => Promise<Judgement>

/** Refuses a sender other than the account itself. */
function needOwnSender(context: ActionContext, senders: readonly string[] = []): void {
  const own = context.grant?.grant.email
  const other = senders.find((sender) => own === undefined || emailKey(sender) !== emailKey(own))
  if (other === undefined) return
  throw new ApiError('recipient_not_allowed', `from: this credential sends only as ${own ?? 'the account'}`, {
    validationErrors: { from: `must be ${own ?? 'the address of the account'}` },
  })
}

function needAllowedRecipients({ rights }: Credential, effects: FoundEffects): void {
  if (!rights.recipients) return
  const refused = effects.recipients.find(({ email }) => !isAllowedRecipient(rights, email))
  if (refused) throw recipientRefusal(refused)
  if (effects.hasUnknownRecipients) {
    throw new ApiError(
      'recipient_not_allowed',
      'this action notifies people whom it does not name, and this credential may only write to some recipients',
    )
  }
}

function recipientRefusal({ role, email }: EffectRecipient): ApiError {
  const shown = email.slice(0, 320)
  return new ApiError('recipient_not_allowed', `${role}: this credential may not write to ${shown}`, {
    validationErrors: { [role]: `${shown} is not among the recipients of the rights` },
  })
}

/** A scheduled message that waits among the drafts is sent as it is then, and the credential could have changed it. */
function needFixedContent({ rights }: Credential, { served, body }: ActionContext): void {
  if (served.named.id !== 'messages.send' || fieldOf(body, 'use_draft') !== true) return
  if (rights.recipients === undefined && !rights.approval.includes('send')) return
  throw invalidField(
    'use_draft',
    'is not for this credential, because the draft could be changed before it is sent: leave use_draft out',
  )
}

/** Counts a message against the limit of the credential. */
async function takeMessage(
  { database, clock }: ActionTools,
  context: ActionContext,
  credential: Credential,
): Promise<void> {
  const max = credential.rights.messages_per_hour
  if (!max || !context.application) return
  const at = { applicationId: context.application.id, credentialId: credential.id }
  const taken = await countMessages(database, at, { count: 1, max, now: clock.now() })
  if (taken.counted) return
  throw new ApiError('messages_per_hour_reached', `this credential may send ${max} messages and invitations an hour`, {
    retryAfter: Math.ceil(taken.waitMs / 1000),
  })
}

/** Actions that change the object that they are about: a repeated attempt finds it changed by the first. */
const changesItself = new Set([
  'event change',
  'booking change',
  'booking',
  'booking page',
  'group event',
  'mailed text',
])

/** Refuses an approved action if its object is no longer what the person saw, or if the person saw something else. */
function needUnchanged(context: ActionContext, { snapshot, shown }: Approved, effects: FoundEffects): void {
  const isAsShown = shown === undefined || shown === shownDigest(effects.preview)
  if (snapshot === snapshotOf(effects) && isAsShown) return
  const rule = effectRuleOf(context.served.named.id)
  const isAgain = context.once?.again === true
  if (isAgain && changesItself.has(rule)) return
  throw new ApiError('conflict', isAgain ? changedMeanwhile : changedBefore(rule, shown === undefined))
}

const changedMeanwhile = 'the action was interrupted, and its object was changed meanwhile: check the account'

/** Why nothing was done. Earlier versions showed and compared less of a draft. */
function changedBefore(rule: EffectRule, isOfEarlierVersion: boolean): string {
  if (rule !== 'draft') return 'the object was changed after the approval was requested, so nothing was done'
  return isOfEarlierVersion
    ? 'the approval was requested before the service was updated and does not cover the whole message, or the draft was changed: nothing was sent. Ask to send the draft again'
    : 'the draft was changed after the approval was requested, so nothing was sent. Ask to send it again'
}

const actionOf = ({
  served,
  params,
  grant,
  rawQuery,
  rawHeaders,
  json,
  files,
  mime,
}: ActionContext): RequestedAction => ({
  operation: served.named.id,
  params: grant ? { ...params, grant_id: grant.grant.id } : { ...params },
  query: { ...rawQuery },
  headers: { ...rawHeaders },
  json,
  files,
  mime,
})

/** Prepares the approval that a request needs. */
function prepareApproval(
  { approvals }: GateTools,
  context: ActionContext,
  { credential, effects }: { credential: Credential; effects: FoundEffects },
): Promise<PreparedApproval> {
  const { kinds, preview, until, grantId } = effects
  return approvals.prepare({
    applicationId: context.application?.id ?? '',
    grantId,
    credential,
    kinds,
    preview,
    until,
    address: context.address,
    snapshot: snapshotOf(effects),
    action: actionOf(context),
  })
}

/** Refuses what the provider would refuse, before a person is asked. */
function checkProvider(
  { sessions }: ActionTools,
  { served: { named }, grant, query, headers, body }: ActionContext,
): void {
  if (grant && !named.route.own) checkLimits(sessions.providerOf(grant, named.id), named.id, { query, headers, body })
}

/** The effects; undefined if there are none, or if an earlier attempt has removed the object already. */
async function findEffects(
  tools: ActionTools,
  call: CallRoute,
  context: ActionContext,
): Promise<FoundEffects | undefined> {
  try {
    return await effectsOf(tools, call, context)
  } catch (error) {
    const isDone = context.approved && context.once?.again
    if (isDone && error instanceof ApiError && error.code === 'not_found') return undefined
    throw error
  }
}

export const createEffectsGate =
  (tools: GateTools, call: CallRoute): EffectsGate =>
  async (context, credential) => {
    const effects = await findEffects(tools, call, context)
    // The draft is read again when it is sent, and the credential may change it in between. Where an earlier attempt has sent
    // it, a new draft in its place has no digest to be compared with, and is never sent.
    const onlyAs = context.served.named.id === 'drafts.send' ? (effects?.onlyAs ?? 'none') : undefined
    if (!effects) return { onlyAs }
    needOwnSender(context, effects.senders)
    needAllowedRecipients(credential, effects)
    needFixedContent(credential, context)
    if (context.approved) {
      needUnchanged(context, context.approved, effects)
      return { onlyAs }
    }
    const { approval } = credential.rights
    const isHeld = effects.kinds.some((kind) => approval.includes(kind))
    if (isHeld) checkProvider(tools, context)
    const isSent = effects.kinds.includes('send') || effects.kinds.includes('invite')
    if (isSent) await takeMessage(tools, context, credential)
    return isHeld ? { held: await prepareApproval(tools, context, { credential, effects }) } : { onlyAs }
  }
