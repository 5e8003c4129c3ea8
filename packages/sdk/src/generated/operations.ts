/* Made from the contract by `npm run generate`; do not edit. */

import type {
  CallOptions,
  WriteOptions,
} from '../call-options.ts'
import type {
  OutgoingFile,
} from '../form.ts'
import type {
  DataResult,
  EmptyResult,
  FileResult,
  ListResult,
} from '../results.ts'
import type {
  AccountChange,
  AdminApplicationsListQuery,
  AdminGrant,
  AdminGrantsCountQuery,
  AdminGrantsListQuery,
  AdminGrantsTimelineQuery,
  AllMadeDue,
  ApiKey,
  ApiKeyDraft,
  Application,
  ApplicationChange,
  ApplicationControl,
  ApplicationDraft,
  ApplicationOverview,
  ApplicationSummary,
  ApplicationsGetQuery,
  ApplicationsUpdateQuery,
  Attachment,
  AttachmentQuery,
  AttachmentsGetQuery,
  AttemptDetail,
  AuditEntry,
  AuditListQuery,
  Availability,
  AvailabilityQuestion,
  Backlog,
  BodyRender,
  Calendar,
  CalendarChange,
  CalendarDraft,
  CalendarListQuery,
  CalendarsCreateQuery,
  CalendarsDeleteQuery,
  CalendarsGetQuery,
  CalendarsUpdateQuery,
  ChangedPerson,
  CleanedMessage,
  ConnectCustomQuery,
  ConnectGuideQuery,
  ConnectRevokeQuery,
  ConnectTokenInfoQuery,
  Connector,
  ConnectorChange,
  ConnectorDraft,
  ConnectorSetup,
  ConnectorTest,
  ConnectorsCreateQuery,
  ConnectorsGetQuery,
  ConnectorsListQuery,
  ConnectorsUpdateQuery,
  Contact,
  ContactChange,
  ContactDraft,
  ContactGroup,
  ContactGroupDraft,
  ContactGroupListQuery,
  ContactGroupsCreateQuery,
  ContactGroupsGetQuery,
  ContactGroupsUpdateQuery,
  ContactListQuery,
  ContactsCreateQuery,
  ContactsGetQuery,
  ContactsUpdateQuery,
  Count,
  Credential,
  CredentialChange,
  CredentialDraft,
  CredentialsCreateQuery,
  CredentialsGetQuery,
  CredentialsListQuery,
  CredentialsUpdateQuery,
  CustomAuthentication,
  DeliveriesAttemptQuery,
  DeliveriesAttemptsQuery,
  DeliveriesListQuery,
  Delivery,
  DeliveryAttempt,
  Detection,
  Draft,
  DraftChange,
  DraftListQuery,
  DraftQuery,
  DraftRequest,
  DraftsSendBody,
  DraftsSendQuery,
  DraftsUpdateQuery,
  Event,
  EventChange,
  EventDraft,
  EventImportQuery,
  EventListQuery,
  EventPreconditions,
  EventsCreateQuery,
  EventsDeleteQuery,
  EventsGetQuery,
  EventsRsvpQuery,
  EventsUpdateQuery,
  Folder,
  FolderChange,
  FolderDraft,
  FolderListQuery,
  FolderQuery,
  FoldersCreateQuery,
  FoldersDeleteQuery,
  FoldersUpdateQuery,
  FreeBusy,
  FreeBusyQuery,
  Grant,
  GrantActivity,
  GrantBlockChange,
  GrantChange,
  GrantCompletion,
  GrantListQuery,
  GrantTemplatesGetQuery,
  GrantTemplatesListQuery,
  GrantTemplatesUpdateQuery,
  GrantsGetQuery,
  GrantsUpdateQuery,
  Health,
  HealthFigures,
  HealthSeriesQuery,
  Installation,
  InstallationChange,
  Invitation,
  InvitationAcceptance,
  InvitationToken,
  InvitedPerson,
  IpAddresses,
  KeptNotification,
  ListedSession,
  MadeDue,
  Message,
  MessageChange,
  MessageClean,
  MessageListQuery,
  MessageQuery,
  MessagesCleanQuery,
  MessagesDeleteQuery,
  MessagesSendQuery,
  MessagesUpdateQuery,
  MockPayload,
  NewApiKey,
  Notification,
  NotificationsGetQuery,
  NotificationsListQuery,
  OverviewGetQuery,
  PasswordChange,
  PasswordProof,
  PeopleDeleteQuery,
  PeopleListQuery,
  Person,
  PersonChange,
  PersonDraft,
  PersonKeys,
  ProviderGuide,
  ProvidersDetectQuery,
  Readiness,
  RecoveryCodes,
  RedirectUri,
  RedirectUriChange,
  RedirectUriDraft,
  RedirectUrisCreateQuery,
  RedirectUrisGetQuery,
  RedirectUrisListQuery,
  RedirectUrisUpdateQuery,
  RenderedBody,
  RenderedTemplate,
  Replay,
  Replayed,
  RevokeRequest,
  RoomResource,
  RoomResourceListQuery,
  Rsvp,
  RsvpResult,
  ScheduledMessage,
  SchedulesDeleteData,
  SendRequest,
  SentMessage,
  ServiceHealth,
  Session,
  SessionDeleteAllQuery,
  SessionListQuery,
  SignIn,
  SignInWays,
  Signature,
  SignatureChange,
  SignatureDraft,
  SignatureQuestion,
  SignatureVerdict,
  SignaturesGetQuery,
  SignaturesListQuery,
  SignaturesUpdateQuery,
  StreamedNotification,
  Template,
  TemplateChange,
  TemplateDraft,
  TemplateRender,
  TemplatesGetQuery,
  TemplatesListQuery,
  TemplatesUpdateQuery,
  TestEvent,
  Thread,
  ThreadChange,
  ThreadListQuery,
  ThreadQuery,
  ThreadsDeleteQuery,
  TimelineEntry,
  TokenAnswer,
  TokenInfo,
  TokenRequest,
  TotpConfirmation,
  TotpEnrolment,
  Usage,
  UsageListQuery,
  VirtualCalendarDraft,
  VirtualCalendarsCreateQuery,
  Webhook,
  WebhookChange,
  WebhookDraft,
  WebhookHealth,
  WebhookWithSecret,
  WebhooksCreateQuery,
  WebhooksDeleteData,
  WebhooksGetQuery,
  WebhooksHealthQuery,
  WebhooksListQuery,
  WebhooksReadMockPayloadQuery,
  WebhooksUpdateQuery,
} from './types.ts'

/** What `applications.get` takes. */
export interface ApplicationsGetArguments extends CallOptions {
  /** Filters and options: the query of the address. */
  query?: ApplicationsGetQuery | undefined
}

/** What `applications.update` takes. */
export interface ApplicationsUpdateArguments extends WriteOptions {
  /** Filters and options: the query of the address. */
  query?: ApplicationsUpdateQuery | undefined
  /** What is sent. */
  body?: ApplicationChange | undefined
}

/** What `redirectUris.list` takes. */
export interface RedirectUrisListArguments extends CallOptions {
  /** Filters and options: the query of the address. */
  query?: RedirectUrisListQuery | undefined
}

/** What `redirectUris.create` takes. */
export interface RedirectUrisCreateArguments extends WriteOptions {
  /** Filters and options: the query of the address. */
  query?: RedirectUrisCreateQuery | undefined
  /** What is sent. */
  body: RedirectUriDraft
}

/** What `redirectUris.get` takes. */
export interface RedirectUrisGetArguments extends CallOptions {
  /** The id of the redirect URI. */
  id: string
  /** Filters and options: the query of the address. */
  query?: RedirectUrisGetQuery | undefined
}

/** What `redirectUris.update` takes. */
export interface RedirectUrisUpdateArguments extends WriteOptions {
  /** The id of the redirect URI. */
  id: string
  /** Filters and options: the query of the address. */
  query?: RedirectUrisUpdateQuery | undefined
  /** What is sent. */
  body?: RedirectUriChange | undefined
}

/** What `redirectUris.delete` takes. */
export interface RedirectUrisDeleteArguments extends WriteOptions {
  /** The id of the redirect URI. */
  id: string
}

/** What `connectors.list` takes. */
export interface ConnectorsListArguments extends CallOptions {
  /** Filters and options: the query of the address. */
  query?: ConnectorsListQuery | undefined
}

/** What `connectors.create` takes. */
export interface ConnectorsCreateArguments extends WriteOptions {
  /** Filters and options: the query of the address. */
  query?: ConnectorsCreateQuery | undefined
  /** What is sent. */
  body: ConnectorDraft
}

/** What `connectors.get` takes. */
export interface ConnectorsGetArguments extends CallOptions {
  /** The provider of the connector, such as `google`. */
  provider: string
  /** Filters and options: the query of the address. */
  query?: ConnectorsGetQuery | undefined
}

/** What `connectors.update` takes. */
export interface ConnectorsUpdateArguments extends WriteOptions {
  /** The provider of the connector, such as `google`. */
  provider: string
  /** Filters and options: the query of the address. */
  query?: ConnectorsUpdateQuery | undefined
  /** What is sent. */
  body?: ConnectorChange | undefined
}

/** What `connectors.delete` takes. */
export interface ConnectorsDeleteArguments extends WriteOptions {
  /** The provider of the connector, such as `google`. */
  provider: string
}

/** What `connectors.test` takes. */
export interface ConnectorsTestArguments extends WriteOptions {
  /** The provider of the connector, such as `google`. */
  provider: string
}

/** What `credentials.list` takes. */
export interface CredentialsListArguments extends CallOptions {
  /** The provider of the connector, such as `google`. */
  provider: string
  /** Filters and options: the query of the address. */
  query?: CredentialsListQuery | undefined
}

/** What `credentials.create` takes. */
export interface CredentialsCreateArguments extends WriteOptions {
  /** The provider of the connector, such as `google`. */
  provider: string
  /** Filters and options: the query of the address. */
  query?: CredentialsCreateQuery | undefined
  /** What is sent. */
  body: CredentialDraft
}

/** What `credentials.get` takes. */
export interface CredentialsGetArguments extends CallOptions {
  /** The provider of the connector, such as `google`. */
  provider: string
  /** The id of the credential. */
  id: string
  /** Filters and options: the query of the address. */
  query?: CredentialsGetQuery | undefined
}

/** What `credentials.update` takes. */
export interface CredentialsUpdateArguments extends WriteOptions {
  /** The provider of the connector, such as `google`. */
  provider: string
  /** The id of the credential. */
  id: string
  /** Filters and options: the query of the address. */
  query?: CredentialsUpdateQuery | undefined
  /** What is sent. */
  body?: CredentialChange | undefined
}

/** What `credentials.delete` takes. */
export interface CredentialsDeleteArguments extends WriteOptions {
  /** The provider of the connector, such as `google`. */
  provider: string
  /** The id of the credential. */
  id: string
}

/** What `providers.detect` takes. */
export interface ProvidersDetectArguments extends WriteOptions {
  /** Filters and options: the query of the address. */
  query: ProvidersDetectQuery
}

/** What `connect.guide` takes. */
export interface ConnectGuideArguments extends CallOptions {
  /** Filters and options: the query of the address. */
  query?: ConnectGuideQuery | undefined
}

/** What `connect.custom` takes. */
export interface ConnectCustomArguments extends WriteOptions {
  /** Filters and options: the query of the address. */
  query?: ConnectCustomQuery | undefined
  /** What is sent. */
  body: CustomAuthentication
}

/** What `connect.token` takes. */
export interface ConnectTokenArguments extends CallOptions {
  /** What is sent. */
  body?: TokenRequest | undefined
}

/** What `connect.tokenInfo` takes. */
export interface ConnectTokenInfoArguments extends CallOptions {
  /** Filters and options: the query of the address. */
  query?: ConnectTokenInfoQuery | undefined
}

/** What `connect.revoke` takes. */
export interface ConnectRevokeArguments extends CallOptions {
  /** Filters and options: the query of the address. */
  query?: ConnectRevokeQuery | undefined
  /** What is sent. */
  body?: RevokeRequest | undefined
}

/** What `grants.list` takes. */
export interface GrantsListArguments extends CallOptions {
  /** Filters and options: the query of the address. */
  query?: GrantListQuery | undefined
}

/** What `grants.get` takes. */
export interface GrantsGetArguments extends CallOptions {
  /**
   * Whose data it is: the grant id, the e-mail address of the account, `grant:<id>`, `email:<address>`,
   * `external:<your own id>`, or `me` with an access token.
   */
  grant_id: string
  /** Filters and options: the query of the address. */
  query?: GrantsGetQuery | undefined
}

/** What `grants.update` takes. */
export interface GrantsUpdateArguments extends WriteOptions {
  /**
   * Whose data it is: the grant id, the e-mail address of the account, `grant:<id>`, `email:<address>`,
   * `external:<your own id>`, or `me` with an access token.
   */
  grant_id: string
  /** Filters and options: the query of the address. */
  query?: GrantsUpdateQuery | undefined
  /** What is sent. */
  body?: GrantChange | undefined
}

/** What `grants.delete` takes. */
export interface GrantsDeleteArguments extends WriteOptions {
  /**
   * Whose data it is: the grant id, the e-mail address of the account, `grant:<id>`, `email:<address>`,
   * `external:<your own id>`, or `me` with an access token.
   */
  grant_id: string
}

/** What `calendars.list` takes. */
export interface CalendarsListArguments extends CallOptions {
  /**
   * Whose data it is: the grant id, the e-mail address of the account, `grant:<id>`, `email:<address>`,
   * `external:<your own id>`, or `me` with an access token.
   */
  grant_id: string
  /** Filters and options: the query of the address. */
  query?: CalendarListQuery | undefined
}

/** What `calendars.create` takes. */
export interface CalendarsCreateArguments extends WriteOptions {
  /**
   * Whose data it is: the grant id, the e-mail address of the account, `grant:<id>`, `email:<address>`,
   * `external:<your own id>`, or `me` with an access token.
   */
  grant_id: string
  /** Filters and options: the query of the address. */
  query?: CalendarsCreateQuery | undefined
  /** What is sent. */
  body: CalendarDraft
}

/** What `calendars.freeBusy` takes. */
export interface CalendarsFreeBusyArguments extends WriteOptions {
  /**
   * Whose data it is: the grant id, the e-mail address of the account, `grant:<id>`, `email:<address>`,
   * `external:<your own id>`, or `me` with an access token.
   */
  grant_id: string
  /** What is sent. */
  body: FreeBusyQuery
}

/** What `calendars.get` takes. */
export interface CalendarsGetArguments extends CallOptions {
  /**
   * Whose data it is: the grant id, the e-mail address of the account, `grant:<id>`, `email:<address>`,
   * `external:<your own id>`, or `me` with an access token.
   */
  grant_id: string
  /** The id of the calendar, or `primary` for the main one of the account. */
  calendar_id: string
  /** Filters and options: the query of the address. */
  query?: CalendarsGetQuery | undefined
}

/** What `calendars.update` takes. */
export interface CalendarsUpdateArguments extends WriteOptions {
  /**
   * Whose data it is: the grant id, the e-mail address of the account, `grant:<id>`, `email:<address>`,
   * `external:<your own id>`, or `me` with an access token.
   */
  grant_id: string
  /** The id of the calendar, or `primary` for the main one of the account. */
  calendar_id: string
  /** Filters and options: the query of the address. */
  query?: CalendarsUpdateQuery | undefined
  /** What is sent. */
  body?: CalendarChange | undefined
}

/** What `calendars.delete` takes. */
export interface CalendarsDeleteArguments extends WriteOptions {
  /**
   * Whose data it is: the grant id, the e-mail address of the account, `grant:<id>`, `email:<address>`,
   * `external:<your own id>`, or `me` with an access token.
   */
  grant_id: string
  /** The id of the calendar, or `primary` for the main one of the account. */
  calendar_id: string
  /** Filters and options: the query of the address. */
  query?: CalendarsDeleteQuery | undefined
}

/** What `virtualCalendars.create` takes. */
export interface VirtualCalendarsCreateArguments extends WriteOptions {
  /** Filters and options: the query of the address. */
  query?: VirtualCalendarsCreateQuery | undefined
  /** What is sent. */
  body: VirtualCalendarDraft
}

/** What `roomResources.list` takes. */
export interface RoomResourcesListArguments extends CallOptions {
  /**
   * Whose data it is: the grant id, the e-mail address of the account, `grant:<id>`, `email:<address>`,
   * `external:<your own id>`, or `me` with an access token.
   */
  grant_id: string
  /** Filters and options: the query of the address. */
  query?: RoomResourceListQuery | undefined
}

/** What `events.list` takes. */
export interface EventsListArguments extends CallOptions {
  /**
   * Whose data it is: the grant id, the e-mail address of the account, `grant:<id>`, `email:<address>`,
   * `external:<your own id>`, or `me` with an access token.
   */
  grant_id: string
  /** Filters and options: the query of the address. */
  query: EventListQuery
}

/** What `events.import` takes. */
export interface EventsImportArguments extends CallOptions {
  /**
   * Whose data it is: the grant id, the e-mail address of the account, `grant:<id>`, `email:<address>`,
   * `external:<your own id>`, or `me` with an access token.
   */
  grant_id: string
  /** Filters and options: the query of the address. */
  query: EventImportQuery
}

/** What `events.create` takes. */
export interface EventsCreateArguments extends WriteOptions {
  /**
   * Whose data it is: the grant id, the e-mail address of the account, `grant:<id>`, `email:<address>`,
   * `external:<your own id>`, or `me` with an access token.
   */
  grant_id: string
  /** Filters and options: the query of the address. */
  query: EventsCreateQuery
  /** Headers that this operation takes beside those of every request. */
  headers?: EventPreconditions | undefined
  /** What is sent. */
  body: EventDraft
}

/** What `events.get` takes. */
export interface EventsGetArguments extends CallOptions {
  /**
   * Whose data it is: the grant id, the e-mail address of the account, `grant:<id>`, `email:<address>`,
   * `external:<your own id>`, or `me` with an access token.
   */
  grant_id: string
  /** The id of the event. Instances of a series have ids of their own, and the series has one. */
  event_id: string
  /** Filters and options: the query of the address. */
  query?: EventsGetQuery | undefined
}

/** What `events.update` takes. */
export interface EventsUpdateArguments extends WriteOptions {
  /**
   * Whose data it is: the grant id, the e-mail address of the account, `grant:<id>`, `email:<address>`,
   * `external:<your own id>`, or `me` with an access token.
   */
  grant_id: string
  /** The id of the event. Instances of a series have ids of their own, and the series has one. */
  event_id: string
  /** Filters and options: the query of the address. */
  query?: EventsUpdateQuery | undefined
  /** Headers that this operation takes beside those of every request. */
  headers?: EventPreconditions | undefined
  /** What is sent. */
  body?: EventChange | undefined
}

/** What `events.delete` takes. */
export interface EventsDeleteArguments extends WriteOptions {
  /**
   * Whose data it is: the grant id, the e-mail address of the account, `grant:<id>`, `email:<address>`,
   * `external:<your own id>`, or `me` with an access token.
   */
  grant_id: string
  /** The id of the event. Instances of a series have ids of their own, and the series has one. */
  event_id: string
  /** Filters and options: the query of the address. */
  query?: EventsDeleteQuery | undefined
}

/** What `events.rsvp` takes. */
export interface EventsRsvpArguments extends WriteOptions {
  /**
   * Whose data it is: the grant id, the e-mail address of the account, `grant:<id>`, `email:<address>`,
   * `external:<your own id>`, or `me` with an access token.
   */
  grant_id: string
  /** The id of the event. Instances of a series have ids of their own, and the series has one. */
  event_id: string
  /** Filters and options: the query of the address. */
  query?: EventsRsvpQuery | undefined
  /** What is sent. */
  body: Rsvp
}

/** What `schedules.list` takes. */
export interface SchedulesListArguments extends CallOptions {
  /**
   * Whose data it is: the grant id, the e-mail address of the account, `grant:<id>`, `email:<address>`,
   * `external:<your own id>`, or `me` with an access token.
   */
  grant_id: string
}

/** What `schedules.get` takes. */
export interface SchedulesGetArguments extends CallOptions {
  /**
   * Whose data it is: the grant id, the e-mail address of the account, `grant:<id>`, `email:<address>`,
   * `external:<your own id>`, or `me` with an access token.
   */
  grant_id: string
  /** The `schedule_id` that the send was answered with. */
  schedule_id: string
}

/** What `schedules.delete` takes. */
export interface SchedulesDeleteArguments extends WriteOptions {
  /**
   * Whose data it is: the grant id, the e-mail address of the account, `grant:<id>`, `email:<address>`,
   * `external:<your own id>`, or `me` with an access token.
   */
  grant_id: string
  /** The `schedule_id` that the send was answered with. */
  schedule_id: string
}

/** What `messages.list` takes. */
export interface MessagesListArguments extends CallOptions {
  /**
   * Whose data it is: the grant id, the e-mail address of the account, `grant:<id>`, `email:<address>`,
   * `external:<your own id>`, or `me` with an access token.
   */
  grant_id: string
  /** Filters and options: the query of the address. */
  query?: MessageListQuery | undefined
}

/** What `messages.clean` takes. */
export interface MessagesCleanArguments extends WriteOptions {
  /**
   * Whose data it is: the grant id, the e-mail address of the account, `grant:<id>`, `email:<address>`,
   * `external:<your own id>`, or `me` with an access token.
   */
  grant_id: string
  /** Filters and options: the query of the address. */
  query?: MessagesCleanQuery | undefined
  /** What is sent. */
  body: MessageClean
}

/** What `messages.get` takes. */
export interface MessagesGetArguments extends CallOptions {
  /**
   * Whose data it is: the grant id, the e-mail address of the account, `grant:<id>`, `email:<address>`,
   * `external:<your own id>`, or `me` with an access token.
   */
  grant_id: string
  /** The id of the message. */
  message_id: string
  /** Filters and options: the query of the address. */
  query?: MessageQuery | undefined
}

/** What `messages.update` takes. */
export interface MessagesUpdateArguments extends WriteOptions {
  /**
   * Whose data it is: the grant id, the e-mail address of the account, `grant:<id>`, `email:<address>`,
   * `external:<your own id>`, or `me` with an access token.
   */
  grant_id: string
  /** The id of the message. */
  message_id: string
  /** Filters and options: the query of the address. */
  query?: MessagesUpdateQuery | undefined
  /** What is sent. */
  body?: MessageChange | undefined
}

/** What `messages.delete` takes. */
export interface MessagesDeleteArguments extends WriteOptions {
  /**
   * Whose data it is: the grant id, the e-mail address of the account, `grant:<id>`, `email:<address>`,
   * `external:<your own id>`, or `me` with an access token.
   */
  grant_id: string
  /** The id of the message. */
  message_id: string
  /** Filters and options: the query of the address. */
  query?: MessagesDeleteQuery | undefined
}

/** What `messages.send` takes. */
export type MessagesSendArguments = MessagesSendArgumentsWithBody | MessagesSendArgumentsWithMime

/** What `messages.send` takes: the fields of a message, and files. */
export interface MessagesSendArgumentsWithBody extends WriteOptions {
  /**
   * Whose data it is: the grant id, the e-mail address of the account, `grant:<id>`, `email:<address>`,
   * `external:<your own id>`, or `me` with an access token.
   */
  grant_id: string
  /** Filters and options: the query of the address. */
  query?: MessagesSendQuery | undefined
  /** What is sent. */
  body: SendRequest
  /** Sent with the body as a form, up to 25 MB in all. */
  files?: readonly OutgoingFile[] | undefined
  mime?: undefined | undefined
}

/** What `messages.send` takes: a message that is composed already. */
export interface MessagesSendArgumentsWithMime extends WriteOptions {
  /**
   * Whose data it is: the grant id, the e-mail address of the account, `grant:<id>`, `email:<address>`,
   * `external:<your own id>`, or `me` with an access token.
   */
  grant_id: string
  /** Filters and options: the query of the address. */
  query?: MessagesSendQuery | undefined
  /** A whole message in place of body and files. */
  mime: OutgoingFile['content']
}

/** What `drafts.list` takes. */
export interface DraftsListArguments extends CallOptions {
  /**
   * Whose data it is: the grant id, the e-mail address of the account, `grant:<id>`, `email:<address>`,
   * `external:<your own id>`, or `me` with an access token.
   */
  grant_id: string
  /** Filters and options: the query of the address. */
  query?: DraftListQuery | undefined
}

/** What `drafts.create` takes. */
export interface DraftsCreateArguments extends WriteOptions {
  /**
   * Whose data it is: the grant id, the e-mail address of the account, `grant:<id>`, `email:<address>`,
   * `external:<your own id>`, or `me` with an access token.
   */
  grant_id: string
  /** What is sent. */
  body?: DraftRequest | undefined
  /** Sent with the body as a form, up to 25 MB in all. */
  files?: readonly OutgoingFile[] | undefined
}

/** What `drafts.get` takes. */
export interface DraftsGetArguments extends CallOptions {
  /**
   * Whose data it is: the grant id, the e-mail address of the account, `grant:<id>`, `email:<address>`,
   * `external:<your own id>`, or `me` with an access token.
   */
  grant_id: string
  /** The id of the draft. */
  draft_id: string
  /** Filters and options: the query of the address. */
  query?: DraftQuery | undefined
}

/** What `drafts.update` takes. */
export interface DraftsUpdateArguments extends WriteOptions {
  /**
   * Whose data it is: the grant id, the e-mail address of the account, `grant:<id>`, `email:<address>`,
   * `external:<your own id>`, or `me` with an access token.
   */
  grant_id: string
  /** The id of the draft. */
  draft_id: string
  /** Filters and options: the query of the address. */
  query?: DraftsUpdateQuery | undefined
  /** What is sent. */
  body?: DraftChange | undefined
  /** Sent with the body as a form, up to 25 MB in all. */
  files?: readonly OutgoingFile[] | undefined
}

/** What `drafts.delete` takes. */
export interface DraftsDeleteArguments extends WriteOptions {
  /**
   * Whose data it is: the grant id, the e-mail address of the account, `grant:<id>`, `email:<address>`,
   * `external:<your own id>`, or `me` with an access token.
   */
  grant_id: string
  /** The id of the draft. */
  draft_id: string
}

/** What `drafts.send` takes. */
export interface DraftsSendArguments extends WriteOptions {
  /**
   * Whose data it is: the grant id, the e-mail address of the account, `grant:<id>`, `email:<address>`,
   * `external:<your own id>`, or `me` with an access token.
   */
  grant_id: string
  /** The id of the draft. */
  draft_id: string
  /** Filters and options: the query of the address. */
  query?: DraftsSendQuery | undefined
  /** What is sent. */
  body?: DraftsSendBody | undefined
}

/** What `threads.list` takes. */
export interface ThreadsListArguments extends CallOptions {
  /**
   * Whose data it is: the grant id, the e-mail address of the account, `grant:<id>`, `email:<address>`,
   * `external:<your own id>`, or `me` with an access token.
   */
  grant_id: string
  /** Filters and options: the query of the address. */
  query?: ThreadListQuery | undefined
}

/** What `threads.get` takes. */
export interface ThreadsGetArguments extends CallOptions {
  /**
   * Whose data it is: the grant id, the e-mail address of the account, `grant:<id>`, `email:<address>`,
   * `external:<your own id>`, or `me` with an access token.
   */
  grant_id: string
  /** The id of the thread. */
  thread_id: string
  /** Filters and options: the query of the address. */
  query?: ThreadQuery | undefined
}

/** What `threads.update` takes. */
export interface ThreadsUpdateArguments extends WriteOptions {
  /**
   * Whose data it is: the grant id, the e-mail address of the account, `grant:<id>`, `email:<address>`,
   * `external:<your own id>`, or `me` with an access token.
   */
  grant_id: string
  /** The id of the thread. */
  thread_id: string
  /** Filters and options: the query of the address. */
  query?: ThreadQuery | undefined
  /** What is sent. */
  body?: ThreadChange | undefined
}

/** What `threads.delete` takes. */
export interface ThreadsDeleteArguments extends WriteOptions {
  /**
   * Whose data it is: the grant id, the e-mail address of the account, `grant:<id>`, `email:<address>`,
   * `external:<your own id>`, or `me` with an access token.
   */
  grant_id: string
  /** The id of the thread. */
  thread_id: string
  /** Filters and options: the query of the address. */
  query?: ThreadsDeleteQuery | undefined
}

/** What `folders.list` takes. */
export interface FoldersListArguments extends CallOptions {
  /**
   * Whose data it is: the grant id, the e-mail address of the account, `grant:<id>`, `email:<address>`,
   * `external:<your own id>`, or `me` with an access token.
   */
  grant_id: string
  /** Filters and options: the query of the address. */
  query?: FolderListQuery | undefined
}

/** What `folders.create` takes. */
export interface FoldersCreateArguments extends WriteOptions {
  /**
   * Whose data it is: the grant id, the e-mail address of the account, `grant:<id>`, `email:<address>`,
   * `external:<your own id>`, or `me` with an access token.
   */
  grant_id: string
  /** Filters and options: the query of the address. */
  query?: FoldersCreateQuery | undefined
  /** What is sent. */
  body: FolderDraft
}

/** What `folders.get` takes. */
export interface FoldersGetArguments extends CallOptions {
  /**
   * Whose data it is: the grant id, the e-mail address of the account, `grant:<id>`, `email:<address>`,
   * `external:<your own id>`, or `me` with an access token.
   */
  grant_id: string
  /** The id of the folder, encoded for an address. */
  folder_id: string
  /** Filters and options: the query of the address. */
  query?: FolderQuery | undefined
}

/** What `folders.update` takes. */
export interface FoldersUpdateArguments extends WriteOptions {
  /**
   * Whose data it is: the grant id, the e-mail address of the account, `grant:<id>`, `email:<address>`,
   * `external:<your own id>`, or `me` with an access token.
   */
  grant_id: string
  /** The id of the folder, encoded for an address. */
  folder_id: string
  /** Filters and options: the query of the address. */
  query?: FoldersUpdateQuery | undefined
  /** What is sent. */
  body?: FolderChange | undefined
}

/** What `folders.delete` takes. */
export interface FoldersDeleteArguments extends WriteOptions {
  /**
   * Whose data it is: the grant id, the e-mail address of the account, `grant:<id>`, `email:<address>`,
   * `external:<your own id>`, or `me` with an access token.
   */
  grant_id: string
  /** The id of the folder, encoded for an address. */
  folder_id: string
  /** Filters and options: the query of the address. */
  query?: FoldersDeleteQuery | undefined
}

/** What `attachments.get` takes. */
export interface AttachmentsGetArguments extends CallOptions {
  /**
   * Whose data it is: the grant id, the e-mail address of the account, `grant:<id>`, `email:<address>`,
   * `external:<your own id>`, or `me` with an access token.
   */
  grant_id: string
  /** The id of the attachment, as its message tells it. */
  attachment_id: string
  /** Filters and options: the query of the address. */
  query: AttachmentsGetQuery
}

/** What `attachments.download` takes. */
export interface AttachmentsDownloadArguments extends CallOptions {
  /**
   * Whose data it is: the grant id, the e-mail address of the account, `grant:<id>`, `email:<address>`,
   * `external:<your own id>`, or `me` with an access token.
   */
  grant_id: string
  /** The id of the attachment, as its message tells it. */
  attachment_id: string
  /** Filters and options: the query of the address. */
  query: AttachmentQuery
}

/** What `contactGroups.list` takes. */
export interface ContactGroupsListArguments extends CallOptions {
  /**
   * Whose data it is: the grant id, the e-mail address of the account, `grant:<id>`, `email:<address>`,
   * `external:<your own id>`, or `me` with an access token.
   */
  grant_id: string
  /** Filters and options: the query of the address. */
  query?: ContactGroupListQuery | undefined
}

/** What `contactGroups.create` takes. */
export interface ContactGroupsCreateArguments extends WriteOptions {
  /**
   * Whose data it is: the grant id, the e-mail address of the account, `grant:<id>`, `email:<address>`,
   * `external:<your own id>`, or `me` with an access token.
   */
  grant_id: string
  /** Filters and options: the query of the address. */
  query?: ContactGroupsCreateQuery | undefined
  /** What is sent. */
  body: ContactGroupDraft
}

/** What `contactGroups.get` takes. */
export interface ContactGroupsGetArguments extends CallOptions {
  /**
   * Whose data it is: the grant id, the e-mail address of the account, `grant:<id>`, `email:<address>`,
   * `external:<your own id>`, or `me` with an access token.
   */
  grant_id: string
  /** The id of the group of contacts. */
  group_id: string
  /** Filters and options: the query of the address. */
  query?: ContactGroupsGetQuery | undefined
}

/** What `contactGroups.update` takes. */
export interface ContactGroupsUpdateArguments extends WriteOptions {
  /**
   * Whose data it is: the grant id, the e-mail address of the account, `grant:<id>`, `email:<address>`,
   * `external:<your own id>`, or `me` with an access token.
   */
  grant_id: string
  /** The id of the group of contacts. */
  group_id: string
  /** Filters and options: the query of the address. */
  query?: ContactGroupsUpdateQuery | undefined
  /** What is sent. */
  body: ContactGroupDraft
}

/** What `contactGroups.delete` takes. */
export interface ContactGroupsDeleteArguments extends WriteOptions {
  /**
   * Whose data it is: the grant id, the e-mail address of the account, `grant:<id>`, `email:<address>`,
   * `external:<your own id>`, or `me` with an access token.
   */
  grant_id: string
  /** The id of the group of contacts. */
  group_id: string
}

/** What `contacts.list` takes. */
export interface ContactsListArguments extends CallOptions {
  /**
   * Whose data it is: the grant id, the e-mail address of the account, `grant:<id>`, `email:<address>`,
   * `external:<your own id>`, or `me` with an access token.
   */
  grant_id: string
  /** Filters and options: the query of the address. */
  query?: ContactListQuery | undefined
}

/** What `contacts.create` takes. */
export interface ContactsCreateArguments extends WriteOptions {
  /**
   * Whose data it is: the grant id, the e-mail address of the account, `grant:<id>`, `email:<address>`,
   * `external:<your own id>`, or `me` with an access token.
   */
  grant_id: string
  /** Filters and options: the query of the address. */
  query?: ContactsCreateQuery | undefined
  /** What is sent. */
  body?: ContactDraft | undefined
}

/** What `contacts.get` takes. */
export interface ContactsGetArguments extends CallOptions {
  /**
   * Whose data it is: the grant id, the e-mail address of the account, `grant:<id>`, `email:<address>`,
   * `external:<your own id>`, or `me` with an access token.
   */
  grant_id: string
  /** The id of the contact. */
  contact_id: string
  /** Filters and options: the query of the address. */
  query?: ContactsGetQuery | undefined
}

/** What `contacts.update` takes. */
export interface ContactsUpdateArguments extends WriteOptions {
  /**
   * Whose data it is: the grant id, the e-mail address of the account, `grant:<id>`, `email:<address>`,
   * `external:<your own id>`, or `me` with an access token.
   */
  grant_id: string
  /** The id of the contact. */
  contact_id: string
  /** Filters and options: the query of the address. */
  query?: ContactsUpdateQuery | undefined
  /** What is sent. */
  body?: ContactChange | undefined
}

/** What `contacts.delete` takes. */
export interface ContactsDeleteArguments extends WriteOptions {
  /**
   * Whose data it is: the grant id, the e-mail address of the account, `grant:<id>`, `email:<address>`,
   * `external:<your own id>`, or `me` with an access token.
   */
  grant_id: string
  /** The id of the contact. */
  contact_id: string
}

/** What `signatures.list` takes. */
export interface SignaturesListArguments extends CallOptions {
  /**
   * Whose data it is: the grant id, the e-mail address of the account, `grant:<id>`, `email:<address>`,
   * `external:<your own id>`, or `me` with an access token.
   */
  grant_id: string
  /** Filters and options: the query of the address. */
  query?: SignaturesListQuery | undefined
}

/** What `signatures.create` takes. */
export interface SignaturesCreateArguments extends WriteOptions {
  /**
   * Whose data it is: the grant id, the e-mail address of the account, `grant:<id>`, `email:<address>`,
   * `external:<your own id>`, or `me` with an access token.
   */
  grant_id: string
  /** What is sent. */
  body: SignatureDraft
}

/** What `signatures.get` takes. */
export interface SignaturesGetArguments extends CallOptions {
  /**
   * Whose data it is: the grant id, the e-mail address of the account, `grant:<id>`, `email:<address>`,
   * `external:<your own id>`, or `me` with an access token.
   */
  grant_id: string
  /** The id of the signature. */
  signature_id: string
  /** Filters and options: the query of the address. */
  query?: SignaturesGetQuery | undefined
}

/** What `signatures.update` takes. */
export interface SignaturesUpdateArguments extends WriteOptions {
  /**
   * Whose data it is: the grant id, the e-mail address of the account, `grant:<id>`, `email:<address>`,
   * `external:<your own id>`, or `me` with an access token.
   */
  grant_id: string
  /** The id of the signature. */
  signature_id: string
  /** Filters and options: the query of the address. */
  query?: SignaturesUpdateQuery | undefined
  /** What is sent. */
  body?: SignatureChange | undefined
}

/** What `signatures.delete` takes. */
export interface SignaturesDeleteArguments extends WriteOptions {
  /**
   * Whose data it is: the grant id, the e-mail address of the account, `grant:<id>`, `email:<address>`,
   * `external:<your own id>`, or `me` with an access token.
   */
  grant_id: string
  /** The id of the signature. */
  signature_id: string
}

/** What `templates.list` takes. */
export interface TemplatesListArguments extends CallOptions {
  /** Filters and options: the query of the address. */
  query?: TemplatesListQuery | undefined
}

/** What `templates.create` takes. */
export interface TemplatesCreateArguments extends WriteOptions {
  /** What is sent. */
  body: TemplateDraft
}

/** What `templates.renderBody` takes. */
export interface TemplatesRenderBodyArguments extends WriteOptions {
  /** What is sent. */
  body: BodyRender
}

/** What `templates.get` takes. */
export interface TemplatesGetArguments extends CallOptions {
  /** The id of the template. */
  template_id: string
  /** Filters and options: the query of the address. */
  query?: TemplatesGetQuery | undefined
}

/** What `templates.update` takes. */
export interface TemplatesUpdateArguments extends WriteOptions {
  /** The id of the template. */
  template_id: string
  /** Filters and options: the query of the address. */
  query?: TemplatesUpdateQuery | undefined
  /** What is sent. */
  body?: TemplateChange | undefined
}

/** What `templates.delete` takes. */
export interface TemplatesDeleteArguments extends WriteOptions {
  /** The id of the template. */
  template_id: string
}

/** What `templates.render` takes. */
export interface TemplatesRenderArguments extends WriteOptions {
  /** The id of the template. */
  template_id: string
  /** What is sent. */
  body: TemplateRender
}

/** What `grantTemplates.list` takes. */
export interface GrantTemplatesListArguments extends CallOptions {
  /**
   * Whose data it is: the grant id, the e-mail address of the account, `grant:<id>`, `email:<address>`,
   * `external:<your own id>`, or `me` with an access token.
   */
  grant_id: string
  /** Filters and options: the query of the address. */
  query?: GrantTemplatesListQuery | undefined
}

/** What `grantTemplates.create` takes. */
export interface GrantTemplatesCreateArguments extends WriteOptions {
  /**
   * Whose data it is: the grant id, the e-mail address of the account, `grant:<id>`, `email:<address>`,
   * `external:<your own id>`, or `me` with an access token.
   */
  grant_id: string
  /** What is sent. */
  body: TemplateDraft
}

/** What `grantTemplates.renderBody` takes. */
export interface GrantTemplatesRenderBodyArguments extends WriteOptions {
  /**
   * Whose data it is: the grant id, the e-mail address of the account, `grant:<id>`, `email:<address>`,
   * `external:<your own id>`, or `me` with an access token.
   */
  grant_id: string
  /** What is sent. */
  body: BodyRender
}

/** What `grantTemplates.get` takes. */
export interface GrantTemplatesGetArguments extends CallOptions {
  /**
   * Whose data it is: the grant id, the e-mail address of the account, `grant:<id>`, `email:<address>`,
   * `external:<your own id>`, or `me` with an access token.
   */
  grant_id: string
  /** The id of the template. */
  template_id: string
  /** Filters and options: the query of the address. */
  query?: GrantTemplatesGetQuery | undefined
}

/** What `grantTemplates.update` takes. */
export interface GrantTemplatesUpdateArguments extends WriteOptions {
  /**
   * Whose data it is: the grant id, the e-mail address of the account, `grant:<id>`, `email:<address>`,
   * `external:<your own id>`, or `me` with an access token.
   */
  grant_id: string
  /** The id of the template. */
  template_id: string
  /** Filters and options: the query of the address. */
  query?: GrantTemplatesUpdateQuery | undefined
  /** What is sent. */
  body?: TemplateChange | undefined
}

/** What `grantTemplates.delete` takes. */
export interface GrantTemplatesDeleteArguments extends WriteOptions {
  /**
   * Whose data it is: the grant id, the e-mail address of the account, `grant:<id>`, `email:<address>`,
   * `external:<your own id>`, or `me` with an access token.
   */
  grant_id: string
  /** The id of the template. */
  template_id: string
}

/** What `grantTemplates.render` takes. */
export interface GrantTemplatesRenderArguments extends WriteOptions {
  /**
   * Whose data it is: the grant id, the e-mail address of the account, `grant:<id>`, `email:<address>`,
   * `external:<your own id>`, or `me` with an access token.
   */
  grant_id: string
  /** The id of the template. */
  template_id: string
  /** What is sent. */
  body: TemplateRender
}

/** What `availability.find` takes. */
export interface AvailabilityFindArguments extends WriteOptions {
  /** What is sent. */
  body: AvailabilityQuestion
}

/** What `webhooks.list` takes. */
export interface WebhooksListArguments extends CallOptions {
  /** Filters and options: the query of the address. */
  query?: WebhooksListQuery | undefined
}

/** What `webhooks.create` takes. */
export interface WebhooksCreateArguments extends WriteOptions {
  /** Filters and options: the query of the address. */
  query?: WebhooksCreateQuery | undefined
  /** What is sent. */
  body: WebhookDraft
}

/** What `webhooks.mockPayload` takes. */
export interface WebhooksMockPayloadArguments extends WriteOptions {
  /** What is sent. */
  body: MockPayload
}

/** What `webhooks.readMockPayload` takes. */
export interface WebhooksReadMockPayloadArguments extends CallOptions {
  /** Filters and options: the query of the address. */
  query: WebhooksReadMockPayloadQuery
}

/** What `webhooks.sendTestEvent` takes. */
export interface WebhooksSendTestEventArguments extends WriteOptions {
  /** What is sent. */
  body?: TestEvent | undefined
}

/** What `webhooks.ipAddresses` takes. */
export interface WebhooksIpAddressesArguments extends CallOptions {
}

/** What `webhooks.rotateSecret` takes. */
export interface WebhooksRotateSecretArguments extends WriteOptions {
  /** The id of the webhook destination. */
  id: string
}

/** What `webhooks.putRotateSecret` takes. */
export interface WebhooksPutRotateSecretArguments extends WriteOptions {
  /** The id of the webhook destination. */
  id: string
}

/** What `webhooks.verifySignature` takes. */
export interface WebhooksVerifySignatureArguments extends WriteOptions {
  /** The id of the webhook destination. */
  id: string
  /** What is sent. */
  body: SignatureQuestion
}

/** What `webhooks.get` takes. */
export interface WebhooksGetArguments extends CallOptions {
  /** The id of the webhook destination. */
  id: string
  /** Filters and options: the query of the address. */
  query?: WebhooksGetQuery | undefined
}

/** What `webhooks.health` takes. */
export interface WebhooksHealthArguments extends CallOptions {
  /** The id of the webhook destination. */
  id: string
  /** Filters and options: the query of the address. */
  query?: WebhooksHealthQuery | undefined
}

/** What `webhooks.update` takes. */
export interface WebhooksUpdateArguments extends WriteOptions {
  /** The id of the webhook destination. */
  id: string
  /** Filters and options: the query of the address. */
  query?: WebhooksUpdateQuery | undefined
  /** What is sent. */
  body?: WebhookChange | undefined
}

/** What `webhooks.delete` takes. */
export interface WebhooksDeleteArguments extends WriteOptions {
  /** The id of the webhook destination. */
  id: string
}

/** What `deliveries.list` takes. */
export interface DeliveriesListArguments extends CallOptions {
  /** The id of the webhook destination. */
  id: string
  /** Filters and options: the query of the address. */
  query?: DeliveriesListQuery | undefined
}

/** What `deliveries.attempts` takes. */
export interface DeliveriesAttemptsArguments extends CallOptions {
  /** The id of the webhook destination. */
  id: string
  /** Filters and options: the query of the address. */
  query?: DeliveriesAttemptsQuery | undefined
}

/** What `deliveries.attempt` takes. */
export interface DeliveriesAttemptArguments extends CallOptions {
  /** The id of the webhook destination. */
  id: string
  /** The id of the notification: the `id` of its envelope. */
  notification_id: string
  /** Filters and options: the query of the address. */
  query?: DeliveriesAttemptQuery | undefined
}

/** What `deliveries.backlog` takes. */
export interface DeliveriesBacklogArguments extends CallOptions {
  /** The id of the webhook destination. */
  id: string
}

/** What `deliveries.replay` takes. */
export interface DeliveriesReplayArguments extends WriteOptions {
  /** The id of the webhook destination. */
  id: string
  /** What is sent. */
  body?: Replay | undefined
}

/** What `deliveries.deliverNow` takes. */
export interface DeliveriesDeliverNowArguments extends WriteOptions {
  /** The id of the webhook destination. */
  id: string
}

/** What `deliveries.deliverAllNow` takes. */
export interface DeliveriesDeliverAllNowArguments extends WriteOptions {
}

/** What `notifications.list` takes. */
export interface NotificationsListArguments extends CallOptions {
  /** Filters and options: the query of the address. */
  query?: NotificationsListQuery | undefined
}

/** What `notifications.get` takes. */
export interface NotificationsGetArguments extends CallOptions {
  /** The id of the notification. */
  id: string
  /** Filters and options: the query of the address. */
  query?: NotificationsGetQuery | undefined
}

/** What `adminApplications.list` takes. */
export interface AdminApplicationsListArguments extends CallOptions {
  /** Filters and options: the query of the address. */
  query?: AdminApplicationsListQuery | undefined
}

/** What `adminApplications.create` takes. */
export interface AdminApplicationsCreateArguments extends WriteOptions {
  /** What is sent. */
  body: ApplicationDraft
}

/** What `adminApplications.get` takes. */
export interface AdminApplicationsGetArguments extends CallOptions {
  /** The id of the application. */
  application_id: string
}

/** What `adminApplications.update` takes. */
export interface AdminApplicationsUpdateArguments extends WriteOptions {
  /** The id of the application. */
  application_id: string
  /** What is sent. */
  body?: ApplicationControl | undefined
}

/** What `apiKeys.list` takes. */
export interface ApiKeysListArguments extends CallOptions {
  /** The id of the application. */
  application_id: string
}

/** What `apiKeys.create` takes. */
export interface ApiKeysCreateArguments extends WriteOptions {
  /** The id of the application. */
  application_id: string
  /** What is sent. */
  body: ApiKeyDraft
}

/** What `apiKeys.get` takes. */
export interface ApiKeysGetArguments extends CallOptions {
  /** The id of the application. */
  application_id: string
  /** The id of the API key, which is no secret. */
  id: string
}

/** What `apiKeys.delete` takes. */
export interface ApiKeysDeleteArguments extends WriteOptions {
  /** The id of the application. */
  application_id: string
  /** The id of the API key, which is no secret. */
  id: string
}

/** What `adminGrants.list` takes. */
export interface AdminGrantsListArguments extends CallOptions {
  /** The id of the application. */
  application_id: string
  /** Filters and options: the query of the address. */
  query?: AdminGrantsListQuery | undefined
}

/** What `adminGrants.count` takes. */
export interface AdminGrantsCountArguments extends CallOptions {
  /** The id of the application. */
  application_id: string
  /** Filters and options: the query of the address. */
  query?: AdminGrantsCountQuery | undefined
}

/** What `adminGrants.complete` takes. */
export interface AdminGrantsCompleteArguments extends WriteOptions {
  /** The id of the application. */
  application_id: string
  /** What is sent. */
  body: GrantCompletion
}

/** What `adminGrants.activity` takes. */
export interface AdminGrantsActivityArguments extends CallOptions {
  /** The id of the application. */
  application_id: string
  /**
   * Whose data it is: the grant id, the e-mail address of the account, `grant:<id>`, `email:<address>`,
   * `external:<your own id>`, or `me` with an access token.
   */
  grant_id: string
}

/** What `adminGrants.timeline` takes. */
export interface AdminGrantsTimelineArguments extends CallOptions {
  /** The id of the application. */
  application_id: string
  /**
   * Whose data it is: the grant id, the e-mail address of the account, `grant:<id>`, `email:<address>`,
   * `external:<your own id>`, or `me` with an access token.
   */
  grant_id: string
  /** Filters and options: the query of the address. */
  query?: AdminGrantsTimelineQuery | undefined
}

/** What `adminGrants.update` takes. */
export interface AdminGrantsUpdateArguments extends WriteOptions {
  /** The id of the application. */
  application_id: string
  /**
   * Whose data it is: the grant id, the e-mail address of the account, `grant:<id>`, `email:<address>`,
   * `external:<your own id>`, or `me` with an access token.
   */
  grant_id: string
  /** What is sent. */
  body: GrantBlockChange
}

/** What `adminGrants.revoke` takes. */
export interface AdminGrantsRevokeArguments extends WriteOptions {
  /** The id of the application. */
  application_id: string
  /**
   * Whose data it is: the grant id, the e-mail address of the account, `grant:<id>`, `email:<address>`,
   * `external:<your own id>`, or `me` with an access token.
   */
  grant_id: string
}

/** What `overview.get` takes. */
export interface OverviewGetArguments extends CallOptions {
  /** The id of the application. */
  application_id: string
  /** Filters and options: the query of the address. */
  query?: OverviewGetQuery | undefined
}

/** What `connectorSetup.get` takes. */
export interface ConnectorSetupGetArguments extends CallOptions {
  /** The id of the application. */
  application_id: string
  /** The provider of the connector, such as `google`. */
  provider: string
}

/** What `connectorSetup.simulate` takes. */
export interface ConnectorSetupSimulateArguments extends WriteOptions {
  /** The id of the application. */
  application_id: string
  /** The provider of the connector, such as `google`. */
  provider: string
}

/** What `usage.list` takes. */
export interface UsageListArguments extends CallOptions {
  /** Filters and options: the query of the address. */
  query?: UsageListQuery | undefined
}

/** What `usage.get` takes. */
export interface UsageGetArguments extends CallOptions {
  /** The id of the application. */
  application_id: string
}

/** What `session.create` takes. */
export interface SessionCreateArguments extends CallOptions {
  /** What is sent. */
  body?: SignIn | undefined
}

/** What `session.ways` takes. */
export interface SessionWaysArguments extends CallOptions {
}

/** What `session.get` takes. */
export interface SessionGetArguments extends CallOptions {
}

/** What `session.delete` takes. */
export interface SessionDeleteArguments extends WriteOptions {
}

/** What `session.list` takes. */
export interface SessionListArguments extends CallOptions {
  /** Filters and options: the query of the address. */
  query?: SessionListQuery | undefined
}

/** What `session.end` takes. */
export interface SessionEndArguments extends WriteOptions {
  /** The id of the session, which opens nothing. */
  session_id: string
}

/** What `session.deleteAll` takes. */
export interface SessionDeleteAllArguments extends WriteOptions {
  /** Filters and options: the query of the address. */
  query?: SessionDeleteAllQuery | undefined
}

/** What `session.password` takes. */
export interface SessionPasswordArguments extends WriteOptions {
  /** What is sent. */
  body: PasswordChange
}

/** What `invitations.read` takes. */
export interface InvitationsReadArguments extends CallOptions {
  /** What is sent. */
  body: InvitationToken
}

/** What `invitations.accept` takes. */
export interface InvitationsAcceptArguments extends CallOptions {
  /** What is sent. */
  body: InvitationAcceptance
}

/** What `account.get` takes. */
export interface AccountGetArguments extends CallOptions {
}

/** What `account.update` takes. */
export interface AccountUpdateArguments extends WriteOptions {
  /** What is sent. */
  body: AccountChange
}

/** What `account.beginTotp` takes. */
export interface AccountBeginTotpArguments extends WriteOptions {
  /** What is sent. */
  body: PasswordProof
}

/** What `account.confirmTotp` takes. */
export interface AccountConfirmTotpArguments extends WriteOptions {
  /** What is sent. */
  body: TotpConfirmation
}

/** What `account.removeTotp` takes. */
export interface AccountRemoveTotpArguments extends WriteOptions {
  /** What is sent. */
  body: PasswordProof
}

/** What `account.renewRecoveryCodes` takes. */
export interface AccountRenewRecoveryCodesArguments extends WriteOptions {
  /** What is sent. */
  body: PasswordProof
}

/** What `people.list` takes. */
export interface PeopleListArguments extends CallOptions {
  /** Filters and options: the query of the address. */
  query?: PeopleListQuery | undefined
}

/** What `people.create` takes. */
export interface PeopleCreateArguments extends WriteOptions {
  /** What is sent. */
  body: PersonDraft
}

/** What `people.get` takes. */
export interface PeopleGetArguments extends CallOptions {
  /** The id of the person. */
  person_id: string
}

/** What `people.update` takes. */
export interface PeopleUpdateArguments extends WriteOptions {
  /** The id of the person. */
  person_id: string
  /** What is sent. */
  body?: PersonChange | undefined
}

/** What `people.delete` takes. */
export interface PeopleDeleteArguments extends WriteOptions {
  /** The id of the person. */
  person_id: string
  /** Filters and options: the query of the address. */
  query?: PeopleDeleteQuery | undefined
}

/** What `people.keys` takes. */
export interface PeopleKeysArguments extends CallOptions {
  /** The id of the person. */
  person_id: string
}

/** What `people.revokeKeys` takes. */
export interface PeopleRevokeKeysArguments extends WriteOptions {
  /** The id of the person. */
  person_id: string
}

/** What `people.invite` takes. */
export interface PeopleInviteArguments extends WriteOptions {
  /** The id of the person. */
  person_id: string
}

/** What `people.removeTotp` takes. */
export interface PeopleRemoveTotpArguments extends WriteOptions {
  /** The id of the person. */
  person_id: string
}

/** What `installation.get` takes. */
export interface InstallationGetArguments extends CallOptions {
}

/** What `installation.update` takes. */
export interface InstallationUpdateArguments extends WriteOptions {
  /** What is sent. */
  body?: InstallationChange | undefined
}

/** What `audit.list` takes. */
export interface AuditListArguments extends CallOptions {
  /** Filters and options: the query of the address. */
  query?: AuditListQuery | undefined
}

/** What `health.get` takes. */
export interface HealthGetArguments extends CallOptions {
}

/** What `health.series` takes. */
export interface HealthSeriesArguments extends CallOptions {
  /** Filters and options: the query of the address. */
  query?: HealthSeriesQuery | undefined
}

/** What `service.health` takes. */
export interface ServiceHealthArguments extends CallOptions {
}

/** What `service.ready` takes. */
export interface ServiceReadyArguments extends CallOptions {
}

export type ApplicationsOperations = {
  /**
   * Get the application of the API key.
   *
   * With its settings and its redirect URIs; `additional_settings` are never answered.
   *
   * `GET /v3/applications`
   */
  get(args?: ApplicationsGetArguments): Promise<DataResult<Application>>
  /**
   * Change the application of the API key.
   *
   * Fields that are absent stay as they are; a nested object replaces the stored one. Applications are created by
   * the administrator: `POST /v3/admin/applications`.
   *
   * `PATCH /v3/applications`
   */
  update(args?: ApplicationsUpdateArguments): Promise<DataResult<Application>>
}

export type RedirectUrisOperations = {
  /**
   * List the redirect URIs of the application.
   *
   * Whole: there are no pages.
   *
   * `GET /v3/applications/redirect-uris`
   */
  list(args?: RedirectUrisListArguments): Promise<ListResult<RedirectUri>>
  /**
   * Register a redirect URI.
   *
   * An https address (http for localhost and 127.0.0.1), or `scheme://deeplink` for ios and android. It is
   * compared byte for byte when an end user signs in.
   *
   * `POST /v3/applications/redirect-uris`
   */
  create(args: RedirectUrisCreateArguments): Promise<DataResult<RedirectUri>>
  /**
   * Get one redirect URI.
   *
   * With what its platform needs.
   *
   * `GET /v3/applications/redirect-uris/{id}`
   */
  get(args: RedirectUrisGetArguments): Promise<DataResult<RedirectUri>>
  /**
   * Change a redirect URI.
   *
   * Fields that are left out stay; `settings` replaces what was there.
   *
   * `PATCH /v3/applications/redirect-uris/{id}`
   */
  update(args: RedirectUrisUpdateArguments): Promise<DataResult<RedirectUri>>
  /**
   * Remove a redirect URI.
   *
   * No further sign-in can name it.
   *
   * `DELETE /v3/applications/redirect-uris/{id}`
   */
  delete(args: RedirectUrisDeleteArguments): Promise<EmptyResult>
}

export type ConnectorsOperations = {
  /**
   * List the connectors of the application.
   *
   * At most one for each provider. Secrets among the settings are left out.
   *
   * `GET /v3/connectors`
   */
  readonly list: {
    /**
     * List the connectors of the application.
     *
     * At most one for each provider. Secrets among the settings are left out.
     *
     * `GET /v3/connectors`
     */
    (args?: ConnectorsListArguments): Promise<ListResult<Connector>>
    /** List the connectors of the application: every item, page after page. */
    all(args?: ConnectorsListArguments): AsyncGenerator<Connector, void>
  }
  /**
   * Create the connector of a provider.
   *
   * One connector per provider. A connector is needed before any grant of its provider.
   *
   * `POST /v3/connectors`
   */
  create(args: ConnectorsCreateArguments): Promise<DataResult<Connector>>
  /**
   * Get the connector of a provider.
   *
   * Secrets among the settings are left out.
   *
   * `GET /v3/connectors/{provider}`
   */
  get(args: ConnectorsGetArguments): Promise<DataResult<Connector>>
  /**
   * Change the connector of a provider.
   *
   * `settings` and `scope` are replaced whole, but for a `client_secret` that is not given again, which stays.
   * Grants that are there already keep their scopes.
   *
   * `PATCH /v3/connectors/{provider}`
   */
  update(args: ConnectorsUpdateArguments): Promise<DataResult<Connector>>
  /**
   * Delete the connector of a provider.
   *
   * Its credentials are deleted with it. Its grants stop working at once and are removed after 72 hours unless
   * they are authenticated again.
   *
   * `DELETE /v3/connectors/{provider}`
   */
  delete(args: ConnectorsDeleteArguments): Promise<EmptyResult>
  /**
   * Try the connector of a provider, and say what is wrong.
   *
   * Nothing is changed. The client is shown to the provider; users and their accounts are not touched.
   *
   * `POST /v3/connectors/{provider}/test`
   */
  test(args: ConnectorsTestArguments): Promise<DataResult<ConnectorTest>>
}

export type CredentialsOperations = {
  /**
   * List the credentials of a connector.
   *
   * The newest first unless `sort_by` and `order_by` say otherwise. What is secret in them is left out.
   *
   * `GET /v3/connectors/{provider}/creds`
   */
  readonly list: {
    /**
     * List the credentials of a connector.
     *
     * The newest first unless `sort_by` and `order_by` say otherwise. What is secret in them is left out.
     *
     * `GET /v3/connectors/{provider}/creds`
     */
    (args: CredentialsListArguments): Promise<ListResult<Credential>>
    /** List the credentials of a connector: every item, page after page. */
    all(args: CredentialsListArguments): AsyncGenerator<Credential, void>
  }
  /**
   * Add a credential to a connector.
   *
   * One with the same name and the same data that exists already is answered instead of a new one; the name with
   * other data is refused with 409. It is used once a sign-in or a grant names it, or it is made the active one of
   * the connector.
   *
   * `POST /v3/connectors/{provider}/creds`
   */
  create(args: CredentialsCreateArguments): Promise<DataResult<Credential>>
  /**
   * Get one credential.
   *
   * What is secret in it is left out.
   *
   * `GET /v3/connectors/{provider}/creds/{id}`
   */
  get(args: CredentialsGetArguments): Promise<DataResult<Credential>>
  /**
   * Change a credential.
   *
   * `credential_data` replaces all of it. The type stays. Grants that use it go on with the new data, where the
   * provider takes it.
   *
   * `PATCH /v3/connectors/{provider}/creds/{id}`
   */
  update(args: CredentialsUpdateArguments): Promise<DataResult<Credential>>
  /**
   * Delete a credential.
   *
   * Refused for the active credential of the connector: make another one active first. The grants that use it
   * become invalid at once.
   *
   * `DELETE /v3/connectors/{provider}/creds/{id}`
   */
  delete(args: CredentialsDeleteArguments): Promise<EmptyResult>
}

export type ProvidersOperations = {
  /**
   * Find the provider of an e-mail address.
   *
   * By the domain first, then by where its mail goes (MX records). Up to 20 calls a minute for an application.
   *
   * `POST /v3/providers/detect`
   */
  detect(args: ProvidersDetectArguments): Promise<DataResult<Detection>>
}

export type ConnectOperations = {
  /**
   * Describe what each provider needs for custom authentication.
   *
   * One entry for each provider kind. A browser that comes here with the query of `/v3/connect/auth` is led to the
   * hosted sign-in instead.
   *
   * `GET /v3/connect/custom`
   */
  guide(args?: ConnectGuideArguments): Promise<ListResult<ProviderGuide>>
  /**
   * Make a grant from credentials that you hold.
   *
   * The credentials are tried at the provider first; a failure names the setting. An address that has a grant
   * already is authenticated again and keeps its grant id; one that has a grant of another provider is refused
   * with 409. Needs a connector of the provider. Told with `grant.created` or `grant.updated`.
   *
   * `POST /v3/connect/custom`
   */
  custom(args: ConnectCustomArguments): Promise<DataResult<Grant>>
  /**
   * Trade a code, a refresh token or a grant for an access token.
   *
   * JSON or a form. The client shows who it is by an API key as `client_secret` or as bearer; a code that was
   * asked for with PKCE needs its `code_verifier`, and no key. A code is good for one attempt; a second one
   * revokes what the first gave.
   *
   * `POST /v3/connect/token`
   */
  token(args?: ConnectTokenArguments): Promise<DataResult<TokenAnswer>>
  /**
   * Tell what a token is.
   *
   * Give exactly one of the two. One that has expired, was revoked, or whose grant is gone is answered with
   * `invalid_token`. With an API key, tokens of its application alone are told of.
   *
   * `GET /v3/connect/tokeninfo`
   */
  tokenInfo(args?: ConnectTokenInfoArguments): Promise<DataResult<TokenInfo>>
  /**
   * Revoke a token.
   *
   * With it go the tokens that were issued from the same code, a refresh token included. The grant stays. The
   * token stands in the query, a form or JSON.
   *
   * `POST /v3/connect/revoke`
   */
  revoke(args?: ConnectRevokeArguments): Promise<EmptyResult>
}

export type GrantsOperations = {
  /**
   * List the grants of the application.
   *
   * Newest first unless `sort_by` and `order_by` say otherwise. `sortBy`, `orderBy`, `grantStatus` and `status`
   * are other spellings.
   *
   * `GET /v3/grants`
   */
  readonly list: {
    /**
     * List the grants of the application.
     *
     * Newest first unless `sort_by` and `order_by` say otherwise. `sortBy`, `orderBy`, `grantStatus` and `status`
     * are other spellings.
     *
     * `GET /v3/grants`
     */
    (args?: GrantsListArguments): Promise<ListResult<Grant>>
    /** List the grants of the application: every item, page after page. */
    all(args?: GrantsListArguments): AsyncGenerator<Grant, void>
  }
  /**
   * Get one grant.
   *
   * By its id, its e-mail address, `grant:<id>`, `email:<address>`, `external:<your id>`, or as `me` with an
   * access token. An access token opens its own grant alone.
   *
   * `GET /v3/grants/{grant_id}`
   */
  get(args: GrantsGetArguments): Promise<DataResult<Grant>>
  /**
   * Change a grant.
   *
   * Fields that are left out stay; `settings`, `scope` and `metadata` replace what was there. The address stays:
   * it is what the grant is known by. Told with `grant.updated`, where something changed.
   *
   * `PATCH /v3/grants/{grant_id}`
   */
  update(args: GrantsUpdateArguments): Promise<DataResult<Grant>>
  /**
   * Delete a grant.
   *
   * What the service keeps of it is removed, its tokens are revoked, notifications and billing stop; the account
   * at the provider is not touched. Authenticating the address again makes a new grant. Told with `grant.deleted`.
   *
   * `DELETE /v3/grants/{grant_id}`
   */
  delete(args: GrantsDeleteArguments): Promise<EmptyResult>
}

export type CalendarsOperations = {
  /**
   * List the calendars of a grant.
   *
   * All calendars that the account can read, those that others share with it included.
   *
   * `GET /v3/grants/{grant_id}/calendars`
   */
  readonly list: {
    /**
     * List the calendars of a grant.
     *
     * All calendars that the account can read, those that others share with it included.
     *
     * `GET /v3/grants/{grant_id}/calendars`
     */
    (args: CalendarsListArguments): Promise<ListResult<Calendar>>
    /** List the calendars of a grant: every item, page after page. */
    all(args: CalendarsListArguments): AsyncGenerator<Calendar, void>
  }
  /**
   * Create a calendar.
   *
   * The first calendar of a virtual account is its primary one for ever. A virtual account has at most 10.
   * Microsoft, Exchange and iCloud take the name alone.
   *
   * `POST /v3/grants/{grant_id}/calendars`
   */
  create(args: CalendarsCreateArguments): Promise<DataResult<Calendar>>
  /**
   * Tell when people are busy.
   *
   * One element for each address, in the order asked; an address that cannot be read gives an error element, and
   * the status is 200 all the same. No titles are told. With an access token no other virtual account can be read.
   *
   * `POST /v3/grants/{grant_id}/calendars/free-busy`
   */
  freeBusy(args: CalendarsFreeBusyArguments): Promise<ListResult<FreeBusy>>
  /**
   * Get one calendar.
   *
   * `primary` names the main calendar; the answer carries its real id. A new virtual account has none until the
   * first calendar is made.
   *
   * `GET /v3/grants/{grant_id}/calendars/{calendar_id}`
   */
  get(args: CalendarsGetArguments): Promise<DataResult<Calendar>>
  /**
   * Change a calendar.
   *
   * Fields that are left out stay as they are; `metadata` is replaced as a whole.
   *
   * `PUT /v3/grants/{grant_id}/calendars/{calendar_id}`
   */
  update(args: CalendarsUpdateArguments): Promise<DataResult<Calendar>>
  /**
   * Delete a calendar and its events.
   *
   * The primary calendar cannot be deleted. `calendar.deleted` is told, and nothing of each event. A calendar that
   * somebody else shares is taken from the list of the account.
   *
   * `DELETE /v3/grants/{grant_id}/calendars/{calendar_id}`
   */
  delete(args: CalendarsDeleteArguments): Promise<EmptyResult>
}

export type VirtualCalendarsOperations = {
  /**
   * Create a calendar of a virtual account.
   *
   * The same as creating it on the path of the grant; `grant_id` stands in the body or the query, and with an
   * access token it is the token’s own.
   *
   * `POST /v3/calendars`
   */
  create(args: VirtualCalendarsCreateArguments): Promise<DataResult<Calendar>>
}

export type RoomResourcesOperations = {
  /**
   * List the rooms of the organization of a grant.
   *
   * Rooms in the directory of a Google Workspace (scope `admin.directory.resource.calendar.readonly`), of a
   * Microsoft organization (scope `Place.Read.All`) or of an Exchange server. Cars, projectors and the like are
   * left out. Personal accounts have no directory.
   *
   * `GET /v3/grants/{grant_id}/resources`
   */
  readonly list: {
    /**
     * List the rooms of the organization of a grant.
     *
     * Rooms in the directory of a Google Workspace (scope `admin.directory.resource.calendar.readonly`), of a
     * Microsoft organization (scope `Place.Read.All`) or of an Exchange server. Cars, projectors and the like are
     * left out. Personal accounts have no directory.
     *
     * `GET /v3/grants/{grant_id}/resources`
     */
    (args: RoomResourcesListArguments): Promise<ListResult<RoomResource>>
    /** List the rooms of the organization of a grant: every item, page after page. */
    all(args: RoomResourcesListArguments): AsyncGenerator<RoomResource, void>
  }
}

export type EventsOperations = {
  /**
   * List the events of a calendar.
   *
   * Events that overlap the window from `start` to `end`, ordered by start; without these two from now for one
   * month. `ical_uid` and `metadata_pair` stand alone: no other filter beside them, and no window. Later pages see
   * the window of the first.
   *
   * `GET /v3/grants/{grant_id}/events`
   */
  readonly list: {
    /**
     * List the events of a calendar.
     *
     * Events that overlap the window from `start` to `end`, ordered by start; without these two from now for one
     * month. `ical_uid` and `metadata_pair` stand alone: no other filter beside them, and no window. Later pages see
     * the window of the first.
     *
     * `GET /v3/grants/{grant_id}/events`
     */
    (args: EventsListArguments): Promise<ListResult<Event>>
    /** List the events of a calendar: every item, page after page. */
    all(args: EventsListArguments): AsyncGenerator<Event, void>
  }
  /**
   * Read events in bulk: single events, masters, and changed instances.
   *
   * For copies of a calendar: series are not expanded, and a page has up to 500 events. The order is the
   * provider’s, and a page may be short although more follow.
   *
   * `GET /v3/grants/{grant_id}/events/import`
   */
  readonly import: {
    /**
     * Read events in bulk: single events, masters, and changed instances.
     *
     * For copies of a calendar: series are not expanded, and a page has up to 500 events. The order is the
     * provider’s, and a page may be short although more follow.
     *
     * `GET /v3/grants/{grant_id}/events/import`
     */
    (args: EventsImportArguments): Promise<ListResult<Event>>
    /** Read events in bulk: single events, masters, and changed instances: every item, page after page. */
    all(args: EventsImportArguments): AsyncGenerator<Event, void>
  }
  /**
   * Create an event.
   *
   * An event, or a series with `recurrence`. Guests are invited unless `notify_participants=false`. With
   * `If-None-Overlap: true` a time of a virtual calendar is booked once. Fields that the provider does not keep
   * are named in the response header `x-ignored-fields`.
   *
   * `POST /v3/grants/{grant_id}/events`
   */
  create(args: EventsCreateArguments): Promise<DataResult<Event>>
  /**
   * Get one event.
   *
   * An event, a series, or one instance of a series by its own id. `google` answers a deleted event with the
   * status `cancelled` for a while.
   *
   * `GET /v3/grants/{grant_id}/events/{event_id}`
   */
  get(args: EventsGetArguments): Promise<DataResult<Event>>
  /**
   * Change an event, a series, or one instance.
   *
   * The id of a series changes all of it, the id of an instance that one alone. What is left out stays, objects
   * and lists are replaced whole, null clears. A new `when` of a series moves its rule, its end and its exceptions
   * along; where the new rule is not certain, `recurrence` must be sent too. Changed occurrences that the series
   * does not have any more are named in the response header `x-dropped-occurrences`. Of an event that somebody
   * else organizes only `metadata` can be changed (at Google reminders and colour too): answer it with send-rsvp.
   *
   * `PUT /v3/grants/{grant_id}/events/{event_id}`
   */
  update(args: EventsUpdateArguments): Promise<DataResult<Event>>
  /**
   * Delete an event, a series, or one instance.
   *
   * The id of a series deletes all of it, the id of an instance takes that one out of it. Guests are told unless
   * `notify_participants=false`.
   *
   * `DELETE /v3/grants/{grant_id}/events/{event_id}`
   */
  delete(args: EventsDeleteArguments): Promise<EmptyResult>
  /**
   * Answer an invitation.
   *
   * Sets the answer of the account in its calendar, and tells the organizer by mail. Where the mail does not
   * leave, `send_ics_error` says why, and the answer stands all the same. The organizer of an event does not
   * answer it, but at Google.
   *
   * `POST /v3/grants/{grant_id}/events/{event_id}/send-rsvp`
   */
  rsvp(args: EventsRsvpArguments): Promise<DataResult<RsvpResult>>
}

export type SchedulesOperations = {
  /**
   * List messages that are sent at a time, those of the last 72 hours included.
   *
   * All that wait, and those whose time was in the last 72 hours, whatever became of them. Whole: there are no
   * pages.
   *
   * `GET /v3/grants/{grant_id}/messages/schedules`
   */
  list(args: SchedulesListArguments): Promise<ListResult<ScheduledMessage>>
  /**
   * Tell what became of a message that is sent at a time.
   *
   * Known until 72 hours after its time. The notifications `message.send_success` and `message.send_failed` tell
   * the same without asking.
   *
   * `GET /v3/grants/{grant_id}/messages/schedules/{schedule_id}`
   */
  get(args: SchedulesGetArguments): Promise<DataResult<ScheduledMessage>>
  /**
   * Stop a message that is sent at a time.
   *
   * Until 10 seconds before that time; later it is refused with 409. One that was stopped before is answered the
   * same. A draft that it waited in (`use_draft`) stays.
   *
   * `DELETE /v3/grants/{grant_id}/messages/schedules/{schedule_id}`
   */
  delete(args: SchedulesDeleteArguments): Promise<DataResult<SchedulesDeleteData>>
}

export type MessagesOperations = {
  /**
   * List messages, newest first.
   *
   * Over all folders unless `in` names one. All filters that are given must hold. A page may hold fewer than
   * `limit` and still have a next one. `metadata_pair` stands alone: no other filter beside it. A `select` without
   * `body`, `snippet` and `attachments` is faster.
   *
   * `GET /v3/grants/{grant_id}/messages`
   */
  readonly list: {
    /**
     * List messages, newest first.
     *
     * Over all folders unless `in` names one. All filters that are given must hold. A page may hold fewer than
     * `limit` and still have a next one. `metadata_pair` stands alone: no other filter beside it. A `select` without
     * `body`, `snippet` and `attachments` is faster.
     *
     * `GET /v3/grants/{grant_id}/messages`
     */
    (args: MessagesListArguments): Promise<ListResult<Message>>
    /** List messages, newest first: every item, page after page. */
    all(args: MessagesListArguments): AsyncGenerator<Message, void>
  }
  /**
   * Read messages without quotations, links, images and closing phrases.
   *
   * The messages themselves are not changed: `body` is the original, `conversation` what is left of it. The order
   * is that of `message_id`.
   *
   * `PUT /v3/grants/{grant_id}/messages/clean`
   */
  clean(args: MessagesCleanArguments): Promise<ListResult<CleanedMessage>>
  /**
   * Get one message.
   *
   * As the mail server has it now. One that was deleted for ever is not found.
   *
   * `GET /v3/grants/{grant_id}/messages/{message_id}`
   */
  get(args: MessagesGetArguments): Promise<DataResult<Message>>
  /**
   * Mark, star or move a message, or change its metadata.
   *
   * Fields that are left out stay; `folders` and `metadata` replace what was there. Metadata is kept by the
   * service, the rest is changed at the provider.
   *
   * `PUT /v3/grants/{grant_id}/messages/{message_id}`
   */
  update(args: MessagesUpdateArguments): Promise<DataResult<Message>>
  /**
   * Move a message to the trash, or delete it for ever.
   *
   * To the trash, with all its copies; one that lies there stays. With `hard_delete=true` nothing is left that
   * anybody could bring back: the application must have `allow_hard_delete` on, and at `google` the grant needs
   * the scope `https://mail.google.com/`.
   *
   * `DELETE /v3/grants/{grant_id}/messages/{message_id}`
   */
  delete(args: MessagesDeleteArguments): Promise<EmptyResult>
  /**
   * Send a message, now or at a time.
   *
   * Answered once the provider took the message, with a copy of it in the sent mail of the account. With `send_at`
   * it is kept and sent later: 202. As `multipart/form-data`, up to 25 MB: the part `message` holds the JSON,
   * every other part a file; a part that is not named `file`, `file0`, `file1` … or `attachment` is shown in the
   * text under its name as content id. With `type=mime` the one part is `mime`, a whole message.
   *
   * `POST /v3/grants/{grant_id}/messages/send`
   */
  send(args: MessagesSendArguments): Promise<DataResult<SentMessage>>
}

export type DraftsOperations = {
  /**
   * List drafts, newest first.
   *
   * All that lie in the drafts of the account, also those that another mail program wrote there. `metadata_pair`
   * stands alone: no other filter beside it.
   *
   * `GET /v3/grants/{grant_id}/drafts`
   */
  readonly list: {
    /**
     * List drafts, newest first.
     *
     * All that lie in the drafts of the account, also those that another mail program wrote there. `metadata_pair`
     * stands alone: no other filter beside it.
     *
     * `GET /v3/grants/{grant_id}/drafts`
     */
    (args: DraftsListArguments): Promise<ListResult<Draft>>
    /** List drafts, newest first: every item, page after page. */
    all(args: DraftsListArguments): AsyncGenerator<Draft, void>
  }
  /**
   * Create a draft.
   *
   * It lies in the drafts of the account, where its user sees it. Also as `multipart/form-data`: the part
   * `message` holds the JSON, every other part a file.
   *
   * `POST /v3/grants/{grant_id}/drafts`
   */
  create(args: DraftsCreateArguments): Promise<DataResult<Draft>>
  /**
   * Get one draft.
   *
   * As it lies in the account now. One that was sent or deleted is not found.
   *
   * `GET /v3/grants/{grant_id}/drafts/{draft_id}`
   */
  get(args: DraftsGetArguments): Promise<DataResult<Draft>>
  /**
   * Change a draft.
   *
   * What is left out stays; a list that is given replaces the old one. Also as `multipart/form-data`: the part
   * `message` holds the JSON, every other part a file.
   *
   * `PUT /v3/grants/{grant_id}/drafts/{draft_id}`
   */
  update(args: DraftsUpdateArguments): Promise<DataResult<Draft>>
  /**
   * Delete a draft for ever.
   *
   * It does not go to the trash: nobody can bring it back.
   *
   * `DELETE /v3/grants/{grant_id}/drafts/{draft_id}`
   */
  delete(args: DraftsDeleteArguments): Promise<EmptyResult>
  /**
   * Send a draft.
   *
   * As it lies in the account, with the tracking and the metadata that were set for it. Answered once the provider
   * took it; the draft is gone then, and the message may have another id.
   *
   * `POST /v3/grants/{grant_id}/drafts/{draft_id}`
   */
  send(args: DraftsSendArguments): Promise<DataResult<SentMessage>>
}

export type ThreadsOperations = {
  /**
   * List threads, newest first by the message that was received last.
   *
   * A thread matches where one of its messages does. Google does not promise the order.
   *
   * `GET /v3/grants/{grant_id}/threads`
   */
  readonly list: {
    /**
     * List threads, newest first by the message that was received last.
     *
     * A thread matches where one of its messages does. Google does not promise the order.
     *
     * `GET /v3/grants/{grant_id}/threads`
     */
    (args: ThreadsListArguments): Promise<ListResult<Thread>>
    /** List threads, newest first by the message that was received last: every item, page after page. */
    all(args: ThreadsListArguments): AsyncGenerator<Thread, void>
  }
  /**
   * Get one thread.
   *
   * One thread with the ids of its messages and its newest message whole.
   *
   * `GET /v3/grants/{grant_id}/threads/{thread_id}`
   */
  get(args: ThreadsGetArguments): Promise<DataResult<Thread>>
  /**
   * Mark, star or move all messages of a thread.
   *
   * The change is made to each message of the thread; `folders` replaces the list of every one. What is left out
   * stays as it is.
   *
   * `PUT /v3/grants/{grant_id}/threads/{thread_id}`
   */
  update(args: ThreadsUpdateArguments): Promise<DataResult<Thread>>
  /**
   * Move all messages of a thread to the trash.
   *
   * Nothing is deleted for ever: the messages lie in the trash, as after a deletion by the user.
   *
   * `DELETE /v3/grants/{grant_id}/threads/{thread_id}`
   */
  delete(args: ThreadsDeleteArguments): Promise<EmptyResult>
}

export type FoldersOperations = {
  /**
   * List folders, those within others included.
   *
   * All folders or labels of the mailbox in one flat list. A `select` without counts and colours is quicker at
   * Google, which tells them of one label at a time.
   *
   * `GET /v3/grants/{grant_id}/folders`
   */
  readonly list: {
    /**
     * List folders, those within others included.
     *
     * All folders or labels of the mailbox in one flat list. A `select` without counts and colours is quicker at
     * Google, which tells them of one label at a time.
     *
     * `GET /v3/grants/{grant_id}/folders`
     */
    (args: FoldersListArguments): Promise<ListResult<Folder>>
    /** List folders, those within others included: every item, page after page. */
    all(args: FoldersListArguments): AsyncGenerator<Folder, void>
  }
  /**
   * Create a folder.
   *
   * A folder, or a label at Google. A name that is taken is answered with 409.
   *
   * `POST /v3/grants/{grant_id}/folders`
   */
  create(args: FoldersCreateArguments): Promise<DataResult<Folder>>
  /**
   * Get one folder.
   *
   * One folder or label by its id, with its counts.
   *
   * `GET /v3/grants/{grant_id}/folders/{folder_id}`
   */
  get(args: FoldersGetArguments): Promise<DataResult<Folder>>
  /**
   * Change a folder.
   *
   * Renames, moves or colours a folder. With `imap` a renamed folder has another id, which the answer carries.
   * Folders of the system, such as the inbox, cannot be changed.
   *
   * `PUT /v3/grants/{grant_id}/folders/{folder_id}`
   */
  update(args: FoldersUpdateArguments): Promise<DataResult<Folder>>
  /**
   * Delete a folder.
   *
   * Its messages go with it; with `google` they lose the label and stay.
   *
   * `DELETE /v3/grants/{grant_id}/folders/{folder_id}`
   */
  delete(args: FoldersDeleteArguments): Promise<EmptyResult>
}

export type AttachmentsOperations = {
  /**
   * Tell what an attachment is.
   *
   * Name, type and size of an attachment, without its bytes: the same as in `attachments` of its message.
   *
   * `GET /v3/grants/{grant_id}/attachments/{attachment_id}`
   */
  get(args: AttachmentsGetArguments): Promise<DataResult<Attachment>>
  /**
   * Get the bytes of an attachment.
   *
   * The bytes themselves, streamed, without envelope, under the type that the message says
   * (`application/octet-stream` where that is none), and always with `Content-Disposition: attachment`. Where
   * something fails after the first byte the connection breaks: what came to its end is whole.
   *
   * `GET /v3/grants/{grant_id}/attachments/{attachment_id}/download`
   */
  download(args: AttachmentsDownloadArguments): Promise<FileResult>
}

export type ContactGroupsOperations = {
  /**
   * List the groups of contacts.
   *
   * Groups of the user and those of the system; at Microsoft and Exchange these are the folders of contacts.
   *
   * `GET /v3/grants/{grant_id}/contacts/groups`
   */
  readonly list: {
    /**
     * List the groups of contacts.
     *
     * Groups of the user and those of the system; at Microsoft and Exchange these are the folders of contacts.
     *
     * `GET /v3/grants/{grant_id}/contacts/groups`
     */
    (args: ContactGroupsListArguments): Promise<ListResult<ContactGroup>>
    /** List the groups of contacts: every item, page after page. */
    all(args: ContactGroupsListArguments): AsyncGenerator<ContactGroup, void>
  }
  /**
   * Create a group of contacts.
   *
   * An empty group. Contacts are put into it by their `groups`.
   *
   * `POST /v3/grants/{grant_id}/contacts/groups`
   */
  create(args: ContactGroupsCreateArguments): Promise<DataResult<ContactGroup>>
  /**
   * Get one group of contacts.
   *
   * One group by its id. Its contacts are listed with `group=<id>`.
   *
   * `GET /v3/grants/{grant_id}/contacts/groups/{group_id}`
   */
  get(args: ContactGroupsGetArguments): Promise<DataResult<ContactGroup>>
  /**
   * Rename a group of contacts.
   *
   * Gives a group of the user another name; groups of the system keep theirs. The id of a category at CardDAV
   * changes with its name.
   *
   * `PUT /v3/grants/{grant_id}/contacts/groups/{group_id}`
   */
  update(args: ContactGroupsUpdateArguments): Promise<DataResult<ContactGroup>>
  /**
   * Delete a group of contacts.
   *
   * Its contacts stay. Groups of the system cannot be deleted.
   *
   * `DELETE /v3/grants/{grant_id}/contacts/groups/{group_id}`
   */
  delete(args: ContactGroupsDeleteArguments): Promise<EmptyResult>
}

export type ContactsOperations = {
  /**
   * List contacts.
   *
   * The address book, unless `source` says otherwise. Mailboxes at IMAP servers have an address book that the
   * service keeps for them.
   *
   * `GET /v3/grants/{grant_id}/contacts`
   */
  readonly list: {
    /**
     * List contacts.
     *
     * The address book, unless `source` says otherwise. Mailboxes at IMAP servers have an address book that the
     * service keeps for them.
     *
     * `GET /v3/grants/{grant_id}/contacts`
     */
    (args: ContactsListArguments): Promise<ListResult<Contact>>
    /** List contacts: every item, page after page. */
    all(args: ContactsListArguments): AsyncGenerator<Contact, void>
  }
  /**
   * Create a contact.
   *
   * A contact of the address book. At least one of `given_name`, `surname`, `company_name` and `emails` is needed;
   * more values than the provider keeps are refused with 400.
   *
   * `POST /v3/grants/{grant_id}/contacts`
   */
  create(args: ContactsCreateArguments): Promise<DataResult<Contact>>
  /**
   * Get one contact.
   *
   * One contact by its id, of whichever source; its picture only where it is asked for.
   *
   * `GET /v3/grants/{grant_id}/contacts/{contact_id}`
   */
  get(args: ContactsGetArguments): Promise<DataResult<Contact>>
  /**
   * Change a contact.
   *
   * Of the address book only. What is left out stays, lists are replaced as a whole, and what the provider knows
   * beside these fields stays too.
   *
   * `PUT /v3/grants/{grant_id}/contacts/{contact_id}`
   */
  update(args: ContactsUpdateArguments): Promise<DataResult<Contact>>
  /**
   * Delete a contact.
   *
   * Of the address book only; contacts that are known from mail or the directory are refused with 400.
   *
   * `DELETE /v3/grants/{grant_id}/contacts/{contact_id}`
   */
  delete(args: ContactsDeleteArguments): Promise<EmptyResult>
}

export type SignaturesOperations = {
  /**
   * List the signatures of a grant.
   *
   * The oldest first.
   *
   * `GET /v3/grants/{grant_id}/signatures`
   */
  readonly list: {
    /**
     * List the signatures of a grant.
     *
     * The oldest first.
     *
     * `GET /v3/grants/{grant_id}/signatures`
     */
    (args: SignaturesListArguments): Promise<ListResult<Signature>>
    /** List the signatures of a grant: every item, page after page. */
    all(args: SignaturesListArguments): AsyncGenerator<Signature, void>
  }
  /**
   * Create a signature.
   *
   * Up to 10 for each grant. It is used where a message names it; there is no default.
   *
   * `POST /v3/grants/{grant_id}/signatures`
   */
  create(args: SignaturesCreateArguments): Promise<DataResult<Signature>>
  /**
   * Get one signature.
   *
   * As it is put into messages.
   *
   * `GET /v3/grants/{grant_id}/signatures/{signature_id}`
   */
  get(args: SignaturesGetArguments): Promise<DataResult<Signature>>
  /**
   * Change a signature.
   *
   * Messages that were sent, and drafts that have it in their text already, stay as they are.
   *
   * `PUT /v3/grants/{grant_id}/signatures/{signature_id}`
   */
  update(args: SignaturesUpdateArguments): Promise<DataResult<Signature>>
  /**
   * Delete a signature.
   *
   * Messages and drafts that have it in their text stay as they are. Those of a grant go with the grant.
   *
   * `DELETE /v3/grants/{grant_id}/signatures/{signature_id}`
   */
  delete(args: SignaturesDeleteArguments): Promise<EmptyResult>
}

export type TemplatesOperations = {
  /**
   * List templates.
   *
   * The oldest first: those of the application alone.
   *
   * `GET /v3/templates`
   */
  readonly list: {
    /**
     * List templates.
     *
     * The oldest first: those of the application alone.
     *
     * `GET /v3/templates`
     */
    (args?: TemplatesListArguments): Promise<ListResult<Template>>
    /** List templates: every item, page after page. */
    all(args?: TemplatesListArguments): AsyncGenerator<Template, void>
  }
  /**
   * Create a template.
   *
   * Up to 1000 for the application. One that could not be rendered is refused, with the line that is wrong.
   *
   * `POST /v3/templates`
   */
  create(args: TemplatesCreateArguments): Promise<DataResult<Template>>
  /**
   * Render a text that is not kept as a template.
   *
   * To show what a template would come to while somebody writes it. Nothing is kept and nothing is sent.
   *
   * `POST /v3/templates/render`
   */
  renderBody(args: TemplatesRenderBodyArguments): Promise<DataResult<RenderedBody>>
  /**
   * Get one template.
   *
   * With its variables as they were written, not rendered.
   *
   * `GET /v3/templates/{template_id}`
   */
  get(args: TemplatesGetArguments): Promise<DataResult<Template>>
  /**
   * Change a template.
   *
   * Fields that are left out stay. Messages that wait for their time were rendered before and stay as they are.
   *
   * `PUT /v3/templates/{template_id}`
   */
  update(args: TemplatesUpdateArguments): Promise<DataResult<Template>>
  /**
   * Delete a template.
   *
   * Messages that were made by it stay as they are.
   *
   * `DELETE /v3/templates/{template_id}`
   */
  delete(args: TemplatesDeleteArguments): Promise<EmptyResult>
  /**
   * Render a template.
   *
   * As a message would have it. Nothing is sent.
   *
   * `POST /v3/templates/{template_id}/render`
   */
  render(args: TemplatesRenderArguments): Promise<DataResult<RenderedTemplate>>
}

export type GrantTemplatesOperations = {
  /**
   * List templates.
   *
   * The oldest first: those of the grant alone.
   *
   * `GET /v3/grants/{grant_id}/templates`
   */
  readonly list: {
    /**
     * List templates.
     *
     * The oldest first: those of the grant alone.
     *
     * `GET /v3/grants/{grant_id}/templates`
     */
    (args: GrantTemplatesListArguments): Promise<ListResult<Template>>
    /** List templates: every item, page after page. */
    all(args: GrantTemplatesListArguments): AsyncGenerator<Template, void>
  }
  /**
   * Create a template.
   *
   * Up to 1000 for the grant. One that could not be rendered is refused, with the line that is wrong.
   *
   * `POST /v3/grants/{grant_id}/templates`
   */
  create(args: GrantTemplatesCreateArguments): Promise<DataResult<Template>>
  /**
   * Render a text that is not kept as a template.
   *
   * To show what a template would come to while somebody writes it. Nothing is kept and nothing is sent.
   *
   * `POST /v3/grants/{grant_id}/templates/render`
   */
  renderBody(args: GrantTemplatesRenderBodyArguments): Promise<DataResult<RenderedBody>>
  /**
   * Get one template.
   *
   * With its variables as they were written, not rendered.
   *
   * `GET /v3/grants/{grant_id}/templates/{template_id}`
   */
  get(args: GrantTemplatesGetArguments): Promise<DataResult<Template>>
  /**
   * Change a template.
   *
   * Fields that are left out stay. Messages that wait for their time were rendered before and stay as they are.
   *
   * `PUT /v3/grants/{grant_id}/templates/{template_id}`
   */
  update(args: GrantTemplatesUpdateArguments): Promise<DataResult<Template>>
  /**
   * Delete a template.
   *
   * Messages that were made by it stay as they are.
   *
   * `DELETE /v3/grants/{grant_id}/templates/{template_id}`
   */
  delete(args: GrantTemplatesDeleteArguments): Promise<EmptyResult>
  /**
   * Render a template.
   *
   * As a message would have it. Nothing is sent.
   *
   * `POST /v3/grants/{grant_id}/templates/{template_id}/render`
   */
  render(args: GrantTemplatesRenderArguments): Promise<DataResult<RenderedTemplate>>
}

export type AvailabilityOperations = {
  /**
   * Find times at which people are free.
   *
   * Looks into the calendars of grants of the application, of any provider; with an access token into those of its
   * own grant alone. Nothing is reserved: book a time with `events.create`, on virtual calendars with
   * `If-None-Overlap: true`, and ask again where somebody was quicker.
   *
   * `POST /v3/calendars/availability`
   */
  find(args: AvailabilityFindArguments): Promise<DataResult<Availability>>
}

export type WebhooksOperations = {
  /**
   * List the webhook destinations of the application.
   *
   * Whole: an application has up to 50. Secrets are never answered.
   *
   * `GET /v3/webhooks`
   */
  list(args?: WebhooksListArguments): Promise<ListResult<Webhook>>
  /**
   * Create a webhook destination.
   *
   * The address is verified first: `GET <webhook_url>?challenge=<text>` must be answered within 10 seconds with
   * status 200 and exactly that text. The answer is the only place that tells `webhook_secret`.
   *
   * `POST /v3/webhooks`
   */
  create(args: WebhooksCreateArguments): Promise<DataResult<WebhookWithSecret>>
  /**
   * Show a notification of a trigger.
   *
   * Nothing is sent. The whole envelope is in `data`.
   *
   * `POST /v3/webhooks/mock-payload`
   */
  mockPayload(args: WebhooksMockPayloadArguments): Promise<DataResult<Notification>>
  /**
   * Show a notification of a trigger, which the query names.
   *
   * The same as with `POST`. Nothing is sent. The whole envelope is in `data`.
   *
   * `GET /v3/webhooks/mock-payload`
   */
  readMockPayload(args: WebhooksReadMockPayloadArguments): Promise<DataResult<Notification>>
  /**
   * Send a notification that is not real to an address.
   *
   * To an address, which need not be a destination, or to a destination by its id. What it tells is the sample of
   * the trigger, or the `object` of the request, which must fit the trigger. Signed with the fixed secret
   * `mock-webhook-secret` unless `secret` says otherwise.
   *
   * `POST /v3/webhooks/send-test-event`
   */
  sendTestEvent(args?: WebhooksSendTestEventArguments): Promise<DataResult<'success'>>
  /**
   * List the addresses that deliveries come from.
   *
   * As the operator set them; where that was not done, the addresses of the machine that answers.
   *
   * `GET /v3/webhooks/ip-addresses`
   */
  ipAddresses(args?: WebhooksIpAddressesArguments): Promise<DataResult<IpAddresses>>
  /**
   * Give a webhook destination a new secret.
   *
   * The old secret signs beside the new one for 24 hours: in `webhook-signature`, and in the signature header with
   * `-previous` behind its name.
   *
   * `POST /v3/webhooks/rotate-secret/{id}`
   */
  rotateSecret(args: WebhooksRotateSecretArguments): Promise<DataResult<WebhookWithSecret>>
  /**
   * Give a webhook destination a new secret: as some clients spell it.
   *
   * The old secret signs beside the new one for 24 hours: in `webhook-signature`, and in the signature header with
   * `-previous` behind its name.
   *
   * `PUT /v3/webhooks/{id}/rotate-secret`
   */
  putRotateSecret(args: WebhooksPutRotateSecretArguments): Promise<DataResult<WebhookWithSecret>>
  /**
   * Check the signatures of a delivery.
   *
   * For whoever writes a receiver: give headers and body as they came, and the answer says which signatures are
   * right, and why others are not. No secret is told, and nothing is sent.
   *
   * `POST /v3/webhooks/{id}/verify-signature`
   */
  verifySignature(args: WebhooksVerifySignatureArguments): Promise<DataResult<SignatureVerdict>>
  /**
   * Get one webhook destination.
   *
   * With its state; the secret is never answered.
   *
   * `GET /v3/webhooks/{id}`
   */
  get(args: WebhooksGetArguments): Promise<DataResult<Webhook>>
  /**
   * Tell how deliveries to a destination went, over time.
   *
   * The oldest first, up to now: by the hour, over up to 6 hours by the quarter of an hour.
   *
   * `GET /v3/webhooks/{id}/health`
   */
  health(args: WebhooksHealthArguments): Promise<ListResult<WebhookHealth>>
  /**
   * Change, pause or activate a webhook destination.
   *
   * Fields that are absent or empty stay as they are; null empties `description` and
   * `notification_email_addresses`. When `status` is set to `active` or the address changes: The address is
   * verified first: `GET <webhook_url>?challenge=<text>` must be answered within 10 seconds with status 200 and
   * exactly that text. Other triggers count from now on.
   *
   * `PUT /v3/webhooks/{id}`
   */
  update(args: WebhooksUpdateArguments): Promise<DataResult<Webhook>>
  /**
   * Delete a webhook destination.
   *
   * What waits for it is not sent any more, and the log of its deliveries goes with it.
   *
   * `DELETE /v3/webhooks/{id}`
   */
  delete(args: WebhooksDeleteArguments): Promise<DataResult<WebhooksDeleteData>>
}

export type DeliveriesOperations = {
  /**
   * List what waits for a destination, or failed.
   *
   * What failed, in the order it was queued, and then what waits, by the next try. What was delivered is no longer
   * here: the log of attempts has it.
   *
   * `GET /v3/webhooks/{id}/deliveries`
   */
  readonly list: {
    /**
     * List what waits for a destination, or failed.
     *
     * What failed, in the order it was queued, and then what waits, by the next try. What was delivered is no longer
     * here: the log of attempts has it.
     *
     * `GET /v3/webhooks/{id}/deliveries`
     */
    (args: DeliveriesListArguments): Promise<ListResult<Delivery>>
    /** List what waits for a destination, or failed: every item, page after page. */
    all(args: DeliveriesListArguments): AsyncGenerator<Delivery, void>
  }
  /**
   * List the attempts to deliver to a destination.
   *
   * The newest first. They are kept as long as notifications are. With `trigger_types` or `grant_id` a request
   * looks at some 10,000 attempts at most: a page may hold few or none though there are more behind it.
   *
   * `GET /v3/webhooks/{id}/attempts`
   */
  readonly attempts: {
    /**
     * List the attempts to deliver to a destination.
     *
     * The newest first. They are kept as long as notifications are. With `trigger_types` or `grant_id` a request
     * looks at some 10,000 attempts at most: a page may hold few or none though there are more behind it.
     *
     * `GET /v3/webhooks/{id}/attempts`
     */
    (args: DeliveriesAttemptsArguments): Promise<ListResult<DeliveryAttempt>>
    /** List the attempts to deliver to a destination: every item, page after page. */
    all(args: DeliveriesAttemptsArguments): AsyncGenerator<DeliveryAttempt, void>
  }
  /**
   * Get one attempt, with what was sent and what to try next.
   *
   * The last attempt at the notification, unless `attempt` names another. The request is put together as it was
   * for the attempt, signatures included.
   *
   * `GET /v3/webhooks/{id}/attempts/{notification_id}`
   */
  attempt(args: DeliveriesAttemptArguments): Promise<DataResult<AttemptDetail>>
  /**
   * Count what waits for a destination, and what failed.
   *
   * Each is counted up to 10000, so that the answer comes at once however much there is.
   *
   * `GET /v3/webhooks/{id}/backlog`
   */
  backlog(args: DeliveriesBacklogArguments): Promise<DataResult<Backlog>>
  /**
   * Deliver notifications again.
   *
   * One by its id, or all of a time, of a trigger, of a grant, of an outcome. They keep their ids, so that a
   * receiver knows them. Ask with `dry_run` first how many that are. The destination must be active or failing,
   * but for a dry run.
   *
   * `POST /v3/webhooks/{id}/replay`
   */
  replay(args: DeliveriesReplayArguments): Promise<DataResult<Replayed>>
  /**
   * Deliver what waits for a later try now.
   *
   * For a listener that was mended: nothing waits for its next try any longer. The tries that were made count, and
   * what fails again waits for its next one. A call that finds nothing waiting changes nothing. The destination
   * must be active or failing.
   *
   * `POST /v3/webhooks/{id}/deliver-now`
   */
  deliverNow(args: DeliveriesDeliverNowArguments): Promise<DataResult<MadeDue>>
  /**
   * Deliver what waits for a later try now, at every destination.
   *
   * The same for all destinations of the application that are active or failing; what waits for others goes on
   * waiting.
   *
   * `POST /v3/webhooks/deliver-now`
   */
  deliverAllNow(args?: DeliveriesDeliverAllNowArguments): Promise<DataResult<AllMadeDue>>
}

export type NotificationsOperations = {
  /**
   * Read the notifications of the application as a stream.
   *
   * The oldest first, whether there are destinations or not, from the time on at which the application switched
   * the stream on (`notification_stream`). Every answer has `next_cursor`, also one without notifications: keep
   * it, and go on from there; none is missed and none comes twice. With `wait` the answer comes as soon as there
   * is something, or empty after that many seconds.
   *
   * `GET /v3/notifications`
   */
  readonly list: {
    /**
     * Read the notifications of the application as a stream.
     *
     * The oldest first, whether there are destinations or not, from the time on at which the application switched
     * the stream on (`notification_stream`). Every answer has `next_cursor`, also one without notifications: keep
     * it, and go on from there; none is missed and none comes twice. With `wait` the answer comes as soon as there
     * is something, or empty after that many seconds.
     *
     * `GET /v3/notifications`
     */
    (args?: NotificationsListArguments): Promise<ListResult<StreamedNotification>>
    /** Read the notifications of the application as a stream: every item, page after page. */
    all(args?: NotificationsListArguments): AsyncGenerator<StreamedNotification, void>
  }
  /**
   * Get one notification, and how far its deliveries are.
   *
   * As long as it is kept: while a destination is subscribed to its trigger or the stream is on, and for
   * `notification_days` of the application.
   *
   * `GET /v3/notifications/{id}`
   */
  get(args: NotificationsGetArguments): Promise<DataResult<KeptNotification>>
}

export type AdminApplicationsOperations = {
  /**
   * List all applications.
   *
   * The oldest first, in pages. The sandbox, which every installation begins with, is among them.
   *
   * `GET /v3/admin/applications`
   */
  readonly list: {
    /**
     * List all applications.
     *
     * The oldest first, in pages. The sandbox, which every installation begins with, is among them.
     *
     * `GET /v3/admin/applications`
     */
    (args?: AdminApplicationsListArguments): Promise<ListResult<ApplicationSummary>>
    /** List all applications: every item, page after page. */
    all(args?: AdminApplicationsListArguments): AsyncGenerator<ApplicationSummary, void>
  }
  /**
   * Create an application.
   *
   * It has no API key yet: create one with `POST /v3/admin/applications/{application_id}/api-keys`.
   *
   * `POST /v3/admin/applications`
   */
  create(args: AdminApplicationsCreateArguments): Promise<DataResult<ApplicationSummary>>
  /**
   * Get one application.
   *
   * With how many grants it has and may have.
   *
   * `GET /v3/admin/applications/{application_id}`
   */
  get(args: AdminApplicationsGetArguments): Promise<DataResult<ApplicationSummary>>
  /**
   * Block or unblock an application, or change how many mails it may send.
   *
   * Give at least one of the two. All calls of a blocked application are answered with 423; its data stays.
   *
   * `PATCH /v3/admin/applications/{application_id}`
   */
  update(args: AdminApplicationsUpdateArguments): Promise<DataResult<ApplicationSummary>>
}

export type ApiKeysOperations = {
  /**
   * List the API keys of an application.
   *
   * Whole, expired and revoked ones included. The keys themselves are never answered.
   *
   * `GET /v3/admin/applications/{application_id}/api-keys`
   */
  list(args: ApiKeysListArguments): Promise<ListResult<ApiKey>>
  /**
   * Create an API key.
   *
   * The answer is the only place where the key itself stands.
   *
   * `POST /v3/admin/applications/{application_id}/api-keys`
   */
  create(args: ApiKeysCreateArguments): Promise<DataResult<NewApiKey>>
  /**
   * Get one API key, without its secret.
   *
   * Also one that has expired or was revoked.
   *
   * `GET /v3/admin/applications/{application_id}/api-keys/{id}`
   */
  get(args: ApiKeysGetArguments): Promise<DataResult<ApiKey>>
  /**
   * Revoke an API key, at once and on every node.
   *
   * It opens nothing any more, and stays in the list as revoked. One that is revoked already is not found.
   *
   * `DELETE /v3/admin/applications/{application_id}/api-keys/{id}`
   */
  delete(args: ApiKeysDeleteArguments): Promise<EmptyResult>
}

export type AdminGrantsOperations = {
  /**
   * Find grants of an application.
   *
   * The newest first, unless `sort` says otherwise. What no index finds, such as a part of an address, is looked
   * for in up to 20,000 grants a call: a page may then hold few or none and still have a `next_cursor`.
   *
   * `GET /v3/admin/applications/{application_id}/grants`
   */
  readonly list: {
    /**
     * Find grants of an application.
     *
     * The newest first, unless `sort` says otherwise. What no index finds, such as a part of an address, is looked
     * for in up to 20,000 grants a call: a page may then hold few or none and still have a `next_cursor`.
     *
     * `GET /v3/admin/applications/{application_id}/grants`
     */
    (args: AdminGrantsListArguments): Promise<ListResult<AdminGrant>>
    /** Find grants of an application: every item, page after page. */
    all(args: AdminGrantsListArguments): AsyncGenerator<AdminGrant, void>
  }
  /**
   * Count grants of an application.
   *
   * Those that the same filters list. Exact up to 10,000; above that, and where more than 100,000 grants had to be
   * looked through, `more` is true.
   *
   * `GET /v3/admin/applications/{application_id}/grants/count`
   */
  count(args: AdminGrantsCountArguments): Promise<DataResult<Count>>
  /**
   * Make the grant of a hosted sign-in, from the code that it ended with.
   *
   * As `POST /v3/connect/token` does, in the name of the administrator and without tokens. `<base
   * address>/dashboard/connected` may be the redirect URI of every application.
   *
   * `POST /v3/admin/applications/{application_id}/grants/complete`
   */
  complete(args: AdminGrantsCompleteArguments): Promise<DataResult<Grant>>
  /**
   * Tell of the use of a grant, of the watch on it, and of its last errors.
   *
   * Written every few seconds: what happened just now may be missing.
   *
   * `GET /v3/admin/applications/{application_id}/grants/{grant_id}/activity`
   */
  activity(args: AdminGrantsActivityArguments): Promise<DataResult<GrantActivity>>
  /**
   * Tell what happened with a grant.
   *
   * The newest first: what became of the grant, changes that were told, calls summed by the hour and route, and
   * single errors and refusals, with the ids of requests. Nothing of what the account holds. What becomes of a
   * grant is kept for 90 days (that it was made, always), calls for 7 days, the last 20 errors and 20 refusals,
   * and notifications as long as the application keeps them, where it has a destination or a stream for them.
   * Calls of administrators do not count. Written every few seconds: what happened just now may be missing.
   *
   * `GET /v3/admin/applications/{application_id}/grants/{grant_id}/timeline`
   */
  readonly timeline: {
    /**
     * Tell what happened with a grant.
     *
     * The newest first: what became of the grant, changes that were told, calls summed by the hour and route, and
     * single errors and refusals, with the ids of requests. Nothing of what the account holds. What becomes of a
     * grant is kept for 90 days (that it was made, always), calls for 7 days, the last 20 errors and 20 refusals,
     * and notifications as long as the application keeps them, where it has a destination or a stream for them.
     * Calls of administrators do not count. Written every few seconds: what happened just now may be missing.
     *
     * `GET /v3/admin/applications/{application_id}/grants/{grant_id}/timeline`
     */
    (args: AdminGrantsTimelineArguments): Promise<ListResult<TimelineEntry>>
    /** Tell what happened with a grant: every item, page after page. */
    all(args: AdminGrantsTimelineArguments): AsyncGenerator<TimelineEntry, void>
  }
  /**
   * Block or unblock a grant.
   *
   * Calls to a blocked grant are answered with 423, and its changes are not looked for. Its state and its data
   * stay.
   *
   * `PATCH /v3/admin/applications/{application_id}/grants/{grant_id}`
   */
  update(args: AdminGrantsUpdateArguments): Promise<DataResult<Grant>>
  /**
   * Revoke a grant.
   *
   * The grant becomes invalid, keeps its data, stays billed, and can be authenticated again.
   *
   * `POST /v3/admin/applications/{application_id}/grants/{grant_id}/revoke`
   */
  revoke(args: AdminGrantsRevokeArguments): Promise<DataResult<Grant>>
}

export type OverviewOperations = {
  /**
   * Tell how an application fares, and what somebody should act on.
   *
   * A verdict with its reasons, the traffic over time, errors by provider, grants that expired lately and why, and
   * the state of every destination. Figures are written every few seconds and kept for 48 hours; percentiles are
   * right to within a fifth. It costs no more where there are many grants or notifications.
   *
   * `GET /v3/admin/applications/{application_id}/overview`
   */
  get(args: OverviewGetArguments): Promise<DataResult<ApplicationOverview>>
}

export type ConnectorSetupOperations = {
  /**
   * Tell what is needed to set up the connector of a provider.
   *
   * Addresses to register at the provider, and whether something stands in for it. The connector need not be there
   * yet.
   *
   * `GET /v3/admin/applications/{application_id}/connectors/{provider}/setup`
   */
  get(args: ConnectorSetupGetArguments): Promise<DataResult<ConnectorSetup>>
  /**
   * Make the connector of a provider that is simulated.
   *
   * With the client that the settings of the installation name (`npm run dev` does). A connector that is there
   * gets that client. Refused where nothing stands in for the provider: the real one would be asked.
   *
   * `POST /v3/admin/applications/{application_id}/connectors/{provider}/simulate`
   */
  simulate(args: ConnectorSetupSimulateArguments): Promise<DataResult<Connector>>
}

export type UsageOperations = {
  /**
   * Billed grants of every application.
   *
   * In pages, the oldest application first. A grant counts from its first authentication until it is deleted, also
   * while it is invalid.
   *
   * `GET /v3/admin/usage`
   */
  readonly list: {
    /**
     * Billed grants of every application.
     *
     * In pages, the oldest application first. A grant counts from its first authentication until it is deleted, also
     * while it is invalid.
     *
     * `GET /v3/admin/usage`
     */
    (args?: UsageListArguments): Promise<ListResult<Usage>>
    /** Billed grants of every application: every item, page after page. */
    all(args?: UsageListArguments): AsyncGenerator<Usage, void>
  }
  /**
   * Billed grants of one application.
   *
   * A grant counts from its first authentication until it is deleted, also while it is invalid.
   *
   * `GET /v3/admin/applications/{application_id}/usage`
   */
  get(args: UsageGetArguments): Promise<DataResult<Usage>>
}

export type SessionOperations = {
  /**
   * Sign in, with a password or a one-time link.
   *
   * The session is a cookie that scripts cannot read. It counts only for requests of the dashboard itself:
   * `Sec-Fetch-Site: same-origin` or an `Origin` of this service, and JSON. It ends after 30 minutes without a
   * request, and after 12 hours in any case. Without `email` the password is that of the installation. Where the
   * person has a second factor and `code` is missing, the answer is `second_factor_required`.
   *
   * `POST /v3/admin/session`
   */
  create(args?: SessionCreateArguments): Promise<DataResult<Session>>
  /**
   * Tell how one may sign in.
   *
   * For the page of the sign-in. Tells nothing of who there is.
   *
   * `GET /v3/admin/session/ways`
   */
  ways(args?: SessionWaysArguments): Promise<DataResult<SignInWays>>
  /**
   * Tell of the session that the request belongs to.
   *
   * Not found where a password came with the request instead of a session.
   *
   * `GET /v3/admin/session`
   */
  get(args?: SessionGetArguments): Promise<DataResult<Session>>
  /**
   * Sign out.
   *
   * Ends the session that the request belongs to. Others go on.
   *
   * `DELETE /v3/admin/session`
   */
  delete(args?: SessionDeleteArguments): Promise<EmptyResult>
  /**
   * List sessions that go on.
   *
   * Your own, the newest first; for the password of the installation those without a person. Owners see those of
   * all with `everybody`.
   *
   * `GET /v3/admin/sessions`
   */
  readonly list: {
    /**
     * List sessions that go on.
     *
     * Your own, the newest first; for the password of the installation those without a person. Owners see those of
     * all with `everybody`.
     *
     * `GET /v3/admin/sessions`
     */
    (args?: SessionListArguments): Promise<ListResult<ListedSession>>
    /** List sessions that go on: every item, page after page. */
    all(args?: SessionListArguments): AsyncGenerator<ListedSession, void>
  }
  /**
   * End a session.
   *
   * One of your own, or anybody's for owners, at once and on every node.
   *
   * `DELETE /v3/admin/sessions/{session_id}`
   */
  end(args: SessionEndArguments): Promise<EmptyResult>
  /**
   * Sign out everywhere.
   *
   * Ends every session of the person, this one too. Without a person: every session that has none, and every
   * one-time link. Owners end those of one person with `person_id`, and those of all people with `everybody`,
   * their own too.
   *
   * `DELETE /v3/admin/sessions`
   */
  deleteAll(args?: SessionDeleteAllArguments): Promise<EmptyResult>
  /**
   * Change your password.
   *
   * Of the person who asks, whose other sessions end; without a person that of the installation, and every other
   * session that has none and every one-time link end. The latter not where the operator set it with
   * WAYPOST_ADMIN_PASSWORD.
   *
   * `PUT /v3/admin/password`
   */
  password(args: SessionPasswordArguments): Promise<EmptyResult>
}

export type InvitationsOperations = {
  /**
   * Tell what an invitation is for.
   *
   * Changes nothing. Not found where it was used, has expired, or never was.
   *
   * `POST /v3/admin/invitation`
   */
  read(args: InvitationsReadArguments): Promise<DataResult<Invitation>>
  /**
   * Accept an invitation: choose a password, and sign in.
   *
   * The session is a cookie that scripts cannot read. It counts only for requests of the dashboard itself:
   * `Sec-Fetch-Site: same-origin` or an `Origin` of this service, and JSON. The link is used up, and other
   * sessions of the person end.
   *
   * `POST /v3/admin/invitation/accept`
   */
  accept(args: InvitationsAcceptArguments): Promise<DataResult<Session>>
}

export type AccountOperations = {
  /**
   * Get your own account.
   *
   * Not found where no person is signed in, but the password of the installation or a one-time link.
   *
   * `GET /v3/admin/account`
   */
  get(args?: AccountGetArguments): Promise<DataResult<Person>>
  /**
   * Change your own name.
   *
   * The address and the role are changed by owners.
   *
   * `PATCH /v3/admin/account`
   */
  update(args: AccountUpdateArguments): Promise<DataResult<Person>>
  /**
   * Begin to set up a second factor.
   *
   * Gives the secret for an authenticator app (RFC 6238: SHA-1, 6 digits, 30 seconds). It counts once a code of it
   * was confirmed; until then, the one before does.
   *
   * `POST /v3/admin/account/totp`
   */
  beginTotp(args: AccountBeginTotpArguments): Promise<DataResult<TotpEnrolment>>
  /**
   * Confirm the second factor with its first code.
   *
   * From now on the password needs a code. Ends your other sessions, and the recovery codes before.
   *
   * `POST /v3/admin/account/totp/confirm`
   */
  confirmTotp(args: AccountConfirmTotpArguments): Promise<DataResult<RecoveryCodes>>
  /**
   * Remove your second factor.
   *
   * With its recovery codes. Ends your other sessions. Refused while owners require one of your role.
   *
   * `POST /v3/admin/account/totp/remove`
   */
  removeTotp(args: AccountRemoveTotpArguments): Promise<EmptyResult>
  /**
   * Make new recovery codes.
   *
   * Those before end.
   *
   * `POST /v3/admin/account/recovery-codes`
   */
  renewRecoveryCodes(args: AccountRenewRecoveryCodesArguments): Promise<DataResult<RecoveryCodes>>
}

export type PeopleOperations = {
  /**
   * List the people who administer the service.
   *
   * By address. For owners.
   *
   * `GET /v3/admin/people`
   */
  readonly list: {
    /**
     * List the people who administer the service.
     *
     * By address. For owners.
     *
     * `GET /v3/admin/people`
     */
    (args?: PeopleListArguments): Promise<ListResult<Person>>
    /** List the people who administer the service: every item, page after page. */
    all(args?: PeopleListArguments): AsyncGenerator<Person, void>
  }
  /**
   * Invite a person.
   *
   * The link is good once and for 7 days; the answer is the only place where it stands, and no mail is sent. For
   * owners.
   *
   * `POST /v3/admin/people`
   */
  create(args: PeopleCreateArguments): Promise<DataResult<InvitedPerson>>
  /**
   * Get one person.
   *
   * For owners.
   *
   * `GET /v3/admin/people/{person_id}`
   */
  get(args: PeopleGetArguments): Promise<DataResult<Person>>
  /**
   * Change the role, the applications or the name of a person, or block them.
   *
   * Counts from the next request on, on every node. The last active owner can neither be blocked nor lose the
   * role. API keys that the person created stay valid: the answer lists them, and `revoke_api_keys` revokes them.
   * For owners.
   *
   * `PATCH /v3/admin/people/{person_id}`
   */
  update(args: PeopleUpdateArguments): Promise<DataResult<ChangedPerson>>
  /**
   * Remove a person.
   *
   * Ends their sessions at once. What they did stays in the audit, under their name. The last active owner cannot
   * be removed. API keys that the person created stay valid: the answer lists them, and `revoke_api_keys` revokes
   * them. For owners.
   *
   * `DELETE /v3/admin/people/{person_id}`
   */
  delete(args: PeopleDeleteArguments): Promise<DataResult<PersonKeys>>
  /**
   * List the valid API keys that a person created.
   *
   * Whole, over all applications, the oldest first. Also of a person who was removed. For owners.
   *
   * `GET /v3/admin/people/{person_id}/api-keys`
   */
  keys(args: PeopleKeysArguments): Promise<ListResult<ApiKey>>
  /**
   * Revoke the API keys that a person created.
   *
   * All that are still valid, over all applications, at once and on every node. Also of a person who was removed.
   * The answer lists them. For owners.
   *
   * `DELETE /v3/admin/people/{person_id}/api-keys`
   */
  revokeKeys(args: PeopleRevokeKeysArguments): Promise<DataResult<PersonKeys>>
  /**
   * Make a new link for a person.
   *
   * For who lost the link of the invitation, or the password: whoever opens it chooses a new one. The link is good
   * once and for 7 days; the answer is the only place where it stands, and no mail is sent. The link before ends.
   * For owners.
   *
   * `POST /v3/admin/people/{person_id}/invitation`
   */
  invite(args: PeopleInviteArguments): Promise<DataResult<InvitedPerson>>
  /**
   * Remove the second factor of a person.
   *
   * For a person who lost the authenticator app and the recovery codes. Ends their sessions. Where owners require
   * a second factor of the role, the person sets up another one at the next sign-in; you cannot remove your own
   * then. For owners.
   *
   * `DELETE /v3/admin/people/{person_id}/totp`
   */
  removeTotp(args: PeopleRemoveTotpArguments): Promise<EmptyResult>
}

export type InstallationOperations = {
  /**
   * Get the settings of the installation.
   *
   * For owners.
   *
   * `GET /v3/admin/installation`
   */
  get(args?: InstallationGetArguments): Promise<DataResult<Installation>>
  /**
   * Switch the password of the installation, or require a second factor.
   *
   * The password of the installation can be switched off once an owner can sign in without it: nobody comes in
   * with it, and sessions that it began end. A second factor can be required of some roles or all. People without
   * one can then do nothing but set it up, in sessions that are open already too. You need one yourself first, and
   * to require it of owners, the password of the installation must be off, because it has none. `waypost dashboard
   * link`, `waypost dashboard password on` and `waypost people second-factor none` let in whoever is locked out.
   * For owners.
   *
   * `PATCH /v3/admin/installation`
   */
  update(args?: InstallationUpdateArguments): Promise<DataResult<Installation>>
}

export type AuditOperations = {
  /**
   * List who changed what, and who read customers' data.
   *
   * The newest first: everything that an administrator or a command changed or tried to, sign-ins and failed
   * sign-ins too, and what administrators read of the mail, calendars and contacts of customers: once for the same
   * object in ten minutes. Who reaches single applications alone sees what is about these. Kept for a year, and up
   * to 100,000 entries of changes, of which 10,000 of failed sign-ins, and 100,000 of what was read. A page may
   * hold few or none and still have a `next_cursor` where a filter finds little.
   *
   * `GET /v3/admin/audit`
   */
  readonly list: {
    /**
     * List who changed what, and who read customers' data.
     *
     * The newest first: everything that an administrator or a command changed or tried to, sign-ins and failed
     * sign-ins too, and what administrators read of the mail, calendars and contacts of customers: once for the same
     * object in ten minutes. Who reaches single applications alone sees what is about these. Kept for a year, and up
     * to 100,000 entries of changes, of which 10,000 of failed sign-ins, and 100,000 of what was read. A page may
     * hold few or none and still have a `next_cursor` where a filter finds little.
     *
     * `GET /v3/admin/audit`
     */
    (args?: AuditListArguments): Promise<ListResult<AuditEntry>>
    /** List who changed what, and who read customers' data: every item, page after page. */
    all(args?: AuditListArguments): AsyncGenerator<AuditEntry, void>
  }
}

export type HealthOperations = {
  /**
   * Tell how the service fares now.
   *
   * Nodes, what waits to be done, and grants and destinations by their state, over all applications.
   *
   * `GET /v3/admin/health`
   */
  get(args?: HealthGetArguments): Promise<DataResult<ServiceHealth>>
  /**
   * Tell how the service fared, over time.
   *
   * All nodes together or one of them, the oldest first, up to now: by the minute, over more than 8 hours by five
   * minutes. Kept for 48 hours. Percentiles are right to within a fifth.
   *
   * `GET /v3/admin/health/series`
   */
  series(args?: HealthSeriesArguments): Promise<ListResult<HealthFigures>>
}

export type ServiceOperations = {
  /**
   * Whether the process runs.
   *
   * For the probe that restarts a process which hangs. It asks neither the store nor a provider: a store that is
   * away is no reason to restart.
   *
   * `GET /health`
   */
  health(args?: ServiceHealthArguments): Promise<DataResult<Health>>
  /**
   * Whether the service can take requests: the store answers and the node is not stopping.
   *
   * For the probe of a load balancer. Answered with 503 `service_unavailable` while the store does not answer, and
   * from the moment the node is told to stop, so that no new requests are sent to it.
   *
   * `GET /ready`
   */
  ready(args?: ServiceReadyArguments): Promise<DataResult<Readiness>>
}

/** A client of the API: `waypost.<resource>.<operation>`. */
export type WaypostClient = {
  readonly applications: ApplicationsOperations
  readonly redirectUris: RedirectUrisOperations
  readonly connectors: ConnectorsOperations
  readonly credentials: CredentialsOperations
  readonly providers: ProvidersOperations
  readonly connect: ConnectOperations
  readonly grants: GrantsOperations
  readonly calendars: CalendarsOperations
  readonly virtualCalendars: VirtualCalendarsOperations
  readonly roomResources: RoomResourcesOperations
  readonly events: EventsOperations
  readonly schedules: SchedulesOperations
  readonly messages: MessagesOperations
  readonly drafts: DraftsOperations
  readonly threads: ThreadsOperations
  readonly folders: FoldersOperations
  readonly attachments: AttachmentsOperations
  readonly contactGroups: ContactGroupsOperations
  readonly contacts: ContactsOperations
  readonly signatures: SignaturesOperations
  readonly templates: TemplatesOperations
  readonly grantTemplates: GrantTemplatesOperations
  readonly availability: AvailabilityOperations
  readonly webhooks: WebhooksOperations
  readonly deliveries: DeliveriesOperations
  readonly notifications: NotificationsOperations
  readonly adminApplications: AdminApplicationsOperations
  readonly apiKeys: ApiKeysOperations
  readonly adminGrants: AdminGrantsOperations
  readonly overview: OverviewOperations
  readonly connectorSetup: ConnectorSetupOperations
  readonly usage: UsageOperations
  readonly session: SessionOperations
  readonly invitations: InvitationsOperations
  readonly account: AccountOperations
  readonly people: PeopleOperations
  readonly installation: InstallationOperations
  readonly audit: AuditOperations
  readonly health: HealthOperations
  readonly service: ServiceOperations
}
