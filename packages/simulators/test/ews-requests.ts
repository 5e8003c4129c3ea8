// Handwritten requests of EWS.

interface FolderWish {
  readonly base?: string
  /** The content of `AdditionalProperties`. */
  readonly more?: string
}

export function folderShape({ base = 'Default', more = '' }: FolderWish = {}): string {
  const additional = more === '' ? '' : `<t:AdditionalProperties>${more}</t:AdditionalProperties>`
  return `<m:FolderShape><t:BaseShape>${base}</t:BaseShape>${additional}</m:FolderShape>`
}

/** Distinguished ids. */
export const standard = (...names: string[]): string =>
  names.map((name) => `<t:DistinguishedFolderId Id="${name}"/>`).join('')

/** A distinguished id in another user's mailbox. */
export const standardOf = (email: string, name: string): string =>
  `<t:DistinguishedFolderId Id="${name}"><t:Mailbox><t:EmailAddress>${email}</t:EmailAddress></t:Mailbox></t:DistinguishedFolderId>`

export const getFolder = (ids: string, wish: FolderWish = {}): string =>
  `<m:GetFolder>${folderShape(wish)}<m:FolderIds>${ids}</m:FolderIds></m:GetFolder>`

export function findFolder(
  traversal: string,
  {
    parent = 'msgfolderroot',
    view = '',
    restriction = '',
    ...wish
  }: FolderWish & { parent?: string; view?: string; restriction?: string } = {},
): string {
  const inside = `${folderShape(wish)}${view}${restriction}<m:ParentFolderIds>${standard(parent)}</m:ParentFolderIds>`
  return `<m:FindFolder Traversal="${traversal}">${inside}</m:FindFolder>`
}

/** The id of a folder. */
export const folderId = (id: string): string => `<t:FolderId Id="${id}"/>`

/** `folders` are elements such as `<t:Folder>…</t:Folder>`. */
export const createFolder = (parent: string, folders: string): string =>
  `<m:CreateFolder><m:ParentFolderId>${parent}</m:ParentFolderId><m:Folders>${folders}</m:Folders></m:CreateFolder>`

export const renameFolder = (id: string, displayName: string): string =>
  `<m:UpdateFolder><m:FolderChanges><t:FolderChange>${id}<t:Updates><t:SetFolderField>
    <t:FieldURI FieldURI="folder:DisplayName"/><t:Folder><t:DisplayName>${displayName}</t:DisplayName></t:Folder>
  </t:SetFolderField></t:Updates></t:FolderChange></m:FolderChanges></m:UpdateFolder>`

export const moveFolder = (id: string, to: string): string =>
  `<m:MoveFolder><m:ToFolderId>${to}</m:ToFolderId><m:FolderIds>${id}</m:FolderIds></m:MoveFolder>`

export const deleteFolder = (id: string, type = 'HardDelete'): string =>
  `<m:DeleteFolder DeleteType="${type}"><m:FolderIds>${id}</m:FolderIds></m:DeleteFolder>`

const stateXml = (state: string | undefined) => (state === undefined ? '' : `<m:SyncState>${state}</m:SyncState>`)

export const syncHierarchy = (state?: string): string =>
  `<m:SyncFolderHierarchy>${folderShape()}${stateXml(state)}</m:SyncFolderHierarchy>`

interface SyncWish {
  readonly state?: string | undefined
  readonly max?: number
  /** Ids of items. */
  readonly ignore?: readonly string[]
  readonly base?: string
}

export function syncItems(folder: string, { state, max = 100, ignore = [], base = 'Default' }: SyncWish = {}): string {
  const ignored = ignore.map((id) => `<t:ItemId Id="${id}"/>`).join('')
  return `<m:SyncFolderItems><m:ItemShape><t:BaseShape>${base}</t:BaseShape></m:ItemShape>
    <m:SyncFolderId>${folder}</m:SyncFolderId>${stateXml(state)}
    ${ignored === '' ? '' : `<m:Ignore>${ignored}</m:Ignore>`}
    <m:MaxChangesReturned>${max}</m:MaxChangesReturned></m:SyncFolderItems>`
}

const eventTypes = ['NewMailEvent', 'CreatedEvent', 'DeletedEvent', 'ModifiedEvent', 'MovedEvent', 'CopiedEvent']

interface SubscribeWish {
  /** Default: all folders. */
  readonly folders?: string
  readonly types?: readonly string[]
}

function watched({ folders, types = eventTypes }: SubscribeWish): string {
  const events = types.map((type) => `<t:EventType>${type}</t:EventType>`).join('')
  const ids = folders === undefined ? '' : `<t:FolderIds>${folders}</t:FolderIds>`
  return `${ids}<t:EventTypes>${events}</t:EventTypes>`
}

const allFolders = ({ folders }: SubscribeWish) => (folders === undefined ? ' SubscribeToAllFolders="true"' : '')

export const subscribePull = (wish: SubscribeWish = {}, minutes = 10): string =>
  `<m:Subscribe><m:PullSubscriptionRequest${allFolders(wish)}>${watched(wish)}<t:Timeout>${minutes}</t:Timeout>
  </m:PullSubscriptionRequest></m:Subscribe>`

export const subscribeStreaming = (wish: SubscribeWish = {}): string =>
  `<m:Subscribe><m:StreamingSubscriptionRequest${allFolders(wish)}>${watched(wish)}
  </m:StreamingSubscriptionRequest></m:Subscribe>`

export const getEvents = (id: string, watermark: string): string =>
  `<m:GetEvents><m:SubscriptionId>${id}</m:SubscriptionId><m:Watermark>${watermark}</m:Watermark></m:GetEvents>`

export const unsubscribe = (id: string): string =>
  `<m:Unsubscribe><m:SubscriptionId>${id}</m:SubscriptionId></m:Unsubscribe>`

export const getStreamingEvents = (ids: readonly string[], minutes = 1): string =>
  `<m:GetStreamingEvents><m:SubscriptionIds>${ids
    .map((id) => `<t:SubscriptionId>${id}</t:SubscriptionId>`)
    .join('')}</m:SubscriptionIds><m:ConnectionTimeout>${minutes}</m:ConnectionTimeout></m:GetStreamingEvents>`
