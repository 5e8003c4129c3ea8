import type { Folder } from '@waypost/contract'
import type { FolderState } from '../folder-state.ts'
import { folderId } from './ids.ts'

export const fromState = (state: FolderState, grantId: string): Folder => ({
  id: folderId(state.path),
  grant_id: grantId,
  object: 'folder',
  name: state.path,
  attributes: state.attributes,
  system_folder: state.use !== undefined,
  ...(state.isOpen ? { total_count: state.messages, unread_count: state.unseen } : {}),
})
