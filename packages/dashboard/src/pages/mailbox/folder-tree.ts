/** Folders as a tree, with the standard folders first. */
import type { Folder } from '@waypost/sdk'

export interface ShownFolder {
  folder: Folder
  /** Name without the path of its parent. */
  name: string
  depth: number
}

/** Standard folders in the usual order of mail programs, with their names. */
const uses: readonly (readonly [attribute: string, name: string])[] = [
  ['\\Inbox', 'Inbox'],
  ['\\Drafts', 'Drafts'],
  ['\\Sent', 'Sent'],
  ['\\Archive', 'Archive'],
  ['\\All', 'All mail'],
  ['\\Junk', 'Junk'],
  ['\\Trash', 'Trash'],
]
/** Gmail labels that mark messages and are not folders. */
const marks = new Set(['UNREAD', 'CHAT'])
const separators = ['/', '.', '\\']

const useOf = ({ attributes }: Folder): number =>
  uses.findIndex(([attribute]) => attributes.some((each) => each.toLowerCase() === attribute.toLowerCase()))

/** Whether a folder has this special use, such as `\Drafts`. */
export const isFor = (folder: Folder | undefined, attribute: string): boolean =>
  folder !== undefined && uses[useOf(folder)]?.[0] === attribute

/** The parent folder, found by id or by path prefix. */
function parentOf(folder: Folder, all: readonly Folder[]): Folder | undefined {
  if (folder.parent_id !== undefined) return all.find(({ id }) => id === folder.parent_id)
  const above = all.filter(
    ({ id, name }) => id !== folder.id && separators.some((sign) => folder.name.startsWith(`${name}${sign}`)),
  )
  return above.sort((a, b) => b.name.length - a.name.length)[0]
}

/** Gmail writes its system labels in capitals. */
const words = (name: string): string => {
  const bare = name.replace(/^CATEGORY_/, '')
  return /^[A-Z_]{3,}$/.test(bare) ? `${bare[0]}${bare.slice(1).toLowerCase().replaceAll('_', ' ')}` : name
}

export function nameOf(folder: Folder, parent?: Folder): string {
  const use = uses[useOf(folder)]
  // Standard folder names differ by server and language, so our names are used. If several folders have the same use,
  // they keep their own names.
  if (use && !parent) return use[1]
  const own =
    parent && folder.parent_id === undefined && folder.name.startsWith(parent.name)
      ? folder.name.slice(parent.name.length + 1)
      : folder.name
  return folder.system_folder ? words(own) : own
}

/** All folders in tree order. */
export function folderTree(folders: readonly Folder[]): ShownFolder[] {
  const all = folders.filter(({ id, system_folder }) => !(system_folder && marks.has(id)))
  const children = Map.groupBy(all, (folder) => {
    // Standard folders are at the top level, even if the server stores all folders below the inbox.
    return useOf(folder) === -1 || folder.parent_id !== undefined ? parentOf(folder, all)?.id : undefined
  })
  const order = (folder: Folder): number => (useOf(folder) === -1 ? uses.length : useOf(folder))
  const shown: ShownFolder[] = []
  const seen = new Set<string>()
  const add = (parent: Folder | undefined, depth: number): void => {
    const here = (children.get(parent?.id) ?? []).map((folder) => ({ folder, name: nameOf(folder, parent) }))
    here.sort((a, b) => order(a.folder) - order(b.folder) || a.name.localeCompare(b.name))
    for (const { folder, name } of here) {
      if (seen.has(folder.id)) continue
      seen.add(folder.id)
      shown.push({ folder, name, depth })
      add(folder, depth + 1)
    }
  }
  add(undefined, 0)
  // Folders whose parent is not in the list are shown at the top level.
  for (const folder of all) if (!seen.has(folder.id)) shown.push({ folder, name: nameOf(folder), depth: 0 })
  return shown
}
