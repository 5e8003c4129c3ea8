/**
 * Prepares the API description for Scalar at build time. Scalar checks, completes and indexes a description before it shows
 * anything, which takes a browser more than a second. It skips that work for a description that has its navigation.
 */
import { documentName, placeNames } from '../../packages/docs/src/anchors.ts'
import type { Description } from './search-entries.ts'

export async function prepareDescription(api: Description): Promise<string> {
  const { createWorkspaceStore } = await import('@scalar/workspace-store/client')
  const store = createWorkspaceStore()
  await store.addDocument({ name: documentName, document: { ...api } }, placeNames)
  const prepared: unknown = store.exportWorkspace().documents[documentName]
  if (typeof prepared !== 'object' || prepared === null || !('x-scalar-navigation' in prepared)) {
    throw new Error('Scalar did not prepare the API description: it has no x-scalar-navigation')
  }
  return JSON.stringify(prepared)
}
