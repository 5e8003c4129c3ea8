/** A contact is in one folder. Graph moves it when the folder is changed; its id is immutable and stays. */
import { ApiError } from '@waypost/platform/api-error'
import { foundOf } from '../../shared/named-objects.ts'
import { isMissing } from '../errors.ts'
import { mailboxPath, type Session } from '../session.ts'
import { type GraphContact, graphContact } from './contacts-api.ts'

/** Throws if a contact is not in the folder that it was to be moved to. */
export function needMoved({ parentFolderId }: GraphContact, folderId: string): void {
  if (parentFolderId === folderId) return
  throw new ApiError('provider_refused', 'Microsoft did not move the contact to the group')
}

/** Moves contacts to a folder, 20 per request. Contacts that were deleted meanwhile are left out. */
export async function moveContacts(session: Session, ids: readonly string[], folderId: string): Promise<void> {
  const calls = ids.map((id) => ({
    method: 'PATCH' as const,
    path: mailboxPath(session, `contacts/${encodeURIComponent(id)}`),
    body: { parentFolderId: folderId },
  }))
  for (const moved of foundOf(await session.batch(calls, graphContact), isMissing)) needMoved(moved, folderId)
}
