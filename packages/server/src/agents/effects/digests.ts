/** Digests of what an action depends on, and of what a person saw of it. Pure. */
import { hash } from 'node:crypto'
import type { ApprovalPreview } from '@waypost/contract'
import { canonicalJson } from '@waypost/platform/json/values'
import type { Effects } from './effects.ts'

const digestOf = (value: unknown): string => hash('sha256', canonicalJson(JSON.parse(JSON.stringify(value))), 'hex')

/** Of what an action depends on besides the request; null if there is nothing. */
export const snapshotOf = ({ basis }: Pick<Effects, 'basis'>): string | null =>
  basis === undefined ? null : digestOf(basis)

/** Of everything that a person saw before the decision. */
export const shownDigest = (preview: ApprovalPreview): string => digestOf(preview)
