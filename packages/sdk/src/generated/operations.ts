/* Made from the contract by `npm run generate`; do not edit. */

import type {
  CallOptions,
  WriteOptions,
} from '../call-options.ts'
import type {
  LiveItem,
} from '../live.ts'
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
  Agent,
  AgentChange,
  AgentsGetQuery,
  AgentsListQuery,
  AgentsRequestsQuery,
  AgentsUpdateQuery,
  AllMadeDue,
  AmqpChannel,
  AmqpChannelChange,
  AmqpChannelDraft,
  AmqpChannelsCreateQuery,
  AmqpChannelsDeleteData,
  AmqpChannelsGetQuery,
  AmqpChannelsListQuery,
  AmqpChannelsUpdateQuery,
  ApiKey,
  ApiKeyChange,
  ApiKeyDraft,
  Application,
  ApplicationChange,
  ApplicationControl,
  ApplicationDraft,
  ApplicationOverview,
  ApplicationSummary,
  ApplicationsGetQuery,
  ApplicationsUpdateQuery,
  Approval,
  ApprovalListQuery,
  ApprovalsRejectBody,
  AssignedGrants,
  Attachment,
  AttachmentQuery,
  AttachmentsDownloadHeaders,
  AttachmentsGetQuery,
  AttachmentsListQuery,
  AttemptDetail,
  AuditEntry,
  AuditListQuery,
  AutoGrouping,
  AutoGroupingJob,
  Availability,
  AvailabilityQuestion,
  Backlog,
  BodyRender,
  BookableSlots,
  Booking,
  BookingCancellation,
  BookingConfirmation,
  BookingDraft,
  BookingListQuery,
  BookingMove,
  BookingsCancelQuery,
  BookingsConfirmQuery,
  BookingsCreateQuery,
  BookingsGetQuery,
  BookingsRescheduleQuery,
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
  CompletedUpload,
  Configuration,
  ConfigurationChange,
  ConfigurationDraft,
  ConfigurationsGetQuery,
  ConfigurationsListQuery,
  ConfigurationsUpdateQuery,
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
  ContactExportQuery,
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
  CredentialRequest,
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
  EventExportQuery,
  EventImportQuery,
  EventListQuery,
  EventPreconditions,
  EventsCreateQuery,
  EventsDeleteQuery,
  EventsGetQuery,
  EventsRsvpQuery,
  EventsUpdateQuery,
  FailedJob,
  FailedJobRetry,
  FailedJobsListQuery,
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
  GrantWorkflowsGetQuery,
  GrantWorkflowsListQuery,
  GrantWorkflowsUpdateQuery,
  GrantsGetQuery,
  GrantsUpdateQuery,
  GroupEvent,
  GroupEventChange,
  GroupEventDraft,
  GroupEventImportResult,
  GroupEventImports,
  GroupEventsCreateQuery,
  GroupEventsDeleteQuery,
  GroupEventsListQuery,
  GroupEventsUpdateQuery,
  GroupTimeslot,
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
  ListedBooking,
  ListedSession,
  MadeDue,
  Message,
  MessageChange,
  MessageClean,
  MessageExportQuery,
  MessageListQuery,
  MessageQuery,
  MessagesCleanQuery,
  MessagesDeleteQuery,
  MessagesSendQuery,
  MessagesUpdateQuery,
  MockPayload,
  NatsChannel,
  NatsChannelChange,
  NatsChannelDraft,
  NatsChannelsCreateQuery,
  NatsChannelsDeleteData,
  NatsChannelsGetQuery,
  NatsChannelsListQuery,
  NatsChannelsUpdateQuery,
  NewApiKey,
  NewServiceAccount,
  Notification,
  NotificationsGetQuery,
  NotificationsListHeaders,
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
  PubsubChannel,
  PubsubChannelChange,
  PubsubChannelDraft,
  PubsubChannelsCreateQuery,
  PubsubChannelsDeleteData,
  PubsubChannelsGetQuery,
  PubsubChannelsListQuery,
  PubsubChannelsUpdateQuery,
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
  RetriedJobs,
  RevokeRequest,
  RoomResource,
  RoomResourceListQuery,
  Rsvp,
  RsvpResult,
  ScheduledMessage,
  SchedulesDeleteData,
  SchedulingAvailabilityFindQuery,
  SchedulingPage,
  SchedulingPagesListQuery,
  SchedulingRedirect,
  SchedulingSession,
  SchedulingSessionDraft,
  SendRequest,
  SentMessage,
  ServiceAccount,
  ServiceAccountChange,
  ServiceAccountDraft,
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
  SnsChannel,
  SnsChannelChange,
  SnsChannelDraft,
  SnsChannelsCreateQuery,
  SnsChannelsDeleteData,
  SnsChannelsGetQuery,
  SnsChannelsListQuery,
  SnsChannelsUpdateQuery,
  StoredNotification,
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
  UiSettings,
  UiSettingsGetQuery,
  Upload,
  UploadRequest,
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
  Workflow,
  WorkflowChange,
  WorkflowDraft,
  WorkflowsGetQuery,
  WorkflowsListQuery,
  WorkflowsUpdateQuery,
  Workspace,
  WorkspaceAssignment,
  WorkspaceChange,
  WorkspaceDraft,
  WorkspacesCreateQuery,
  WorkspacesGetQuery,
  WorkspacesListQuery,
  WorkspacesUpdateQuery,
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
   * The grant: its id, the email address of the account, `grant:<id>`, `email:<address>`, `external:<your own
   * id>`, or `me` with an access token.
   */
  grant_id: string
  /** Filters and options: the query of the address. */
  query?: GrantsGetQuery | undefined
}

/** What `grants.update` takes. */
export interface GrantsUpdateArguments extends WriteOptions {
  /**
   * The grant: its id, the email address of the account, `grant:<id>`, `email:<address>`, `external:<your own
   * id>`, or `me` with an access token.
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
   * The grant: its id, the email address of the account, `grant:<id>`, `email:<address>`, `external:<your own
   * id>`, or `me` with an access token.
   */
  grant_id: string
}

/** What `workspaces.list` takes. */
export interface WorkspacesListArguments extends CallOptions {
  /** Filters and options: the query of the address. */
  query?: WorkspacesListQuery | undefined
}

/** What `workspaces.create` takes. */
export interface WorkspacesCreateArguments extends WriteOptions {
  /** Filters and options: the query of the address. */
  query?: WorkspacesCreateQuery | undefined
  /** What is sent. */
  body: WorkspaceDraft
}

/** What `workspaces.autoGroup` takes. */
export interface WorkspacesAutoGroupArguments extends WriteOptions {
  /** What is sent. */
  body?: AutoGrouping | undefined
}

/** What `workspaces.get` takes. */
export interface WorkspacesGetArguments extends CallOptions {
  /** The id of the workspace, or its domain, such as `example.com`. */
  workspace_id: string
  /** Filters and options: the query of the address. */
  query?: WorkspacesGetQuery | undefined
}

/** What `workspaces.update` takes. */
export interface WorkspacesUpdateArguments extends WriteOptions {
  /** The id of the workspace, or its domain, such as `example.com`. */
  workspace_id: string
  /** Filters and options: the query of the address. */
  query?: WorkspacesUpdateQuery | undefined
  /** What is sent. */
  body?: WorkspaceChange | undefined
}

/** What `workspaces.delete` takes. */
export interface WorkspacesDeleteArguments extends WriteOptions {
  /** The id of the workspace, or its domain, such as `example.com`. */
  workspace_id: string
}

/** What `workspaces.manualAssign` takes. */
export interface WorkspacesManualAssignArguments extends WriteOptions {
  /** The id of the workspace, or its domain, such as `example.com`. */
  workspace_id: string
  /** What is sent. */
  body?: WorkspaceAssignment | undefined
}

/** What `calendars.list` takes. */
export interface CalendarsListArguments extends CallOptions {
  /**
   * The grant: its id, the email address of the account, `grant:<id>`, `email:<address>`, `external:<your own
   * id>`, or `me` with an access token.
   */
  grant_id: string
  /** Filters and options: the query of the address. */
  query?: CalendarListQuery | undefined
}

/** What `calendars.create` takes. */
export interface CalendarsCreateArguments extends WriteOptions {
  /**
   * The grant: its id, the email address of the account, `grant:<id>`, `email:<address>`, `external:<your own
   * id>`, or `me` with an access token.
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
   * The grant: its id, the email address of the account, `grant:<id>`, `email:<address>`, `external:<your own
   * id>`, or `me` with an access token.
   */
  grant_id: string
  /** What is sent. */
  body: FreeBusyQuery
}

/** What `calendars.get` takes. */
export interface CalendarsGetArguments extends CallOptions {
  /**
   * The grant: its id, the email address of the account, `grant:<id>`, `email:<address>`, `external:<your own
   * id>`, or `me` with an access token.
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
   * The grant: its id, the email address of the account, `grant:<id>`, `email:<address>`, `external:<your own
   * id>`, or `me` with an access token.
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
   * The grant: its id, the email address of the account, `grant:<id>`, `email:<address>`, `external:<your own
   * id>`, or `me` with an access token.
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
   * The grant: its id, the email address of the account, `grant:<id>`, `email:<address>`, `external:<your own
   * id>`, or `me` with an access token.
   */
  grant_id: string
  /** Filters and options: the query of the address. */
  query?: RoomResourceListQuery | undefined
}

/** What `events.list` takes. */
export interface EventsListArguments extends CallOptions {
  /**
   * The grant: its id, the email address of the account, `grant:<id>`, `email:<address>`, `external:<your own
   * id>`, or `me` with an access token.
   */
  grant_id: string
  /** Filters and options: the query of the address. */
  query: EventListQuery
}

/** What `events.import` takes. */
export interface EventsImportArguments extends CallOptions {
  /**
   * The grant: its id, the email address of the account, `grant:<id>`, `email:<address>`, `external:<your own
   * id>`, or `me` with an access token.
   */
  grant_id: string
  /** Filters and options: the query of the address. */
  query: EventImportQuery
}

/** What `events.export` takes. */
export interface EventsExportArguments extends CallOptions {
  /**
   * The grant: its id, the email address of the account, `grant:<id>`, `email:<address>`, `external:<your own
   * id>`, or `me` with an access token.
   */
  grant_id: string
  /** Filters and options: the query of the address. */
  query: EventExportQuery
}

/** What `events.create` takes. */
export interface EventsCreateArguments extends WriteOptions {
  /**
   * The grant: its id, the email address of the account, `grant:<id>`, `email:<address>`, `external:<your own
   * id>`, or `me` with an access token.
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
   * The grant: its id, the email address of the account, `grant:<id>`, `email:<address>`, `external:<your own
   * id>`, or `me` with an access token.
   */
  grant_id: string
  /** The id of the event. A series and each of its instances have different ids. */
  event_id: string
  /** Filters and options: the query of the address. */
  query?: EventsGetQuery | undefined
}

/** What `events.update` takes. */
export interface EventsUpdateArguments extends WriteOptions {
  /**
   * The grant: its id, the email address of the account, `grant:<id>`, `email:<address>`, `external:<your own
   * id>`, or `me` with an access token.
   */
  grant_id: string
  /** The id of the event. A series and each of its instances have different ids. */
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
   * The grant: its id, the email address of the account, `grant:<id>`, `email:<address>`, `external:<your own
   * id>`, or `me` with an access token.
   */
  grant_id: string
  /** The id of the event. A series and each of its instances have different ids. */
  event_id: string
  /** Filters and options: the query of the address. */
  query?: EventsDeleteQuery | undefined
}

/** What `events.rsvp` takes. */
export interface EventsRsvpArguments extends WriteOptions {
  /**
   * The grant: its id, the email address of the account, `grant:<id>`, `email:<address>`, `external:<your own
   * id>`, or `me` with an access token.
   */
  grant_id: string
  /** The id of the event. A series and each of its instances have different ids. */
  event_id: string
  /** Filters and options: the query of the address. */
  query?: EventsRsvpQuery | undefined
  /** What is sent. */
  body: Rsvp
}

/** What `schedules.list` takes. */
export interface SchedulesListArguments extends CallOptions {
  /**
   * The grant: its id, the email address of the account, `grant:<id>`, `email:<address>`, `external:<your own
   * id>`, or `me` with an access token.
   */
  grant_id: string
}

/** What `schedules.get` takes. */
export interface SchedulesGetArguments extends CallOptions {
  /**
   * The grant: its id, the email address of the account, `grant:<id>`, `email:<address>`, `external:<your own
   * id>`, or `me` with an access token.
   */
  grant_id: string
  /** The `schedule_id` from the response to the send request. */
  schedule_id: string
}

/** What `schedules.delete` takes. */
export interface SchedulesDeleteArguments extends WriteOptions {
  /**
   * The grant: its id, the email address of the account, `grant:<id>`, `email:<address>`, `external:<your own
   * id>`, or `me` with an access token.
   */
  grant_id: string
  /** The `schedule_id` from the response to the send request. */
  schedule_id: string
}

/** What `messages.list` takes. */
export interface MessagesListArguments extends CallOptions {
  /**
   * The grant: its id, the email address of the account, `grant:<id>`, `email:<address>`, `external:<your own
   * id>`, or `me` with an access token.
   */
  grant_id: string
  /** Filters and options: the query of the address. */
  query?: MessageListQuery | undefined
}

/** What `messages.clean` takes. */
export interface MessagesCleanArguments extends WriteOptions {
  /**
   * The grant: its id, the email address of the account, `grant:<id>`, `email:<address>`, `external:<your own
   * id>`, or `me` with an access token.
   */
  grant_id: string
  /** Filters and options: the query of the address. */
  query?: MessagesCleanQuery | undefined
  /** What is sent. */
  body: MessageClean
}

/** What `messages.export` takes. */
export interface MessagesExportArguments extends CallOptions {
  /**
   * The grant: its id, the email address of the account, `grant:<id>`, `email:<address>`, `external:<your own
   * id>`, or `me` with an access token.
   */
  grant_id: string
  /** Filters and options: the query of the address. */
  query?: MessageExportQuery | undefined
}

/** What `messages.get` takes. */
export interface MessagesGetArguments extends CallOptions {
  /**
   * The grant: its id, the email address of the account, `grant:<id>`, `email:<address>`, `external:<your own
   * id>`, or `me` with an access token.
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
   * The grant: its id, the email address of the account, `grant:<id>`, `email:<address>`, `external:<your own
   * id>`, or `me` with an access token.
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
   * The grant: its id, the email address of the account, `grant:<id>`, `email:<address>`, `external:<your own
   * id>`, or `me` with an access token.
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
   * The grant: its id, the email address of the account, `grant:<id>`, `email:<address>`, `external:<your own
   * id>`, or `me` with an access token.
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
   * The grant: its id, the email address of the account, `grant:<id>`, `email:<address>`, `external:<your own
   * id>`, or `me` with an access token.
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
   * The grant: its id, the email address of the account, `grant:<id>`, `email:<address>`, `external:<your own
   * id>`, or `me` with an access token.
   */
  grant_id: string
  /** Filters and options: the query of the address. */
  query?: DraftListQuery | undefined
}

/** What `drafts.create` takes. */
export interface DraftsCreateArguments extends WriteOptions {
  /**
   * The grant: its id, the email address of the account, `grant:<id>`, `email:<address>`, `external:<your own
   * id>`, or `me` with an access token.
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
   * The grant: its id, the email address of the account, `grant:<id>`, `email:<address>`, `external:<your own
   * id>`, or `me` with an access token.
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
   * The grant: its id, the email address of the account, `grant:<id>`, `email:<address>`, `external:<your own
   * id>`, or `me` with an access token.
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
   * The grant: its id, the email address of the account, `grant:<id>`, `email:<address>`, `external:<your own
   * id>`, or `me` with an access token.
   */
  grant_id: string
  /** The id of the draft. */
  draft_id: string
}

/** What `drafts.send` takes. */
export interface DraftsSendArguments extends WriteOptions {
  /**
   * The grant: its id, the email address of the account, `grant:<id>`, `email:<address>`, `external:<your own
   * id>`, or `me` with an access token.
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
   * The grant: its id, the email address of the account, `grant:<id>`, `email:<address>`, `external:<your own
   * id>`, or `me` with an access token.
   */
  grant_id: string
  /** Filters and options: the query of the address. */
  query?: ThreadListQuery | undefined
}

/** What `threads.get` takes. */
export interface ThreadsGetArguments extends CallOptions {
  /**
   * The grant: its id, the email address of the account, `grant:<id>`, `email:<address>`, `external:<your own
   * id>`, or `me` with an access token.
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
   * The grant: its id, the email address of the account, `grant:<id>`, `email:<address>`, `external:<your own
   * id>`, or `me` with an access token.
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
   * The grant: its id, the email address of the account, `grant:<id>`, `email:<address>`, `external:<your own
   * id>`, or `me` with an access token.
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
   * The grant: its id, the email address of the account, `grant:<id>`, `email:<address>`, `external:<your own
   * id>`, or `me` with an access token.
   */
  grant_id: string
  /** Filters and options: the query of the address. */
  query?: FolderListQuery | undefined
}

/** What `folders.create` takes. */
export interface FoldersCreateArguments extends WriteOptions {
  /**
   * The grant: its id, the email address of the account, `grant:<id>`, `email:<address>`, `external:<your own
   * id>`, or `me` with an access token.
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
   * The grant: its id, the email address of the account, `grant:<id>`, `email:<address>`, `external:<your own
   * id>`, or `me` with an access token.
   */
  grant_id: string
  /** The id of the folder, URL-encoded. */
  folder_id: string
  /** Filters and options: the query of the address. */
  query?: FolderQuery | undefined
}

/** What `folders.update` takes. */
export interface FoldersUpdateArguments extends WriteOptions {
  /**
   * The grant: its id, the email address of the account, `grant:<id>`, `email:<address>`, `external:<your own
   * id>`, or `me` with an access token.
   */
  grant_id: string
  /** The id of the folder, URL-encoded. */
  folder_id: string
  /** Filters and options: the query of the address. */
  query?: FoldersUpdateQuery | undefined
  /** What is sent. */
  body?: FolderChange | undefined
}

/** What `folders.delete` takes. */
export interface FoldersDeleteArguments extends WriteOptions {
  /**
   * The grant: its id, the email address of the account, `grant:<id>`, `email:<address>`, `external:<your own
   * id>`, or `me` with an access token.
   */
  grant_id: string
  /** The id of the folder, URL-encoded. */
  folder_id: string
  /** Filters and options: the query of the address. */
  query?: FoldersDeleteQuery | undefined
}

/** What `attachments.list` takes. */
export interface AttachmentsListArguments extends CallOptions {
  /**
   * The grant: its id, the email address of the account, `grant:<id>`, `email:<address>`, `external:<your own
   * id>`, or `me` with an access token.
   */
  grant_id: string
  /** The id of the message. */
  message_id: string
  /** Filters and options: the query of the address. */
  query?: AttachmentsListQuery | undefined
}

/** What `attachments.get` takes. */
export interface AttachmentsGetArguments extends CallOptions {
  /**
   * The grant: its id, the email address of the account, `grant:<id>`, `email:<address>`, `external:<your own
   * id>`, or `me` with an access token.
   */
  grant_id: string
  /** The id of the attachment, from its message. */
  attachment_id: string
  /** Filters and options: the query of the address. */
  query: AttachmentsGetQuery
}

/** What `attachments.download` takes. */
export interface AttachmentsDownloadArguments extends CallOptions {
  /**
   * The grant: its id, the email address of the account, `grant:<id>`, `email:<address>`, `external:<your own
   * id>`, or `me` with an access token.
   */
  grant_id: string
  /** The id of the attachment, from its message. */
  attachment_id: string
  /** Filters and options: the query of the address. */
  query: AttachmentQuery
  /** Headers that this operation takes beside those of every request. */
  headers?: AttachmentsDownloadHeaders | undefined
}

/** What `attachmentUploads.create` takes. */
export interface AttachmentUploadsCreateArguments extends WriteOptions {
  /**
   * The grant: its id, the email address of the account, `grant:<id>`, `email:<address>`, `external:<your own
   * id>`, or `me` with an access token.
   */
  grant_id: string
  /** What is sent. */
  body: UploadRequest
}

/** What `attachmentUploads.complete` takes. */
export interface AttachmentUploadsCompleteArguments extends WriteOptions {
  /**
   * The grant: its id, the email address of the account, `grant:<id>`, `email:<address>`, `external:<your own
   * id>`, or `me` with an access token.
   */
  grant_id: string
  /** The `attachment_id` from the response that began the upload. */
  upload_id: string
}

/** What `contactGroups.list` takes. */
export interface ContactGroupsListArguments extends CallOptions {
  /**
   * The grant: its id, the email address of the account, `grant:<id>`, `email:<address>`, `external:<your own
   * id>`, or `me` with an access token.
   */
  grant_id: string
  /** Filters and options: the query of the address. */
  query?: ContactGroupListQuery | undefined
}

/** What `contactGroups.create` takes. */
export interface ContactGroupsCreateArguments extends WriteOptions {
  /**
   * The grant: its id, the email address of the account, `grant:<id>`, `email:<address>`, `external:<your own
   * id>`, or `me` with an access token.
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
   * The grant: its id, the email address of the account, `grant:<id>`, `email:<address>`, `external:<your own
   * id>`, or `me` with an access token.
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
   * The grant: its id, the email address of the account, `grant:<id>`, `email:<address>`, `external:<your own
   * id>`, or `me` with an access token.
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
   * The grant: its id, the email address of the account, `grant:<id>`, `email:<address>`, `external:<your own
   * id>`, or `me` with an access token.
   */
  grant_id: string
  /** The id of the group of contacts. */
  group_id: string
}

/** What `contacts.list` takes. */
export interface ContactsListArguments extends CallOptions {
  /**
   * The grant: its id, the email address of the account, `grant:<id>`, `email:<address>`, `external:<your own
   * id>`, or `me` with an access token.
   */
  grant_id: string
  /** Filters and options: the query of the address. */
  query?: ContactListQuery | undefined
}

/** What `contacts.create` takes. */
export interface ContactsCreateArguments extends WriteOptions {
  /**
   * The grant: its id, the email address of the account, `grant:<id>`, `email:<address>`, `external:<your own
   * id>`, or `me` with an access token.
   */
  grant_id: string
  /** Filters and options: the query of the address. */
  query?: ContactsCreateQuery | undefined
  /** What is sent. */
  body?: ContactDraft | undefined
}

/** What `contacts.export` takes. */
export interface ContactsExportArguments extends CallOptions {
  /**
   * The grant: its id, the email address of the account, `grant:<id>`, `email:<address>`, `external:<your own
   * id>`, or `me` with an access token.
   */
  grant_id: string
  /** Filters and options: the query of the address. */
  query?: ContactExportQuery | undefined
}

/** What `contacts.get` takes. */
export interface ContactsGetArguments extends CallOptions {
  /**
   * The grant: its id, the email address of the account, `grant:<id>`, `email:<address>`, `external:<your own
   * id>`, or `me` with an access token.
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
   * The grant: its id, the email address of the account, `grant:<id>`, `email:<address>`, `external:<your own
   * id>`, or `me` with an access token.
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
   * The grant: its id, the email address of the account, `grant:<id>`, `email:<address>`, `external:<your own
   * id>`, or `me` with an access token.
   */
  grant_id: string
  /** The id of the contact. */
  contact_id: string
}

/** What `signatures.list` takes. */
export interface SignaturesListArguments extends CallOptions {
  /**
   * The grant: its id, the email address of the account, `grant:<id>`, `email:<address>`, `external:<your own
   * id>`, or `me` with an access token.
   */
  grant_id: string
  /** Filters and options: the query of the address. */
  query?: SignaturesListQuery | undefined
}

/** What `signatures.create` takes. */
export interface SignaturesCreateArguments extends WriteOptions {
  /**
   * The grant: its id, the email address of the account, `grant:<id>`, `email:<address>`, `external:<your own
   * id>`, or `me` with an access token.
   */
  grant_id: string
  /** What is sent. */
  body: SignatureDraft
}

/** What `signatures.get` takes. */
export interface SignaturesGetArguments extends CallOptions {
  /**
   * The grant: its id, the email address of the account, `grant:<id>`, `email:<address>`, `external:<your own
   * id>`, or `me` with an access token.
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
   * The grant: its id, the email address of the account, `grant:<id>`, `email:<address>`, `external:<your own
   * id>`, or `me` with an access token.
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
   * The grant: its id, the email address of the account, `grant:<id>`, `email:<address>`, `external:<your own
   * id>`, or `me` with an access token.
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
   * The grant: its id, the email address of the account, `grant:<id>`, `email:<address>`, `external:<your own
   * id>`, or `me` with an access token.
   */
  grant_id: string
  /** Filters and options: the query of the address. */
  query?: GrantTemplatesListQuery | undefined
}

/** What `grantTemplates.create` takes. */
export interface GrantTemplatesCreateArguments extends WriteOptions {
  /**
   * The grant: its id, the email address of the account, `grant:<id>`, `email:<address>`, `external:<your own
   * id>`, or `me` with an access token.
   */
  grant_id: string
  /** What is sent. */
  body: TemplateDraft
}

/** What `grantTemplates.renderBody` takes. */
export interface GrantTemplatesRenderBodyArguments extends WriteOptions {
  /**
   * The grant: its id, the email address of the account, `grant:<id>`, `email:<address>`, `external:<your own
   * id>`, or `me` with an access token.
   */
  grant_id: string
  /** What is sent. */
  body: BodyRender
}

/** What `grantTemplates.get` takes. */
export interface GrantTemplatesGetArguments extends CallOptions {
  /**
   * The grant: its id, the email address of the account, `grant:<id>`, `email:<address>`, `external:<your own
   * id>`, or `me` with an access token.
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
   * The grant: its id, the email address of the account, `grant:<id>`, `email:<address>`, `external:<your own
   * id>`, or `me` with an access token.
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
   * The grant: its id, the email address of the account, `grant:<id>`, `email:<address>`, `external:<your own
   * id>`, or `me` with an access token.
   */
  grant_id: string
  /** The id of the template. */
  template_id: string
}

/** What `grantTemplates.render` takes. */
export interface GrantTemplatesRenderArguments extends WriteOptions {
  /**
   * The grant: its id, the email address of the account, `grant:<id>`, `email:<address>`, `external:<your own
   * id>`, or `me` with an access token.
   */
  grant_id: string
  /** The id of the template. */
  template_id: string
  /** What is sent. */
  body: TemplateRender
}

/** What `workflows.list` takes. */
export interface WorkflowsListArguments extends CallOptions {
  /** Filters and options: the query of the address. */
  query?: WorkflowsListQuery | undefined
}

/** What `workflows.create` takes. */
export interface WorkflowsCreateArguments extends WriteOptions {
  /** What is sent. */
  body: WorkflowDraft
}

/** What `workflows.get` takes. */
export interface WorkflowsGetArguments extends CallOptions {
  /** The id of the workflow. */
  workflow_id: string
  /** Filters and options: the query of the address. */
  query?: WorkflowsGetQuery | undefined
}

/** What `workflows.update` takes. */
export interface WorkflowsUpdateArguments extends WriteOptions {
  /** The id of the workflow. */
  workflow_id: string
  /** Filters and options: the query of the address. */
  query?: WorkflowsUpdateQuery | undefined
  /** What is sent. */
  body?: WorkflowChange | undefined
}

/** What `workflows.delete` takes. */
export interface WorkflowsDeleteArguments extends WriteOptions {
  /** The id of the workflow. */
  workflow_id: string
}

/** What `grantWorkflows.list` takes. */
export interface GrantWorkflowsListArguments extends CallOptions {
  /**
   * The grant: its id, the email address of the account, `grant:<id>`, `email:<address>`, `external:<your own
   * id>`, or `me` with an access token.
   */
  grant_id: string
  /** Filters and options: the query of the address. */
  query?: GrantWorkflowsListQuery | undefined
}

/** What `grantWorkflows.create` takes. */
export interface GrantWorkflowsCreateArguments extends WriteOptions {
  /**
   * The grant: its id, the email address of the account, `grant:<id>`, `email:<address>`, `external:<your own
   * id>`, or `me` with an access token.
   */
  grant_id: string
  /** What is sent. */
  body: WorkflowDraft
}

/** What `grantWorkflows.get` takes. */
export interface GrantWorkflowsGetArguments extends CallOptions {
  /**
   * The grant: its id, the email address of the account, `grant:<id>`, `email:<address>`, `external:<your own
   * id>`, or `me` with an access token.
   */
  grant_id: string
  /** The id of the workflow. */
  workflow_id: string
  /** Filters and options: the query of the address. */
  query?: GrantWorkflowsGetQuery | undefined
}

/** What `grantWorkflows.update` takes. */
export interface GrantWorkflowsUpdateArguments extends WriteOptions {
  /**
   * The grant: its id, the email address of the account, `grant:<id>`, `email:<address>`, `external:<your own
   * id>`, or `me` with an access token.
   */
  grant_id: string
  /** The id of the workflow. */
  workflow_id: string
  /** Filters and options: the query of the address. */
  query?: GrantWorkflowsUpdateQuery | undefined
  /** What is sent. */
  body?: WorkflowChange | undefined
}

/** What `grantWorkflows.delete` takes. */
export interface GrantWorkflowsDeleteArguments extends WriteOptions {
  /**
   * The grant: its id, the email address of the account, `grant:<id>`, `email:<address>`, `external:<your own
   * id>`, or `me` with an access token.
   */
  grant_id: string
  /** The id of the workflow. */
  workflow_id: string
}

/** What `availability.find` takes. */
export interface AvailabilityFindArguments extends WriteOptions {
  /** What is sent. */
  body: AvailabilityQuestion
}

/** What `configurations.list` takes. */
export interface ConfigurationsListArguments extends CallOptions {
  /**
   * The grant: its id, the email address of the account, `grant:<id>`, `email:<address>`, `external:<your own
   * id>`, or `me` with an access token.
   */
  grant_id: string
  /** Filters and options: the query of the address. */
  query?: ConfigurationsListQuery | undefined
}

/** What `configurations.create` takes. */
export interface ConfigurationsCreateArguments extends WriteOptions {
  /**
   * The grant: its id, the email address of the account, `grant:<id>`, `email:<address>`, `external:<your own
   * id>`, or `me` with an access token.
   */
  grant_id: string
  /** What is sent. */
  body?: ConfigurationDraft | undefined
}

/** What `configurations.get` takes. */
export interface ConfigurationsGetArguments extends CallOptions {
  /**
   * The grant: its id, the email address of the account, `grant:<id>`, `email:<address>`, `external:<your own
   * id>`, or `me` with an access token.
   */
  grant_id: string
  /** The id of the configuration. */
  configuration_id: string
  /** Filters and options: the query of the address. */
  query?: ConfigurationsGetQuery | undefined
}

/** What `configurations.update` takes. */
export interface ConfigurationsUpdateArguments extends WriteOptions {
  /**
   * The grant: its id, the email address of the account, `grant:<id>`, `email:<address>`, `external:<your own
   * id>`, or `me` with an access token.
   */
  grant_id: string
  /** The id of the configuration. */
  configuration_id: string
  /** Filters and options: the query of the address. */
  query?: ConfigurationsUpdateQuery | undefined
  /** What is sent. */
  body?: ConfigurationChange | undefined
}

/** What `configurations.delete` takes. */
export interface ConfigurationsDeleteArguments extends WriteOptions {
  /**
   * The grant: its id, the email address of the account, `grant:<id>`, `email:<address>`, `external:<your own
   * id>`, or `me` with an access token.
   */
  grant_id: string
  /** The id of the configuration. */
  configuration_id: string
}

/** What `schedulingPages.list` takes. */
export interface SchedulingPagesListArguments extends CallOptions {
  /** Filters and options: the query of the address. */
  query?: SchedulingPagesListQuery | undefined
}

/** What `schedulingSessions.create` takes. */
export interface SchedulingSessionsCreateArguments extends WriteOptions {
  /** What is sent. */
  body?: SchedulingSessionDraft | undefined
}

/** What `schedulingSessions.get` takes. */
export interface SchedulingSessionsGetArguments extends CallOptions {
  /** The `session_id` from the response that created the session. */
  session_id: string
}

/** What `schedulingSessions.delete` takes. */
export interface SchedulingSessionsDeleteArguments extends WriteOptions {
  /** The `session_id` from the response that created the session. */
  session_id: string
}

/** What `uiSettings.get` takes. */
export interface UiSettingsGetArguments extends CallOptions {
  /** Filters and options: the query of the address. */
  query?: UiSettingsGetQuery | undefined
}

/** What `groupEvents.list` takes. */
export interface GroupEventsListArguments extends CallOptions {
  /**
   * The grant: its id, the email address of the account, `grant:<id>`, `email:<address>`, `external:<your own
   * id>`, or `me` with an access token.
   */
  grant_id: string
  /** The id of the configuration. */
  configuration_id: string
  /** Filters and options: the query of the address. */
  query?: GroupEventsListQuery | undefined
}

/** What `groupEvents.create` takes. */
export interface GroupEventsCreateArguments extends WriteOptions {
  /**
   * The grant: its id, the email address of the account, `grant:<id>`, `email:<address>`, `external:<your own
   * id>`, or `me` with an access token.
   */
  grant_id: string
  /** The id of the configuration. */
  configuration_id: string
  /** Filters and options: the query of the address. */
  query?: GroupEventsCreateQuery | undefined
  /** What is sent. */
  body: GroupEventDraft
}

/** What `groupEvents.update` takes. */
export interface GroupEventsUpdateArguments extends WriteOptions {
  /**
   * The grant: its id, the email address of the account, `grant:<id>`, `email:<address>`, `external:<your own
   * id>`, or `me` with an access token.
   */
  grant_id: string
  /** The id of the configuration. */
  configuration_id: string
  /** The id of the event. A series and each of its instances have different ids. */
  event_id: string
  /** Filters and options: the query of the address. */
  query?: GroupEventsUpdateQuery | undefined
  /** What is sent. */
  body?: GroupEventChange | undefined
}

/** What `groupEvents.delete` takes. */
export interface GroupEventsDeleteArguments extends WriteOptions {
  /**
   * The grant: its id, the email address of the account, `grant:<id>`, `email:<address>`, `external:<your own
   * id>`, or `me` with an access token.
   */
  grant_id: string
  /** The id of the configuration. */
  configuration_id: string
  /** The id of the event. A series and each of its instances have different ids. */
  event_id: string
  /** Filters and options: the query of the address. */
  query?: GroupEventsDeleteQuery | undefined
}

/** What `groupEvents.importForGrant` takes. */
export interface GroupEventsImportForGrantArguments extends WriteOptions {
  /**
   * The grant: its id, the email address of the account, `grant:<id>`, `email:<address>`, `external:<your own
   * id>`, or `me` with an access token.
   */
  grant_id: string
  /** The id of the configuration. */
  configuration_id: string
  /** What is sent. */
  body: GroupEventImports
}

/** What `groupEvents.import` takes. */
export interface GroupEventsImportArguments extends WriteOptions {
  /** The id of the configuration. */
  configuration_id: string
  /** What is sent. */
  body: GroupEventImports
}

/** What `groupEvents.validateTimeslot` takes. */
export interface GroupEventsValidateTimeslotArguments extends WriteOptions {
  /** The id of the configuration. */
  configuration_id: string
  /** What is sent. */
  body: GroupTimeslot
}

/** What `schedulingAvailability.find` takes. */
export interface SchedulingAvailabilityFindArguments extends CallOptions {
  /** Filters and options: the query of the address. */
  query: SchedulingAvailabilityFindQuery
}

/** What `bookings.list` takes. */
export interface BookingsListArguments extends CallOptions {
  /** Filters and options: the query of the address. */
  query?: BookingListQuery | undefined
}

/** What `bookings.create` takes. */
export interface BookingsCreateArguments extends WriteOptions {
  /** Filters and options: the query of the address. */
  query?: BookingsCreateQuery | undefined
  /** What is sent. */
  body: BookingDraft
}

/** What `bookings.get` takes. */
export interface BookingsGetArguments extends CallOptions {
  /** The id of the booking, from the response that created it. */
  booking_id: string
  /** Filters and options: the query of the address. */
  query?: BookingsGetQuery | undefined
}

/** What `bookings.reschedule` takes. */
export interface BookingsRescheduleArguments extends WriteOptions {
  /** The id of the booking, from the response that created it. */
  booking_id: string
  /** Filters and options: the query of the address. */
  query?: BookingsRescheduleQuery | undefined
  /** What is sent. */
  body: BookingMove
}

/** What `bookings.confirm` takes. */
export interface BookingsConfirmArguments extends WriteOptions {
  /** The id of the booking, from the response that created it. */
  booking_id: string
  /** Filters and options: the query of the address. */
  query?: BookingsConfirmQuery | undefined
  /** What is sent. */
  body: BookingConfirmation
}

/** What `bookings.cancel` takes. */
export interface BookingsCancelArguments extends WriteOptions {
  /** The id of the booking, from the response that created it. */
  booking_id: string
  /** Filters and options: the query of the address. */
  query?: BookingsCancelQuery | undefined
  /** What is sent. */
  body?: BookingCancellation | undefined
}

/** What `schedulingRedirects.find` takes. */
export interface SchedulingRedirectsFindArguments extends CallOptions {
  /** The slug of a page of version 2. */
  former_slug: string
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

/** What `pubsubChannels.list` takes. */
export interface PubsubChannelsListArguments extends CallOptions {
  /** Filters and options: the query of the address. */
  query?: PubsubChannelsListQuery | undefined
}

/** What `pubsubChannels.create` takes. */
export interface PubsubChannelsCreateArguments extends WriteOptions {
  /** Filters and options: the query of the address. */
  query?: PubsubChannelsCreateQuery | undefined
  /** What is sent. */
  body: PubsubChannelDraft
}

/** What `pubsubChannels.get` takes. */
export interface PubsubChannelsGetArguments extends CallOptions {
  /** The id of the channel. */
  channel_id: string
  /** Filters and options: the query of the address. */
  query?: PubsubChannelsGetQuery | undefined
}

/** What `pubsubChannels.update` takes. */
export interface PubsubChannelsUpdateArguments extends WriteOptions {
  /** The id of the channel. */
  channel_id: string
  /** Filters and options: the query of the address. */
  query?: PubsubChannelsUpdateQuery | undefined
  /** What is sent. */
  body?: PubsubChannelChange | undefined
}

/** What `pubsubChannels.delete` takes. */
export interface PubsubChannelsDeleteArguments extends WriteOptions {
  /** The id of the channel. */
  channel_id: string
}

/** What `snsChannels.list` takes. */
export interface SnsChannelsListArguments extends CallOptions {
  /** Filters and options: the query of the address. */
  query?: SnsChannelsListQuery | undefined
}

/** What `snsChannels.create` takes. */
export interface SnsChannelsCreateArguments extends WriteOptions {
  /** Filters and options: the query of the address. */
  query?: SnsChannelsCreateQuery | undefined
  /** What is sent. */
  body: SnsChannelDraft
}

/** What `snsChannels.get` takes. */
export interface SnsChannelsGetArguments extends CallOptions {
  /** The id of the channel. */
  channel_id: string
  /** Filters and options: the query of the address. */
  query?: SnsChannelsGetQuery | undefined
}

/** What `snsChannels.update` takes. */
export interface SnsChannelsUpdateArguments extends WriteOptions {
  /** The id of the channel. */
  channel_id: string
  /** Filters and options: the query of the address. */
  query?: SnsChannelsUpdateQuery | undefined
  /** What is sent. */
  body?: SnsChannelChange | undefined
}

/** What `snsChannels.delete` takes. */
export interface SnsChannelsDeleteArguments extends WriteOptions {
  /** The id of the channel. */
  channel_id: string
}

/** What `natsChannels.list` takes. */
export interface NatsChannelsListArguments extends CallOptions {
  /** Filters and options: the query of the address. */
  query?: NatsChannelsListQuery | undefined
}

/** What `natsChannels.create` takes. */
export interface NatsChannelsCreateArguments extends WriteOptions {
  /** Filters and options: the query of the address. */
  query?: NatsChannelsCreateQuery | undefined
  /** What is sent. */
  body: NatsChannelDraft
}

/** What `natsChannels.get` takes. */
export interface NatsChannelsGetArguments extends CallOptions {
  /** The id of the channel. */
  channel_id: string
  /** Filters and options: the query of the address. */
  query?: NatsChannelsGetQuery | undefined
}

/** What `natsChannels.update` takes. */
export interface NatsChannelsUpdateArguments extends WriteOptions {
  /** The id of the channel. */
  channel_id: string
  /** Filters and options: the query of the address. */
  query?: NatsChannelsUpdateQuery | undefined
  /** What is sent. */
  body?: NatsChannelChange | undefined
}

/** What `natsChannels.delete` takes. */
export interface NatsChannelsDeleteArguments extends WriteOptions {
  /** The id of the channel. */
  channel_id: string
}

/** What `amqpChannels.list` takes. */
export interface AmqpChannelsListArguments extends CallOptions {
  /** Filters and options: the query of the address. */
  query?: AmqpChannelsListQuery | undefined
}

/** What `amqpChannels.create` takes. */
export interface AmqpChannelsCreateArguments extends WriteOptions {
  /** Filters and options: the query of the address. */
  query?: AmqpChannelsCreateQuery | undefined
  /** What is sent. */
  body: AmqpChannelDraft
}

/** What `amqpChannels.get` takes. */
export interface AmqpChannelsGetArguments extends CallOptions {
  /** The id of the channel. */
  channel_id: string
  /** Filters and options: the query of the address. */
  query?: AmqpChannelsGetQuery | undefined
}

/** What `amqpChannels.update` takes. */
export interface AmqpChannelsUpdateArguments extends WriteOptions {
  /** The id of the channel. */
  channel_id: string
  /** Filters and options: the query of the address. */
  query?: AmqpChannelsUpdateQuery | undefined
  /** What is sent. */
  body?: AmqpChannelChange | undefined
}

/** What `amqpChannels.delete` takes. */
export interface AmqpChannelsDeleteArguments extends WriteOptions {
  /** The id of the channel. */
  channel_id: string
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
  /** Headers that this operation takes beside those of every request. */
  headers?: NotificationsListHeaders | undefined
}

/** What `notifications.get` takes. */
export interface NotificationsGetArguments extends CallOptions {
  /** The id of the notification. */
  id: string
  /** Filters and options: the query of the address. */
  query?: NotificationsGetQuery | undefined
}

/** What `agents.list` takes. */
export interface AgentsListArguments extends CallOptions {
  /** Filters and options: the query of the address. */
  query?: AgentsListQuery | undefined
}

/** What `agents.get` takes. */
export interface AgentsGetArguments extends CallOptions {
  /** The id of the agent. */
  agent_id: string
  /** Filters and options: the query of the address. */
  query?: AgentsGetQuery | undefined
}

/** What `agents.update` takes. */
export interface AgentsUpdateArguments extends WriteOptions {
  /** The id of the agent. */
  agent_id: string
  /** Filters and options: the query of the address. */
  query?: AgentsUpdateQuery | undefined
  /** What is sent. */
  body?: AgentChange | undefined
}

/** What `agents.delete` takes. */
export interface AgentsDeleteArguments extends WriteOptions {
  /** The id of the agent. */
  agent_id: string
}

/** What `agents.requests` takes. */
export interface AgentsRequestsArguments extends CallOptions {
  /** The id of the agent. */
  agent_id: string
  /** Filters and options: the query of the address. */
  query?: AgentsRequestsQuery | undefined
}

/** What `approvals.list` takes. */
export interface ApprovalsListArguments extends CallOptions {
  /** Filters and options: the query of the address. */
  query?: ApprovalListQuery | undefined
}

/** What `approvals.get` takes. */
export interface ApprovalsGetArguments extends CallOptions {
  /** The id of the approval, from the 202 response to the request that needs it. */
  approval_id: string
}

/** What `approvals.approve` takes. */
export interface ApprovalsApproveArguments extends WriteOptions {
  /** The id of the approval, from the 202 response to the request that needs it. */
  approval_id: string
}

/** What `approvals.reject` takes. */
export interface ApprovalsRejectArguments extends WriteOptions {
  /** The id of the approval, from the 202 response to the request that needs it. */
  approval_id: string
  /** What is sent. */
  body?: ApprovalsRejectBody | undefined
}

/** What `approvals.draft` takes. */
export interface ApprovalsDraftArguments extends WriteOptions {
  /** The id of the approval, from the 202 response to the request that needs it. */
  approval_id: string
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

/** What `adminApplications.countApprovals` takes. */
export interface AdminApplicationsCountApprovalsArguments extends CallOptions {
  /** The id of the application. */
  application_id: string
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
  /** The id of the API key. It is not a secret. */
  id: string
}

/** What `apiKeys.update` takes. */
export interface ApiKeysUpdateArguments extends WriteOptions {
  /** The id of the application. */
  application_id: string
  /** The id of the API key. It is not a secret. */
  id: string
  /** What is sent. */
  body?: ApiKeyChange | undefined
}

/** What `apiKeys.delete` takes. */
export interface ApiKeysDeleteArguments extends WriteOptions {
  /** The id of the application. */
  application_id: string
  /** The id of the API key. It is not a secret. */
  id: string
}

/** What `apiKeys.requests` takes. */
export interface ApiKeysRequestsArguments extends CallOptions {
  /** The id of the application. */
  application_id: string
  /** The id of the API key. It is not a secret. */
  id: string
  /** Filters and options: the query of the address. */
  query?: AgentsRequestsQuery | undefined
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
   * The grant: its id, the email address of the account, `grant:<id>`, `email:<address>`, `external:<your own
   * id>`, or `me` with an access token.
   */
  grant_id: string
}

/** What `adminGrants.timeline` takes. */
export interface AdminGrantsTimelineArguments extends CallOptions {
  /** The id of the application. */
  application_id: string
  /**
   * The grant: its id, the email address of the account, `grant:<id>`, `email:<address>`, `external:<your own
   * id>`, or `me` with an access token.
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
   * The grant: its id, the email address of the account, `grant:<id>`, `email:<address>`, `external:<your own
   * id>`, or `me` with an access token.
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
   * The grant: its id, the email address of the account, `grant:<id>`, `email:<address>`, `external:<your own
   * id>`, or `me` with an access token.
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
  /** The id of the session. It is not a credential. */
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

/** What `serviceAccounts.list` takes. */
export interface ServiceAccountsListArguments extends CallOptions {
}

/** What `serviceAccounts.create` takes. */
export interface ServiceAccountsCreateArguments extends WriteOptions {
  /** What is sent. */
  body: ServiceAccountDraft
}

/** What `serviceAccounts.get` takes. */
export interface ServiceAccountsGetArguments extends CallOptions {
  /** The id of the service account. */
  service_account_id: string
}

/** What `serviceAccounts.update` takes. */
export interface ServiceAccountsUpdateArguments extends WriteOptions {
  /** The id of the service account. */
  service_account_id: string
  /** What is sent. */
  body?: ServiceAccountChange | undefined
}

/** What `serviceAccounts.delete` takes. */
export interface ServiceAccountsDeleteArguments extends WriteOptions {
  /** The id of the service account. */
  service_account_id: string
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

/** What `failedJobs.list` takes. */
export interface FailedJobsListArguments extends CallOptions {
  /** Filters and options: the query of the address. */
  query?: FailedJobsListQuery | undefined
}

/** What `failedJobs.retryAll` takes. */
export interface FailedJobsRetryAllArguments extends WriteOptions {
  /** The id of the application. */
  application_id: string
  /** What is sent. */
  body?: FailedJobRetry | undefined
}

/** What `failedJobs.retry` takes. */
export interface FailedJobsRetryArguments extends WriteOptions {
  /** The id of the application. */
  application_id: string
  /** The id of the failed job. */
  id: string
}

/** What `failedJobs.discard` takes. */
export interface FailedJobsDiscardArguments extends WriteOptions {
  /** The id of the application. */
  application_id: string
  /** The id of the failed job. */
  id: string
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
   * Includes its settings and redirect URIs. `additional_settings` are never returned.
   *
   * `GET /v3/applications`
   */
  get(args?: ApplicationsGetArguments): Promise<DataResult<Application>>
  /**
   * Change the application of the API key.
   *
   * Absent fields stay unchanged; a nested object replaces the stored one. Administrators create applications with
   * `POST /v3/admin/applications`.
   *
   * `PATCH /v3/applications`
   */
  update(args?: ApplicationsUpdateArguments): Promise<DataResult<Application>>
}

export type RedirectUrisOperations = {
  /**
   * List the redirect URIs of the application.
   *
   * Returns all of them, without pages.
   *
   * `GET /v3/applications/redirect-uris`
   */
  list(args?: RedirectUrisListArguments): Promise<ListResult<RedirectUri>>
  /**
   * Register a redirect URI.
   *
   * An https URL (http for localhost and 127.0.0.1), or `scheme://deeplink` for ios and android. It is compared
   * byte for byte when an end user signs in.
   *
   * `POST /v3/applications/redirect-uris`
   */
  create(args: RedirectUrisCreateArguments): Promise<DataResult<RedirectUri>>
  /**
   * Get one redirect URI.
   *
   * Includes its platform settings.
   *
   * `GET /v3/applications/redirect-uris/{id}`
   */
  get(args: RedirectUrisGetArguments): Promise<DataResult<RedirectUri>>
  /**
   * Change a redirect URI.
   *
   * Absent fields stay unchanged; `settings` is replaced as a whole.
   *
   * `PATCH /v3/applications/redirect-uris/{id}`
   */
  update(args: RedirectUrisUpdateArguments): Promise<DataResult<RedirectUri>>
  /**
   * Remove a redirect URI.
   *
   * New sign-ins cannot use it anymore.
   *
   * `DELETE /v3/applications/redirect-uris/{id}`
   */
  delete(args: RedirectUrisDeleteArguments): Promise<EmptyResult>
}

export type ConnectorsOperations = {
  /**
   * List the connectors of the application.
   *
   * At most one per provider. Secrets in the settings are omitted.
   *
   * `GET /v3/connectors`
   */
  readonly list: {
    /**
     * List the connectors of the application.
     *
     * At most one per provider. Secrets in the settings are omitted.
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
   * One connector per provider. It is required before any grant of its provider can be created.
   *
   * `POST /v3/connectors`
   */
  create(args: ConnectorsCreateArguments): Promise<DataResult<Connector>>
  /**
   * Get the connector of a provider.
   *
   * Secrets in the settings are omitted.
   *
   * `GET /v3/connectors/{provider}`
   */
  get(args: ConnectorsGetArguments): Promise<DataResult<Connector>>
  /**
   * Change the connector of a provider.
   *
   * `settings` and `scope` are replaced as a whole, except that an absent `client_secret` is kept. Existing grants
   * keep their scopes.
   *
   * `PATCH /v3/connectors/{provider}`
   */
  update(args: ConnectorsUpdateArguments): Promise<DataResult<Connector>>
  /**
   * Delete the connector of a provider.
   *
   * Deletes its credentials too. Its grants stop working immediately and are deleted after 72 hours unless they
   * are authenticated again.
   *
   * `DELETE /v3/connectors/{provider}`
   */
  delete(args: ConnectorsDeleteArguments): Promise<EmptyResult>
  /**
   * Test the connector of a provider.
   *
   * Changes nothing. Presents the client to the provider; user accounts are not accessed.
   *
   * `POST /v3/connectors/{provider}/test`
   */
  test(args: ConnectorsTestArguments): Promise<DataResult<ConnectorTest>>
}

export type CredentialsOperations = {
  /**
   * List the credentials of a connector.
   *
   * Newest first, unless `sort_by` and `order_by` are given. Secrets are omitted.
   *
   * `GET /v3/connectors/{provider}/creds`
   */
  readonly list: {
    /**
     * List the credentials of a connector.
     *
     * Newest first, unless `sort_by` and `order_by` are given. Secrets are omitted.
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
   * If a credential with the same name and data exists, it is returned instead. The same name with different data
   * fails with 409. The credential is used once a sign-in or grant names it, or once it becomes the connector's
   * active credential.
   *
   * `POST /v3/connectors/{provider}/creds`
   */
  create(args: CredentialsCreateArguments): Promise<DataResult<Credential>>
  /**
   * Get one credential.
   *
   * Secrets are omitted.
   *
   * `GET /v3/connectors/{provider}/creds/{id}`
   */
  get(args: CredentialsGetArguments): Promise<DataResult<Credential>>
  /**
   * Change a credential.
   *
   * `credential_data` is replaced as a whole. The type cannot change. Grants that use it continue with the new
   * data if the provider accepts it.
   *
   * `PATCH /v3/connectors/{provider}/creds/{id}`
   */
  update(args: CredentialsUpdateArguments): Promise<DataResult<Credential>>
  /**
   * Delete a credential.
   *
   * Fails for the connector's active credential; make another one active first. Grants that use it become invalid
   * immediately.
   *
   * `DELETE /v3/connectors/{provider}/creds/{id}`
   */
  delete(args: CredentialsDeleteArguments): Promise<EmptyResult>
}

export type ProvidersOperations = {
  /**
   * Find the provider of an email address.
   *
   * Checks the domain first, then its MX records. Up to 20 calls per minute and application.
   *
   * `POST /v3/providers/detect`
   */
  detect(args: ProvidersDetectArguments): Promise<DataResult<Detection>>
}

export type ConnectOperations = {
  /**
   * Get the requirements of each provider for custom authentication.
   *
   * Returns one entry per provider. A browser that opens this path with the query of `/v3/connect/auth` is
   * redirected to the hosted sign-in.
   *
   * `GET /v3/connect/custom`
   */
  guide(args?: ConnectGuideArguments): Promise<ListResult<ProviderGuide>>
  /**
   * Create a grant from existing credentials.
   *
   * The credentials are checked with the provider first; an error names the failing setting. If the address
   * already has a grant, it is authenticated again and keeps its id. If that grant belongs to another provider,
   * the request fails with 409. Requires a connector of the provider. Sends `grant.created` or `grant.updated`.
   *
   * `POST /v3/connect/custom`
   */
  custom(args: ConnectCustomArguments): Promise<DataResult<Grant>>
  /**
   * Exchange a code, refresh token or grant for an access token.
   *
   * Accepts JSON or a form. The client authenticates with an API key as `client_secret` or bearer token. A code
   * requested with PKCE needs its `code_verifier` and no key. A code works once; a second use revokes the tokens
   * of the first.
   *
   * `POST /v3/connect/token`
   */
  token(args?: ConnectTokenArguments): Promise<DataResult<TokenAnswer>>
  /**
   * Inspect a token.
   *
   * Set exactly one parameter. An expired or revoked token, or one whose grant was deleted, fails with
   * `invalid_token`. An API key can only inspect tokens of its own application.
   *
   * `GET /v3/connect/tokeninfo`
   */
  tokenInfo(args?: ConnectTokenInfoArguments): Promise<DataResult<TokenInfo>>
  /**
   * Revoke a token.
   *
   * Also revokes all tokens issued from the same code, including refresh tokens. The grant stays. The token is in
   * the query, a form or JSON.
   *
   * `POST /v3/connect/revoke`
   */
  revoke(args?: ConnectRevokeArguments): Promise<EmptyResult>
}

export type GrantsOperations = {
  /**
   * List the grants of the application.
   *
   * Newest first, unless `sort_by` and `order_by` are given. `sortBy`, `orderBy`, `grantStatus` and `status` are
   * aliases.
   *
   * `GET /v3/grants`
   */
  readonly list: {
    /**
     * List the grants of the application.
     *
     * Newest first, unless `sort_by` and `order_by` are given. `sortBy`, `orderBy`, `grantStatus` and `status` are
     * aliases.
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
   * By id, email address, `grant:<id>`, `email:<address>`, `external:<your id>`, or `me` with an access token. An
   * access token can only read its own grant.
   *
   * `GET /v3/grants/{grant_id}`
   */
  get(args: GrantsGetArguments): Promise<DataResult<Grant>>
  /**
   * Change a grant.
   *
   * Absent fields stay unchanged; `settings`, `scope` and `metadata` are replaced as a whole. The address cannot
   * change. Sends `grant.updated` if something changed.
   *
   * `PATCH /v3/grants/{grant_id}`
   */
  update(args: GrantsUpdateArguments): Promise<DataResult<Grant>>
  /**
   * Delete a grant.
   *
   * Deletes all stored data of the grant, revokes its tokens, and ends notifications and billing. The account at
   * the provider is not changed. Authenticating the address again creates a new grant. Sends `grant.deleted`.
   *
   * `DELETE /v3/grants/{grant_id}`
   */
  delete(args: GrantsDeleteArguments): Promise<EmptyResult>
}

export type WorkspacesOperations = {
  /**
   * List the workspaces of the application.
   *
   * Returns all of them without pages: the default workspace, then the others, oldest first.
   *
   * `GET /v3/workspaces`
   */
  list(args?: WorkspacesListArguments): Promise<ListResult<Workspace>>
  /**
   * Create a workspace.
   *
   * Existing grants stay where they are until they are grouped or assigned. A domain has one workspace. An
   * application can have 5000 workspaces.
   *
   * `POST /v3/workspaces`
   */
  create(args: WorkspacesCreateArguments): Promise<DataResult<Workspace>>
  /**
   * Group grants by their domain.
   *
   * Starts a job in the background. It moves grants of the default workspace to the workspace of their domain, and
   * creates a workspace for a domain that has none. Grants in other workspaces stay there, and workspaces with
   * `auto_group` false get no grants.
   *
   * `POST /v3/workspaces/auto-group`
   */
  autoGroup(args?: WorkspacesAutoGroupArguments): Promise<DataResult<AutoGroupingJob>>
  /**
   * Get one workspace.
   *
   * The path has its id or its domain.
   *
   * `GET /v3/workspaces/{workspace_id}`
   */
  get(args: WorkspacesGetArguments): Promise<DataResult<Workspace>>
  /**
   * Change a workspace.
   *
   * The path has the id of the workspace, not its domain. The domain cannot change, and the default workspace has
   * nothing to change.
   *
   * `PATCH /v3/workspaces/{workspace_id}`
   */
  update(args: WorkspacesUpdateArguments): Promise<DataResult<Workspace>>
  /**
   * Delete a workspace.
   *
   * Its grants keep working and move to the default workspace, which cannot be deleted. The path has its id or its
   * domain. A request that times out has moved some of the grants: repeat it.
   *
   * `DELETE /v3/workspaces/{workspace_id}`
   */
  delete(args: WorkspacesDeleteArguments): Promise<EmptyResult>
  /**
   * Assign grants to a workspace, or remove them from it.
   *
   * Addresses of the grants do not matter. Ids of grants that do not exist are left out of the answer. The path
   * has its id or its domain.
   *
   * `POST /v3/workspaces/{workspace_id}/manual-assign`
   */
  manualAssign(args: WorkspacesManualAssignArguments): Promise<DataResult<AssignedGrants>>
}

export type CalendarsOperations = {
  /**
   * List the calendars of a grant.
   *
   * Returns all calendars that the account can read, including shared ones.
   *
   * `GET /v3/grants/{grant_id}/calendars`
   */
  readonly list: {
    /**
     * List the calendars of a grant.
     *
     * Returns all calendars that the account can read, including shared ones.
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
   * The first calendar of a virtual account is its primary calendar permanently. A virtual account has at most 10
   * calendars. Microsoft, Exchange and iCloud accept only the name.
   *
   * `POST /v3/grants/{grant_id}/calendars`
   */
  create(args: CalendarsCreateArguments): Promise<DataResult<Calendar>>
  /**
   * Get free/busy times of people.
   *
   * Returns one element per address, in the order of the request. An address that cannot be read has an error
   * element; the status is still 200. Titles are not returned. An access token cannot read other virtual accounts.
   *
   * `POST /v3/grants/{grant_id}/calendars/free-busy`
   */
  freeBusy(args: CalendarsFreeBusyArguments): Promise<ListResult<FreeBusy>>
  /**
   * Get one calendar.
   *
   * `primary` refers to the main calendar; the response contains its real id. A new virtual account has no
   * calendar.
   *
   * `GET /v3/grants/{grant_id}/calendars/{calendar_id}`
   */
  get(args: CalendarsGetArguments): Promise<DataResult<Calendar>>
  /**
   * Change a calendar.
   *
   * Absent fields stay unchanged; `metadata` is replaced as a whole.
   *
   * `PUT /v3/grants/{grant_id}/calendars/{calendar_id}`
   */
  update(args: CalendarsUpdateArguments): Promise<DataResult<Calendar>>
  /**
   * Delete a calendar and its events.
   *
   * The primary calendar cannot be deleted. One `calendar.deleted` notification is sent, and none for its events.
   * A shared calendar is only removed from the account's list.
   *
   * `DELETE /v3/grants/{grant_id}/calendars/{calendar_id}`
   */
  delete(args: CalendarsDeleteArguments): Promise<EmptyResult>
}

export type VirtualCalendarsOperations = {
  /**
   * Create a calendar of a virtual account.
   *
   * Equivalent to creating it below the grant. Set `grant_id` in the body or query; with an access token, the
   * token's grant is used.
   *
   * `POST /v3/calendars`
   */
  create(args: VirtualCalendarsCreateArguments): Promise<DataResult<Calendar>>
}

export type RoomResourcesOperations = {
  /**
   * List the rooms of the organization of a grant.
   *
   * Returns rooms in the directory of a Google Workspace (scope `admin.directory.resource.calendar.readonly`), a
   * Microsoft organization (scope `Place.Read.All`) or an Exchange server. Other equipment, such as cars and
   * projectors, is not listed. Personal accounts have no directory.
   *
   * `GET /v3/grants/{grant_id}/resources`
   */
  readonly list: {
    /**
     * List the rooms of the organization of a grant.
     *
     * Returns rooms in the directory of a Google Workspace (scope `admin.directory.resource.calendar.readonly`), a
     * Microsoft organization (scope `Place.Read.All`) or an Exchange server. Other equipment, such as cars and
     * projectors, is not listed. Personal accounts have no directory.
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
   * Returns events that overlap the window from `start` to `end`, ordered by start; default: one month from now.
   * `ical_uid` and `metadata_pair` cannot be combined with other filters and have no window. Later pages use the
   * window of the first.
   *
   * `GET /v3/grants/{grant_id}/events`
   */
  readonly list: {
    /**
     * List the events of a calendar.
     *
     * Returns events that overlap the window from `start` to `end`, ordered by start; default: one month from now.
     * `ical_uid` and `metadata_pair` cannot be combined with other filters and have no window. Later pages use the
     * window of the first.
     *
     * `GET /v3/grants/{grant_id}/events`
     */
    (args: EventsListArguments): Promise<ListResult<Event>>
    /** List the events of a calendar: every item, page after page. */
    all(args: EventsListArguments): AsyncGenerator<Event, void>
  }
  /**
   * Read events in bulk.
   *
   * For copying a calendar: returns single events, masters and changed instances. Series are not expanded, and a
   * page has up to 500 events. The order is the provider's, and a page can be short although more follow.
   *
   * `GET /v3/grants/{grant_id}/events/import`
   */
  readonly import: {
    /**
     * Read events in bulk.
     *
     * For copying a calendar: returns single events, masters and changed instances. Series are not expanded, and a
     * page has up to 500 events. The order is the provider's, and a page can be short although more follow.
     *
     * `GET /v3/grants/{grant_id}/events/import`
     */
    (args: EventsImportArguments): Promise<ListResult<Event>>
    /** Read events in bulk: every item, page after page. */
    all(args: EventsImportArguments): AsyncGenerator<Event, void>
  }
  /**
   * Export a calendar as files.
   *
   * Streams one page of single events, series and changed instances as a file. The response header `next-cursor`
   * names the next page and is absent on the last. A changed instance can be on another page than its series.
   * Events that iCalendar cannot express are left out, and the header `x-skipped` names them.
   *
   * `GET /v3/grants/{grant_id}/events/export`
   */
  export(args: EventsExportArguments): Promise<FileResult>
  /**
   * Create an event.
   *
   * Creates an event, or a series with `recurrence`. Guests are invited unless `notify_participants=false`. With
   * `If-None-Overlap: true`, a time of a virtual calendar can be booked only once. The response header
   * `x-ignored-fields` names fields that the provider does not store.
   *
   * `POST /v3/grants/{grant_id}/events`
   */
  create(args: EventsCreateArguments): Promise<DataResult<Event>>
  /**
   * Get one event.
   *
   * Returns an event, a series, or one instance by its own id. `google` returns a deleted event with status
   * `cancelled` for a while.
   *
   * `GET /v3/grants/{grant_id}/events/{event_id}`
   */
  get(args: EventsGetArguments): Promise<DataResult<Event>>
  /**
   * Change an event, a series, or one instance.
   *
   * The id of a series changes the whole series; the id of an instance changes only that one. Absent fields stay
   * unchanged, objects and lists are replaced as a whole, null clears a field. A new `when` of a series also moves
   * its rule, its end and its exceptions; if the new rule is ambiguous, `recurrence` must be sent too. The
   * response header `x-dropped-occurrences` names changed occurrences that the series no longer has. For an event
   * organized by somebody else, only `metadata` can be changed (for Google also reminders and color); respond to
   * it with send-rsvp.
   *
   * `PUT /v3/grants/{grant_id}/events/{event_id}`
   */
  update(args: EventsUpdateArguments): Promise<DataResult<Event>>
  /**
   * Delete an event, a series, or one instance.
   *
   * The id of a series deletes the whole series; the id of an instance deletes only that one. Guests are notified
   * unless `notify_participants=false`.
   *
   * `DELETE /v3/grants/{grant_id}/events/{event_id}`
   */
  delete(args: EventsDeleteArguments): Promise<EmptyResult>
  /**
   * Respond to an invitation.
   *
   * Stores the response in the account's calendar and notifies the organizer by mail. If the mail cannot be sent,
   * `send_ics_error` says why; the response is stored anyway. The organizer of an event cannot respond to it,
   * except with Google.
   *
   * `POST /v3/grants/{grant_id}/events/{event_id}/send-rsvp`
   */
  rsvp(args: EventsRsvpArguments): Promise<DataResult<RsvpResult>>
}

export type SchedulesOperations = {
  /**
   * List scheduled messages.
   *
   * Returns all pending messages, and those of the last 72 hours in any state, without pages.
   *
   * `GET /v3/grants/{grant_id}/messages/schedules`
   */
  list(args: SchedulesListArguments): Promise<ListResult<ScheduledMessage>>
  /**
   * Get the state of a scheduled message.
   *
   * Available until 72 hours after its time. The notifications `message.send_success` and `message.send_failed`
   * report the result too.
   *
   * `GET /v3/grants/{grant_id}/messages/schedules/{schedule_id}`
   */
  get(args: SchedulesGetArguments): Promise<DataResult<ScheduledMessage>>
  /**
   * Stop a scheduled message.
   *
   * Possible until 10 seconds before its time; later it fails with 409. Stopping it again returns the same
   * response. Its draft (`use_draft`) stays.
   *
   * `DELETE /v3/grants/{grant_id}/messages/schedules/{schedule_id}`
   */
  delete(args: SchedulesDeleteArguments): Promise<DataResult<SchedulesDeleteData>>
}

export type MessagesOperations = {
  /**
   * List messages, newest first.
   *
   * Lists all folders unless `in` is given. All given filters must match. A page can be shorter than `limit` and
   * still have a next page. `metadata_pair` cannot be combined with other filters. A `select` without `body`,
   * `snippet` and `attachments` is faster.
   *
   * `GET /v3/grants/{grant_id}/messages`
   */
  readonly list: {
    /**
     * List messages, newest first.
     *
     * Lists all folders unless `in` is given. All given filters must match. A page can be shorter than `limit` and
     * still have a next page. `metadata_pair` cannot be combined with other filters. A `select` without `body`,
     * `snippet` and `attachments` is faster.
     *
     * `GET /v3/grants/{grant_id}/messages`
     */
    (args: MessagesListArguments): Promise<ListResult<Message>>
    /** List messages, newest first: every item, page after page. */
    all(args: MessagesListArguments): AsyncGenerator<Message, void>
  }
  /**
   * Clean messages.
   *
   * Removes quotes, links, images and closing phrases as requested. The messages themselves are not changed:
   * `body` is the original, `conversation` the cleaned text. The order is that of `message_id`.
   *
   * `PUT /v3/grants/{grant_id}/messages/clean`
   */
  clean(args: MessagesCleanArguments): Promise<ListResult<CleanedMessage>>
  /**
   * Export messages as files.
   *
   * Streams one page of messages as a file, newest first. The response header `next-cursor` names the next page
   * and is absent on the last; repeat a page whose connection breaks. A message that cannot be read is skipped and
   * reported: in `mbox` as a message with the header `X-Waypost-Skipped`, in `eml` as a line with `error` in
   * `index.ndjson`. In `ndjson`, a message that cannot be parsed has no text, and the header
   * `x-unreadable-messages` names it.
   *
   * `GET /v3/grants/{grant_id}/messages/export`
   */
  export(args: MessagesExportArguments): Promise<FileResult>
  /**
   * Get one message.
   *
   * Returns its current state on the mail server. A permanently deleted message is not found.
   *
   * `GET /v3/grants/{grant_id}/messages/{message_id}`
   */
  get(args: MessagesGetArguments): Promise<DataResult<Message>>
  /**
   * Mark, star or move a message, or change its metadata.
   *
   * Absent fields stay unchanged; `folders` and `metadata` are replaced as a whole. The service stores metadata;
   * everything else is changed at the provider.
   *
   * `PUT /v3/grants/{grant_id}/messages/{message_id}`
   */
  update(args: MessagesUpdateArguments): Promise<DataResult<Message>>
  /**
   * Move a message to the trash, or delete it permanently.
   *
   * Moves it to the trash with all its copies; a message in the trash stays there. `hard_delete=true` deletes it
   * permanently: the application must have `allow_hard_delete` on, and with `google` the grant needs the scope
   * `https://mail.google.com/`.
   *
   * `DELETE /v3/grants/{grant_id}/messages/{message_id}`
   */
  delete(args: MessagesDeleteArguments): Promise<EmptyResult>
  /**
   * Send a message now or on schedule.
   *
   * The response is returned once the provider accepted the message; the account has a copy in its sent mail. With
   * `send_at`, the message is stored and sent later: 202. As `multipart/form-data`, up to 25 MB: the part
   * `message` contains the JSON, every other part is a file; a part not named `file`, `file0`, `file1` … or
   * `attachment` is shown in the text with its name as content id. With `type=mime`, the only part is `mime`, a
   * whole message.
   *
   * `POST /v3/grants/{grant_id}/messages/send`
   */
  send(args: MessagesSendArguments): Promise<DataResult<SentMessage>>
}

export type DraftsOperations = {
  /**
   * List drafts, newest first.
   *
   * Returns all drafts in the account, including those from other mail programs. `metadata_pair` cannot be
   * combined with other filters.
   *
   * `GET /v3/grants/{grant_id}/drafts`
   */
  readonly list: {
    /**
     * List drafts, newest first.
     *
     * Returns all drafts in the account, including those from other mail programs. `metadata_pair` cannot be
     * combined with other filters.
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
   * The draft appears in the user's drafts folder. `multipart/form-data` is accepted too: the part `message`
   * contains the JSON, every other part is a file.
   *
   * `POST /v3/grants/{grant_id}/drafts`
   */
  create(args: DraftsCreateArguments): Promise<DataResult<Draft>>
  /**
   * Get one draft.
   *
   * Returns its current content. A draft that was sent or deleted is not found.
   *
   * `GET /v3/grants/{grant_id}/drafts/{draft_id}`
   */
  get(args: DraftsGetArguments): Promise<DataResult<Draft>>
  /**
   * Change a draft.
   *
   * Absent fields stay unchanged; a given list replaces the old one. `multipart/form-data` is accepted too: the
   * part `message` contains the JSON, every other part is a file.
   *
   * `PUT /v3/grants/{grant_id}/drafts/{draft_id}`
   */
  update(args: DraftsUpdateArguments): Promise<DataResult<Draft>>
  /**
   * Delete a draft permanently.
   *
   * It is not moved to the trash and cannot be restored.
   *
   * `DELETE /v3/grants/{grant_id}/drafts/{draft_id}`
   */
  delete(args: DraftsDeleteArguments): Promise<EmptyResult>
  /**
   * Send a draft.
   *
   * Sends its current content with the tracking and metadata set for it. The response is returned once the
   * provider accepted the message. The draft is then deleted, and the message can have a different id.
   *
   * `POST /v3/grants/{grant_id}/drafts/{draft_id}`
   */
  send(args: DraftsSendArguments): Promise<DataResult<SentMessage>>
}

export type ThreadsOperations = {
  /**
   * List threads.
   *
   * Newest first, by the last received message. A thread matches if one of its messages does. Google does not
   * guarantee the order.
   *
   * `GET /v3/grants/{grant_id}/threads`
   */
  readonly list: {
    /**
     * List threads.
     *
     * Newest first, by the last received message. A thread matches if one of its messages does. Google does not
     * guarantee the order.
     *
     * `GET /v3/grants/{grant_id}/threads`
     */
    (args: ThreadsListArguments): Promise<ListResult<Thread>>
    /** List threads: every item, page after page. */
    all(args: ThreadsListArguments): AsyncGenerator<Thread, void>
  }
  /**
   * Get one thread.
   *
   * Returns the thread with the ids of its messages and its full newest message.
   *
   * `GET /v3/grants/{grant_id}/threads/{thread_id}`
   */
  get(args: ThreadsGetArguments): Promise<DataResult<Thread>>
  /**
   * Mark, star or move all messages of a thread.
   *
   * Applies the change to each message; `folders` replaces the list of every message. Absent fields stay
   * unchanged.
   *
   * `PUT /v3/grants/{grant_id}/threads/{thread_id}`
   */
  update(args: ThreadsUpdateArguments): Promise<DataResult<Thread>>
  /**
   * Move all messages of a thread to the trash.
   *
   * Nothing is deleted permanently: the messages are moved to the trash, as if the user deleted them.
   *
   * `DELETE /v3/grants/{grant_id}/threads/{thread_id}`
   */
  delete(args: ThreadsDeleteArguments): Promise<EmptyResult>
}

export type FoldersOperations = {
  /**
   * List folders.
   *
   * Returns all folders or labels of the mailbox in one flat list, including nested ones. With Google, a `select`
   * without counts and colors is faster, because Google reports them for one label at a time.
   *
   * `GET /v3/grants/{grant_id}/folders`
   */
  readonly list: {
    /**
     * List folders.
     *
     * Returns all folders or labels of the mailbox in one flat list, including nested ones. With Google, a `select`
     * without counts and colors is faster, because Google reports them for one label at a time.
     *
     * `GET /v3/grants/{grant_id}/folders`
     */
    (args: FoldersListArguments): Promise<ListResult<Folder>>
    /** List folders: every item, page after page. */
    all(args: FoldersListArguments): AsyncGenerator<Folder, void>
  }
  /**
   * Create a folder.
   *
   * Creates a folder, or a Google label. A name that is already used fails with 409.
   *
   * `POST /v3/grants/{grant_id}/folders`
   */
  create(args: FoldersCreateArguments): Promise<DataResult<Folder>>
  /**
   * Get one folder.
   *
   * Returns one folder or label with its counts.
   *
   * `GET /v3/grants/{grant_id}/folders/{folder_id}`
   */
  get(args: FoldersGetArguments): Promise<DataResult<Folder>>
  /**
   * Change a folder.
   *
   * Renames, moves or recolors a folder. With `imap`, a renamed folder gets a new id, which the response contains.
   * System folders such as the inbox cannot be changed.
   *
   * `PUT /v3/grants/{grant_id}/folders/{folder_id}`
   */
  update(args: FoldersUpdateArguments): Promise<DataResult<Folder>>
  /**
   * Delete a folder.
   *
   * Deletes its messages too; with `google` they only lose the label.
   *
   * `DELETE /v3/grants/{grant_id}/folders/{folder_id}`
   */
  delete(args: FoldersDeleteArguments): Promise<EmptyResult>
}

export type AttachmentsOperations = {
  /**
   * List the attachments of a message.
   *
   * Returns the metadata of all attachments, as in `attachments` of the message. The id of a draft works too.
   *
   * `GET /v3/grants/{grant_id}/messages/{message_id}/attachments`
   */
  list(args: AttachmentsListArguments): Promise<ListResult<Attachment>>
  /**
   * Get the metadata of an attachment.
   *
   * Returns name, type and size, as in `attachments` of its message.
   *
   * `GET /v3/grants/{grant_id}/attachments/{attachment_id}`
   */
  get(args: AttachmentsGetArguments): Promise<DataResult<Attachment>>
  /**
   * Download an attachment.
   *
   * Returns the bytes as a stream, without an envelope, with the declared media type (or
   * `application/octet-stream` if it is invalid) and always with `Content-Disposition: attachment`. If an error
   * occurs after the first byte, the connection is closed early, so a response that ends normally is complete. A
   * request with one range of bytes in `Range` gets this part, with status 206; several ranges get the whole file.
   *
   * `GET /v3/grants/{grant_id}/attachments/{attachment_id}/download`
   */
  download(args: AttachmentsDownloadArguments): Promise<FileResult>
}

export type AttachmentUploadsOperations = {
  /**
   * Begin the upload of a large file.
   *
   * For files of up to 150 MB, at every provider that sends mail. Send the bytes with `PUT` to the `url` of the
   * response, then complete the upload, then name its id in `attachments` of a message or draft. An application
   * can have up to 100 uploads with 2 GB at a time.
   *
   * `POST /v3/grants/{grant_id}/attachment-uploads`
   */
  create(args: AttachmentUploadsCreateArguments): Promise<DataResult<Upload>>
  /**
   * Complete an upload.
   *
   * Call it after the `PUT`. 409: the upload is complete already. 410: it has expired. 422: no file has arrived
   * completely, or it has another size than declared; upload it again to the same URL.
   *
   * `POST /v3/grants/{grant_id}/attachment-uploads/{upload_id}/complete`
   */
  complete(args: AttachmentUploadsCompleteArguments): Promise<DataResult<CompletedUpload>>
}

export type ContactGroupsOperations = {
  /**
   * List contact groups.
   *
   * Returns user and system groups; for Microsoft and Exchange the contact folders.
   *
   * `GET /v3/grants/{grant_id}/contacts/groups`
   */
  readonly list: {
    /**
     * List contact groups.
     *
     * Returns user and system groups; for Microsoft and Exchange the contact folders.
     *
     * `GET /v3/grants/{grant_id}/contacts/groups`
     */
    (args: ContactGroupsListArguments): Promise<ListResult<ContactGroup>>
    /** List contact groups: every item, page after page. */
    all(args: ContactGroupsListArguments): AsyncGenerator<ContactGroup, void>
  }
  /**
   * Create a contact group.
   *
   * Creates an empty group. Add contacts to it with their `groups`.
   *
   * `POST /v3/grants/{grant_id}/contacts/groups`
   */
  create(args: ContactGroupsCreateArguments): Promise<DataResult<ContactGroup>>
  /**
   * Get one contact group.
   *
   * List its contacts with `group=<id>`.
   *
   * `GET /v3/grants/{grant_id}/contacts/groups/{group_id}`
   */
  get(args: ContactGroupsGetArguments): Promise<DataResult<ContactGroup>>
  /**
   * Rename a contact group.
   *
   * System groups cannot be renamed. The id of a CardDAV category changes with its name.
   *
   * `PUT /v3/grants/{grant_id}/contacts/groups/{group_id}`
   */
  update(args: ContactGroupsUpdateArguments): Promise<DataResult<ContactGroup>>
  /**
   * Delete a contact group.
   *
   * Its contacts stay. System groups cannot be deleted.
   *
   * `DELETE /v3/grants/{grant_id}/contacts/groups/{group_id}`
   */
  delete(args: ContactGroupsDeleteArguments): Promise<EmptyResult>
}

export type ContactsOperations = {
  /**
   * List contacts.
   *
   * Lists the address book, unless `source` is given. For IMAP mailboxes, the service stores the address book.
   *
   * `GET /v3/grants/{grant_id}/contacts`
   */
  readonly list: {
    /**
     * List contacts.
     *
     * Lists the address book, unless `source` is given. For IMAP mailboxes, the service stores the address book.
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
   * Creates a contact in the address book. At least one of `given_name`, `surname`, `company_name` and `emails` is
   * required. More values than the provider can store fail with 400.
   *
   * `POST /v3/grants/{grant_id}/contacts`
   */
  create(args: ContactsCreateArguments): Promise<DataResult<Contact>>
  /**
   * Export contacts as files.
   *
   * Streams one page of contacts as a file. The response header `next-cursor` names the next page and is absent on
   * the last. The names of groups become CATEGORIES.
   *
   * `GET /v3/grants/{grant_id}/contacts/export`
   */
  export(args: ContactsExportArguments): Promise<FileResult>
  /**
   * Get one contact.
   *
   * Works for contacts of any source. The picture is returned only on request.
   *
   * `GET /v3/grants/{grant_id}/contacts/{contact_id}`
   */
  get(args: ContactsGetArguments): Promise<DataResult<Contact>>
  /**
   * Change a contact.
   *
   * Address book contacts only. Absent fields stay unchanged and lists are replaced as a whole. Provider fields
   * outside this API are preserved.
   *
   * `PUT /v3/grants/{grant_id}/contacts/{contact_id}`
   */
  update(args: ContactsUpdateArguments): Promise<DataResult<Contact>>
  /**
   * Delete a contact.
   *
   * Address book contacts only. Contacts from mail or the directory fail with 400.
   *
   * `DELETE /v3/grants/{grant_id}/contacts/{contact_id}`
   */
  delete(args: ContactsDeleteArguments): Promise<EmptyResult>
}

export type SignaturesOperations = {
  /**
   * List the signatures of a grant.
   *
   * Oldest first.
   *
   * `GET /v3/grants/{grant_id}/signatures`
   */
  readonly list: {
    /**
     * List the signatures of a grant.
     *
     * Oldest first.
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
   * Up to 10 per grant. A signature is used when a message names it; there is no default.
   *
   * `POST /v3/grants/{grant_id}/signatures`
   */
  create(args: SignaturesCreateArguments): Promise<DataResult<Signature>>
  /**
   * Get one signature.
   *
   * Returns it as used in messages.
   *
   * `GET /v3/grants/{grant_id}/signatures/{signature_id}`
   */
  get(args: SignaturesGetArguments): Promise<DataResult<Signature>>
  /**
   * Change a signature.
   *
   * Sent messages, and drafts that already contain it, do not change.
   *
   * `PUT /v3/grants/{grant_id}/signatures/{signature_id}`
   */
  update(args: SignaturesUpdateArguments): Promise<DataResult<Signature>>
  /**
   * Delete a signature.
   *
   * Messages and drafts that already contain it do not change. Deleting a grant deletes its signatures.
   *
   * `DELETE /v3/grants/{grant_id}/signatures/{signature_id}`
   */
  delete(args: SignaturesDeleteArguments): Promise<EmptyResult>
}

export type TemplatesOperations = {
  /**
   * List templates.
   *
   * Oldest first, only those of the application.
   *
   * `GET /v3/templates`
   */
  readonly list: {
    /**
     * List templates.
     *
     * Oldest first, only those of the application.
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
   * Up to 1000 for the application. A template that cannot be rendered is refused, and the error names the line.
   *
   * `POST /v3/templates`
   */
  create(args: TemplatesCreateArguments): Promise<DataResult<Template>>
  /**
   * Render a text without storing it.
   *
   * For previews while writing a template. Nothing is stored or sent.
   *
   * `POST /v3/templates/render`
   */
  renderBody(args: TemplatesRenderBodyArguments): Promise<DataResult<RenderedBody>>
  /**
   * Get one template.
   *
   * Returns it with variables, not rendered.
   *
   * `GET /v3/templates/{template_id}`
   */
  get(args: TemplatesGetArguments): Promise<DataResult<Template>>
  /**
   * Change a template.
   *
   * Absent fields stay unchanged. Scheduled messages were already rendered and do not change.
   *
   * `PUT /v3/templates/{template_id}`
   */
  update(args: TemplatesUpdateArguments): Promise<DataResult<Template>>
  /**
   * Delete a template.
   *
   * Messages created with it do not change.
   *
   * `DELETE /v3/templates/{template_id}`
   */
  delete(args: TemplatesDeleteArguments): Promise<EmptyResult>
  /**
   * Render a template.
   *
   * Renders it as in a message. Nothing is sent.
   *
   * `POST /v3/templates/{template_id}/render`
   */
  render(args: TemplatesRenderArguments): Promise<DataResult<RenderedTemplate>>
}

export type GrantTemplatesOperations = {
  /**
   * List templates.
   *
   * Oldest first, only those of the grant.
   *
   * `GET /v3/grants/{grant_id}/templates`
   */
  readonly list: {
    /**
     * List templates.
     *
     * Oldest first, only those of the grant.
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
   * Up to 1000 for the grant. A template that cannot be rendered is refused, and the error names the line.
   *
   * `POST /v3/grants/{grant_id}/templates`
   */
  create(args: GrantTemplatesCreateArguments): Promise<DataResult<Template>>
  /**
   * Render a text without storing it.
   *
   * For previews while writing a template. Nothing is stored or sent.
   *
   * `POST /v3/grants/{grant_id}/templates/render`
   */
  renderBody(args: GrantTemplatesRenderBodyArguments): Promise<DataResult<RenderedBody>>
  /**
   * Get one template.
   *
   * Returns it with variables, not rendered.
   *
   * `GET /v3/grants/{grant_id}/templates/{template_id}`
   */
  get(args: GrantTemplatesGetArguments): Promise<DataResult<Template>>
  /**
   * Change a template.
   *
   * Absent fields stay unchanged. Scheduled messages were already rendered and do not change.
   *
   * `PUT /v3/grants/{grant_id}/templates/{template_id}`
   */
  update(args: GrantTemplatesUpdateArguments): Promise<DataResult<Template>>
  /**
   * Delete a template.
   *
   * Messages created with it do not change.
   *
   * `DELETE /v3/grants/{grant_id}/templates/{template_id}`
   */
  delete(args: GrantTemplatesDeleteArguments): Promise<EmptyResult>
  /**
   * Render a template.
   *
   * Renders it as in a message. Nothing is sent.
   *
   * `POST /v3/grants/{grant_id}/templates/{template_id}/render`
   */
  render(args: GrantTemplatesRenderArguments): Promise<DataResult<RenderedTemplate>>
}

export type WorkflowsOperations = {
  /**
   * List workflows.
   *
   * Oldest first, only those of the application.
   *
   * `GET /v3/workflows`
   */
  readonly list: {
    /**
     * List workflows.
     *
     * Oldest first, only those of the application.
     *
     * `GET /v3/workflows`
     */
    (args?: WorkflowsListArguments): Promise<ListResult<Workflow>>
    /** List workflows: every item, page after page. */
    all(args?: WorkflowsListArguments): AsyncGenerator<Workflow, void>
  }
  /**
   * Create a workflow.
   *
   * Its mails replace the built-in mails of the trigger. A workflow of the grant is used before one of the
   * application. Up to 100 for the application; several of one trigger each send their mails.
   *
   * `POST /v3/workflows`
   */
  create(args: WorkflowsCreateArguments): Promise<DataResult<Workflow>>
  /**
   * Get one workflow.
   *
   * Returns the workflow with the id of its template.
   *
   * `GET /v3/workflows/{workflow_id}`
   */
  get(args: WorkflowsGetArguments): Promise<DataResult<Workflow>>
  /**
   * Change a workflow.
   *
   * Absent fields stay unchanged. Mails that wait for their delay are sent as the workflow then says.
   *
   * `PUT /v3/workflows/{workflow_id}`
   */
  update(args: WorkflowsUpdateArguments): Promise<DataResult<Workflow>>
  /**
   * Delete a workflow.
   *
   * The built-in mails are sent again. Mails that wait for their delay are not sent.
   *
   * `DELETE /v3/workflows/{workflow_id}`
   */
  delete(args: WorkflowsDeleteArguments): Promise<EmptyResult>
}

export type GrantWorkflowsOperations = {
  /**
   * List workflows.
   *
   * Oldest first, only those of the grant.
   *
   * `GET /v3/grants/{grant_id}/workflows`
   */
  readonly list: {
    /**
     * List workflows.
     *
     * Oldest first, only those of the grant.
     *
     * `GET /v3/grants/{grant_id}/workflows`
     */
    (args: GrantWorkflowsListArguments): Promise<ListResult<Workflow>>
    /** List workflows: every item, page after page. */
    all(args: GrantWorkflowsListArguments): AsyncGenerator<Workflow, void>
  }
  /**
   * Create a workflow.
   *
   * Its mails replace the built-in mails of the trigger. A workflow of the grant is used before one of the
   * application. Up to 100 for the grant; several of one trigger each send their mails.
   *
   * `POST /v3/grants/{grant_id}/workflows`
   */
  create(args: GrantWorkflowsCreateArguments): Promise<DataResult<Workflow>>
  /**
   * Get one workflow.
   *
   * Returns the workflow with the id of its template.
   *
   * `GET /v3/grants/{grant_id}/workflows/{workflow_id}`
   */
  get(args: GrantWorkflowsGetArguments): Promise<DataResult<Workflow>>
  /**
   * Change a workflow.
   *
   * Absent fields stay unchanged. Mails that wait for their delay are sent as the workflow then says.
   *
   * `PUT /v3/grants/{grant_id}/workflows/{workflow_id}`
   */
  update(args: GrantWorkflowsUpdateArguments): Promise<DataResult<Workflow>>
  /**
   * Delete a workflow.
   *
   * The built-in mails are sent again. Mails that wait for their delay are not sent.
   *
   * `DELETE /v3/grants/{grant_id}/workflows/{workflow_id}`
   */
  delete(args: GrantWorkflowsDeleteArguments): Promise<EmptyResult>
}

export type AvailabilityOperations = {
  /**
   * Find times when people are free.
   *
   * Checks calendars of grants of the application, across providers; with an access token, only those of its own
   * grant. Nothing is reserved. Book a time with `events.create`, on virtual calendars with `If-None-Overlap:
   * true`, and query again if the time was taken meanwhile.
   *
   * `POST /v3/calendars/availability`
   */
  find(args: AvailabilityFindArguments): Promise<DataResult<Availability>>
}

export type ConfigurationsOperations = {
  /**
   * List configurations.
   *
   * The configurations that the grant owns, oldest first.
   *
   * `GET /v3/grants/{grant_id}/scheduling/configurations`
   */
  readonly list: {
    /**
     * List configurations.
     *
     * The configurations that the grant owns, oldest first.
     *
     * `GET /v3/grants/{grant_id}/scheduling/configurations`
     */
    (args: ConfigurationsListArguments): Promise<ListResult<Configuration>>
    /** List configurations: every item, page after page. */
    all(args: ConfigurationsListArguments): AsyncGenerator<Configuration, void>
  }
  /**
   * Create a configuration.
   *
   * Up to 500 for each grant. Participants with calendars must belong to valid grants of the application; others
   * are invited by their address. `collective` needs exactly one organizer, and round robin none. An access token
   * may name participants of other grants of its application.
   *
   * `POST /v3/grants/{grant_id}/scheduling/configurations`
   */
  create(args: ConfigurationsCreateArguments): Promise<DataResult<Configuration>>
  /**
   * Get one configuration.
   *
   * Returns it with all defaults filled in.
   *
   * `GET /v3/grants/{grant_id}/scheduling/configurations/{configuration_id}`
   */
  get(args: ConfigurationsGetArguments): Promise<DataResult<Configuration>>
  /**
   * Change a configuration.
   *
   * Absent fields stay unchanged. A nested object replaces the former one completely. Existing bookings do not
   * change.
   *
   * `PUT /v3/grants/{grant_id}/scheduling/configurations/{configuration_id}`
   */
  update(args: ConfigurationsUpdateArguments): Promise<DataResult<Configuration>>
  /**
   * Delete a configuration.
   *
   * Refused while sessions of it are active. The page closes and its slug is free at once. Upcoming bookings and
   * their events stay: guests can still cancel through their links, but no longer move a booking, and reminders
   * are still sent.
   *
   * `DELETE /v3/grants/{grant_id}/scheduling/configurations/{configuration_id}`
   */
  delete(args: ConfigurationsDeleteArguments): Promise<EmptyResult>
}

export type SchedulingPagesOperations = {
  /**
   * List the configurations of the application.
   *
   * Of all grants, oldest first.
   *
   * `GET /v3/scheduling/configurations`
   */
  readonly list: {
    /**
     * List the configurations of the application.
     *
     * Of all grants, oldest first.
     *
     * `GET /v3/scheduling/configurations`
     */
    (args?: SchedulingPagesListArguments): Promise<ListResult<SchedulingPage>>
    /** List the configurations of the application: every item, page after page. */
    all(args?: SchedulingPagesListArguments): AsyncGenerator<SchedulingPage, void>
  }
}

export type SchedulingSessionsOperations = {
  /**
   * Create a scheduling session.
   *
   * Lets a browser use one configuration for some minutes, also a private one. Call it from your server, and give
   * the id to the booking page.
   *
   * `POST /v3/scheduling/sessions`
   */
  create(args?: SchedulingSessionsCreateArguments): Promise<DataResult<SchedulingSession>>
  /**
   * Get a scheduling session.
   *
   * Returns it until it expires.
   *
   * `GET /v3/scheduling/sessions/{session_id}`
   */
  get(args: SchedulingSessionsGetArguments): Promise<DataResult<SchedulingSession>>
  /**
   * Delete a scheduling session.
   *
   * The session ends at once.
   *
   * `DELETE /v3/scheduling/sessions/{session_id}`
   */
  delete(args: SchedulingSessionsDeleteArguments): Promise<EmptyResult>
}

export type UiSettingsOperations = {
  /**
   * Get what a booking page shows.
   *
   * The first call of a booking page. With `booking_id`, also the booking, for a page that moves it. The salt of
   * the booking reference is part of the response only if the request has it.
   *
   * `GET /v3/scheduling/ui-settings`
   */
  get(args?: UiSettingsGetArguments): Promise<DataResult<UiSettings>>
}

export type GroupEventsOperations = {
  /**
   * List the group events of a configuration.
   *
   * Returns the group events in a window, with every occurrence of a series, ordered by start. `show_all=true`
   * also returns the other events of the calendar, without `group_event_info`.
   *
   * `GET /v3/grants/{grant_id}/scheduling/configurations/{configuration_id}/group-events`
   */
  readonly list: {
    /**
     * List the group events of a configuration.
     *
     * Returns the group events in a window, with every occurrence of a series, ordered by start. `show_all=true`
     * also returns the other events of the calendar, without `group_event_info`.
     *
     * `GET /v3/grants/{grant_id}/scheduling/configurations/{configuration_id}/group-events`
     */
    (args: GroupEventsListArguments): Promise<ListResult<GroupEvent>>
    /** List the group events of a configuration: every item, page after page. */
    all(args: GroupEventsListArguments): AsyncGenerator<GroupEvent, void>
  }
  /**
   * Create a group event.
   *
   * Creates an event or a series in the calendar, which guests can join up to its capacity.
   *
   * `POST /v3/grants/{grant_id}/scheduling/configurations/{configuration_id}/group-events`
   */
  create(args: GroupEventsCreateArguments): Promise<DataResult<GroupEvent>>
  /**
   * Change a group event, a series, or one occurrence.
   *
   * The id of a series changes the whole series; the id of an occurrence changes only that one. Guests keep their
   * seats: `participants` replaces only the hosts, and `capacity` cannot be smaller than the number of seats that
   * are taken.
   *
   * `PUT /v3/grants/{grant_id}/scheduling/configurations/{configuration_id}/group-events/{event_id}`
   */
  update(args: GroupEventsUpdateArguments): Promise<DataResult<GroupEvent>>
  /**
   * Delete a group event, a series, or one occurrence.
   *
   * Deletes the event from the calendar. Bookings of its seats are cancelled with the event.
   *
   * `DELETE /v3/grants/{grant_id}/scheduling/configurations/{configuration_id}/group-events/{event_id}`
   */
  delete(args: GroupEventsDeleteArguments): Promise<EmptyResult>
  /**
   * Import events as group events.
   *
   * Makes up to 20 events of the calendar group events of the configuration. The events themselves do not change.
   * Guests of the event take seats, except those in `participants`.
   *
   * `POST /v3/grants/{grant_id}/scheduling/configurations/{configuration_id}/import-group-events`
   */
  importForGrant(args: GroupEventsImportForGrantArguments): Promise<DataResult<GroupEventImportResult>>
  /**
   * Import events as group events.
   *
   * Makes up to 20 events of the calendar group events of the configuration. The events themselves do not change.
   * Guests of the event take seats, except those in `participants`.
   *
   * `POST /v3/scheduling/configurations/{configuration_id}/import-group-events`
   */
  import(args: GroupEventsImportArguments): Promise<DataResult<GroupEventImportResult>>
  /**
   * Check whether a group event can still be booked.
   *
   * Succeeds if the event exists at this time, can be booked now, and has a free seat. Otherwise it fails with
   * `timeslot_not_available`. Nothing is reserved.
   *
   * `POST /v3/scheduling/configurations/{configuration_id}/group-events/validate-timeslot`
   */
  validateTimeslot(args: GroupEventsValidateTimeslotArguments): Promise<EmptyResult>
}

export type SchedulingAvailabilityOperations = {
  /**
   * Find the times that guests can book.
   *
   * Returns the slots that start in the window, from the calendars as they are now. Notice, horizon, open hours,
   * buffers and bookings that are under way are taken into account, so every slot can be booked. A window without
   * slots is no error. With round robin, `order` has the hosts in the order in which they are booked.
   *
   * `GET /v3/scheduling/availability`
   */
  find(args: SchedulingAvailabilityFindArguments): Promise<DataResult<BookableSlots>>
}

export type BookingsOperations = {
  /**
   * List bookings.
   *
   * The bookings of the application by their start. Bookings are deleted 90 days after their end.
   *
   * `GET /v3/scheduling/bookings`
   */
  readonly list: {
    /**
     * List bookings.
     *
     * The bookings of the application by their start. Bookings are deleted 90 days after their end.
     *
     * `GET /v3/scheduling/bookings`
     */
    (args?: BookingsListArguments): Promise<ListResult<ListedBooking>>
    /** List bookings: every item, page after page. */
    all(args?: BookingsListArguments): AsyncGenerator<ListedBooking, void>
  }
  /**
   * Book a slot.
   *
   * Creates the event in the calendar of the host, or a placeholder if the organizer confirms. The slot is
   * validated by the calendars as they are now: of several guests who book it at the same time, one gets it, and
   * the others get `timeslot_not_available`. A guest who sends the same request again gets the existing booking. A
   * guest calls it with a session. Anyone can call it for a public configuration. The application calls it with
   * its API key and then does not have to name the configuration of an existing booking.
   *
   * `POST /v3/scheduling/bookings`
   */
  create(args: BookingsCreateArguments): Promise<DataResult<Booking>>
  /**
   * Get a booking.
   *
   * A guest calls it with a session. Anyone can call it for a public configuration. The application calls it with
   * its API key and then does not have to name the configuration of an existing booking.
   *
   * `GET /v3/scheduling/bookings/{booking_id}`
   */
  get(args: BookingsGetArguments): Promise<DataResult<Booking>>
  /**
   * Move a booking to another slot.
   *
   * Moves the event. With round robin the host stays if possible; otherwise the event moves to the calendar of
   * another host. Refused within `min_cancellation_notice`, except for the application. A guest calls it with a
   * session. Anyone can call it for a public configuration. The application calls it with its API key and then
   * does not have to name the configuration of an existing booking.
   *
   * `PATCH /v3/scheduling/bookings/{booking_id}`
   */
  reschedule(args: BookingsRescheduleArguments): Promise<DataResult<Booking>>
  /**
   * Confirm or decline a pending booking.
   *
   * `confirmed` turns the placeholder into the event. `cancelled` removes it; the response then has no `data`. A
   * guest calls it with a session. Anyone can call it for a public configuration. The application calls it with
   * its API key and then does not have to name the configuration of an existing booking.
   *
   * `PUT /v3/scheduling/bookings/{booking_id}`
   */
  confirm(args: BookingsConfirmArguments): Promise<DataResult<Booking | undefined>>
  /**
   * Cancel a booking.
   *
   * Deletes the event. Refused within `min_cancellation_notice`, except for the application. A guest calls it with
   * a session. Anyone can call it for a public configuration. The application calls it with its API key and then
   * does not have to name the configuration of an existing booking.
   *
   * `DELETE /v3/scheduling/bookings/{booking_id}`
   */
  cancel(args: BookingsCancelArguments): Promise<EmptyResult>
}

export type SchedulingRedirectsOperations = {
  /**
   * Find the page that replaces one of version 2.
   *
   * This service never had pages of version 2, so that the response is always 404.
   *
   * `GET /v3/scheduling/should-redirect/{former_slug}`
   */
  find(args: SchedulingRedirectsFindArguments): Promise<DataResult<SchedulingRedirect>>
}

export type WebhooksOperations = {
  /**
   * List the webhook destinations of the application.
   *
   * Returns all of them, up to 50 per application. Secrets are never returned.
   *
   * `GET /v3/webhooks`
   */
  list(args?: WebhooksListArguments): Promise<ListResult<Webhook>>
  /**
   * Create a webhook destination.
   *
   * The URL is verified first: it must respond to `GET <webhook_url>?challenge=<text>` within 10 seconds with
   * status 200 and exactly that text. Only this response contains `webhook_secret`.
   *
   * `POST /v3/webhooks`
   */
  create(args: WebhooksCreateArguments): Promise<DataResult<WebhookWithSecret>>
  /**
   * Get a sample notification.
   *
   * Nothing is sent. The whole envelope is in `data`.
   *
   * `POST /v3/webhooks/mock-payload`
   */
  mockPayload(args: WebhooksMockPayloadArguments): Promise<DataResult<Notification>>
  /**
   * Get a sample notification by query.
   *
   * Equivalent to `POST`. Nothing is sent. The whole envelope is in `data`.
   *
   * `GET /v3/webhooks/mock-payload`
   */
  readMockPayload(args: WebhooksReadMockPayloadArguments): Promise<DataResult<Notification>>
  /**
   * Send a test notification.
   *
   * Sends it to a URL, which does not have to be a destination, or to a destination by id. Its content is the
   * sample of the trigger, or the `object` of the request, which must match the trigger. Signed with the fixed
   * secret `mock-webhook-secret` unless `secret` is set.
   *
   * `POST /v3/webhooks/send-test-event`
   */
  sendTestEvent(args?: WebhooksSendTestEventArguments): Promise<DataResult<'success'>>
  /**
   * List the source addresses of deliveries.
   *
   * As set by the operator; default: the addresses of the responding machine.
   *
   * `GET /v3/webhooks/ip-addresses`
   */
  ipAddresses(args?: WebhooksIpAddressesArguments): Promise<DataResult<IpAddresses>>
  /**
   * Rotate the secret of a webhook destination.
   *
   * The old secret also signs for 24 hours: in `webhook-signature`, and in the signature header with the suffix
   * `-previous`.
   *
   * `POST /v3/webhooks/rotate-secret/{id}`
   */
  rotateSecret(args: WebhooksRotateSecretArguments): Promise<DataResult<WebhookWithSecret>>
  /**
   * Rotate the secret of a webhook destination (alternative path).
   *
   * The old secret also signs for 24 hours: in `webhook-signature`, and in the signature header with the suffix
   * `-previous`.
   *
   * `PUT /v3/webhooks/{id}/rotate-secret`
   */
  putRotateSecret(args: WebhooksPutRotateSecretArguments): Promise<DataResult<WebhookWithSecret>>
  /**
   * Check the signatures of a delivery.
   *
   * For developers of receivers: send the headers and body as received. The response says which signatures are
   * valid, and why others are not. It contains no secret, and nothing is sent.
   *
   * `POST /v3/webhooks/{id}/verify-signature`
   */
  verifySignature(args: WebhooksVerifySignatureArguments): Promise<DataResult<SignatureVerdict>>
  /**
   * Get one webhook destination.
   *
   * Includes its status; the secret is never returned.
   *
   * `GET /v3/webhooks/{id}`
   */
  get(args: WebhooksGetArguments): Promise<DataResult<Webhook>>
  /**
   * Get the delivery figures of a destination over time.
   *
   * Oldest first, up to now. Steps are one hour, or 15 minutes for up to 6 hours.
   *
   * `GET /v3/webhooks/{id}/health`
   */
  health(args: WebhooksHealthArguments): Promise<ListResult<WebhookHealth>>
  /**
   * Change, pause or activate a webhook destination.
   *
   * Absent or empty fields stay unchanged; null clears `description` and `notification_email_addresses`. When
   * `status` is set to `active` or the URL changes: The URL is verified first: it must respond to `GET
   * <webhook_url>?challenge=<text>` within 10 seconds with status 200 and exactly that text. New triggers take
   * effect immediately.
   *
   * `PUT /v3/webhooks/{id}`
   */
  update(args: WebhooksUpdateArguments): Promise<DataResult<Webhook>>
  /**
   * Delete a webhook destination.
   *
   * Waiting notifications are not sent, and its delivery log is deleted.
   *
   * `DELETE /v3/webhooks/{id}`
   */
  delete(args: WebhooksDeleteArguments): Promise<DataResult<WebhooksDeleteData>>
}

export type PubsubChannelsOperations = {
  /**
   * List the Pub/Sub channels of the application.
   *
   * Returns all of them, up to 5 per application. Credentials are never returned.
   *
   * `GET /v3/channels/pubsub`
   */
  list(args?: PubsubChannelsListArguments): Promise<ListResult<PubsubChannel>>
  /**
   * Create a Pub/Sub channel.
   *
   * Google is asked first whether the service account may publish to the topic. Notifications of one grant are
   * published in the order of `grant_sequence`. An application has up to 5.
   *
   * `POST /v3/channels/pubsub`
   */
  create(args: PubsubChannelsCreateArguments): Promise<DataResult<PubsubChannel>>
  /**
   * Get one Pub/Sub channel.
   *
   * Includes its status; credentials are never returned.
   *
   * `GET /v3/channels/pubsub/{channel_id}`
   */
  get(args: PubsubChannelsGetArguments): Promise<DataResult<PubsubChannel>>
  /**
   * Change, pause or activate a Pub/Sub channel.
   *
   * Absent fields stay unchanged; null clears `description` and `notification_email_addresses`. When `status` is
   * set to `active`, or the place or the credentials change: Google is asked first whether the service account may
   * publish to the topic. New triggers take effect immediately.
   *
   * `PUT /v3/channels/pubsub/{channel_id}`
   */
  update(args: PubsubChannelsUpdateArguments): Promise<DataResult<PubsubChannel>>
  /**
   * Delete a Pub/Sub channel.
   *
   * Waiting notifications are not sent, and its delivery log is deleted.
   *
   * `DELETE /v3/channels/pubsub/{channel_id}`
   */
  delete(args: PubsubChannelsDeleteArguments): Promise<DataResult<PubsubChannelsDeleteData>>
}

export type SnsChannelsOperations = {
  /**
   * List the SNS channels of the application.
   *
   * Returns all of them, up to 5 per application. Credentials are never returned.
   *
   * `GET /v3/channels/sns`
   */
  list(args?: SnsChannelsListArguments): Promise<ListResult<SnsChannel>>
  /**
   * Create an SNS channel.
   *
   * AWS is asked first whether the credentials can be used and the topic exists. Notifications of one grant are
   * published in the order of `grant_sequence`. An application has up to 5.
   *
   * `POST /v3/channels/sns`
   */
  create(args: SnsChannelsCreateArguments): Promise<DataResult<SnsChannel>>
  /**
   * Get one SNS channel.
   *
   * Includes its status; credentials are never returned.
   *
   * `GET /v3/channels/sns/{channel_id}`
   */
  get(args: SnsChannelsGetArguments): Promise<DataResult<SnsChannel>>
  /**
   * Change, pause or activate an SNS channel.
   *
   * Absent fields stay unchanged; null clears `description` and `notification_email_addresses`. When `status` is
   * set to `active`, or the place or the credentials change: AWS is asked first whether the credentials can be
   * used and the topic exists. New triggers take effect immediately.
   *
   * `PUT /v3/channels/sns/{channel_id}`
   */
  update(args: SnsChannelsUpdateArguments): Promise<DataResult<SnsChannel>>
  /**
   * Delete an SNS channel.
   *
   * Waiting notifications are not sent, and its delivery log is deleted.
   *
   * `DELETE /v3/channels/sns/{channel_id}`
   */
  delete(args: SnsChannelsDeleteArguments): Promise<DataResult<SnsChannelsDeleteData>>
}

export type NatsChannelsOperations = {
  /**
   * List the NATS channels of the application.
   *
   * Returns all of them, up to 5 per application. Credentials are never returned.
   *
   * `GET /v3/channels/nats`
   */
  list(args?: NatsChannelsListArguments): Promise<ListResult<NatsChannel>>
  /**
   * Create a NATS channel.
   *
   * A server is asked first whether a stream has the subject. Notifications of one grant are published in the
   * order of `grant_sequence`. An application has up to 5.
   *
   * `POST /v3/channels/nats`
   */
  create(args: NatsChannelsCreateArguments): Promise<DataResult<NatsChannel>>
  /**
   * Get one NATS channel.
   *
   * Includes its status; credentials are never returned.
   *
   * `GET /v3/channels/nats/{channel_id}`
   */
  get(args: NatsChannelsGetArguments): Promise<DataResult<NatsChannel>>
  /**
   * Change, pause or activate a NATS channel.
   *
   * Absent fields stay unchanged; null clears `description` and `notification_email_addresses`. When `status` is
   * set to `active`, or the place or the credentials change: A server is asked first whether a stream has the
   * subject. New triggers take effect immediately.
   *
   * `PUT /v3/channels/nats/{channel_id}`
   */
  update(args: NatsChannelsUpdateArguments): Promise<DataResult<NatsChannel>>
  /**
   * Delete a NATS channel.
   *
   * Waiting notifications are not sent, and its delivery log is deleted.
   *
   * `DELETE /v3/channels/nats/{channel_id}`
   */
  delete(args: NatsChannelsDeleteArguments): Promise<DataResult<NatsChannelsDeleteData>>
}

export type AmqpChannelsOperations = {
  /**
   * List the AMQP channels of the application.
   *
   * Returns all of them, up to 5 per application. Credentials are never returned.
   *
   * `GET /v3/channels/amqp`
   */
  list(args?: AmqpChannelsListArguments): Promise<ListResult<AmqpChannel>>
  /**
   * Create an AMQP channel.
   *
   * The broker is asked first whether the exchange exists. Notifications of one grant are published in the order
   * of `grant_sequence`. An application has up to 5.
   *
   * `POST /v3/channels/amqp`
   */
  create(args: AmqpChannelsCreateArguments): Promise<DataResult<AmqpChannel>>
  /**
   * Get one AMQP channel.
   *
   * Includes its status; credentials are never returned.
   *
   * `GET /v3/channels/amqp/{channel_id}`
   */
  get(args: AmqpChannelsGetArguments): Promise<DataResult<AmqpChannel>>
  /**
   * Change, pause or activate an AMQP channel.
   *
   * Absent fields stay unchanged; null clears `description` and `notification_email_addresses`. When `status` is
   * set to `active`, or the place or the credentials change: The broker is asked first whether the exchange
   * exists. New triggers take effect immediately.
   *
   * `PUT /v3/channels/amqp/{channel_id}`
   */
  update(args: AmqpChannelsUpdateArguments): Promise<DataResult<AmqpChannel>>
  /**
   * Delete an AMQP channel.
   *
   * Waiting notifications are not sent, and its delivery log is deleted.
   *
   * `DELETE /v3/channels/amqp/{channel_id}`
   */
  delete(args: AmqpChannelsDeleteArguments): Promise<DataResult<AmqpChannelsDeleteData>>
}

export type DeliveriesOperations = {
  /**
   * List undelivered notifications of a destination.
   *
   * Failed ones first, in queue order, then waiting ones by their next attempt. Delivered notifications are only
   * in the log of attempts.
   *
   * `GET /v3/webhooks/{id}/deliveries`
   */
  readonly list: {
    /**
     * List undelivered notifications of a destination.
     *
     * Failed ones first, in queue order, then waiting ones by their next attempt. Delivered notifications are only
     * in the log of attempts.
     *
     * `GET /v3/webhooks/{id}/deliveries`
     */
    (args: DeliveriesListArguments): Promise<ListResult<Delivery>>
    /** List undelivered notifications of a destination: every item, page after page. */
    all(args: DeliveriesListArguments): AsyncGenerator<Delivery, void>
  }
  /**
   * List the delivery attempts of a destination.
   *
   * Newest first. Attempts are retained as long as notifications. With `trigger_types` or `grant_id`, a request
   * searches about 10,000 attempts, so a page can be short or empty although there are more.
   *
   * `GET /v3/webhooks/{id}/attempts`
   */
  readonly attempts: {
    /**
     * List the delivery attempts of a destination.
     *
     * Newest first. Attempts are retained as long as notifications. With `trigger_types` or `grant_id`, a request
     * searches about 10,000 attempts, so a page can be short or empty although there are more.
     *
     * `GET /v3/webhooks/{id}/attempts`
     */
    (args: DeliveriesAttemptsArguments): Promise<ListResult<DeliveryAttempt>>
    /** List the delivery attempts of a destination: every item, page after page. */
    all(args: DeliveriesAttemptsArguments): AsyncGenerator<DeliveryAttempt, void>
  }
  /**
   * Get one delivery attempt.
   *
   * Returns the request and what to try next. Default: the last attempt of the notification. The request is
   * reconstructed as it was sent, including signatures.
   *
   * `GET /v3/webhooks/{id}/attempts/{notification_id}`
   */
  attempt(args: DeliveriesAttemptArguments): Promise<DataResult<AttemptDetail>>
  /**
   * Count undelivered notifications of a destination.
   *
   * Each number is counted up to 10000, so the response is always fast.
   *
   * `GET /v3/webhooks/{id}/backlog`
   */
  backlog(args: DeliveriesBacklogArguments): Promise<DataResult<Backlog>>
  /**
   * Deliver notifications again.
   *
   * Delivers one by its id, or all that match a time range, trigger, grant or outcome. They keep their ids, so
   * that receivers can detect duplicates. Use `dry_run` to get their number first. The destination must be active
   * or failing, except for a dry run.
   *
   * `POST /v3/webhooks/{id}/replay`
   */
  replay(args: DeliveriesReplayArguments): Promise<DataResult<Replayed>>
  /**
   * Deliver waiting notifications of a destination now.
   *
   * Use it after a receiver was repaired: nothing waits for its next attempt. Previous attempts still count, and
   * failed notifications wait again. Without waiting notifications it has no effect. The destination must be
   * active or failing.
   *
   * `POST /v3/webhooks/{id}/deliver-now`
   */
  deliverNow(args: DeliveriesDeliverNowArguments): Promise<DataResult<MadeDue>>
  /**
   * Deliver waiting notifications of all destinations now.
   *
   * Applies to all active and failing destinations of the application; notifications of other destinations keep
   * waiting.
   *
   * `POST /v3/webhooks/deliver-now`
   */
  deliverAllNow(args?: DeliveriesDeliverAllNowArguments): Promise<DataResult<AllMadeDue>>
}

export type NotificationsOperations = {
  /**
   * Read the notification stream of the application.
   *
   * Oldest first, with or without destinations, starting when the application turned on `notification_stream`.
   * Every response has `next_cursor`, even if it has no notifications. Store it and continue from there to receive
   * every notification exactly once. With `wait`, the response is sent as soon as there is a notification, or
   * empty after that many seconds. With `Accept: text/event-stream`, the response stays open as server-sent
   * events: `event` is the type, `data` the notification and `id` the cursor after it. To resume, send the last
   * `id` as `Last-Event-ID`, on any node. An access token reads the notifications of its grant. A restricted key
   * reads those of its grants and its read operations.
   *
   * `GET /v3/notifications`
   */
  readonly list: {
    /**
     * Read the notification stream of the application.
     *
     * Oldest first, with or without destinations, starting when the application turned on `notification_stream`.
     * Every response has `next_cursor`, even if it has no notifications. Store it and continue from there to receive
     * every notification exactly once. With `wait`, the response is sent as soon as there is a notification, or
     * empty after that many seconds. With `Accept: text/event-stream`, the response stays open as server-sent
     * events: `event` is the type, `data` the notification and `id` the cursor after it. To resume, send the last
     * `id` as `Last-Event-ID`, on any node. An access token reads the notifications of its grant. A restricted key
     * reads those of its grants and its read operations.
     *
     * `GET /v3/notifications`
     */
    (args?: NotificationsListArguments): Promise<ListResult<StreamedNotification>>
    /** Read the notification stream of the application: every item, page after page. */
    all(args?: NotificationsListArguments): AsyncGenerator<StreamedNotification, void>
    /**
     * Read the notification stream of the application: every item, and new ones as they come. A connection that ends
     * is replaced, from the last item on.
     */
    stream(args?: NotificationsListArguments & { lastEventId?: string | undefined }): AsyncGenerator<LiveItem<StreamedNotification>, void>
  }
  /**
   * Get one notification and its delivery states.
   *
   * Available while it is retained: while a destination is subscribed to its trigger or the stream is on, and for
   * the application's `notification_days`.
   *
   * `GET /v3/notifications/{id}`
   */
  get(args: NotificationsGetArguments): Promise<DataResult<StoredNotification>>
}

export type AgentsOperations = {
  /**
   * List agents.
   *
   * The agents that people connected to the MCP endpoint of the application, oldest first.
   *
   * `GET /v3/agents`
   */
  readonly list: {
    /**
     * List agents.
     *
     * The agents that people connected to the MCP endpoint of the application, oldest first.
     *
     * `GET /v3/agents`
     */
    (args?: AgentsListArguments): Promise<ListResult<Agent>>
    /** List agents: every item, page after page. */
    all(args?: AgentsListArguments): AsyncGenerator<Agent, void>
  }
  /**
   * Get one agent.
   *
   * Returns the agent with its rights and grants.
   *
   * `GET /v3/agents/{agent_id}`
   */
  get(args: AgentsGetArguments): Promise<DataResult<Agent>>
  /**
   * Change the name or the rights of an agent.
   *
   * The rights take effect at the next request of the agent. It never gets more than the person agreed to who
   * connected it.
   *
   * `PATCH /v3/agents/{agent_id}`
   */
  update(args: AgentsUpdateArguments): Promise<DataResult<Agent>>
  /**
   * Disconnect an agent.
   *
   * All of its tokens stop working at once. It stays in the list as `disconnected` until they would have ended.
   *
   * `DELETE /v3/agents/{agent_id}`
   */
  delete(args: AgentsDeleteArguments): Promise<EmptyResult>
  /**
   * List the requests of an agent.
   *
   * The newest first, without bodies: up to 10,000 of the last 30 days.
   *
   * `GET /v3/agents/{agent_id}/requests`
   */
  readonly requests: {
    /**
     * List the requests of an agent.
     *
     * The newest first, without bodies: up to 10,000 of the last 30 days.
     *
     * `GET /v3/agents/{agent_id}/requests`
     */
    (args: AgentsRequestsArguments): Promise<ListResult<CredentialRequest>>
    /** List the requests of an agent: every item, page after page. */
    all(args: AgentsRequestsArguments): AsyncGenerator<CredentialRequest, void>
  }
}

export type ApprovalsOperations = {
  /**
   * List approvals, newest first.
   *
   * Actions that wait for a person, and decided ones of the last 30 days. A restricted API key sees only its own.
   * Texts are cut to 2,000 characters.
   *
   * `GET /v3/approvals`
   */
  readonly list: {
    /**
     * List approvals, newest first.
     *
     * Actions that wait for a person, and decided ones of the last 30 days. A restricted API key sees only its own.
     * Texts are cut to 2,000 characters.
     *
     * `GET /v3/approvals`
     */
    (args?: ApprovalsListArguments): Promise<ListResult<Approval>>
    /** List approvals, newest first: every item, page after page. */
    all(args?: ApprovalsListArguments): AsyncGenerator<Approval, void>
  }
  /**
   * Get one approval.
   *
   * Returns exactly what will happen, with the whole text, or the outcome.
   *
   * `GET /v3/approvals/{approval_id}`
   */
  get(args: ApprovalsGetArguments): Promise<DataResult<Approval>>
  /**
   * Approve an action, and carry it out.
   *
   * The stored request is carried out once, exactly as it was shown. The response is returned once it is done:
   * `status` is `executed`, or `failed` with the reason. If the credential was revoked, or the object was changed
   * in the meantime, nothing happens and it fails. Only an administrator or an API key without limited rights
   * decides. Repeating the decision returns the same result; another decision fails with 409.
   *
   * `POST /v3/approvals/{approval_id}/approve`
   */
  approve(args: ApprovalsApproveArguments): Promise<DataResult<Approval>>
  /**
   * Reject an action.
   *
   * The action is never carried out. Only an administrator or an API key without limited rights decides. Repeating
   * the decision returns the same result; another decision fails with 409.
   *
   * `POST /v3/approvals/{approval_id}/reject`
   */
  reject(args: ApprovalsRejectArguments): Promise<DataResult<Approval>>
  /**
   * Turn a message into a draft.
   *
   * For `messages.send` and `drafts.send`: nothing is sent, and the message is a draft in the account, where a
   * person can edit and send it. Only an administrator or an API key without limited rights decides. Repeating the
   * decision returns the same result; another decision fails with 409.
   *
   * `POST /v3/approvals/{approval_id}/draft`
   */
  draft(args: ApprovalsDraftArguments): Promise<DataResult<Approval>>
}

export type AdminApplicationsOperations = {
  /**
   * List all applications.
   *
   * Oldest first, in pages. Includes the sandbox that every installation starts with.
   *
   * `GET /v3/admin/applications`
   */
  readonly list: {
    /**
     * List all applications.
     *
     * Oldest first, in pages. Includes the sandbox that every installation starts with.
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
   * The application has no API key yet. Create one with `POST /v3/admin/applications/{application_id}/api-keys`.
   *
   * `POST /v3/admin/applications`
   */
  create(args: AdminApplicationsCreateArguments): Promise<DataResult<ApplicationSummary>>
  /**
   * Get one application.
   *
   * Includes the number of its grants and its limit.
   *
   * `GET /v3/admin/applications/{application_id}`
   */
  get(args: AdminApplicationsGetArguments): Promise<DataResult<ApplicationSummary>>
  /**
   * Block or unblock an application, or change its mail limit.
   *
   * Set at least one field. All calls of a blocked application fail with 423; its data stays.
   *
   * `PATCH /v3/admin/applications/{application_id}`
   */
  update(args: AdminApplicationsUpdateArguments): Promise<DataResult<ApplicationSummary>>
  /**
   * Count the approvals of an application that wait for a person.
   *
   * Exact up to 100. The approvals themselves are in `GET /v3/approvals`.
   *
   * `GET /v3/admin/applications/{application_id}/approvals/count`
   */
  countApprovals(args: AdminApplicationsCountApprovalsArguments): Promise<DataResult<Count>>
}

export type ApiKeysOperations = {
  /**
   * List the API keys of an application.
   *
   * Returns all keys, including expired and revoked ones. The keys themselves are never returned.
   *
   * `GET /v3/admin/applications/{application_id}/api-keys`
   */
  list(args: ApiKeysListArguments): Promise<ListResult<ApiKey>>
  /**
   * Create an API key.
   *
   * The key itself is returned only in this response. With `rights` it is a restricted key, which starts with
   * `wprk_`.
   *
   * `POST /v3/admin/applications/{application_id}/api-keys`
   */
  create(args: ApiKeysCreateArguments): Promise<DataResult<NewApiKey>>
  /**
   * Get one API key, without its secret.
   *
   * Works for expired and revoked keys too.
   *
   * `GET /v3/admin/applications/{application_id}/api-keys/{id}`
   */
  get(args: ApiKeysGetArguments): Promise<DataResult<ApiKey>>
  /**
   * Rename an API key, or change the rights of a restricted one.
   *
   * Set at least one field. `rights` replaces all rights of a restricted key, from the next request on every node.
   * A key with all rights keeps them: create a restricted key and revoke the other one.
   *
   * `PATCH /v3/admin/applications/{application_id}/api-keys/{id}`
   */
  update(args: ApiKeysUpdateArguments): Promise<DataResult<ApiKey>>
  /**
   * Revoke an API key.
   *
   * Takes effect immediately on every node. The key stays in the list as revoked. Revoking it again returns "not
   * found".
   *
   * `DELETE /v3/admin/applications/{application_id}/api-keys/{id}`
   */
  delete(args: ApiKeysDeleteArguments): Promise<EmptyResult>
  /**
   * List the requests of a restricted API key.
   *
   * Newest first, without bodies. Retention: 30 days, and about the last 10,000 requests. Entries are written
   * every second, so the latest may be missing. Keys without `rights` have no entries.
   *
   * `GET /v3/admin/applications/{application_id}/api-keys/{id}/requests`
   */
  readonly requests: {
    /**
     * List the requests of a restricted API key.
     *
     * Newest first, without bodies. Retention: 30 days, and about the last 10,000 requests. Entries are written
     * every second, so the latest may be missing. Keys without `rights` have no entries.
     *
     * `GET /v3/admin/applications/{application_id}/api-keys/{id}/requests`
     */
    (args: ApiKeysRequestsArguments): Promise<ListResult<CredentialRequest>>
    /** List the requests of a restricted API key: every item, page after page. */
    all(args: ApiKeysRequestsArguments): AsyncGenerator<CredentialRequest, void>
  }
}

export type AdminGrantsOperations = {
  /**
   * List the grants of an application.
   *
   * Newest first, unless `sort` is given. A filter without an index, such as part of an address, searches at most
   * 20,000 grants per call. The page can then be short or empty and still have a `next_cursor`.
   *
   * `GET /v3/admin/applications/{application_id}/grants`
   */
  readonly list: {
    /**
     * List the grants of an application.
     *
     * Newest first, unless `sort` is given. A filter without an index, such as part of an address, searches at most
     * 20,000 grants per call. The page can then be short or empty and still have a `next_cursor`.
     *
     * `GET /v3/admin/applications/{application_id}/grants`
     */
    (args: AdminGrantsListArguments): Promise<ListResult<AdminGrant>>
    /** List the grants of an application: every item, page after page. */
    all(args: AdminGrantsListArguments): AsyncGenerator<AdminGrant, void>
  }
  /**
   * Count grants of an application.
   *
   * Uses the same filters as the list. The count is exact up to 10,000. Beyond that, or if more than 100,000
   * grants would have to be searched, `more` is true.
   *
   * `GET /v3/admin/applications/{application_id}/grants/count`
   */
  count(args: AdminGrantsCountArguments): Promise<DataResult<Count>>
  /**
   * Complete a hosted sign-in and create its grant.
   *
   * Exchanges a code like `POST /v3/connect/token`, but for an administrator and without tokens. `<base
   * URL>/dashboard/connected` is accepted as redirect URI for every application.
   *
   * `POST /v3/admin/applications/{application_id}/grants/complete`
   */
  complete(args: AdminGrantsCompleteArguments): Promise<DataResult<Grant>>
  /**
   * Get the activity of a grant.
   *
   * Returns its use, its watch and its last errors. Figures are written every few seconds, so the latest activity
   * may be missing.
   *
   * `GET /v3/admin/applications/{application_id}/grants/{grant_id}/activity`
   */
  activity(args: AdminGrantsActivityArguments): Promise<DataResult<GrantActivity>>
  /**
   * Get the timeline of a grant.
   *
   * Newest first: grant events, reported changes, calls per hour and route, and single errors and refusals with
   * request ids. Contains no account data. Retention: grant events 90 days (the creation forever), calls 7 days,
   * the last 20 errors and 20 refusals, and notifications as long as the application retains them for a
   * destination or the stream. Administrator calls are not included. Entries are written every few seconds, so the
   * latest may be missing.
   *
   * `GET /v3/admin/applications/{application_id}/grants/{grant_id}/timeline`
   */
  readonly timeline: {
    /**
     * Get the timeline of a grant.
     *
     * Newest first: grant events, reported changes, calls per hour and route, and single errors and refusals with
     * request ids. Contains no account data. Retention: grant events 90 days (the creation forever), calls 7 days,
     * the last 20 errors and 20 refusals, and notifications as long as the application retains them for a
     * destination or the stream. Administrator calls are not included. Entries are written every few seconds, so the
     * latest may be missing.
     *
     * `GET /v3/admin/applications/{application_id}/grants/{grant_id}/timeline`
     */
    (args: AdminGrantsTimelineArguments): Promise<ListResult<TimelineEntry>>
    /** Get the timeline of a grant: every item, page after page. */
    all(args: AdminGrantsTimelineArguments): AsyncGenerator<TimelineEntry, void>
  }
  /**
   * Block or unblock a grant.
   *
   * Calls to a blocked grant fail with 423, and its changes are not watched. Its state and data stay.
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
   * Get the status of an application.
   *
   * Returns the overall status with its problems, traffic over time, errors by provider, recently expired grants
   * with reasons, and the state of every destination. Figures are written every few seconds and retained for 48
   * hours; percentiles are accurate to within 20 %. The cost does not depend on the number of grants or
   * notifications.
   *
   * `GET /v3/admin/applications/{application_id}/overview`
   */
  get(args: OverviewGetArguments): Promise<DataResult<ApplicationOverview>>
}

export type ConnectorSetupOperations = {
  /**
   * Get setup facts of a connector.
   *
   * Returns the URLs to register at the provider, and whether a simulator replaces it. The connector does not have
   * to exist yet.
   *
   * `GET /v3/admin/applications/{application_id}/connectors/{provider}/setup`
   */
  get(args: ConnectorSetupGetArguments): Promise<DataResult<ConnectorSetup>>
  /**
   * Create the connector of a simulated provider.
   *
   * Uses the client from the installation's settings (`npm run dev` sets it). An existing connector gets that
   * client. Refused if no simulator replaces the provider, because the real provider would be contacted.
   *
   * `POST /v3/admin/applications/{application_id}/connectors/{provider}/simulate`
   */
  simulate(args: ConnectorSetupSimulateArguments): Promise<DataResult<Connector>>
}

export type UsageOperations = {
  /**
   * Get the billed grants of every application.
   *
   * In pages, oldest application first. A grant is billed from its first authentication until it is deleted, even
   * while it is invalid.
   *
   * `GET /v3/admin/usage`
   */
  readonly list: {
    /**
     * Get the billed grants of every application.
     *
     * In pages, oldest application first. A grant is billed from its first authentication until it is deleted, even
     * while it is invalid.
     *
     * `GET /v3/admin/usage`
     */
    (args?: UsageListArguments): Promise<ListResult<Usage>>
    /** Get the billed grants of every application: every item, page after page. */
    all(args?: UsageListArguments): AsyncGenerator<Usage, void>
  }
  /**
   * Get the billed grants of one application.
   *
   * A grant is billed from its first authentication until it is deleted, even while it is invalid.
   *
   * `GET /v3/admin/applications/{application_id}/usage`
   */
  get(args: UsageGetArguments): Promise<DataResult<Usage>>
}

export type SessionOperations = {
  /**
   * Sign in with a password or a one-time link.
   *
   * The session is a cookie that scripts cannot read. It is accepted only for JSON requests of the dashboard
   * itself: `Sec-Fetch-Site: same-origin` or an `Origin` of this service. It ends after 30 minutes without a
   * request, and after 12 hours at the latest. Without `email`, the password is the installation's. If the person
   * has a second factor and `code` is missing, the request fails with `second_factor_required`.
   *
   * `POST /v3/admin/session`
   */
  create(args?: SessionCreateArguments): Promise<DataResult<Session>>
  /**
   * Get the available ways to sign in.
   *
   * For the sign-in page. Reveals nothing about people.
   *
   * `GET /v3/admin/session/ways`
   */
  ways(args?: SessionWaysArguments): Promise<DataResult<SignInWays>>
  /**
   * Get the current session.
   *
   * Returns "not found" if the request used a password instead of a session.
   *
   * `GET /v3/admin/session`
   */
  get(args?: SessionGetArguments): Promise<DataResult<Session>>
  /**
   * Sign out.
   *
   * Ends the session of this request. Other sessions stay.
   *
   * `DELETE /v3/admin/session`
   */
  delete(args?: SessionDeleteArguments): Promise<EmptyResult>
  /**
   * List active sessions.
   *
   * Returns your own sessions, newest first; for the installation's password, those without a person. Owners see
   * all sessions with `everybody`.
   *
   * `GET /v3/admin/sessions`
   */
  readonly list: {
    /**
     * List active sessions.
     *
     * Returns your own sessions, newest first; for the installation's password, those without a person. Owners see
     * all sessions with `everybody`.
     *
     * `GET /v3/admin/sessions`
     */
    (args?: SessionListArguments): Promise<ListResult<ListedSession>>
    /** List active sessions: every item, page after page. */
    all(args?: SessionListArguments): AsyncGenerator<ListedSession, void>
  }
  /**
   * End a session.
   *
   * Ends one of your own sessions, or any session for owners, immediately and on every node.
   *
   * `DELETE /v3/admin/sessions/{session_id}`
   */
  end(args: SessionEndArguments): Promise<EmptyResult>
  /**
   * Sign out everywhere.
   *
   * Ends every session of the person, including this one. Without a person: every session of the installation's
   * password, and every one-time link. Owners can end those of one person with `person_id`, and all sessions,
   * including their own, with `everybody`.
   *
   * `DELETE /v3/admin/sessions`
   */
  deleteAll(args?: SessionDeleteAllArguments): Promise<EmptyResult>
  /**
   * Change your password.
   *
   * Changes the password of the signed-in person and ends their other sessions. Without a person, it changes the
   * installation's password and ends its other sessions and every one-time link; this is refused if the operator
   * set WAYPOST_ADMIN_PASSWORD.
   *
   * `PUT /v3/admin/password`
   */
  password(args: SessionPasswordArguments): Promise<EmptyResult>
}

export type InvitationsOperations = {
  /**
   * Read an invitation.
   *
   * Changes nothing. Returns "not found" if it was used, has expired, or does not exist.
   *
   * `POST /v3/admin/invitation`
   */
  read(args: InvitationsReadArguments): Promise<DataResult<Invitation>>
  /**
   * Accept an invitation.
   *
   * Sets the password and signs in. The session is a cookie that scripts cannot read. It is accepted only for JSON
   * requests of the dashboard itself: `Sec-Fetch-Site: same-origin` or an `Origin` of this service. The link stops
   * working, and other sessions of the person end.
   *
   * `POST /v3/admin/invitation/accept`
   */
  accept(args: InvitationsAcceptArguments): Promise<DataResult<Session>>
}

export type AccountOperations = {
  /**
   * Get your own account.
   *
   * Returns "not found" if you signed in with the installation's password or a one-time link.
   *
   * `GET /v3/admin/account`
   */
  get(args?: AccountGetArguments): Promise<DataResult<Person>>
  /**
   * Change your own name.
   *
   * Only owners can change the address and the role.
   *
   * `PATCH /v3/admin/account`
   */
  update(args: AccountUpdateArguments): Promise<DataResult<Person>>
  /**
   * Start setting up a second factor.
   *
   * Returns the secret for an authenticator app (RFC 6238: SHA-1, 6 digits, 30 seconds). It takes effect once you
   * confirm a code. Until then, the previous secret stays in effect.
   *
   * `POST /v3/admin/account/totp`
   */
  beginTotp(args: AccountBeginTotpArguments): Promise<DataResult<TotpEnrolment>>
  /**
   * Confirm the second factor with its first code.
   *
   * From now on, signing in requires a code. Ends your other sessions and invalidates previous recovery codes.
   *
   * `POST /v3/admin/account/totp/confirm`
   */
  confirmTotp(args: AccountConfirmTotpArguments): Promise<DataResult<RecoveryCodes>>
  /**
   * Remove your second factor.
   *
   * Also removes the recovery codes. Ends your other sessions. Refused while a second factor is required for your
   * role.
   *
   * `POST /v3/admin/account/totp/remove`
   */
  removeTotp(args: AccountRemoveTotpArguments): Promise<EmptyResult>
  /**
   * Create new recovery codes.
   *
   * Previous recovery codes stop working.
   *
   * `POST /v3/admin/account/recovery-codes`
   */
  renewRecoveryCodes(args: AccountRenewRecoveryCodesArguments): Promise<DataResult<RecoveryCodes>>
}

export type PeopleOperations = {
  /**
   * List the people who administer the service.
   *
   * Sorted by address. Owners only.
   *
   * `GET /v3/admin/people`
   */
  readonly list: {
    /**
     * List the people who administer the service.
     *
     * Sorted by address. Owners only.
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
   * The link works once, for 7 days. It is returned only in this response, and no mail is sent. Owners only.
   *
   * `POST /v3/admin/people`
   */
  create(args: PeopleCreateArguments): Promise<DataResult<InvitedPerson>>
  /**
   * Get one person.
   *
   * Owners only.
   *
   * `GET /v3/admin/people/{person_id}`
   */
  get(args: PeopleGetArguments): Promise<DataResult<Person>>
  /**
   * Change or block a person.
   *
   * Changes role, applications or name from the next request on, on every node. The last active owner can neither
   * be blocked nor lose the role. API keys that the person created stay valid: the response lists them, and
   * `revoke_api_keys` revokes them. Owners only.
   *
   * `PATCH /v3/admin/people/{person_id}`
   */
  update(args: PeopleUpdateArguments): Promise<DataResult<ChangedPerson>>
  /**
   * Remove a person.
   *
   * Ends their sessions immediately. Their actions stay in the audit log under their name. The last active owner
   * cannot be removed. API keys that the person created stay valid: the response lists them, and `revoke_api_keys`
   * revokes them. Owners only.
   *
   * `DELETE /v3/admin/people/{person_id}`
   */
  delete(args: PeopleDeleteArguments): Promise<DataResult<PersonKeys>>
  /**
   * List the valid API keys that a person created.
   *
   * Returns keys of all applications, oldest first, without pages. Works for removed people too. Owners only.
   *
   * `GET /v3/admin/people/{person_id}/api-keys`
   */
  keys(args: PeopleKeysArguments): Promise<ListResult<ApiKey>>
  /**
   * Revoke the API keys that a person created.
   *
   * Revokes all valid keys in all applications, immediately and on every node. Works for removed people too. The
   * response lists them. Owners only.
   *
   * `DELETE /v3/admin/people/{person_id}/api-keys`
   */
  revokeKeys(args: PeopleRevokeKeysArguments): Promise<DataResult<PersonKeys>>
  /**
   * Create a new link for a person.
   *
   * For people who lost their invitation link or password: the recipient chooses a new password. The link works
   * once, for 7 days. It is returned only in this response, and no mail is sent. Earlier links stop working.
   * Owners only.
   *
   * `POST /v3/admin/people/{person_id}/invitation`
   */
  invite(args: PeopleInviteArguments): Promise<DataResult<InvitedPerson>>
  /**
   * Remove the second factor of a person.
   *
   * For people who lost their authenticator app and recovery codes. Ends their sessions. If the role requires a
   * second factor, the person must set up a new one at the next sign-in, and you cannot remove your own. Owners
   * only.
   *
   * `DELETE /v3/admin/people/{person_id}/totp`
   */
  removeTotp(args: PeopleRemoveTotpArguments): Promise<EmptyResult>
}

export type ServiceAccountsOperations = {
  /**
   * List the service accounts.
   *
   * Sorted by name, without pages: an installation has at most 100. Owners only.
   *
   * `GET /v3/admin/service-accounts`
   */
  list(args?: ServiceAccountsListArguments): Promise<ListResult<ServiceAccount>>
  /**
   * Create a service account.
   *
   * The credential file with the private key is returned only in this response: the service stores only the public
   * key. Owners only.
   *
   * `POST /v3/admin/service-accounts`
   */
  create(args: ServiceAccountsCreateArguments): Promise<DataResult<NewServiceAccount>>
  /**
   * Get one service account.
   *
   * Owners only.
   *
   * `GET /v3/admin/service-accounts/{service_account_id}`
   */
  get(args: ServiceAccountsGetArguments): Promise<DataResult<ServiceAccount>>
  /**
   * Change or block a service account.
   *
   * Takes effect with the next request, on every node. To replace a key, create a second service account and
   * remove the first one. Owners only.
   *
   * `PATCH /v3/admin/service-accounts/{service_account_id}`
   */
  update(args: ServiceAccountsUpdateArguments): Promise<DataResult<ServiceAccount>>
  /**
   * Remove a service account.
   *
   * Its signatures are refused immediately, on every node. Its actions stay in the audit log under its name, and
   * API keys that it created stay valid. Owners only.
   *
   * `DELETE /v3/admin/service-accounts/{service_account_id}`
   */
  delete(args: ServiceAccountsDeleteArguments): Promise<EmptyResult>
}

export type InstallationOperations = {
  /**
   * Get the settings of the installation.
   *
   * Owners only.
   *
   * `GET /v3/admin/installation`
   */
  get(args?: InstallationGetArguments): Promise<DataResult<Installation>>
  /**
   * Change the settings of the installation.
   *
   * Turns the installation's password on or off, and sets the roles that require a second factor. Owners only. The
   * password can be turned off once an owner can sign in without it; this ends its sessions. People without a
   * required second factor must set it up before they can do anything else, even in open sessions. You need one
   * yourself first. To require it for owners, the installation's password must be off, because it has no second
   * factor. If everyone is locked out, use `waypost dashboard link`, `waypost dashboard password on` or `waypost
   * people second-factor none`.
   *
   * `PATCH /v3/admin/installation`
   */
  update(args?: InstallationUpdateArguments): Promise<DataResult<Installation>>
}

export type AuditOperations = {
  /**
   * List the audit log.
   *
   * Newest first: all changes and attempted changes by administrators, service accounts and commands, sign-ins and
   * failed sign-ins, and administrator access to customers' mail, calendars and contacts (recorded once per object
   * within ten minutes). People with access to selected applications see only entries about these. Retention: one
   * year, and at most 100,000 entries of changes, including 10,000 failed sign-ins, and 100,000 of access. With a
   * selective filter, a page can be short or empty and still have a `next_cursor`.
   *
   * `GET /v3/admin/audit`
   */
  readonly list: {
    /**
     * List the audit log.
     *
     * Newest first: all changes and attempted changes by administrators, service accounts and commands, sign-ins and
     * failed sign-ins, and administrator access to customers' mail, calendars and contacts (recorded once per object
     * within ten minutes). People with access to selected applications see only entries about these. Retention: one
     * year, and at most 100,000 entries of changes, including 10,000 failed sign-ins, and 100,000 of access. With a
     * selective filter, a page can be short or empty and still have a `next_cursor`.
     *
     * `GET /v3/admin/audit`
     */
    (args?: AuditListArguments): Promise<ListResult<AuditEntry>>
    /** List the audit log: every item, page after page. */
    all(args?: AuditListArguments): AsyncGenerator<AuditEntry, void>
  }
}

export type FailedJobsOperations = {
  /**
   * List failed jobs.
   *
   * Newest first: background jobs that failed ten times within about a day, such as mails to guests or the end of
   * access at a provider. They are retained for 30 days. People with access to selected applications see only jobs
   * of these. With a selective filter, a page can be short or empty and still have a `next_cursor`.
   *
   * `GET /v3/admin/failed-jobs`
   */
  readonly list: {
    /**
     * List failed jobs.
     *
     * Newest first: background jobs that failed ten times within about a day, such as mails to guests or the end of
     * access at a provider. They are retained for 30 days. People with access to selected applications see only jobs
     * of these. With a selective filter, a page can be short or empty and still have a `next_cursor`.
     *
     * `GET /v3/admin/failed-jobs`
     */
    (args?: FailedJobsListArguments): Promise<ListResult<FailedJob>>
    /** List failed jobs: every item, page after page. */
    all(args?: FailedJobsListArguments): AsyncGenerator<FailedJob, void>
  }
  /**
   * Retry failed jobs of an application.
   *
   * Oldest first, up to 100 per request. Each job gets all its attempts again, and leaves the list of failed jobs.
   * A mail that the server may already have accepted can arrive twice.
   *
   * `POST /v3/admin/applications/{application_id}/failed-jobs/retry`
   */
  retryAll(args: FailedJobsRetryAllArguments): Promise<DataResult<RetriedJobs>>
  /**
   * Retry a failed job.
   *
   * The job gets all its attempts again, and leaves the list of failed jobs. If it fails again, it returns to the
   * list.
   *
   * `POST /v3/admin/applications/{application_id}/failed-jobs/{id}/retry`
   */
  retry(args: FailedJobsRetryArguments): Promise<EmptyResult>
  /**
   * Discard a failed job.
   *
   * The job is deleted and never done.
   *
   * `DELETE /v3/admin/applications/{application_id}/failed-jobs/{id}`
   */
  discard(args: FailedJobsDiscardArguments): Promise<EmptyResult>
}

export type HealthOperations = {
  /**
   * Get the current health of the service.
   *
   * Returns nodes, queues, and grants and destinations by status, for all applications.
   *
   * `GET /v3/admin/health`
   */
  get(args?: HealthGetArguments): Promise<DataResult<ServiceHealth>>
  /**
   * Get the health of the service over time.
   *
   * For all nodes together or one node, oldest first, up to now. Steps are one minute, or five minutes for more
   * than 8 hours. Figures are retained for 48 hours. Percentiles are accurate to within 20 %.
   *
   * `GET /v3/admin/health/series`
   */
  series(args?: HealthSeriesArguments): Promise<ListResult<HealthFigures>>
}

export type ServiceOperations = {
  /**
   * Check whether the process runs.
   *
   * For a liveness probe that restarts a process that hangs. It uses neither the store nor a provider, because an
   * unavailable store is no reason to restart.
   *
   * `GET /health`
   */
  health(args?: ServiceHealthArguments): Promise<DataResult<Health>>
  /**
   * Check whether the service can handle requests.
   *
   * For the readiness probe of a load balancer. Fails with 503 `service_unavailable` while the store does not
   * respond, and as soon as the node starts to shut down, so that it gets no new requests.
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
  readonly workspaces: WorkspacesOperations
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
  readonly attachmentUploads: AttachmentUploadsOperations
  readonly contactGroups: ContactGroupsOperations
  readonly contacts: ContactsOperations
  readonly signatures: SignaturesOperations
  readonly templates: TemplatesOperations
  readonly grantTemplates: GrantTemplatesOperations
  readonly workflows: WorkflowsOperations
  readonly grantWorkflows: GrantWorkflowsOperations
  readonly availability: AvailabilityOperations
  readonly configurations: ConfigurationsOperations
  readonly schedulingPages: SchedulingPagesOperations
  readonly schedulingSessions: SchedulingSessionsOperations
  readonly uiSettings: UiSettingsOperations
  readonly groupEvents: GroupEventsOperations
  readonly schedulingAvailability: SchedulingAvailabilityOperations
  readonly bookings: BookingsOperations
  readonly schedulingRedirects: SchedulingRedirectsOperations
  readonly webhooks: WebhooksOperations
  readonly pubsubChannels: PubsubChannelsOperations
  readonly snsChannels: SnsChannelsOperations
  readonly natsChannels: NatsChannelsOperations
  readonly amqpChannels: AmqpChannelsOperations
  readonly deliveries: DeliveriesOperations
  readonly notifications: NotificationsOperations
  readonly agents: AgentsOperations
  readonly approvals: ApprovalsOperations
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
  readonly serviceAccounts: ServiceAccountsOperations
  readonly installation: InstallationOperations
  readonly audit: AuditOperations
  readonly failedJobs: FailedJobsOperations
  readonly health: HealthOperations
  readonly service: ServiceOperations
}
