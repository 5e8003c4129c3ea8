/* Made from the contract by `npm run generate`; do not edit. */

/** A question to the guest */
export type AdditionalField = {
  /** Text that the guest sees */
  label: string
  /**
   * Kind of field. The value of `multi_select` is the chosen options, joined with commas. `metadata` is never
   * shown; its value is part of notifications
   */
  type: 'text' | 'multi_line_text' | 'email' | 'phone_number' | 'dropdown' | 'date' | 'checkbox' | 'radio_button' | 'multi_select' | 'metadata'
  /** Whether the guest must fill it in */
  required: boolean
  /** Value to begin with */
  default?: string | boolean | null | undefined
  /** Regular expression that the whole value must match */
  pattern?: string | null | undefined
  /** Position on the page, ascending */
  order?: number | null | undefined
  /** Choices; required for `dropdown`, `radio_button` and `multi_select` */
  options?: string[] | null | undefined
}

/** Another person whom the guest brings */
export type AdditionalGuest = {
  /** Address of the guest */
  email: string
  /** Name of the guest */
  name?: string | null | undefined
}

/** Write-only settings of the application */
export type AdditionalSettings = {
  /** URL of your own sign-in page. Stored only */
  login_url?: string | null | undefined
  /** URL of your own sign-out page. Stored only */
  logout_url?: string | null | undefined
  /** Lifetime of a refresh token in seconds; 0 or absent: unlimited */
  refresh_token_expiration_absolute?: number | null | undefined
  /** Seconds without use after which a refresh token expires; 0 or absent: never */
  refresh_token_expiration_idle?: number | null | undefined
  /**
   * Whether a refresh token works only once and is replaced by a new one in the response. Reusing an old one
   * revokes all tokens from the same code. Default: false.
   */
  rotate_refresh_token?: boolean | null | undefined
  /** Whether redirect URIs may have query parameters; default false */
  allow_query_param_in_redirect_uri?: boolean | null | undefined
}

/** A grant as seen by an administrator */
export type AdminGrant = {
  /** Id of the grant: the `grant_id` in paths. It does not change when the account is authenticated again. */
  id: string
  /** Provider of the account */
  provider: ProviderKind
  /** `valid`, or `invalid` until its user authenticates again. Calls to an invalid grant fail with 401 */
  grant_status: GrantStatus
  /**
   * Why the grant is invalid. Only `GET /v3/grants/{grant_id}` returns it, only for an invalid grant, and only
   * while the history of the grant reaches back to that time.
   */
  invalid_reason?: {
    /** Time when it lost access, in Unix seconds */
    at: number
    /** Why it lost access; null if unknown */
    reason: ExpiryReason | null
    /** The host that refused it, and what its server said; null if no provider refused it */
    message: string | null
    /** Id of the request that detected it; null if there was none */
    request_id: string | null
  }
  /** Address of the account, or the name of a virtual account. Unique in the application. */
  email: string
  /** Name of the user from the provider; null if unknown */
  name: string | null
  /** Scopes approved by the user, as the provider names them; empty for providers without scopes */
  scope: string[]
  /** Browser of the last hosted sign-in; null if there was none */
  user_agent: string | null
  /** IP address of the last hosted sign-in; null if there was none */
  ip: string | null
  /** The `state` given at authentication */
  state: string | null
  /** Connection settings, such as `imap_host`; secrets are omitted */
  settings: Record<string, unknown>
  /** Your own key-value pairs; an imported virtual account has `name` and `organizer` here */
  metadata: Metadata
  /** Additional addresses of the account, if there are any; only with `expose_aliases` */
  email_aliases?: string[]
  /** Id of the user at the provider; null if there is none */
  provider_user_id: string | null
  /** Your own id of the end user. Paths can use `external:<id>` as the grant id */
  external_id: string | null
  /** Credential of the connector with which it was authenticated; null for the connector's own client */
  credential_id: string | null
  /** Previous id of an imported account; absent for others */
  account_id?: string
  /** Workspace of the grant: one of `GET /v3/workspaces` */
  workspace_id: string
  /** Whether an administrator blocked it: calls fail with 423, and its changes are not watched */
  blocked: boolean
  /** Creation time in Unix seconds */
  created_at: number
  /** Time of the last authentication in Unix seconds */
  updated_at: number
  /** Time of the last API use in Unix seconds; null if never used */
  last_used_at: number | null
}

/** A connected agent */
export type Agent = {
  /** Id of the agent */
  id: string
  /** Always `agent` */
  object: 'agent'
  /** Name that the client gave itself */
  name: string
  /** OAuth client id: a registered id, or the URL of its metadata document */
  client_id: string
  /** Web page of the client; null if it named none */
  client_uri: string | null
  /** The rights of a restricted API key or an agent */
  rights: KeyRights
  /** The grants that it may use */
  grant_ids: string[]
  /** Who connected it: the address of the account, or an administrator */
  connected_by: string
  /** Whether its tokens work */
  status: 'active' | 'disconnected'
  /** Time of the last call in Unix seconds; null if never */
  last_used_at: number | null
  /** Creation time in Unix seconds */
  created_at: number
}

/** Changes to an agent. Absent fields stay unchanged. */
export type AgentChange = {
  /** Name of the agent, up to 200 characters */
  name?: string | undefined
  /**
   * All rights of the agent from the next request on. They can be fewer than the person agreed to, never more:
   * connect the agent again for more. Without `grants`, its grants stay
   */
  rights?: KeyRightsInput | undefined
}

/** Notifications delivered now instead of later, for all destinations together */
export type AllMadeDue = {
  /** Number of waiting notifications that are delivered now */
  due: number
  /** More are waiting than one call handles; call again */
  more: boolean
  /** Number of destinations that had waiting notifications */
  destinations: number
}

/** A channel that publishes notifications to an AMQP 0-9-1 exchange (RabbitMQ) */
export type AmqpChannel = {
  /** Id of the destination */
  id: string
  /** Your description; empty if none */
  description: string
  /** Subscribed triggers */
  trigger_types: Trigger[]
  /**
   * `active` and `failing` receive notifications; `pause`, which you set, and `failed`, which the service sets, do
   * not
   */
  status: WebhookStatus
  /** Addresses that get a mail when the service changes the status */
  notification_email_addresses: string[]
  /** Whether bodies are sent as gzip */
  compressed_delivery: boolean
  /** Time of the last change of `status`, in Unix seconds */
  status_updated_at: number
  /** Creation time in Unix seconds */
  created_at: number
  /** Time of the last change in Unix seconds */
  updated_at: number
  /** Whether the channel has its own credentials, which are never returned. If not, those of the operator are used */
  has_credentials: boolean
  /** Address of the broker, without user and password */
  url: string
  /** Name of the exchange; empty: the default exchange */
  exchange: string
  /** Routing key of the messages */
  routing_key: string
}

/** Changes to an AMQP channel. If one of its credentials is given, both are replaced */
export type AmqpChannelChange = {
  /** New address; unchanged if absent. Another server needs the credentials again, in the same request */
  url?: string | undefined
  /** New exchange; unchanged if absent */
  exchange?: string | undefined
  /** New routing key; unchanged if absent */
  routing_key?: string | undefined
  /** New list of triggers, which replaces the old one; unchanged if absent or empty */
  trigger_types?: SubscribableTrigger[] | null | undefined
  /** Your description; unchanged if absent or empty, null clears it */
  description?: string | null | undefined
  /** Addresses that get a mail when the service changes the status; unchanged if absent or empty, null clears them */
  notification_email_addresses?: string[] | null | undefined
  /** true: messages are gzip, with an attribute or header that says so */
  compressed_delivery?: boolean | null | undefined
  /**
   * `pause`: nothing is sent, and new changes are not queued. `active`: delivers again once the broker was
   * verified.
   */
  status?: SetStatus | undefined
  /** User name. Encrypted and never returned */
  username?: string | null | undefined
  /** Password of that user. Encrypted and never returned */
  password?: string | null | undefined
}

/** A new AMQP channel */
export type AmqpChannelDraft = {
  /**
   * Address of the broker: `amqps://host:port/vhost`, or `amqp://` without TLS. A user and password in it are
   * moved to `username` and `password`, and are never returned
   */
  url: string
  /** Name of an exchange that exists; empty for the default exchange, which routes to the queue of the routing key */
  exchange: string
  /**
   * Routing key of the messages; a queue must be bound to it; `{type}` in it is replaced by the type of the
   * notification
   */
  routing_key: string
  /** Triggers to subscribe to, such as `message.created` */
  trigger_types: SubscribableTrigger[]
  /** Your description: up to 1024 characters */
  description?: string | null | undefined
  /**
   * Addresses that get a mail when the service changes the status: up to 20. Requires a mail identity of the
   * service.
   */
  notification_email_addresses?: string[] | null | undefined
  /** true: messages are gzip, with an attribute or header that says so */
  compressed_delivery?: boolean | null | undefined
  /** User name. Encrypted and never returned */
  username?: string | null | undefined
  /** Password of that user. Encrypted and never returned */
  password?: string | null | undefined
}

/** An API key of an application, without its secret */
export type ApiKey = {
  /** Id of the key */
  id: string
  /** Id of the application that the key belongs to */
  application_id: string
  /** Name of the key, for your own use */
  name: string
  /** First characters of the key, to tell keys apart */
  hint: string
  /** `["all"]`, or the operations of a restricted key, as in `rights` */
  permissions: string[]
  /** The rights of a restricted key; null: the key has all rights */
  rights: KeyRights | null
  /** `active`, or the reason why the key no longer works */
  status: 'active' | 'expired' | 'revoked'
  /** Days until the key expires; null if it never expires */
  expires_in: number | null
  /** Expiry time in Unix seconds; null if it never expires */
  expires_at: number | null
  /** Time of the last use in Unix seconds; null if never used */
  last_used_at: number | null
  /** Creator of an API key */
  created_by: KeyCreator
  /** Creation time in Unix seconds */
  created_at: number
  /** Time of the last change in Unix seconds */
  updated_at: number
}

/** A tenant of the installation with its own keys, connectors, grants and webhooks */
export type Application = {
  /** Id of the application, which is also its OAuth `client_id` */
  application_id: string
  /** Id of the installation, the same for all its applications */
  organization_id: string
  /** Region of the installation, as set by the operator */
  region: Region
  /** Purpose of the application. Only `sandbox` has limits: 5 grants and fixed scopes */
  environment: Environment
  /** Id of the default workspace, which has all grants that no other workspace has */
  default_workspace_id: string
  /** Your own host name. Stored only; the service is reached at its own URL. Absent if not set. */
  domain?: string
  /** Name and icon that end users see when they grant access */
  branding: Branding
  /** Appearance of the sign-in pages */
  hosted_authentication: HostedAuthentication
  /** Allowed origins of browser requests */
  idp_settings: IdpSettings
  /** Default of `expand_recurring` in event lists. Initially true. */
  expand_recurring_default: boolean
  /** Whether messages can be deleted permanently with `hard_delete`. Initially false. */
  allow_hard_delete: boolean
  /**
   * Whether notifications can be read with `GET /v3/notifications`. Initially false. Notifications are retained
   * for it from the time it is turned on. When it is turned off, notifications without a subscribed destination
   * are deleted
   */
  notification_stream: boolean
  /**
   * Whether assistants can use the application at the MCP endpoint (`/mcp`), with an API key or as a connected
   * agent. Initially false.
   */
  mcp_enabled: boolean
  /** Number of days for which notifications and the delivery log are retained */
  notification_days: number
  /** Redirect URIs to which users may return after a sign-in */
  callback_uris: RedirectUri[]
  /** Whether an administrator blocked the application. Its calls then fail with 423 */
  blocked: boolean
  /** Creation time in Unix seconds */
  created_at: number
  /** Time of the last change in Unix seconds */
  updated_at: number
}

/** Changes to the application. Absent fields stay unchanged. */
export type ApplicationChange = {
  /** Name and icon that end users see when they grant access. Replaces the stored value; an absent name is kept */
  branding?: BrandingChange | undefined
  /** Appearance of the sign-in pages. Replaces all previous values */
  hosted_authentication?: HostedAuthentication | undefined
  /** Allowed origins of browser requests. Replaces all previous values */
  idp_settings?: IdpSettings | undefined
  /**
   * All redirect URIs. An item with `id` keeps or changes that one, an item without `id` is created, and those not
   * listed are removed
   */
  callback_uris?: {
    /**
     * https URL (http for localhost and 127.0.0.1), or `scheme://…` for `ios` and `android`; without fragment, and
     * without query unless the application allows it. Up to 2048 bytes.
     */
    url: string
    /** Platform that users return to; default `web` */
    platform?: Platform | undefined
    /**
     * Platform settings: `origin` for `js`; `bundle_id` for `ios`; `package_name` and `sha1_certificate_fingerprint`
     * for `android`; none for `web` and `desktop`
     */
    settings?: {
      /** Origin from which the page calls the API (CORS): https, or http for localhost. Required for `js`. */
      origin?: string | undefined
      /** Bundle id of the app; required for `ios` */
      bundle_id?: string | undefined
      /** App Store id, for `ios` */
      app_store_id?: string | undefined
      /** Apple team id, for `ios` */
      team_id?: string | undefined
      /** Package name of the app; required for `android` */
      package_name?: string | undefined
      /** SHA-1 fingerprint of the app's signing certificate; required for `android` */
      sha1_certificate_fingerprint?: string | undefined
      /** Alias of `sha1_certificate_fingerprint`, used by one published client */
      sha_1_certificate_fingerprint?: string | undefined
    } | undefined
    /** Id of the redirect URI to keep or change; absent for a new one */
    id?: string | undefined
  }[] | undefined
  /** Your own host name. Stored only; the service is reached at its own URL. An empty string removes it. */
  domain?: string | undefined
  /** Default of `expand_recurring` in event lists. Initially true. */
  expand_recurring_default?: boolean | undefined
  /** Whether messages can be deleted permanently with `hard_delete`. Initially false. */
  allow_hard_delete?: boolean | undefined
  /**
   * Whether notifications can be read with `GET /v3/notifications`. Initially false. Notifications are retained
   * for it from the time it is turned on. When it is turned off, notifications without a subscribed destination
   * are deleted
   */
  notification_stream?: boolean | undefined
  /**
   * Whether assistants can use the application at the MCP endpoint (`/mcp`), with an API key or as a connected
   * agent. Initially false.
   */
  mcp_enabled?: boolean | undefined
  /**
   * Number of days for which notifications and the delivery log are retained, 2 to 90; null: the operator's
   * setting
   */
  notification_days?: number | null | undefined
  /** Settings of tokens and redirect URIs. Replaces all previous values */
  additional_settings?: AdditionalSettings | undefined
}

/** Status of an application */
export type ApplicationOverview = {
  /** Severity of the worst problem; `well` if there are none */
  status: 'well' | 'attention' | 'trouble'
  /** Problems, worst first; empty if there are none */
  problems: OverviewProblem[]
  /** Grants with problems */
  grants: {
    /** Number of grants whose users must authenticate again; capped at 1,000 */
    invalid: number
    /** Number of grants whose changes could not be fetched at least three times in a row; capped at 1,000 */
    not_fetched: number
  }
  /** Length of a `traffic` step in seconds */
  step_seconds: number
  /** Traffic in the requested time range without gaps, oldest first. Administrator calls are not counted. */
  traffic: TrafficFigures[]
  /** Figures of the time range by provider, most errors first */
  providers: {
    /** Provider of the accounts */
    provider: string
    /** Number of requests for accounts of this provider */
    requests: number
    /** Number of errors caused by the provider */
    errors: number
    /** The last error, if it is among the last fifty of the application; otherwise null */
    last_error: {
      /** Time of the error in Unix seconds */
      at: number
      /** Id of the route, or `changes` for the watch */
      operation: string
      /** Error type as returned by the API */
      type: string
      /** Error message */
      message: string
      /** Affected grant */
      grant_id: string
      /** Id of the failed request; null if there was none */
      request_id: string | null
    } | null
  }[]
  /** Grants that lost access in the last seven days, up to ten, newest first */
  expired: {
    /** Id of the grant */
    grant_id: string
    /** Its address */
    email: string
    /** Provider of the account */
    provider: string
    /** Time when it lost access, in Unix seconds */
    at: number
    /**
     * Why a grant lost access. `credentials_refused`: the provider rejects its password or token; `revoked`: an
     * administrator revoked it; `connector_deleted`, `credential_deleted`: its connector or credential was deleted.
     */
    reason: ExpiryReason | null
    /** The provider's message, if it refused access; otherwise null */
    message: string | null
    /** Id of the request that detected it; null if there was none */
    request_id: string | null
    /** Current status: `valid` after it was authenticated again */
    grant_status: 'valid' | 'invalid'
  }[]
  /** All destinations, those with problems first */
  destinations: {
    /** Id of the destination */
    id: string
    /** `webhook`, or the transport of a channel */
    transport: 'webhook' | 'pubsub' | 'sns' | 'nats' | 'amqp'
    /** Its URL; for a channel, where it publishes */
    webhook_url: string
    /** Its description */
    description: string
    /**
     * State of a destination. Clients set `active` and `pause`. The service sets `failing` (95 % of the attempts
     * within 15 minutes failed; still delivers) and, after 72 hours of that, `failed` (no longer delivers).
     */
    status: WebhookStatus
    /** Time of the last change of `status`, in Unix seconds */
    status_updated_at: number
    /** Number of waiting notifications; capped at 1,000 */
    waiting: number
    /** Number of permanently failed notifications; capped at 1,000 */
    failed: number
    /** Due time of the notification that waits longest, in Unix seconds; null if none is waiting */
    due_since: number | null
  }[]
  /** Latest grant events of the application, up to ten, newest first */
  recent: {
    /** Id of the grant */
    grant_id: string
    /** Its address */
    email: string
    /** Provider of the account */
    provider: string
    /** Time of the event in Unix seconds */
    at: number
    /** The event */
    kind: 'created' | 'authenticated' | 'changed' | 'expired' | 'blocked' | 'unblocked'
  }[]
}

/** An application as seen by an administrator */
export type ApplicationSummary = {
  /** Id of the application, which is also its OAuth `client_id` */
  application_id: string
  /** Id of the installation, the same for all its applications */
  organization_id: string
  /** Region of the installation, as set by the operator */
  region: Region
  /** Purpose of the application. Only `sandbox` has limits: 5 grants and fixed scopes */
  environment: Environment
  /** Id of the default workspace, which has all grants that no other workspace has */
  default_workspace_id: string
  /** Your own host name. Stored only; the service is reached at its own URL. Absent if not set. */
  domain?: string
  /** Name and icon that end users see when they grant access */
  branding: Branding
  /** Appearance of the sign-in pages */
  hosted_authentication: HostedAuthentication
  /** Allowed origins of browser requests */
  idp_settings: IdpSettings
  /** Default of `expand_recurring` in event lists. Initially true. */
  expand_recurring_default: boolean
  /** Whether messages can be deleted permanently with `hard_delete`. Initially false. */
  allow_hard_delete: boolean
  /**
   * Whether notifications can be read with `GET /v3/notifications`. Initially false. Notifications are retained
   * for it from the time it is turned on. When it is turned off, notifications without a subscribed destination
   * are deleted
   */
  notification_stream: boolean
  /**
   * Whether assistants can use the application at the MCP endpoint (`/mcp`), with an API key or as a connected
   * agent. Initially false.
   */
  mcp_enabled: boolean
  /** Number of days for which notifications and the delivery log are retained */
  notification_days: number
  /** Whether an administrator blocked the application. Its calls then fail with 423 */
  blocked: boolean
  /** Creation time in Unix seconds */
  created_at: number
  /** Time of the last change in Unix seconds */
  updated_at: number
  /** Maximum number of grants, such as 5 for the sandbox; null if unlimited */
  grant_limit: number | null
  /** Number of grants, including invalid ones */
  grant_count: number
  /**
   * Maximum number of mails per day (UTC) that the service sends for the application in its own name, such as
   * alerts about destinations; null: the operator's setting
   */
  mail_per_day: number | null
}

/** An action that waits for the approval of a person, or its outcome */
export type Approval = {
  /** Id of the approval */
  id: string
  /** Always `approval` */
  object: 'approval'
  /** The account that acts; null for actions of the application */
  grant_id: string | null
  /**
   * `send`: a message or an answer to an invitation leaves the account, or a text is written that the service
   * mails later (templates, workflows, signatures, booking pages); `delete`: something is deleted permanently;
   * `invite`: other people are invited, uninvited or notified about an event or a booking
   */
  kind: ApprovalKind
  /** All kinds of the action; an action can be of several */
  kinds: ApprovalKind[]
  /** The operation of the API, such as `messages.send` */
  operation: string
  /**
   * `pending`: waits for a person; `approved`: is being carried out; `executed`: done; `failed`: approved, but the
   * action was refused; `rejected`: a person refused it; `drafted`: a person turned the message into a draft to
   * edit; `expired`: nobody decided in time
   */
  status: ApprovalStatus
  /** The credential that asked for the action */
  requested_by: ApprovalRequester
  /** Exactly what will happen */
  preview: ApprovalPreview
  /** SHA-256 of the request. The approval covers exactly these bytes */
  hash: string
  /** Outcome; null before the action was carried out. In lists and notifications, `body` has only the ids */
  result: {
    /** HTTP status of the action */
    status: number
    /** Response of the action, as the operation returns it */
    body: unknown
  } | null
  /** Why it was rejected or failed; null otherwise */
  reason: string | null
  /** Id of the draft that it became; null otherwise */
  draft_id: string | null
  /** Who decided: an administrator, the owner of the account, or the person at the MCP client */
  decided_by: string | null
  /** Time of the decision in Unix seconds */
  decided_at: number | null
  /** Time until which a person can decide, in Unix seconds */
  expires_at: number
  /** Creation time in Unix seconds */
  created_at: number
}

/**
 * `send`: a message or an answer to an invitation leaves the account, or a text is written that the service
 * mails later (templates, workflows, signatures, booking pages); `delete`: something is deleted permanently;
 * `invite`: other people are invited, uninvited or notified about an event or a booking
 */
export type ApprovalKind = 'send' | 'delete' | 'invite'

export type ApprovalListQuery = {
  /** Only approvals in this state */
  status?: 'pending' | 'approved' | 'executed' | 'failed' | 'rejected' | 'drafted' | 'expired' | undefined
  /** Only approvals of this grant, by its id */
  grant_id?: string | undefined
  /** Only approvals that this API key or agent requested */
  credential_id?: string | undefined
  /**
   * Maximum page size, default 50; values above 200 are reduced to 200. A page can be shorter and still have a
   * next page.
   */
  limit?: number | undefined
  /**
   * `next_cursor` of the previous page; absent for the first page. Filters stay those of the first page; `limit`
   * and `select` can change.
   */
  page_token?: string | undefined
}

/** Exactly what will happen */
export type ApprovalPreview = {
  /**
   * Everybody who will receive something, with role `to`, `cc`, `bcc`, `reply_to`, `header`, `participant`,
   * `resource`, `guest` or `organizer`
   */
  recipients: {
    /** How the person is involved */
    role: string
    /** Address */
    email: string
    /** Name; absent if unknown */
    name?: string
  }[]
  /** Subject of the message, or title of the event or object */
  subject?: string
  /** The whole text of the message or event, without markup */
  text?: string
  /** Whether `text` is cut, as in lists and notifications. `GET /v3/approvals/{approval_id}` returns all of it */
  text_is_cut?: boolean
  /**
   * The HTML of the message, as it will be sent and as others wrote it: display it only where it cannot do harm,
   * such as in a sandboxed frame. Absent in lists, in notifications and for plain text
   */
  html?: string
  /** Files of the message */
  attachments: {
    /** File name */
    filename: string
    /** Media type: by the first bytes, otherwise by the name */
    content_type: string
    /** Size in bytes */
    size: number
  }[]
  /** Further facts, such as the time and place of an event, or what is deleted */
  details: {
    /** What it is */
    label: string
    /** Its value */
    value: string
  }[]
}

/** The credential that asked for the action */
export type ApprovalRequester = {
  /** Kind of credential */
  type: 'api_key' | 'agent'
  /** Id of the API key or the agent */
  id: string
  /** Name of the API key or the agent */
  name: string
}

/**
 * `pending`: waits for a person; `approved`: is being carried out; `executed`: done; `failed`: approved, but the
 * action was refused; `rejected`: a person refused it; `drafted`: a person turned the message into a draft to
 * edit; `expired`: nobody decided in time
 */
export type ApprovalStatus = 'pending' | 'approved' | 'executed' | 'failed' | 'rejected' | 'drafted' | 'expired'

/** Result of an assignment by hand */
export type AssignedGrants = {
  /** Id of the application */
  application_id: string
  /** Id of the workspace */
  workspace_id: string
  /** Domain of the workspace; empty if it has none */
  domain: string
  /**
   * Ids of `assign_grants` that are grants of the application, all of which are now in the workspace; null if
   * there are none
   */
  grants_assigned: string[] | null
  /** Ids of `remove_grants` that were in the workspace and left it; null if there are none */
  grants_removed: string[] | null
}

/** Metadata of a message attachment, without its content */
export type Attachment = {
  /** Unique only within its message */
  id: string
  /** Id of the grant that it belongs to */
  grant_id: string
  /** File name; null if the part has none, as is common for invitations */
  filename: string | null
  /** Media type as declared in the message, including parameters */
  content_type: string
  /** Exact size in bytes; absent if it is only known after a download */
  size?: number
  /** Whether it is shown inside the text, like an image in a signature */
  is_inline?: boolean
  /** Content id with which the HTML of the message refers to the file as `cid:<id>`, without angle brackets */
  content_id?: string
  /** `inline` or `attachment`; absent if the message does not declare it */
  content_disposition?: string
}

export type AttachmentQuery = {
  /** Id of the message that contains the attachment */
  message_id: string
  /** Accepted without effect: the provider is always queried */
  query_imap?: boolean | undefined
}

/** One attempt with its request and what to try next */
export type AttemptDetail = {
  /** Id of the notification; null when it is no longer retained */
  notification_id: string | null
  /** The `type` of the notification, such as `event.created`; null when it is no longer retained */
  type: string | null
  /** Id of the grant that the notification is about; null when it is no longer retained */
  grant_id: string | null
  /** Number of the attempt at this destination, starting at 1; replays continue the count */
  webhook_delivery_attempt: number
  /** `delivered`: the response had status 2xx; `failed`: another status, or no response */
  outcome: 'delivered' | 'failed'
  /** Time of the attempt in Unix seconds */
  at: number
  /** Milliseconds until the response, or until the attempt was aborted */
  latency_ms: number
  /** HTTP status of the response; null if there was none */
  status: number | null
  /** Reason why there was no response; null if there was one */
  error: string | null
  /**
   * First 4 KB of the response; null if there was none. Administrators get it only with the single attempt, not in
   * the list
   */
  answer: string | null
  /** Current state of the notification at this destination */
  state: 'delivered' | 'waiting' | 'failed'
  /** Time of the next attempt in Unix seconds; null if it is not waiting */
  next_attempt_at: number | null
  /** The request; null if the notification can no longer be read */
  request: AttemptRequest | null
  /** What to try next; empty if it was delivered */
  advice: string[]
}

/** The request of an attempt */
export type AttemptRequest = {
  /** `POST` for webhooks, `PUBLISH` for channels */
  method: 'POST' | 'PUBLISH'
  /** URL of the request; for a channel, where it publishes */
  url: string
  /** Request headers with lower-case names, including signatures; empty for channels */
  headers: Record<string, string>
  /** Exact text of the body, before compression */
  body: string
  /** Whether the body was sent as gzip. The signatures then cover the compressed bytes */
  compressed: boolean
  /** false: the destination changed after this attempt, so URL, compression and signatures are the current ones */
  is_exact: boolean
}

/** An action or attempted action of an administrator or command */
export type AuditEntry = {
  /** Id of the entry */
  id: string
  /** Time in Unix seconds */
  at: number
  /**
   * Origin: `session` for the dashboard, `password` for HTTP Basic credentials, `command` for the `waypost`
   * command, `service_account` for a signed request
   */
  actor: 'session' | 'password' | 'command' | 'service_account'
  /** Id of the person or service account; null for the installation's password, one-time links and commands */
  person_id: string | null
  /** Name of the person or service account at that time, retained after removal; null if neither did it */
  person_name: string | null
  /** IP address of the request; null for a command */
  address: string | null
  /** Id of the route, such as `apiKeys.create`, also for commands */
  action: string
  /** Id of the affected application; null if none */
  application_id: string | null
  /** Id of the affected object; null if none */
  target: string | null
  /** HTTP status of the response: 4xx if refused */
  status: number
  /** Id of the affected grant; null if none */
  grant_id: string | null
  /** `change`: a change or attempted change; `read`: access to customer data */
  kind: 'change' | 'read'
}

/** Filters for grouping grants; none are required */
export type AutoGrouping = {
  /** Only grants created at or after this time, in Unix seconds */
  after_created_at?: number | null | undefined
  /** `true` includes invalid grants; default false */
  invalid_also?: boolean | null | undefined
  /** Only grants with an address in this domain */
  specific_domain?: string | null | undefined
}

/** A job in the background that groups grants */
export type AutoGroupingJob = {
  /** Id of the job. If it fails permanently, `GET /v3/admin/failed-jobs` lists it. */
  job_id: string
  /** What happens next */
  message: string
}

/** Possible times for a meeting */
export type Availability = {
  /** Possible times in order. They overlap if the interval is shorter than the duration */
  time_slots: {
    /** Addresses of the people who are free; with round-robin methods in their booking order */
    emails: string[]
    /** Start of the meeting in Unix seconds */
    start_time: number
    /** End of the meeting in Unix seconds */
    end_time: number
  }[]
  /** Booking order for the two round-robin methods */
  order?: string[]
}

/** A person whose calendars are checked */
export type AvailabilityParticipant = {
  /** Address or identifier of a grant of the application. Either this or `grant_id` is required */
  email?: string | null | undefined
  /** Id of the grant, as an alternative to `email` */
  grant_id?: string | null | undefined
  /** Calendars to check; all of them count. Default: the primary calendar */
  calendar_ids?: string[] | null | undefined
  /** When this person can be booked. Replaces `default_open_hours` */
  open_hours?: OpenHours[] | null | undefined
  /** Hours of single days, which replace the open hours of those days */
  specific_time_availability?: {
    /** The day, as `YYYY-MM-DD` */
    date: string
    /** Start of the day's hours, such as `9:00` */
    start: string
    /** End of the day's hours; `0:00` to `0:00` closes the day */
    end: string
    /** IANA name of the time zone of these hours */
    timezone: TimeZone
  }[] | null | undefined
  /** Whether only the days in `specific_time_availability` can be booked; default `false` */
  only_specific_time_availability?: boolean | null | undefined
}

/** Participants, duration and window of a meeting */
export type AvailabilityQuestion = {
  /** Start of the window in Unix seconds, a multiple of 300 */
  start_time: number
  /** End of the window in Unix seconds, a multiple of 300, at most 93 days after its start */
  end_time: number
  /** Duration of the meeting in minutes, in steps of five */
  duration_minutes: number
  /** Minutes between possible starts; default: the duration */
  interval_minutes?: number | null | undefined
  /** Starts are rounded up to a multiple of this many minutes; default 15 */
  round_to?: number | null | undefined
  /** Legacy form of `round_to: 30`, used if `round_to` is absent */
  round_to_30_minutes?: boolean | null | undefined
  /** Participants, up to 50. If one is unknown or cannot be read, the whole request fails */
  participants: AvailabilityParticipant[]
  /** Rules for who must be free and when */
  availability_rules?: {
    /**
     * `collective`: everyone must be free. `max-availability` (default): at least one person must be free.
     * `max-fairness`: the same, but only for the half that was booked least recently, unless nobody in that half is
     * free
     */
    availability_method?: 'collective' | 'max-fairness' | 'max-availability' | null | undefined
    /** Free time around existing meetings */
    buffer?: MeetingBuffer | null | undefined
    /** Open hours of everyone without their own. Without any, all hours are open */
    default_open_hours?: OpenHours[] | null | undefined
    /**
     * Identifies bookings for the round-robin order: events whose `metadata.key5` is this text. The person booked
     * longest ago comes first
     */
    round_robin_group_id?: string | null | undefined
    /** Alias of `round_robin_group_id` */
    round_robin_event_id?: string | null | undefined
    /** Whether tentative events count as busy; default `true` */
    tentative_as_busy?: boolean | null | undefined
  } | null | undefined
}

/** Undelivered notifications of a destination */
export type Backlog = {
  /** Number of notifications that are due now */
  due: number
  /** Number of notifications waiting for a later attempt */
  later: number
  /** Number of permanently failed notifications */
  failed: number
  /** One of the numbers exceeds 10000, the limit up to which each is counted */
  more: boolean
  /** Time of the next attempt in Unix seconds; null if nothing is waiting */
  next_attempt_at: number | null
}

/** A text to render like the body of a template */
export type BodyRender = {
  /**
   * HTML of up to 1 MB. `{{name}}` is an escaped variable, `{{{name}}}` an unescaped one. `{{#name}}…{{/name}}` is
   * rendered if there is a value, once or for each list item; `{{^name}}…{{/name}}` is rendered if there is none.
   */
  body: string
  /** `mustache`, or `handlebars` without helpers; `nunjucks` and `twig` are refused */
  engine: TemplateEngine
  /** Values by variable name: strings, numbers, lists, and objects whose fields are addressed as `a.b` */
  variables: Record<string, unknown>
  /** Whether a variable missing in `variables` is an error; otherwise it is empty */
  strict?: boolean | undefined
}

/** A time that can be booked */
export type BookableSlot = {
  /** Addresses of the hosts who are free; in order with round robin */
  emails: string[]
  /** Start in Unix seconds */
  start_time: number
  /** End in Unix seconds */
  end_time: number
  /** Group event: its id */
  event_id?: string
  /** Group event: the id of its series */
  master_id?: string
  /** Group event: its calendar */
  calendar_id?: string
  /** Group event: free seats */
  capacity?: number
}

/** Times of a configuration that can be booked */
export type BookableSlots = {
  /** Hosts in the order in which they are booked; round robin only */
  order?: string[]
  /** Times that can be booked */
  time_slots: BookableSlot[]
}

/** What the page shows about a booking */
export type BookedEvent = {
  /** Answers to the additional fields */
  additional_fields: Record<string, string>
  /** Others whom the guest brings */
  additional_guests: AdditionalGuest[]
  /** A person who books */
  guest: BookingGuest
  /** Time zone of the guest */
  timezone: string
  /** Language of mails to the guest */
  email_language: EmailLanguage
  /** Booking reference, for a caller who proved the salt */
  booking_ref?: string
  /** Salt, for a caller who proved it */
  booking_ref_salt?: string
  /** The host */
  event_organizer: {
    /** Name; empty if unknown */
    name: string
    /** Address */
    email: string
    /** Always `true` */
    is_organizer: boolean
  }
  /** The event */
  event_data: {
    /** Location; empty if it has none */
    location: string
    /** Time of the event */
    when: {
      /** Object type: always `timespan` */
      object: 'timespan'
      /** Start in Unix seconds */
      start_time: number
      /** End in Unix seconds */
      end_time: number
      /** Time zone of the start */
      start_timezone: string
      /** Time zone of the end */
      end_timezone: string
    }
  }
}

/** A booked slot */
export type Booking = {
  /** Id of the booking, a UUID */
  booking_id: string
  /** Id of the configuration */
  configuration_id: string
  /** Id of the event in the calendar of the host */
  event_id: string
  /** Title of the event */
  title: string
  /** The host */
  organizer: {
    /** Address of the host */
    email: string
    /** Name of the host; empty if unknown */
    name: string
  }
  /** State of the booking */
  status: 'booked' | 'pending' | 'cancelled'
  /** Description of the event; empty if it has none */
  description: string
  /** Location of the event; empty if it has none */
  location: string
  /**
   * Booking reference for links: of the guest for the caller who made or moved the booking, of the organizer for
   * an API key that reads it
   */
  booking_ref?: string
  /** Start in Unix seconds */
  start_time: number
  /** End in Unix seconds */
  end_time: number
  /** Time zone of the guest */
  timezone: string
  /** Language of mails to the guest */
  email_language: EmailLanguage
  /** A person who books */
  guest: BookingGuest
  /** Others whom the guest brings */
  additional_guests: AdditionalGuest[]
  /** Answers to the additional fields */
  additional_fields: Record<string, string>
}

/** Duration and times of the meetings */
export type BookingAvailability = {
  /** Duration of the meeting in minutes, in steps of five; required unless `type` is `group` */
  duration_minutes?: number | null | undefined
  /** Minutes between possible starts; default: the duration */
  interval_minutes?: number | null | undefined
  /** Starts are rounded up to a multiple of this many minutes; default 15 */
  round_to?: number | null | undefined
  /** Who must be free, and when */
  availability_rules?: BookingRules | null | undefined
}

/** Why a booking is cancelled */
export type BookingCancellation = {
  /** Why it is cancelled */
  cancellation_reason?: string | null | undefined
  /** Ignored; public components send it */
  action?: string | null | undefined
}

/** The organizer's decision about a pending booking */
export type BookingConfirmation = {
  /** The salt of the booking reference, which proves that the caller is the organizer. An API key needs none */
  salt?: string | null | undefined
  /** `confirmed`, or `cancelled` to decline; `confirm` and `cancel` mean the same */
  status: 'confirmed' | 'cancelled' | 'confirm' | 'cancel'
  /** Why it is declined */
  cancellation_reason?: string | null | undefined
}

/** A slot and the guest who books it */
export type BookingDraft = {
  /** Start in Unix seconds */
  start_time: number
  /** End in Unix seconds */
  end_time: number
  /** A person who books */
  guest: BookingGuest
  /**
   * Some of the participants; default: all. With round robin: the host. With `max-fairness`, another free host
   * takes the booking if this one is not free
   */
  participants?: {
    /** Address of a participant of the configuration */
    email: string
  }[] | null | undefined
  /** Time zone of the guest; default: that of the event */
  timezone?: TimeZone | null | undefined
  /** Language of mails to the guest; default `en` */
  email_language?: EmailLanguage | null | undefined
  /** Others whom the guest brings */
  additional_guests?: AdditionalGuest[] | null | undefined
  /** Answers to the additional fields of the configuration, by key */
  additional_fields?: Record<string, string | boolean | number | null> | null | undefined
  /** Group event: the event to join */
  event_id?: string | null | undefined
  /** Group event: the series of the event */
  master_id?: string | null | undefined
  /** Group event: the calendar of the event */
  calendar_id?: string | null | undefined
}

/** A person who books */
export type BookingGuest = {
  /** Address of the guest */
  email: string
  /** Name of the guest */
  name: string
}

/** Hours on days of the week when meetings are allowed */
export type BookingHours = {
  /** Days of the week, from 0 (Sunday) to 6 (Saturday) */
  days: number[]
  /** Start, such as `9:00`; at most `23:49` */
  start: string
  /** End, such as `17:30`; at most `24:00`, and after the start */
  end: string
  /** Time zone of these hours. Default: the time zone of the participant, then `event_booking.timezone`, then UTC */
  timezone?: TimeZone | '' | null | undefined
  /** Dates on which these hours do not apply */
  exdates?: string[] | null | undefined
  /** Alias of `exdates` */
  ex_dates?: string[] | null | undefined
}

/** The booked event */
export type BookingInfo = {
  /** Id of the event in the calendar of the host */
  event_id: string
  /** Title of the event */
  title: string
  /** Start in Unix seconds */
  start_time: number
  /** End in Unix seconds */
  end_time: number
  /** Former start in Unix seconds */
  old_start_time?: number
  /** Former end in Unix seconds */
  old_end_time?: number
  /** Duration in minutes */
  duration: number
  /** Location of the event; empty if it has none */
  location: string
  /** The hosts, the guest, and everyone else who takes part */
  participants: {
    /** Address */
    email: string
    /** Name; empty if unknown */
    name: string
  }[] | null
  /** Answers to the additional fields, by key; null without any */
  additional_fields: Record<string, string> | null
  /** Time zone of the event */
  organizer_timezone: string
  /** Time zone of the guest */
  guest_timezone: string
  /** Calendar of the event */
  organizer_calendar_id: string
  /** Kind of the host's account */
  provider: string
  /** Whether the booking is a seat at a group event */
  is_group_event: boolean
  /** As in the configuration */
  hide_cancellation_options: boolean
  /** As in the configuration */
  hide_rescheduling_options: boolean
  /** Page where the guest moves the booking */
  participant_rescheduling_url: string
  /** Page where the guest cancels the booking */
  participant_cancellation_url: string
  /** Why it was cancelled or declined; may be empty */
  cancellation_reason?: string
  /** Seconds until the start */
  time_until_event?: number
}

export type BookingListQuery = {
  /** Only bookings of this configuration */
  configuration_id?: string | undefined
  /** Only bookings of configurations of this grant */
  grant_id?: string | undefined
  /** Only bookings in this state */
  status?: 'booked' | 'pending' | 'cancelled' | undefined
  /** Only bookings that end after this time, in Unix seconds */
  start?: number | undefined
  /** Only bookings that start before this time, in Unix seconds */
  end?: number | undefined
  /** Order by start; default `asc` */
  order?: 'asc' | 'desc' | undefined
  /**
   * Maximum page size, default 50; values above 200 are reduced to 200. A page can be shorter and still have a
   * next page.
   */
  limit?: number | undefined
  /**
   * `next_cursor` of the previous page; absent for the first page. Filters stay those of the first page; `limit`
   * and `select` can change.
   */
  page_token?: string | undefined
}

/** The new slot of a booking */
export type BookingMove = {
  /** New start in Unix seconds */
  start_time: number
  /** New end in Unix seconds */
  end_time: number
  /** Ignored, and named in `x-ignored-fields`: a booking keeps its guests and answers */
  guest?: BookingGuest | null | undefined
  /**
   * Some of the participants; default: all. With round robin: the host. With `max-fairness`, another free host
   * takes the booking if this one is not free
   */
  participants?: {
    /** Address of a participant of the configuration */
    email: string
  }[] | null | undefined
  /** Time zone of the guest; default: that of the event */
  timezone?: TimeZone | null | undefined
  /** Language of mails to the guest; default `en` */
  email_language?: EmailLanguage | null | undefined
  /** Ignored, and named in `x-ignored-fields`: a booking keeps its guests and answers */
  additional_guests?: AdditionalGuest[] | null | undefined
  /** Ignored, and named in `x-ignored-fields`: a booking keeps its guests and answers */
  additional_fields?: Record<string, string | boolean | number | null> | null | undefined
  /** Group event: the event to join */
  event_id?: string | null | undefined
  /** Group event: the series of the event */
  master_id?: string | null | undefined
  /** Group event: the calendar of the event */
  calendar_id?: string | null | undefined
  /** Alias of `master_id` */
  master_event_id?: string | null | undefined
}

/** A booking in a notification */
export type BookingObject = {
  /** Id of the booking */
  booking_id: string
  /** Id of the configuration */
  configuration_id: string
  /** Object type: always `booking` */
  object: 'booking'
  /** Booking reference, which authorizes to confirm: do not show it to the guest. Absent if it was cancelled */
  booking_ref?: string
  /** How a pending booking is confirmed */
  booking_type?: string
  /** The booked event */
  booking_info: BookingInfo
}

/** A reminder before a booked event */
export type BookingReminder = {
  /** A mail, or a notification `booking.reminder` */
  type: 'email' | 'webhook'
  /** Minutes before the start */
  minutes_before_event: number
  /** Who gets the mail; default `all` */
  recipient?: 'host' | 'guest' | 'all' | null | undefined
  /** Subject of the mail */
  email_subject?: string | null | undefined
}

/** Who must be free, and when */
export type BookingRules = {
  /**
   * `collective` (default): everyone must be free. `max-availability`: at least one person must be free.
   * `max-fairness`: the same, for the half that was booked least recently, unless nobody in that half is free
   */
  availability_method?: 'collective' | 'max-fairness' | 'max-availability' | null | undefined
  /** Free time around existing meetings */
  buffer?: MeetingBuffer | null | undefined
  /** Open hours of participants without their own. Without any, all hours are open */
  default_open_hours?: BookingHours[] | null | undefined
  /** Hours of single dates for all participants; those of a participant take precedence on the same date */
  default_specific_time_availability?: SpecificTime[] | null | undefined
  /** Whether only the dates with specific times can be booked; default `false` */
  only_specific_time_availability?: boolean | null | undefined
  /** Identifies bookings for the round-robin order; default: the id of the configuration */
  round_robin_group_id?: string | null | undefined
  /** Whether tentative events count as busy; default `true` */
  tentative_as_busy?: boolean | null | undefined
}

/** A sent message that could not be delivered to one of its recipients */
export type BounceObject = {
  /** Reason of the bounce, as reported by the mail system */
  bounce_reason: string
  /** Time of the bounce report in mail format: `Mon, 10 Feb 2025 21:34:11 +0000` */
  bounce_date: string
  /** The address that could not be reached */
  bounced_addresses: string
  /** Category: `mailbox_unavailable`, `mailbox_full`, `domain_not_found`, `message_too_large` or `message_refused` */
  type: string
  /** SMTP reply or status code, such as `550` or `5.1.1`; empty if unknown */
  code: string
  /** Id of the sending grant */
  grant_id: string
  /** Id of the sent message, if the account has it */
  message_id?: string
  /** The sent message */
  origin: {
    /** Addresses of its recipients */
    to: string[]
    /** Address of its sender */
    from: string
    /** Addresses in `cc` */
    cc: string[]
    /** Addresses in `bcc` */
    bcc: string[]
    /** Its subject */
    subject: string
    /** Its Message-ID, in angle brackets */
    mime_id: string
    /** Its id in the account; empty if unknown */
    id: string
    /** Time when it was sent, in mail format */
    original_send_at: string
  }
}

/** Name and icon that end users see when they grant access */
export type Branding = {
  /** Name shown to end users when they sign in */
  name: string
  /** Icon next to the name on the sign-in pages. Must be an https URL to be shown */
  icon_url?: string | null
  /** Your web site. Stored only; not shown on the pages */
  website_url?: string | null
  /** Description of the application. Stored only; not shown on the pages */
  description?: string | null
}

/** A calendar of an account, without its events */
export type Calendar = {
  /** Id of the calendar; with `google` it looks like an address */
  id: string
  /** Id of the grant that it belongs to */
  grant_id: string
  /** Object type: always `calendar` */
  object: 'calendar'
  /** Name shown to the user */
  name: string
  /** Description of the calendar; null if it has none */
  description: string | null
  /** Location as free text; null if it has none */
  location: string | null
  /** IANA name of the time zone for all-day events; `UTC` if the provider does not report it */
  timezone: TimeZone
  /** Background color, such as `#1a73e8`; null if the provider has none */
  hex_color: string | null
  /** Text color, such as `#ffffff`; null if the provider has none */
  hex_foreground_color: string | null
  /** Whether the account owns it; `false` for a calendar that somebody shares with it */
  is_owned_by_user: boolean
  /** Whether it is the calendar that `primary` refers to */
  is_primary: boolean
  /** Whether its events are read-only. Always null for virtual calendars */
  read_only: boolean | null
  /** `microsoft`: address of the calendar's owner */
  owner_email?: string
  /**
   * Your own key-value pairs, stored by the service and not shared with the provider: at most 50 pairs, keys of up
   * to 40 characters, values of up to 500. Lists can be filtered by `key1` to `key5` (`metadata_pair`).
   */
  metadata: Metadata
}

/** Changes to a calendar. Absent fields stay unchanged */
export type CalendarChange = {
  /** New name */
  name?: string | undefined
  /** Description of the calendar; null clears it. `microsoft`, `ews` and `icloud` refuse it */
  description?: string | null | undefined
  /** Location as free text; null clears it. Only `google` and `virtual-calendar` accept it */
  location?: string | null | undefined
  /** IANA name of the time zone for all-day events. `microsoft`, `ews` and `icloud` refuse it */
  timezone?: TimeZone | undefined
  /**
   * Background color, such as `#1a73e8`; an empty string or null resets it (`google` cannot reset it).
   * `microsoft`, `ews` and `icloud` refuse it
   */
  hex_color?: string | '' | null | undefined
  /**
   * Text color, such as `#ffffff`; an empty string or null resets it. Only `google` and `virtual-calendar` accept
   * it
   */
  hex_foreground_color?: string | '' | null | undefined
  /** Replaces all key-value pairs; `{}` and null remove them. Stored by the service for every provider */
  metadata?: Metadata | null | undefined
}

/** A deleted calendar, with the fields that are still known */
export type CalendarDeletedObject = {
  /** Id of the calendar; with `google` it looks like an address */
  id: string
  /** Id of the grant that it belongs to */
  grant_id: string
  /** Object type: always `calendar` */
  object: 'calendar'
  /** Name shown to the user */
  name?: string
  /** IANA name of the time zone for all-day events; `UTC` if the provider does not report it */
  timezone?: TimeZone
  /** Background color, such as `#1a73e8`; null if the provider has none */
  hex_color?: string | null
  /** Text color, such as `#ffffff`; null if the provider has none */
  hex_foreground_color?: string | null
  /** Whether the account owns it; `false` for a calendar that somebody shares with it */
  is_owned_by_user?: boolean
  /** Whether it is the calendar that `primary` refers to */
  is_primary?: boolean
  /** Whether its events are read-only. Always null for virtual calendars */
  read_only?: boolean | null
}

/** A new calendar */
export type CalendarDraft = {
  /** Name shown to the user */
  name: string
  /** Description of the calendar. `microsoft`, `ews` and `icloud` refuse it */
  description?: string | null | undefined
  /** Location as free text. Only `google` and `virtual-calendar` accept it */
  location?: string | null | undefined
  /**
   * IANA name of the time zone for all-day events; default for virtual calendars: `UTC`. `microsoft`, `ews` and
   * `icloud` refuse it
   */
  timezone?: TimeZone | null | undefined
  /** Your own key-value pairs, stored by the service for every provider */
  metadata?: Metadata | null | undefined
}

export type CalendarListQuery = {
  /**
   * Maximum page size, default 50; values above 200 are reduced to 200. A page can be shorter and still have a
   * next page.
   */
  limit?: number | undefined
  /**
   * `next_cursor` of the previous page; absent for the first page. Filters stay those of the first page; `limit`
   * and `select` can change.
   */
  page_token?: string | undefined
  /**
   * Only objects whose metadata contains this pair, as `key1:value`. Several comma-separated pairs must all match.
   * Only `key1` to `key5`. Cannot be combined with provider filters.
   */
  metadata_pair?: string | undefined
  /** Top-level fields to return, comma-separated: `id,title`. Default: all fields. Unknown names are ignored. */
  select?: string[] | undefined
}

/** A changed person, with the API keys that they created */
export type ChangedPerson = {
  /** Id of the person */
  id: string
  /** Address with which the person signs in, in lower case */
  email: string
  /** Name of the person, up to 256 characters */
  name: string
  /**
   * `owner`: full access; `administrator`: full access except people and installation settings; `viewer`:
   * read-only, without customer data and secrets
   */
  role: Role
  /** `all`, or the ids of up to 1000 applications; others are hidden from the person */
  applications: ReachedApplications
  /** `invited`: cannot sign in yet; `active`: can sign in; `blocked`: must not sign in */
  state: 'invited' | 'active' | 'blocked'
  /** Whether the person has a password */
  has_password: boolean
  /** Whether signing in requires a code from an authenticator app */
  has_totp: boolean
  /** Whether the person has signed in with OpenID Connect */
  has_oidc: boolean
  /** Number of unused recovery codes */
  recovery_codes_left: number
  /** Expiry time of the invitation link in Unix seconds; null if there is none */
  invitation_expires_at: number | null
  /** Time of the last sign-in in Unix seconds; null if never */
  signed_in_at: number | null
  /** Creation time in Unix seconds */
  created_at: number
  /** Time of the last change in Unix seconds */
  updated_at: number
  /** API keys that the person created and that were valid until now, in all applications */
  api_keys: ApiKey[]
  /** Whether they were revoked; otherwise they stay valid */
  api_keys_revoked: boolean
}

/** A message with its cleaned text */
export type CleanedMessage = {
  /** Opaque id of the message. It does not change when the message is moved; with `ews`, a previous id stays valid. */
  id: string
  /** Id of the grant that it belongs to */
  grant_id: string
  /** Object type: always `message` */
  object: 'message'
  /** Id of its thread; a message without replies is its own thread */
  thread_id?: string
  /** Time when the mail server received it, in Unix seconds. The sender's `Date` header can differ. */
  date?: number
  /** First 100 characters of the text, without markup */
  snippet?: string
  /** Whether it is starred (`google`) or flagged (`microsoft`, `ews`, IMAP `\Flagged`) */
  starred?: boolean
  /** Whether it is unread */
  unread?: boolean
  /**
   * Ids of its folders. For `google` all its labels, including `UNREAD` and `STARRED`; for `microsoft` and `ews`
   * exactly one.
   */
  folders?: string[]
  /** Your own key-value pairs; absent if none were set */
  metadata?: Metadata
  /** Decoded subject; empty if there is none */
  subject?: string
  /** Senders, nearly always one */
  from?: EmailName[]
  /** Recipients */
  to?: EmailName[]
  /** Recipients of a copy */
  cc?: EmailName[]
  /** Recipients of a blind copy. Known for drafts and sent mail, otherwise empty. */
  bcc?: EmailName[]
  /** Addresses for replies, if not `from` */
  reply_to?: EmailName[]
  /** HTML body, or plain text if the message has no HTML */
  body?: string
  /** Attachments, including inline images (`is_inline`). Download them with `/attachments/{id}/download`. */
  attachments?: Attachment[]
  /** The `In-Reply-To` header; with `ews` only. For other providers use `fields=include_basic_headers` */
  in_reply_to?: string
  /** Headers in message order; only with `fields=include_headers` or `include_basic_headers` */
  headers?: Header[]
  /** Tracking of the message, if any; only with `fields=include_tracking_options` */
  tracking_options?: TrackingOptions
  /**
   * The whole message as MIME, in base64url. Only with `fields=raw_mime`, which returns no other fields except
   * `id`, `grant_id` and `object`.
   */
  raw_mime?: string
  /** The sender's own text without quoted messages: plain text, or Markdown with `html_as_markdown` */
  conversation: string
}

/** An upload that messages and drafts can refer to */
export type CompletedUpload = {
  /** Id of the upload: the path of `complete`, and `id` in `attachments` of messages and drafts */
  attachment_id: string
  /** Id of the grant that it belongs to */
  grant_id: string
  /** State of the upload: always `ready` */
  status: 'ready'
}

/** Online conference of an event */
export type Conferencing = {
  /** Conferencing provider, such as `Google Meet`, `Microsoft Teams` or `Zoom Meeting` */
  provider?: string | undefined
  /** Details of an existing conference. Cannot be combined with `autocreate` */
  details?: {
    /** URL to join; required in requests */
    url?: string | undefined
    /** Meeting number or code */
    meeting_code?: string | null | undefined
    /** Password of the meeting */
    password?: string | null | undefined
    /** PIN for joining by phone */
    pin?: string | null | undefined
    /** Phone numbers for joining */
    phone?: string[] | null | undefined
    [name: string]: unknown
  } | undefined
  /**
   * Creates a conference: `Google Meet`, `Microsoft Teams` or `Zoom Meeting`. `{}` uses the account of the event:
   * `Google Meet` with `google`, `Microsoft Teams` with `microsoft`. Anything else needs `conf_grant_id`
   */
  autocreate?: {
    /**
     * Grant of the application that creates the conference: its id; with an API key also its address (for `Zoom
     * Meeting` that of the Zoom grant). Required unless the account of the event creates the conference itself
     */
    conf_grant_id?: string | null | undefined
    /**
     * With `conf_grant_id`: passed to the provider, up to 16 KB. `Zoom Meeting`: `settings` of the meeting; `Google
     * Meet`: `config` of the space; `Microsoft Teams`: properties of the online meeting
     */
    conf_settings?: Record<string, unknown> | null | undefined
    [name: string]: unknown
  } | undefined
}

/** A booking page: who can be booked, when, and what is created */
export type Configuration = {
  /** Id of the configuration, a UUID */
  id: string
  /** Title of the page */
  name: string
  /** Name of the page in its address, or null */
  slug: string | null
  /** `group` for group events, otherwise empty */
  type: '' | 'group'
  /** Whether guests need a session */
  requires_session_auth: boolean
  /** Hosts and invitees */
  participants: ConfigurationParticipant[]
  /** Duration and times of the meetings */
  availability: BookingAvailability
  /** The event that a booking creates */
  event_booking: EventBooking
  /** Group events of a configuration */
  group_booking?: GroupBooking
  /** Rules and texts of the booking page */
  scheduler: SchedulerSettings
  /** Texts and colors of the page: `color`, `company_logo_url`, `submit_button_label`, `thank_you_message` */
  appearance: Record<string, string> | null
  /** Origins whose pages may embed the booking page */
  embed_origins: string[]
}

/** Changes of a configuration. Absent fields stay unchanged; a nested object replaces the former one. */
export type ConfigurationChange = {
  /** Title of the page; default: the organizer's name */
  name?: string | null | undefined
  /** Name of the page in its address, unique in the application; null for none */
  slug?: string | null | undefined
  /** `group` for group events, otherwise empty */
  type?: '' | 'group' | null | undefined
  /** Ignored; former clients send it */
  version?: string | null | undefined
  /** Whether guests need a session; default `false`, anyone can book */
  requires_session_auth?: boolean | null | undefined
  /** Hosts and invitees; required unless `type` is `group` */
  participants?: ConfigurationParticipant[] | null | undefined
  /** Duration and times; required unless `type` is `group` */
  availability?: BookingAvailability | null | undefined
  /** The event; required unless `type` is `group` */
  event_booking?: EventBooking | null | undefined
  /** Group events; required if `type` is `group` */
  group_booking?: GroupBooking | null | undefined
  /** Rules and texts of the booking page */
  scheduler?: SchedulerSettings | null | undefined
  /** Texts and colors of the page: `color`, `company_logo_url`, `submit_button_label`, `thank_you_message` */
  appearance?: Record<string, string> | null | undefined
  /** Origins whose pages may embed the booking page, such as `https://example.com`; default none */
  embed_origins?: string[] | null | undefined
}

/** A new configuration of a booking page */
export type ConfigurationDraft = {
  /** Title of the page; default: the organizer's name */
  name?: string | null | undefined
  /** Name of the page in its address, unique in the application; null for none */
  slug?: string | null | undefined
  /** `group` for group events, otherwise empty */
  type?: '' | 'group' | null | undefined
  /** Ignored; former clients send it */
  version?: string | null | undefined
  /** Whether guests need a session; default `false`, anyone can book */
  requires_session_auth?: boolean | null | undefined
  /** Hosts and invitees; required unless `type` is `group` */
  participants?: ConfigurationParticipant[] | null | undefined
  /** Duration and times; required unless `type` is `group` */
  availability?: BookingAvailability | null | undefined
  /** The event; required unless `type` is `group` */
  event_booking?: EventBooking | null | undefined
  /** Group events; required if `type` is `group` */
  group_booking?: GroupBooking | null | undefined
  /** Rules and texts of the booking page */
  scheduler?: SchedulerSettings | null | undefined
  /** Texts and colors of the page: `color`, `company_logo_url`, `submit_button_label`, `thank_you_message` */
  appearance?: Record<string, string> | null | undefined
  /** Origins whose pages may embed the booking page, such as `https://example.com`; default none */
  embed_origins?: string[] | null | undefined
}

/** A person who hosts, attends or is invited */
export type ConfigurationParticipant = {
  /** Address of the participant */
  email: string
  /** Name of the participant */
  name?: string | null | undefined
  /**
   * Whether the participant is the organizer; default `false`. `collective` needs exactly one, round robin has
   * none
   */
  is_organizer?: boolean | null | undefined
  /** Time zone of the participant */
  timezone?: TimeZone | '' | null | undefined
  /** Id of the grant; default: the grant with this address */
  grant_id?: string | null | undefined
  /** Calendars and hours; absent or empty for an invitee whose calendars are not checked */
  availability?: {
    /** Calendars to check; all of them count. `primary` is the primary calendar */
    calendar_ids?: string[] | null | undefined
    /** When this participant can be booked. Replaces `default_open_hours` */
    open_hours?: BookingHours[] | null | undefined
  } | null | undefined
  /** Where events are created; absent or empty for a participant who never hosts */
  booking?: {
    /** Calendar in which events are created; empty for none */
    calendar_id?: string | '' | null | undefined
  } | null | undefined
  /** Hours of single dates, which replace the open hours of those dates */
  specific_time_availability?: SpecificTime[] | null | undefined
  /** Whether only the dates in `specific_time_availability` can be booked; default `false` */
  only_specific_time_availability?: boolean | null | undefined
}

/** Parameters of a hosted sign-in */
export type ConnectAuthQuery = {
  /** Id of the application */
  client_id: string
  /** Where the browser returns to: a redirect URI of the application, exactly as registered */
  redirect_uri: string
  /**
   * `code`: a user signs in, and the browser returns with a code. `adminconsent`: an administrator of a Microsoft
   * organization gives consent for it, without a code.
   */
  response_type: 'code' | 'adminconsent'
  /**
   * One provider: opens its sign-in directly. Several, comma-separated: buttons in that order. Default: all
   * connectors of the application.
   */
  provider?: string[] | undefined
  /** Scopes to request, separated by spaces or commas; default: those of the connector */
  scope?: string | undefined
  /** Your own text, up to 256 characters. It is returned unchanged and stored with the grant */
  state?: string | undefined
  /** Address of the user. If it has a grant, that grant is authenticated again, and no other account is accepted. */
  login_hint?: string | undefined
  /** `offline`: the code is exchanged for a refresh token too. Default: `online`. */
  access_type?: 'online' | 'offline' | undefined
  /**
   * Content of the first page: the provider (`select_provider`, default), the address (`detect`), or both in that
   * order. Ignored if a provider is given.
   */
  prompt?: 'select_provider' | 'detect' | 'select_provider,detect' | 'detect,select_provider' | undefined
  /**
   * PKCE: with `S256` the digest of a verifier, with `plain` the verifier itself, 43 to 128 characters. The
   * exchange then needs `code_verifier` and no API key.
   */
  code_challenge?: string | undefined
  /** `plain` (default) or `S256`, ignoring case */
  code_challenge_method?: string | undefined
  /** Credential of the connector to use instead of its active one; required with `adminconsent` */
  credential_id?: string | undefined
  /**
   * Comma-separated: `smtp_required`, the account must be able to send; `exclude_google_granted_scopes`, scopes of
   * earlier Google consents are not merged
   */
  options?: string[] | undefined
  /** `false` equals the option `exclude_google_granted_scopes`; default `true` */
  include_grant_scopes?: boolean | undefined
  /**
   * Languages of the pages in order of preference, separated by spaces, such as `fr-CA fr en` (as in OpenID
   * Connect). Unsupported languages are ignored. Default: the languages of the browser.
   */
  ui_locales?: string | undefined
  /** `true` equals the option `smtp_required` */
  smtp_required?: boolean | undefined
}

/** Configuration with which an application connects accounts of one provider */
export type Connector = {
  /** Id of the connector. Paths use its provider instead. */
  id: string
  /** Name for your own use; users do not see it */
  name: string
  /** Provider of its accounts */
  provider: ProviderKind
  /** OAuth client at the provider, such as `client_id`; secrets are omitted */
  settings: Record<string, unknown>
  /** Default scopes of a hosted sign-in */
  scope: string[]
  /** Credential used instead of the client in `settings`; null if none */
  active_credential_id: string | null
  /** Creation time in Unix seconds */
  created_at: number
  /** Time of the last change in Unix seconds */
  updated_at: number
}

/** Changes to a connector. Absent fields stay unchanged. */
export type ConnectorChange = {
  /** Name for your own use; default: the name of the provider */
  name?: string | null | undefined
  /**
   * `google`, `microsoft`, `yahoo`, `zoom`: `client_id` and `client_secret` of your OAuth client (`yahoo`: none if
   * users enter app passwords). `google` also `topic_name`, the Pub/Sub topic for pushed Gmail changes, and
   * `project_id`; `microsoft` also `tenant`, default `common`. Other providers need none. Secrets are encrypted
   * and never returned.
   */
  settings?: Record<string, unknown> | null | undefined
  /** Default scopes of a hosted sign-in, as the provider names them; default: none */
  scope?: string[] | null | undefined
  /** Alias of `scope`; takes precedence if both are given */
  scopes?: string[] | null | undefined
  /**
   * Credential of this connector used instead of the client in `settings`. A new connector has none yet. null: the
   * client in `settings`.
   */
  active_credential_id?: string | null | undefined
}

/** A new connector */
export type ConnectorDraft = {
  /** Provider of the accounts; an application has at most one connector per provider */
  provider: ProviderKind
  /** Name for your own use; default: the name of the provider */
  name?: string | null | undefined
  /**
   * `google`, `microsoft`, `yahoo`, `zoom`: `client_id` and `client_secret` of your OAuth client (`yahoo`: none if
   * users enter app passwords). `google` also `topic_name`, the Pub/Sub topic for pushed Gmail changes, and
   * `project_id`; `microsoft` also `tenant`, default `common`. Other providers need none. Secrets are encrypted
   * and never returned.
   */
  settings?: Record<string, unknown> | null | undefined
  /** Default scopes of a hosted sign-in, as the provider names them; default: none */
  scope?: string[] | null | undefined
  /** Alias of `scope`; takes precedence if both are given */
  scopes?: string[] | null | undefined
  /**
   * Credential of this connector used instead of the client in `settings`. A new connector has none yet. null: the
   * client in `settings`.
   */
  active_credential_id?: string | null | undefined
}

/** Facts needed to set up the connector of a provider */
export type ConnectorSetup = {
  /** Provider */
  provider: ProviderKind
  /** Redirect URI to register at the provider, exactly as given; null if users do not sign in there */
  redirect_uri: string | null
  /** How the provider pushes changes; null if it cannot */
  push: {
    /** URL prefix to which the provider posts change notifications */
    address: string
    /**
     * Whether the provider can reach this URL: by https, or from this machine. Otherwise the service polls for
     * changes.
     */
    reachable: boolean
  } | null
  /** Replacement of the provider, such as a simulator */
  simulator: {
    /** URL that replaces all hosts of the provider (`WAYPOST_<KIND>_URL`); null if none is set */
    url: string | null
    /** Whether a connector can be created without input, because its client is known or none is needed */
    ready: boolean
  }
}

/** Result of a connector test */
export type ConnectorTest = {
  /** Whether all checks passed */
  ok: boolean
  /** Redirect URI to register at the provider, exactly as given; null if users do not sign in there */
  redirect_uri: string | null
  /** The checks in order */
  checks: {
    /** Name of the check, such as `client` or `scope` */
    name: string
    /** Whether the check passed */
    ok: boolean
    /** Result, and what to do if the check failed */
    message: string
  }[]
}

/** A person or company in the account's contacts */
export type Contact = {
  /** Id of the contact */
  id: string
  /** Id of the grant that it belongs to */
  grant_id: string
  /** Object type: always `contact` */
  object: 'contact'
  /** `address_book`: saved by the user; `inbox`: seen in mail; `domain`: the organization's directory */
  source: ContactSource
  /** Full display name; empty if there is no name */
  display_name: string
  /** First name; null if unknown */
  given_name: string | null
  /** Middle names; null if unknown */
  middle_name: string | null
  /** Last name; null if unknown */
  surname: string | null
  /** Suffix of the name, such as `Jr.`; null if unknown */
  suffix: string | null
  /** Nickname; null if unknown */
  nickname: string | null
  /** `YYYY-MM-DD`, with year 0000 if the year is unknown; null if there is no birthday */
  birthday: string | null
  /** Company or organization; null if unknown */
  company_name: string | null
  /** Job title; null if unknown */
  job_title: string | null
  /** Name of the manager; null if unknown */
  manager_name: string | null
  /** Location of the office; null if unknown */
  office_location: string | null
  /** The user's notes about the person; null if there are none */
  notes: string | null
  /** Email addresses, preferred one first. Never null */
  emails: {
    /** Email address */
    email: string
    /** `work`, `home` or `other`, for numbers also `mobile`; absent if unknown */
    type?: string | null
  }[]
  /** Phone numbers. Never null */
  phone_numbers: {
    /** The number as written */
    number: string
    /** `work`, `home` or `other`, for numbers also `mobile`; absent if unknown */
    type?: string | null
  }[]
  /** Instant messaging addresses. Never null */
  im_addresses: {
    /** User name or address in the service */
    im_address: string
    /** Name of the service, such as `jabber` */
    type?: string | null
  }[]
  /** Postal addresses. Never null */
  physical_addresses: {
    /** `work`, `home` or `other`, for numbers also `mobile`; absent if unknown */
    type?: string | null
    /** Street and number; can have several lines */
    street_address?: string | null
    /** City */
    city?: string | null
    /** State, province or county */
    state?: string | null
    /** Postal code, as a string */
    postal_code?: string | null
    /** Country, as a name or code */
    country?: string | null
  }[]
  /** Web pages of the person. Never null */
  web_pages: {
    /** URL of the page */
    url: string
    /** `work`, `home` or `other`, for numbers also `mobile`; absent if unknown */
    type?: string | null
  }[]
  /** Groups of the contact. Never null */
  groups: {
    /** Id of the group */
    id: string
  }[]
  /**
   * Present if the contact has a picture. The URL may require the account's credentials; use
   * `profile_picture=true` to read the picture
   */
  picture_url?: string
  /** Base64 data: URI; only with `profile_picture=true` */
  picture?: string
}

/** Changes to a contact. Absent fields stay unchanged, lists are replaced as a whole, null clears a field */
export type ContactChange = {
  /** First name; null clears it */
  given_name?: string | null | undefined
  /** Middle names; null clears it */
  middle_name?: string | null | undefined
  /** Last name; null clears it */
  surname?: string | null | undefined
  /** Suffix of the name, such as `Jr.`; null clears it */
  suffix?: string | null | undefined
  /** Nickname; null clears it */
  nickname?: string | null | undefined
  /** `YYYY-MM-DD`, with year 0000 if the year is unknown; null clears it */
  birthday?: string | null | undefined
  /** Company or organization; null clears it */
  company_name?: string | null | undefined
  /** Job title; null clears it */
  job_title?: string | null | undefined
  /** Name of the manager; null clears it */
  manager_name?: string | null | undefined
  /** Location of the office; null clears it */
  office_location?: string | null | undefined
  /** Notes about the person; null clears them */
  notes?: string | null | undefined
  /**
   * Email addresses. The list replaces the stored one; `[]` and null clear it. The maximum differs by provider:
   * one for IMAP, three of most kinds for Microsoft and Exchange
   */
  emails?: {
    /** Email address */
    email: string
    /** `work`, `home`, `mobile` or `other`. Other texts are passed to the provider and may be returned as `other` */
    type?: string | undefined
  }[] | null | undefined
  /**
   * Phone numbers. The list replaces the stored one. The maximum differs by provider: one for IMAP, three of most
   * kinds for Microsoft and Exchange
   */
  phone_numbers?: {
    /** The number in any notation */
    number: string
    /** `work`, `home`, `mobile` or `other`. Other texts are passed to the provider and may be returned as `other` */
    type?: string | undefined
  }[] | null | undefined
  /**
   * Instant messaging addresses. The list replaces the stored one. The maximum differs by provider: one for IMAP,
   * three of most kinds for Microsoft and Exchange
   */
  im_addresses?: {
    /** User name or address in the service */
    im_address: string
    /** Name of the service, such as `jabber` */
    type?: string | null | undefined
  }[] | null | undefined
  /**
   * Postal addresses. The list replaces the stored one. The maximum differs by provider: one for IMAP, three of
   * most kinds for Microsoft and Exchange
   */
  physical_addresses?: {
    /** `work`, `home`, `mobile` or `other`. Other texts are passed to the provider and may be returned as `other` */
    type?: string | undefined
    /** Accepted without effect: the parts of the address are stored */
    format?: string | null | undefined
    /** Street and number; can have several lines */
    street_address?: string | null | undefined
    /** City */
    city?: string | null | undefined
    /** State, province or county */
    state?: string | null | undefined
    /** Postal code; a number is converted to a string */
    postal_code?: string | null | undefined
    /** Country, as a name or code */
    country?: string | null | undefined
  }[] | null | undefined
  /**
   * Web pages of the person. The list replaces the stored one. The maximum differs by provider: one for IMAP,
   * three of most kinds for Microsoft and Exchange
   */
  web_pages?: {
    /** URL of the page */
    url: string
    /** `work`, `home`, `mobile` or `other`. Other texts are passed to the provider and may be returned as `other` */
    type?: string | undefined
  }[] | null | undefined
  /** Groups of the contact. The list replaces the stored one; at most one for IMAP, Microsoft and Exchange */
  groups?: {
    /** Id of the group */
    id: string
  }[] | null | undefined
  /** Base64, or a base64 data: URI; null removes the picture */
  picture?: string | null | undefined
  /** Accepted without effect: it is derived from the names */
  display_name?: string | null | undefined
  /** Accepted without effect: contacts are always written to the address book */
  source?: string | null | undefined
  /** Accepted without effect: write `picture` */
  picture_url?: string | null | undefined
}

/** A deleted contact */
export type ContactDeletedObject = {
  /** Id of the contact */
  id: string
  /** Id of the grant that it belongs to */
  grant_id: string
  /** Object type: always `contact` */
  object: 'contact'
}

/** A new contact. At least one of `given_name`, `surname`, `company_name` and `emails` is required */
export type ContactDraft = {
  /** First name; null clears it */
  given_name?: string | null | undefined
  /** Middle names; null clears it */
  middle_name?: string | null | undefined
  /** Last name; null clears it */
  surname?: string | null | undefined
  /** Suffix of the name, such as `Jr.`; null clears it */
  suffix?: string | null | undefined
  /** Nickname; null clears it */
  nickname?: string | null | undefined
  /** `YYYY-MM-DD`, with year 0000 if the year is unknown; null clears it */
  birthday?: string | null | undefined
  /** Company or organization; null clears it */
  company_name?: string | null | undefined
  /** Job title; null clears it */
  job_title?: string | null | undefined
  /** Name of the manager; null clears it */
  manager_name?: string | null | undefined
  /** Location of the office; null clears it */
  office_location?: string | null | undefined
  /** Notes about the person; null clears them */
  notes?: string | null | undefined
  /**
   * Email addresses. The list replaces the stored one; `[]` and null clear it. The maximum differs by provider:
   * one for IMAP, three of most kinds for Microsoft and Exchange
   */
  emails?: {
    /** Email address */
    email: string
    /** `work`, `home`, `mobile` or `other`. Other texts are passed to the provider and may be returned as `other` */
    type?: string | undefined
  }[] | null | undefined
  /**
   * Phone numbers. The list replaces the stored one. The maximum differs by provider: one for IMAP, three of most
   * kinds for Microsoft and Exchange
   */
  phone_numbers?: {
    /** The number in any notation */
    number: string
    /** `work`, `home`, `mobile` or `other`. Other texts are passed to the provider and may be returned as `other` */
    type?: string | undefined
  }[] | null | undefined
  /**
   * Instant messaging addresses. The list replaces the stored one. The maximum differs by provider: one for IMAP,
   * three of most kinds for Microsoft and Exchange
   */
  im_addresses?: {
    /** User name or address in the service */
    im_address: string
    /** Name of the service, such as `jabber` */
    type?: string | null | undefined
  }[] | null | undefined
  /**
   * Postal addresses. The list replaces the stored one. The maximum differs by provider: one for IMAP, three of
   * most kinds for Microsoft and Exchange
   */
  physical_addresses?: {
    /** `work`, `home`, `mobile` or `other`. Other texts are passed to the provider and may be returned as `other` */
    type?: string | undefined
    /** Accepted without effect: the parts of the address are stored */
    format?: string | null | undefined
    /** Street and number; can have several lines */
    street_address?: string | null | undefined
    /** City */
    city?: string | null | undefined
    /** State, province or county */
    state?: string | null | undefined
    /** Postal code; a number is converted to a string */
    postal_code?: string | null | undefined
    /** Country, as a name or code */
    country?: string | null | undefined
  }[] | null | undefined
  /**
   * Web pages of the person. The list replaces the stored one. The maximum differs by provider: one for IMAP,
   * three of most kinds for Microsoft and Exchange
   */
  web_pages?: {
    /** URL of the page */
    url: string
    /** `work`, `home`, `mobile` or `other`. Other texts are passed to the provider and may be returned as `other` */
    type?: string | undefined
  }[] | null | undefined
  /** Groups of the contact. The list replaces the stored one; at most one for IMAP, Microsoft and Exchange */
  groups?: {
    /** Id of the group */
    id: string
  }[] | null | undefined
  /** Base64, or a base64 data: URI; null removes the picture */
  picture?: string | null | undefined
  /** Accepted without effect: it is derived from the names */
  display_name?: string | null | undefined
  /** Accepted without effect: contacts are always written to the address book */
  source?: string | null | undefined
  /** Accepted without effect: write `picture` */
  picture_url?: string | null | undefined
}

export type ContactExportQuery = {
  /** `vcf` (default): vCards, without pictures; `ndjson`: one contact object per line */
  format?: 'vcf' | 'ndjson' | undefined
  /** Version of the vCards: `3.0` (default), which nearly all programs read, or `4.0` */
  version?: '3.0' | '4.0' | undefined
  /**
   * Source of the contacts: `address_book` (default), `inbox` for contacts seen only in mail, `domain` for the
   * directory. IMAP, iCloud and CardDAV accept several, comma-separated
   */
  source?: ('address_book' | 'inbox' | 'domain')[] | undefined
  /** Only contacts in the group with this id */
  group?: string | undefined
  /** `true` includes contacts of direct subgroups: `microsoft`, `ews` and CardDAV */
  recurse?: boolean | undefined
  /**
   * Maximum page size, default 100; values above 200 are reduced to 200. A page can be shorter and still have a
   * next page.
   */
  limit?: number | undefined
  /**
   * The response header `next-cursor` of the previous page; absent for the first page. `format` and filters stay
   * those of the first page; `limit` can change.
   */
  page_token?: string | undefined
}

/** A contact group; for Microsoft and Exchange a contact folder */
export type ContactGroup = {
  /** Id of the group, as in `groups` of contacts */
  id: string
  /** Id of the grant that it belongs to */
  grant_id: string
  /** Object type: always `contact_group` */
  object: 'contact_group'
  /** Name shown to the user */
  name: string
  /** `system`: provided for all users; it cannot be renamed or deleted */
  group_type: 'system' | 'user' | 'other'
  /** Ids of its parent groups and its own id, separated by slashes */
  path: string
}

/** A new group, or its new name */
export type ContactGroupDraft = {
  /** Name of the group; a name that is already used fails with 409 */
  name: string
  /** Accepted without effect: the provider determines it */
  path?: string | null | undefined
}

export type ContactGroupListQuery = {
  /**
   * Maximum page size, default 50; values above 200 are reduced to 200. A page can be shorter and still have a
   * next page.
   */
  limit?: number | undefined
  /**
   * `next_cursor` of the previous page; absent for the first page. Filters stay those of the first page; `limit`
   * and `select` can change.
   */
  page_token?: string | undefined
  /** Top-level fields to return, comma-separated: `id,title`. Default: all fields. Unknown names are ignored. */
  select?: string[] | undefined
}

export type ContactListQuery = {
  /** Only contacts with exactly this address, ignoring case */
  email?: string | undefined
  /** Only contacts with this number, in any notation */
  phone_number?: string | undefined
  /**
   * Source of the contacts: `address_book` (default), `inbox` for contacts seen only in mail, `domain` for the
   * directory. IMAP, iCloud and CardDAV accept several, comma-separated
   */
  source?: ('address_book' | 'inbox' | 'domain')[] | undefined
  /** Only contacts in the group with this id */
  group?: string | undefined
  /** `true` includes contacts of direct subgroups: `microsoft`, `ews` and CardDAV */
  recurse?: boolean | undefined
  /**
   * Maximum page size, default 30; values above 200 are reduced to 200. A page can be shorter and still have a
   * next page.
   */
  limit?: number | undefined
  /**
   * `next_cursor` of the previous page; absent for the first page. Filters stay those of the first page; `limit`
   * and `select` can change.
   */
  page_token?: string | undefined
  /** Top-level fields to return, comma-separated: `id,title`. Default: all fields. Unknown names are ignored. */
  select?: string[] | undefined
}

/** A new or changed contact */
export type ContactObject = {
  /** Id of the contact */
  id: string
  /** Id of the grant that it belongs to */
  grant_id: string
  /** Object type: always `contact` */
  object: 'contact'
  /** `address_book`: saved by the user; `inbox`: seen in mail; `domain`: the organization's directory */
  source: ContactSource
  /** Full display name; empty if there is no name */
  display_name: string
  /** First name; null if unknown */
  given_name: string | null
  /** Middle names; null if unknown */
  middle_name: string | null
  /** Last name; null if unknown */
  surname: string | null
  /** Suffix of the name, such as `Jr.`; null if unknown */
  suffix: string | null
  /** Nickname; null if unknown */
  nickname: string | null
  /** `YYYY-MM-DD`, with year 0000 if the year is unknown; null if there is no birthday */
  birthday: string | null
  /** Company or organization; null if unknown */
  company_name: string | null
  /** Job title; null if unknown */
  job_title: string | null
  /** Name of the manager; null if unknown */
  manager_name: string | null
  /** Location of the office; null if unknown */
  office_location: string | null
  /** The user's notes about the person; null if there are none */
  notes: string | null
  /** Email addresses, preferred one first. Never null */
  emails: {
    /** Email address */
    email: string
    /** `work`, `home` or `other`, for numbers also `mobile`; absent if unknown */
    type?: string | null
  }[]
  /** Phone numbers. Never null */
  phone_numbers: {
    /** The number as written */
    number: string
    /** `work`, `home` or `other`, for numbers also `mobile`; absent if unknown */
    type?: string | null
  }[]
  /** Instant messaging addresses. Never null */
  im_addresses: {
    /** User name or address in the service */
    im_address: string
    /** Name of the service, such as `jabber` */
    type?: string | null
  }[]
  /** Postal addresses. Never null */
  physical_addresses: {
    /** `work`, `home` or `other`, for numbers also `mobile`; absent if unknown */
    type?: string | null
    /** Street and number; can have several lines */
    street_address?: string | null
    /** City */
    city?: string | null
    /** State, province or county */
    state?: string | null
    /** Postal code, as a string */
    postal_code?: string | null
    /** Country, as a name or code */
    country?: string | null
  }[]
  /** Web pages of the person. Never null */
  web_pages: {
    /** URL of the page */
    url: string
    /** `work`, `home` or `other`, for numbers also `mobile`; absent if unknown */
    type?: string | null
  }[]
  /** Groups of the contact. Never null */
  groups: {
    /** Id of the group */
    id: string
  }[]
  /**
   * Present if the contact has a picture. The URL may require the account's credentials; use
   * `profile_picture=true` to read the picture
   */
  picture_url?: string
}

/** `address_book`: saved by the user; `inbox`: seen in mail; `domain`: the organization's directory */
export type ContactSource = 'address_book' | 'inbox' | 'domain'

/** Number of objects that match a filter */
export type Count = {
  /** Number of matching objects, or a lower bound */
  count: number
  /** `true`: counting stopped early, so there may be more */
  more: boolean
}

/** An additional credential of a connector. Its secrets are never returned. */
export type Credential = {
  /** Id of the credential: the `credential_id` of sign-ins and custom authentication */
  id: string
  /** Name, unique among the credentials of the connector */
  name: string
  /** Type of the credential */
  credential_type: CredentialType
  /** Creation time in Unix seconds */
  created_at: number
  /** Time of the last change in Unix seconds */
  updated_at: number
}

/** Changes to a credential. Absent fields stay unchanged. */
export type CredentialChange = {
  /** Name, unique among the credentials of the connector, up to 256 characters */
  name?: string | undefined
  /**
   * The secrets, by type. `connector`: `client_id` and `client_secret`; `serviceaccount`: `private_key_id`,
   * `private_key` and `client_email`, as in Google's key file; `adminconsent`: `tenant`, `client_id` and
   * `client_secret`, default: those of the connector. For Microsoft, `certificate` and `private_key` in PEM format
   * can replace `client_secret`. Stored encrypted, never returned.
   */
  credential_data?: Record<string, unknown> | undefined
}

/** A new credential of a connector */
export type CredentialDraft = {
  /** Name, unique among the credentials of the connector, up to 256 characters */
  name: string
  /** `connector`, `serviceaccount` (Google) or `adminconsent` (Microsoft) */
  credential_type: CredentialType
  /**
   * The secrets, by type. `connector`: `client_id` and `client_secret`; `serviceaccount`: `private_key_id`,
   * `private_key` and `client_email`, as in Google's key file; `adminconsent`: `tenant`, `client_id` and
   * `client_secret`, default: those of the connector. For Microsoft, `certificate` and `private_key` in PEM format
   * can replace `client_secret`. Stored encrypted, never returned.
   */
  credential_data: Record<string, unknown>
}

/** One request of a restricted API key or an agent */
export type CredentialRequest = {
  /** Id of the request, as in `request_id` */
  id: string
  /** HTTP method, or `MCP` for a tool call */
  method: string
  /** Operation of the API, such as `messages.list` */
  operation: string
  /** MCP tool; null for a plain API call */
  tool: string | null
  /** HTTP status of the answer */
  status: number
  /** Error code, such as `missing_right`; null if the request succeeded */
  error: string | null
  /** The grant; null for requests of the application */
  grant_id: string | null
  /** Time in Unix seconds */
  time: number
}

/**
 * `connector`: another OAuth client at the provider; `serviceaccount`: a Google account that acts for users of a
 * domain; `adminconsent`: a Microsoft client approved by an administrator of an organization
 */
export type CredentialType = 'connector' | 'serviceaccount' | 'adminconsent'

/** An account and its credentials */
export type CustomAuthentication = {
  /**
   * Required. Provider of the account: `google`, `microsoft`, `imap`, `icloud`, `yahoo`, `ews` or
   * `virtual-calendar`. The application must have its connector.
   */
  provider?: string | undefined
  /**
   * Credentials of the account, depending on the provider: a refresh token, a user name with a password, or the
   * name of a virtual account. `GET /v3/connect/custom` lists the fields. Secrets are encrypted and never
   * returned.
   */
  settings: Record<string, unknown>
  /**
   * Scopes of the credentials. Stored with the grant if the provider does not report them; ignored for providers
   * without scopes.
   */
  scope?: string[] | null | undefined
  /** Your own text, stored with the grant: up to 256 characters */
  state?: string | null | undefined
  /** Credential of the connector to use instead of its active one; same as in `settings` */
  credential_id?: string | null | undefined
  /** Your own id of the end user, unique in the application. Paths can then use `external:<id>` as the grant id */
  external_id?: string | null | undefined
  /**
   * Id of a workspace for the grant. Default: the workspace of its domain with `auto_group`, otherwise the default
   * workspace; an existing grant stays where it is.
   */
  workspace_id?: string | null | undefined
}

/** A custom header. `icloud` refuses `List-Unsubscribe` headers. */
export type CustomHeader = {
  /**
   * Name of the header, such as `X-Case`. Headers written by the service or by mail servers are refused: From, To,
   * Cc, Bcc, Reply-To, Subject, Date, Message-ID, Content-* and similar ones.
   */
  name: string
  /** Value on one line, up to 4096 characters */
  value: string
}

/** An undelivered notification of a destination */
export type Delivery = {
  /** Id of the notification: the `id` of its envelope */
  notification_id: string
  /** The `type` of the notification, such as `event.created` */
  type: string
  /** Id of the grant that the notification is about */
  grant_id: string
  /** `waiting`: will be attempted; `failed`: all attempts were used, replay it to try again */
  state: 'waiting' | 'failed'
  /** Number of attempts */
  attempts: number
  /** Time of the next attempt in Unix seconds; null if failed */
  next_attempt_at: number | null
}

/** One attempt to deliver a notification to a destination */
export type DeliveryAttempt = {
  /** Id of the notification; null when it is no longer retained */
  notification_id: string | null
  /** The `type` of the notification, such as `event.created`; null when it is no longer retained */
  type: string | null
  /** Id of the grant that the notification is about; null when it is no longer retained */
  grant_id: string | null
  /** Number of the attempt at this destination, starting at 1; replays continue the count */
  webhook_delivery_attempt: number
  /** `delivered`: the response had status 2xx; `failed`: another status, or no response */
  outcome: 'delivered' | 'failed'
  /** Time of the attempt in Unix seconds */
  at: number
  /** Milliseconds until the response, or until the attempt was aborted */
  latency_ms: number
  /** HTTP status of the response; null if there was none */
  status: number | null
  /** Reason why there was no response; null if there was one */
  error: string | null
  /**
   * First 4 KB of the response; null if there was none. Administrators get it only with the single attempt, not in
   * the list
   */
  answer: string | null
}

/** Provider of an address */
export type Detection = {
  /** The requested address */
  email_address: string
  /** Whether a provider was found */
  detected: boolean
  /** Provider, such as `google`; `imap` if the domain uses another mail server. Absent if none was found. */
  provider?: string
  /** Vendor of the mailbox, if the provider is `imap` and the vendor is well known */
  type?: string
}

/** A message in the drafts of an account */
export type Draft = {
  /** Opaque id of the message. It does not change when the message is moved; with `ews`, a previous id stays valid. */
  id: string
  /** Id of the grant that it belongs to */
  grant_id: string
  /** Object type: always `draft` */
  object: 'draft'
  /** Id of its thread; empty if it belongs to none */
  thread_id?: string
  /** Time of the last save in Unix seconds */
  date: number
  /** First 100 characters of the text, without markup */
  snippet?: string
  /** Whether it is starred (`google`) or flagged (`microsoft`, `ews`, IMAP `\Flagged`) */
  starred?: boolean
  /** Whether it is unread */
  unread?: boolean
  /**
   * Ids of its folders. For `google` all its labels, including `UNREAD` and `STARRED`; for `microsoft` and `ews`
   * exactly one.
   */
  folders?: string[]
  /** Your own key-value pairs; absent if none were set */
  metadata?: Metadata
  /** Decoded subject; empty if there is none */
  subject?: string
  /** Senders, nearly always one */
  from?: EmailName[]
  /** Recipients */
  to?: EmailName[]
  /** Recipients of a copy */
  cc?: EmailName[]
  /** Recipients of a blind copy. Known for drafts and sent mail, otherwise empty. */
  bcc?: EmailName[]
  /** Addresses for replies, if not `from` */
  reply_to?: EmailName[]
  /** HTML body, or plain text if the message has no HTML */
  body?: string
  /** Attachments, including inline images (`is_inline`). Download them with `/attachments/{id}/download`. */
  attachments?: Attachment[]
  /** Tracking to apply when it is sent; absent if none was set */
  tracking_options?: TrackingOptions
  /** Id of the message that it replies to, as given when the draft was created; absent if none */
  reply_to_message_id?: string
}

/** Changes to a draft. Absent fields stay unchanged; a given list replaces the old one. */
export type DraftChange = {
  /** Recipients. A draft can have none until it is sent. */
  to?: Recipient[] | null | undefined
  /** Recipients of a copy */
  cc?: Recipient[] | null | undefined
  /** Recipients of a blind copy */
  bcc?: Recipient[] | null | undefined
  /** Addresses for replies: up to 100 */
  reply_to?: Recipient[] | null | undefined
  /** Subject on one line, up to 998 characters. Default for a reply: the subject of the original message. */
  subject?: string | null | undefined
  /** Body as HTML, or as plain text with `is_plaintext` */
  body?: string | null | undefined
  /** true: `body` is plain text and no HTML is sent; default false */
  is_plaintext?: boolean | null | undefined
  /** true: the draft is starred */
  starred?: boolean | null | undefined
  /** Accepted without effect for compatibility: a draft is always read */
  unread?: boolean | null | undefined
  /**
   * Files that replace all attachments of the draft; files in parts of the request do the same. Up to 3 MB in
   * total in the JSON. If absent, attachments stay.
   */
  attachments?: OutgoingAttachment[] | null | undefined
  /** Merged with the previous values. If `opens`, `links` and `thread_replies` are all false, nothing is tracked */
  tracking_options?: TrackingRequest | null | undefined
  /** Your own key-value pairs: replaces all of them; `{}` and null remove them */
  metadata?: Metadata | null | undefined
  /** Template for subject and body; `subject` or `body` in the request override it */
  template?: TemplateUse | null | undefined
  /** Refused: drafts cannot be scheduled. Use `/messages/send` to send at a given time. */
  send_at?: unknown | undefined
  /** Accepted without effect for compatibility; it applies to scheduled messages */
  use_draft?: unknown | undefined
}

export type DraftListQuery = {
  /** Text in the subject, ignoring case; for `google` whole words */
  subject?: string | undefined
  /** Any of these full addresses as sender or recipient: up to 25, comma-separated */
  any_email?: string[] | undefined
  /** One of these full addresses in `to` */
  to?: string[] | undefined
  /** One of these full addresses in `cc` */
  cc?: string[] | undefined
  /** One of these full addresses in `bcc` */
  bcc?: string[] | undefined
  /** Id of a folder or label that also contains the draft */
  in?: string | undefined
  /** `true`: only starred drafts; `false`: only drafts without a star */
  starred?: boolean | undefined
  /** `true`: only drafts marked as unread; `false`: only others */
  unread?: boolean | undefined
  /** Only drafts in this thread */
  thread_id?: string | undefined
  /** `true`: only drafts with attachments; `false`: only drafts without */
  has_attachment?: boolean | undefined
  /**
   * Only objects whose metadata contains this pair, as `key1:value`. Several comma-separated pairs must all match.
   * Only `key1` to `key5`. Cannot be combined with provider filters.
   */
  metadata_pair?: string | undefined
  /** Accepted without effect for compatibility: the mail server is always queried */
  query_imap?: boolean | undefined
  /**
   * Maximum page size, default 50; values above 200 are reduced to 200. A page can be shorter and still have a
   * next page.
   */
  limit?: number | undefined
  /**
   * `next_cursor` of the previous page; absent for the first page. Filters stay those of the first page; `limit`
   * and `select` can change.
   */
  page_token?: string | undefined
  /** Top-level fields to return, comma-separated: `id,title`. Default: all fields. Unknown names are ignored. */
  select?: string[] | undefined
}

export type DraftQuery = {
  /** Accepted without effect for compatibility: the mail server is always queried */
  query_imap?: boolean | undefined
  /** Top-level fields to return, comma-separated: `id,title`. Default: all fields. Unknown names are ignored. */
  select?: string[] | undefined
}

/** A new draft */
export type DraftRequest = {
  /** Recipients. A draft can have none until it is sent. */
  to?: Recipient[] | null | undefined
  /** Recipients of a copy */
  cc?: Recipient[] | null | undefined
  /** Recipients of a blind copy */
  bcc?: Recipient[] | null | undefined
  /** Addresses for replies: up to 100 */
  reply_to?: Recipient[] | null | undefined
  /**
   * Sender, exactly one; default: address and name of the grant. Another address must be an alias that the
   * provider allows.
   */
  from?: Recipient[] | null | undefined
  /** Subject on one line, up to 998 characters. Default for a reply: the subject of the original message. */
  subject?: string | null | undefined
  /** Body as HTML, or as plain text with `is_plaintext` */
  body?: string | null | undefined
  /** true: `body` is plain text and no HTML is sent; default false */
  is_plaintext?: boolean | null | undefined
  /**
   * Id or Message-ID of the message to reply to: sets In-Reply-To and References, so that the reply joins that
   * thread
   */
  reply_to_message_id?: string | null | undefined
  /**
   * Attachments, up to 3 MB in total after decoding; send larger ones as parts of `multipart/form-data`, or upload
   * them first
   */
  attachments?: OutgoingAttachment[] | null | undefined
  /** Custom headers, up to 100 */
  custom_headers?: CustomHeader[] | null | undefined
  /** Tracking of the sent message: opens, link clicks, replies. Default: none. */
  tracking_options?: TrackingRequest | null | undefined
  /** Your own key-value pairs, stored by the service for the message. Recipients do not see them. */
  metadata?: Metadata | null | undefined
  /** Template for subject and body; `subject` or `body` in the request override it */
  template?: TemplateUse | null | undefined
  /** Id of a signature of the grant, appended to the HTML; ignored for plain text */
  signature_id?: string | null | undefined
  /** true: the draft is starred */
  starred?: boolean | null | undefined
  /** Refused: drafts cannot be scheduled. Use `/messages/send` to send at a given time. */
  send_at?: unknown | undefined
  /** Accepted without effect for compatibility; it applies to scheduled messages */
  use_draft?: unknown | undefined
}

/** Language of mails to the guest */
export type EmailLanguage = 'en' | 'es' | 'fr' | 'de' | 'nl' | 'sv' | 'ja' | 'zh' | 'ko'

/** A person in a message header */
export type EmailName = {
  /** Display name, if the header has one */
  name?: string
  /** Email address */
  email: string
}

/**
 * Purpose of an application. `sandbox` is the application that every installation starts with: up to 5 grants
 * and connectors with fixed scopes. The other values have no effect.
 */
export type Environment = 'production' | 'staging' | 'development' | 'sandbox'

/** An event, a series of events (with `recurrence`), or one instance of a series */
export type Event = {
  /**
   * Id of the event. The id of an instance consists of the id of its series and its original start; it does not
   * change when the instance is moved
   */
  id: string
  /** Object type: always `event` */
  object: 'event'
  /** Id of the grant that it belongs to */
  grant_id: string
  /** Id of its calendar; never the word `primary` */
  calendar_id: string
  /** Title; null if it has none */
  title: string | null
  /** Description; can be HTML */
  description: string | null
  /**
   * The first 65,536 characters of `description` as plain text: without tags, links with their address. Null
   * without a description. Read-only
   */
  text_description: string | null
  /** Location as free text */
  location: string | null
  /** A point in time, a time span, a day, or several days (including the last one) */
  when: When
  /** Whether it counts as busy in free/busy and availability */
  busy: boolean
  /** `maybe` is a tentative event; `cancelled` is only returned on request */
  status: 'confirmed' | 'cancelled' | 'maybe'
  /** Visibility in a shared calendar: `default` follows the calendar. Absent if not set */
  visibility?: 'default' | 'public' | 'private'
  /** Whether guests cannot see each other */
  hide_participants: boolean
  /** Guests without the organizer. For an invitation, the account's own address is included. Never null */
  participants: Participant[]
  /** Invited rooms and equipment. Never null */
  resources: Resource[]
  /** Organizer; null if the provider does not report it */
  organizer: {
    /** Name; null if unknown */
    name: string | null
    /** Address; for a virtual account its identifier */
    email: string
  } | null
  /** `google`: creator of the event, if known */
  creator?: {
    /** Name; null if unknown */
    name: string | null
    /** Address; for a virtual account its identifier */
    email: string
  } | null
  /** RRULE, EXDATE and RDATE lines (RFC 5545), only on the master of a series */
  recurrence?: string[]
  /** On an instance: id of its series */
  master_event_id?: string | null
  /** On an instance: its original start according to the rule, in Unix seconds. Not for virtual calendars */
  original_start_time?: number
  /** iCalendar UID: equal for a series, its instances and the copies of all guests */
  ical_uid: string | null
  /** iCalendar SEQUENCE: increases when time, rule, location or status change */
  sequence?: number
  /** Reminders of the user; null if unknown */
  reminders?: Reminders | null
  /** Conference details; absent if there is no conference */
  conferencing?: Conferencing
  /** Maximum number of guests, as set by the creator */
  capacity?: number | null
  /** `google`: `1` to `11`; null is the default color */
  color_id?: string | null
  /** `google` and `microsoft`: URL of the event on the provider's web site */
  html_link?: string
  /** Whether it cannot be changed, as in a calendar shared for reading */
  read_only: boolean
  /** Your own key-value pairs. Instances inherit those of their series unless they have their own */
  metadata: Metadata
  /** Creation time in Unix seconds */
  created_at: number | null
  /** Time of the last change in Unix seconds */
  updated_at: number | null
}

/** The event that a booking creates */
export type EventBooking = {
  /**
   * Title of the event; required unless `type` is `group`. `${invitee}`, `${invitee_email}`, `${<key of an
   * additional field>}` are replaced
   */
  title?: string | null | undefined
  /** Description of the event, with the same tokens */
  description?: string | null | undefined
  /** Location of the event */
  location?: string | null | undefined
  /** Time zone of the event; default UTC */
  timezone?: TimeZone | '' | null | undefined
  /**
   * `booking` (default): booked at once. `organizer-confirmation`: pending until the organizer confirms by a link.
   * `custom-confirmation`: pending until the application confirms
   */
  booking_type?: 'booking' | 'organizer-confirmation' | 'custom-confirmation' | null | undefined
  /** Online conference of the event */
  conferencing?: Conferencing | null | undefined
  /** Whether Waypost sends no mails about bookings; default `false` */
  disable_emails?: boolean | null | undefined
  /** Whether guests of the event do not see each other; default `false` */
  hide_participants?: boolean | null | undefined
  /** Whether the provider sends its own invitations; default `false` */
  notify_participants?: boolean | null | undefined
  /** Reminders before the event */
  reminders?: BookingReminder[] | null | undefined
}

/**
 * Changes to an event. Absent fields stay unchanged, objects and lists are replaced as a whole, null clears a
 * field
 */
export type EventChange = {
  /** Title */
  title?: string | null | undefined
  /** Description; can be HTML. `google` accepts 8,192 characters */
  description?: string | null | undefined
  /** Location as free text */
  location?: string | null | undefined
  /**
   * Exactly one of: `time`; `start_time` and `end_time`; `date`; `start_date` and `end_date`. Times are in
   * seconds, not in milliseconds
   */
  when?: WhenInput | undefined
  /** Whether it counts as busy in free/busy and availability; default `true` */
  busy?: boolean | null | undefined
  /** Visibility in a shared calendar. `default` is for `google` only; `icloud` accepts none */
  visibility?: 'default' | 'public' | 'private' | null | undefined
  /** `true`: guests cannot see each other. `ews` and `icloud` refuse it. Default: `false` */
  hide_participants?: boolean | null | undefined
  /**
   * Guests to invite. The account itself is the organizer and is not listed. In a change, the list replaces the
   * old one: missing guests are uninvited
   */
  participants?: ParticipantInput[] | null | undefined
  /** Rooms and equipment to invite */
  resources?: Resource[] | null | undefined
  /**
   * Makes it a series: one RRULE line, and EXDATE and RDATE lines (RFC 5545), such as
   * `RRULE:FREQ=WEEKLY;BYDAY=FR;COUNT=10`. The start must match the rule. In a change, `[]` turns a series into a
   * single event; without EXDATE lines deleted occurrences stay deleted, with EXDATE lines the previous ones are
   * replaced
   */
  recurrence?: string[] | null | undefined
  /** Reminders of the user; default: those of the calendar. Virtual calendars send no reminders */
  reminders?: RemindersInput | null | undefined
  /** Conference: either `details` of an existing one, or `autocreate`. In a change, `{}` removes it */
  conferencing?: Conferencing | null | undefined
  /** Maximum number of guests. Stored with the event, but not enforced */
  capacity?: number | null | undefined
  /** `google`: `1` to `11`; null is the default color. Other providers have none */
  color_id?: string | null | undefined
  /**
   * Your own key-value pairs, which replace all existing ones; `{}` and null remove them. `key5` marks the event
   * for the round-robin order of availability
   */
  metadata?: Metadata | null | undefined
  /** Accepted without effect: set the calendar in the query */
  calendar_id?: string | null | undefined
  /** Accepted without effect: delete an event to cancel it */
  status?: string | null | undefined
}

/** A deleted event or series */
export type EventDeletedObject = {
  /** Id of the event */
  id: string
  /** Object type: always `event` */
  object: 'event'
  /** Id of the grant that it belongs to */
  grant_id: string
  /** Id of its calendar */
  calendar_id: string
  /** Id of its series, if it was an instance */
  master_event_id?: string
  /** Its key-value pairs */
  metadata?: Metadata
}

/** A new event; only `when` is required */
export type EventDraft = {
  /** Title */
  title?: string | null | undefined
  /** Description; can be HTML. `google` accepts 8,192 characters */
  description?: string | null | undefined
  /** Location as free text */
  location?: string | null | undefined
  /**
   * Exactly one of: `time`; `start_time` and `end_time`; `date`; `start_date` and `end_date`. Times are in
   * seconds, not in milliseconds
   */
  when: WhenInput
  /** Whether it counts as busy in free/busy and availability; default `true` */
  busy?: boolean | null | undefined
  /** Visibility in a shared calendar. `default` is for `google` only; `icloud` accepts none */
  visibility?: 'default' | 'public' | 'private' | null | undefined
  /** `true`: guests cannot see each other. `ews` and `icloud` refuse it. Default: `false` */
  hide_participants?: boolean | null | undefined
  /**
   * Guests to invite. The account itself is the organizer and is not listed. In a change, the list replaces the
   * old one: missing guests are uninvited
   */
  participants?: ParticipantInput[] | null | undefined
  /** Rooms and equipment to invite */
  resources?: Resource[] | null | undefined
  /**
   * Makes it a series: one RRULE line, and EXDATE and RDATE lines (RFC 5545), such as
   * `RRULE:FREQ=WEEKLY;BYDAY=FR;COUNT=10`. The start must match the rule. In a change, `[]` turns a series into a
   * single event; without EXDATE lines deleted occurrences stay deleted, with EXDATE lines the previous ones are
   * replaced
   */
  recurrence?: string[] | null | undefined
  /** Reminders of the user; default: those of the calendar. Virtual calendars send no reminders */
  reminders?: RemindersInput | null | undefined
  /** Conference: either `details` of an existing one, or `autocreate`. In a change, `{}` removes it */
  conferencing?: Conferencing | null | undefined
  /** Maximum number of guests. Stored with the event, but not enforced */
  capacity?: number | null | undefined
  /** `google`: `1` to `11`; null is the default color. Other providers have none */
  color_id?: string | null | undefined
  /**
   * Your own key-value pairs, which replace all existing ones; `{}` and null remove them. `key5` marks the event
   * for the round-robin order of availability
   */
  metadata?: Metadata | null | undefined
  /** Accepted without effect: set the calendar in the query */
  calendar_id?: string | null | undefined
  /** Accepted without effect: delete an event to cancel it */
  status?: string | null | undefined
}

export type EventExportQuery = {
  /** `ics` (default): an iCalendar file with its time zones; `ndjson`: one event object per line */
  format?: 'ics' | 'ndjson' | undefined
  /** Id of the calendar, or `primary` for the main one. iCloud has no main calendar */
  calendar_id: string
  /** Only events that end after this time, in Unix seconds. Default: two years ago */
  start?: number | undefined
  /** Only events that begin before this time, in Unix seconds. Default: two years from now */
  end?: number | undefined
  /**
   * Maximum page size, default 200; values above 500 are reduced to 500. A page can be shorter and still have a
   * next page.
   */
  limit?: number | undefined
  /**
   * The response header `next-cursor` of the previous page; absent for the first page. `format` and filters stay
   * those of the first page; `limit` can change.
   */
  page_token?: string | undefined
}

export type EventImportQuery = {
  /** Id of the calendar, or `primary` for the main one. iCloud has no main calendar */
  calendar_id: string
  /** Only events that end after this time, in Unix seconds. Default: now */
  start?: number | undefined
  /**
   * Only events that begin before this time, in Unix seconds. Default: one month from now, or one month after
   * `start` if that is later
   */
  end?: number | undefined
  /**
   * Maximum page size, default 50; values above 500 are reduced to 500. A page can be shorter and still have a
   * next page.
   */
  limit?: number | undefined
  /**
   * `next_cursor` of the previous page; absent for the first page. Filters stay those of the first page; `limit`
   * and `select` can change.
   */
  page_token?: string | undefined
  /** Top-level fields to return, comma-separated: `id,title`. Default: all fields. Unknown names are ignored. */
  select?: string[] | undefined
}

export type EventListQuery = {
  /** Id of the calendar, or `primary` for the main one. iCloud has no main calendar */
  calendar_id: string
  /** Only events that end after this time, in Unix seconds. Default: now */
  start?: number | undefined
  /**
   * Only events that begin before this time, in Unix seconds. Default: one month from now, or one month after
   * `start` if that is later
   */
  end?: number | undefined
  /** Only events whose title contains these words, ignoring case: `march` does not find "Marching" */
  title?: string | undefined
  /** Only events whose description contains these words, ignoring case: `march` does not find "Marching" */
  description?: string | undefined
  /** Only events whose location contains these words, ignoring case: `march` does not find "Marching" */
  location?: string | undefined
  /** Only busy events, or only those that are not. `icloud` refuses it */
  busy?: boolean | undefined
  /** Addresses that must all be invited, comma-separated or as repeated parameters */
  attendees?: string[] | undefined
  /** `true` includes cancelled events while the provider retains them. Default: `false` */
  show_cancelled?: boolean | undefined
  /**
   * `true`: every instance of a series; `false`: the series itself and changed instances. Default:
   * `expand_recurring_default` of the application
   */
  expand_recurring?: boolean | undefined
  /** Only events with this iCalendar UID, at any time. Cannot be combined with other filters. `icloud` refuses it */
  ical_uid?: string | undefined
  /** Only instances of the series with this id. `icloud` refuses it */
  master_event_id?: string | undefined
  /** Only events changed after this time (exclusive), in Unix seconds. `icloud` refuses it */
  updated_after?: number | undefined
  /** Only events changed before this time (exclusive), in Unix seconds. `icloud` refuses it */
  updated_before?: number | undefined
  /**
   * `google`: `default`, `outOfOffice`, `focusTime`, `workingLocation`, `fromGmail` or `birthday`, also several.
   * Default: `default`, the only value for other providers
   */
  event_type?: string[] | undefined
  /**
   * `false` returns tentative events with `busy: false`; default `true`. `google` and virtual calendars accept it
   * without effect
   */
  tentative_as_busy?: boolean | undefined
  /** Lists are always ordered by start */
  order_by?: 'start' | undefined
  /**
   * Only events whose metadata contains this pair, as `key1:value`, at any time. Several comma-separated pairs
   * must all match. Only `key1` to `key5`. Cannot be combined with other filters
   */
  metadata_pair?: string | undefined
  /**
   * Maximum page size, default 50; values above 200 are reduced to 200. A page can be shorter and still have a
   * next page.
   */
  limit?: number | undefined
  /**
   * `next_cursor` of the previous page; absent for the first page. Filters stay those of the first page; `limit`
   * and `select` can change.
   */
  page_token?: string | undefined
  /** Top-level fields to return, comma-separated: `id,title`. Default: all fields. Unknown names are ignored. */
  select?: string[] | undefined
}

/** A new or changed event or series */
export type EventObject = {
  /**
   * Id of the event. The id of an instance consists of the id of its series and its original start; it does not
   * change when the instance is moved
   */
  id: string
  /** Object type: always `event` */
  object: 'event'
  /** Id of the grant that it belongs to */
  grant_id: string
  /** Id of its calendar; never the word `primary` */
  calendar_id: string
  /** Title; null if it has none */
  title: string | null
  /** Description; can be HTML */
  description: string | null
  /**
   * The first 65,536 characters of `description` as plain text: without tags, links with their address. Null
   * without a description. Read-only
   */
  text_description: string | null
  /** Location as free text */
  location: string | null
  /** A point in time, a time span, a day, or several days (including the last one) */
  when: When
  /** Whether it counts as busy in free/busy and availability */
  busy: boolean
  /** `maybe` is a tentative event; `cancelled` is only returned on request */
  status: 'confirmed' | 'cancelled' | 'maybe'
  /** Visibility in a shared calendar: `default` follows the calendar. Absent if not set */
  visibility?: 'default' | 'public' | 'private'
  /** Whether guests cannot see each other */
  hide_participants: boolean
  /** Guests without the organizer. For an invitation, the account's own address is included. Never null */
  participants: Participant[]
  /** Invited rooms and equipment. Never null */
  resources: Resource[]
  /** Organizer; null if the provider does not report it */
  organizer: {
    /** Name; null if unknown */
    name: string | null
    /** Address; for a virtual account its identifier */
    email: string
  } | null
  /** `google`: creator of the event, if known */
  creator?: {
    /** Name; null if unknown */
    name: string | null
    /** Address; for a virtual account its identifier */
    email: string
  } | null
  /** RRULE, EXDATE and RDATE lines (RFC 5545), only on the master of a series */
  recurrence?: string[]
  /** On an instance: id of its series */
  master_event_id?: string | null
  /** On an instance: its original start according to the rule, in Unix seconds. Not for virtual calendars */
  original_start_time?: number
  /** iCalendar UID: equal for a series, its instances and the copies of all guests */
  ical_uid: string | null
  /** iCalendar SEQUENCE: increases when time, rule, location or status change */
  sequence?: number
  /** Reminders of the user; null if unknown */
  reminders?: Reminders | null
  /** Conference details; absent if there is no conference */
  conferencing?: Conferencing
  /** Maximum number of guests, as set by the creator */
  capacity?: number | null
  /** `google`: `1` to `11`; null is the default color */
  color_id?: string | null
  /** `google` and `microsoft`: URL of the event on the provider's web site */
  html_link?: string
  /** Whether it cannot be changed, as in a calendar shared for reading */
  read_only: boolean
  /** Your own key-value pairs. Instances inherit those of their series unless they have their own */
  metadata: Metadata
  /** Creation time in Unix seconds */
  created_at: number | null
  /** Time of the last change in Unix seconds */
  updated_at: number | null
  /** For a series: ids of changed instances */
  occurrences?: string[]
  /** For a series: ids of cancelled instances */
  cancelled_occurrences?: string[]
  /** Previous id of an imported account; absent for others */
  account_id?: string
}

export type EventPreconditions = {
  /**
   * `true`: the event is written only if no other event of its calendar blocks any of its time; otherwise the
   * request fails with 409 `conflict` and nothing changes. Of several concurrent requests for the same time, one
   * succeeds. For single events and single instances on virtual calendars; other providers fail with
   * `not_supported_by_provider`.
   */
  'if-none-overlap'?: boolean | undefined
}

/**
 * Why a grant lost access. `credentials_refused`: the provider rejects its password or token; `revoked`: an
 * administrator revoked it; `connector_deleted`, `credential_deleted`: its connector or credential was deleted.
 */
export type ExpiryReason = 'credentials_refused' | 'revoked' | 'connector_deleted' | 'credential_deleted'

/** A background job that used all its attempts */
export type FailedJob = {
  /** Id of the job */
  id: string
  /** Id of the application that the job belongs to */
  application_id: string
  /** Id of the grant that the job is about; null if none */
  grant_id: string | null
  /** Kind of the job, such as `mail.send` */
  kind: string
  /** What the job was meant to do */
  purpose: string
  /** Name of the last error, such as `unreachable` or `provider_error` */
  error: string
  /** Message of the last error, without credentials, up to 500 characters */
  message: string
  /** What usually helps */
  remedy: string
  /** Number of attempts */
  attempts: number
  /** Time when the job was created, in Unix seconds */
  created_at: number
  /** Time of the last attempt, in Unix seconds */
  failed_at: number
}

/** A mail folder, or a Google label */
export type Folder = {
  /**
   * Id of the folder or label. For `imap` it encodes the path in URL-safe characters and changes when the folder
   * is renamed.
   */
  id: string
  /** Id of the grant that it belongs to */
  grant_id: string
  /** Object type: always `folder` */
  object: 'folder'
  /**
   * Name shown to the user. For `imap`, `icloud` and `yahoo` it is the full path with the server's separator; for
   * `google` a nested label is written `parent/child`.
   */
  name: string
  /**
   * Special use of the folder: `\Inbox`, `\Sent`, `\Drafts`, `\Trash`, `\Junk`, `\Archive`, and other attributes
   * of IMAP servers. Empty for the user's own folders. Use it to find the sent mail, because names differ by
   * language.
   */
  attributes: string[]
  /** Whether the provider creates it for every account, like the inbox; absent for `microsoft` and `ews` */
  system_folder?: boolean
  /** `microsoft` and `ews`: id of the parent folder */
  parent_id?: string
  /** `microsoft` and `ews`: number of direct subfolders */
  child_count?: number
  /** Number of messages; absent if the server cannot open the folder */
  total_count?: number
  /** Number of unread messages */
  unread_count?: number
  /** `google`: background color of the label, such as `#16a765`, if set */
  background_color?: string
  /** `google`: text color of the label, such as `#ffffff`, if set */
  text_color?: string
  /** In `folder.updated`, if a rename changed the id: the previous id */
  former_id?: string
}

/** Changes to a folder. Absent fields stay unchanged */
export type FolderChange = {
  /**
   * Name of the folder. For a nested folder, use the separator of the IMAP server, or `parent/child` with
   * `google`; with `microsoft` and `ews` use `parent_id` instead.
   */
  name?: string | undefined
  /** `microsoft` and `ews`: id of the parent folder; other providers refuse it */
  parent_id?: string | null | undefined
  /** `google`: text color from Gmail's palette, together with `background_color` */
  text_color?: string | null | undefined
  /** `google`: background color from Gmail's palette, together with `text_color` */
  background_color?: string | null | undefined
}

/** A deleted folder */
export type FolderDeletedObject = {
  /**
   * Id of the folder or label. For `imap` it encodes the path in URL-safe characters and changes when the folder
   * is renamed.
   */
  id: string
  /** Id of the grant that it belongs to */
  grant_id: string
  /** Object type: always `folder` */
  object: 'folder'
  /**
   * Name shown to the user. For `imap`, `icloud` and `yahoo` it is the full path with the server's separator; for
   * `google` a nested label is written `parent/child`.
   */
  name?: string
  /** Whether the provider creates it for every account, like the inbox; absent for `microsoft` and `ews` */
  system_folder?: boolean
}

/** A new folder */
export type FolderDraft = {
  /**
   * Name of the folder. For a nested folder, use the separator of the IMAP server, or `parent/child` with
   * `google`; with `microsoft` and `ews` use `parent_id` instead.
   */
  name: string
  /** `microsoft` and `ews`: id of the parent folder; other providers refuse it */
  parent_id?: string | null | undefined
  /** `google`: text color from Gmail's palette, together with `background_color` */
  text_color?: string | null | undefined
  /** `google`: background color from Gmail's palette, together with `text_color` */
  background_color?: string | null | undefined
}

export type FolderListQuery = {
  /** `microsoft` and `ews`: only subfolders of the folder with this id; other providers refuse it */
  parent_id?: string | undefined
  /** `microsoft` and `ews`: `true` includes folders that Outlook hides. Default: `false` */
  include_hidden_folders?: boolean | undefined
  /** `microsoft` and `ews`: `true` returns one level, `false` (default) the whole tree in one list */
  single_level?: boolean | undefined
  /**
   * `microsoft` and `ews`: address of the owner of a mailbox or folder shared with the account. Other providers
   * fail with 422.
   */
  shared_from?: string | undefined
  /**
   * Maximum page size, default 50; values above 200 are reduced to 200. A page can be shorter and still have a
   * next page.
   */
  limit?: number | undefined
  /**
   * `next_cursor` of the previous page; absent for the first page. Filters stay those of the first page; `limit`
   * and `select` can change.
   */
  page_token?: string | undefined
  /** Top-level fields to return, comma-separated: `id,title`. Default: all fields. Unknown names are ignored. */
  select?: string[] | undefined
}

export type FolderQuery = {
  /** `microsoft` and `ews`: `true` includes folders that Outlook hides. Default: `false` */
  include_hidden_folders?: boolean | undefined
  /**
   * `microsoft` and `ews`: address of the owner of a mailbox or folder shared with the account. Other providers
   * fail with 422.
   */
  shared_from?: string | undefined
  /** Top-level fields to return, comma-separated: `id,title`. Default: all fields. Unknown names are ignored. */
  select?: string[] | undefined
}

/** Busy times of one address, or the reason why they are unavailable; see `object` */
export type FreeBusy = {
  /** The address as given in the request */
  email: string
  /** Object type: the address could be read */
  object: 'free_busy'
  /** Busy times in order; overlapping or adjacent times are merged. Empty means free */
  time_slots: {
    /** Start in Unix seconds, never before the window */
    start_time: number
    /** End in Unix seconds, never after the window */
    end_time: number
    /** Always `busy`: free times are not listed */
    status: 'busy'
    /** Object type: always `time_slot` */
    object: 'time_slot'
  }[]
} | {
  /** The address as given in the request */
  email: string
  /** Object type: the address could not be read */
  object: 'error'
  /** Reason of the failure */
  error: string
}

/** Addresses and window of a free/busy request */
export type FreeBusyQuery = {
  /** Start of the window in Unix seconds */
  start_time: number
  /** End of the window in Unix seconds: at most three months after its start, 780 days with `microsoft` */
  end_time: number
  /** Addresses to check, up to 50. For virtual calendars, identifiers of virtual accounts of the application */
  emails: string[]
  /** Whether tentative events count as busy; default `true`. `google` cannot tell them apart */
  tentative_as_busy?: boolean | null | undefined
}

/** An end user's account that the application can access */
export type Grant = {
  /** Id of the grant: the `grant_id` in paths. It does not change when the account is authenticated again. */
  id: string
  /** Provider of the account */
  provider: ProviderKind
  /** `valid`, or `invalid` until its user authenticates again. Calls to an invalid grant fail with 401 */
  grant_status: GrantStatus
  /**
   * Why the grant is invalid. Only `GET /v3/grants/{grant_id}` returns it, only for an invalid grant, and only
   * while the history of the grant reaches back to that time.
   */
  invalid_reason?: {
    /** Time when it lost access, in Unix seconds */
    at: number
    /** Why it lost access; null if unknown */
    reason: ExpiryReason | null
    /** The host that refused it, and what its server said; null if no provider refused it */
    message: string | null
    /** Id of the request that detected it; null if there was none */
    request_id: string | null
  }
  /** Address of the account, or the name of a virtual account. Unique in the application. */
  email: string
  /** Name of the user from the provider; null if unknown */
  name: string | null
  /** Scopes approved by the user, as the provider names them; empty for providers without scopes */
  scope: string[]
  /** Browser of the last hosted sign-in; null if there was none */
  user_agent: string | null
  /** IP address of the last hosted sign-in; null if there was none */
  ip: string | null
  /** The `state` given at authentication */
  state: string | null
  /** Connection settings, such as `imap_host`; secrets are omitted */
  settings: Record<string, unknown>
  /** Your own key-value pairs; an imported virtual account has `name` and `organizer` here */
  metadata: Metadata
  /** Additional addresses of the account, if there are any; only with `expose_aliases` */
  email_aliases?: string[]
  /** Id of the user at the provider; null if there is none */
  provider_user_id: string | null
  /** Your own id of the end user. Paths can use `external:<id>` as the grant id */
  external_id: string | null
  /** Credential of the connector with which it was authenticated; null for the connector's own client */
  credential_id: string | null
  /** Previous id of an imported account; absent for others */
  account_id?: string
  /** Workspace of the grant: one of `GET /v3/workspaces` */
  workspace_id: string
  /** Whether an administrator blocked it: calls fail with 423, and its changes are not watched */
  blocked: boolean
  /** Creation time in Unix seconds */
  created_at: number
  /** Time of the last authentication in Unix seconds */
  updated_at: number
}

/** Use, watch and recent errors of a grant */
export type GrantActivity = {
  /** Time of the last API use in Unix seconds; null if never used */
  last_used_at: number | null
  /** State of the watch for changes */
  watch: {
    /**
     * `watching`: changes are detected and reported; `resting`: the last attempt failed; `starting`: the first
     * attempt has not finished; `off`: the grant is invalid, blocked, or watching is disabled; `unsupported`: the
     * provider does not report changes
     */
    state: 'watching' | 'resting' | 'starting' | 'off' | 'unsupported'
    /** Id of the node that watches the grant; null if none does */
    node_id: string | null
    /** Time when all changes were last fetched, in Unix seconds. Updated every 30 minutes if there are no changes */
    synced_at: number | null
    /** Number of consecutive failed attempts */
    failures: number
    /** Time of the next attempt in Unix seconds if `state` is `resting`; otherwise null */
    next_try_at: number | null
  }
  /** The last 20 errors caused by the account, its provider or the service, newest first */
  errors: {
    /** Time of the error in Unix seconds */
    at: number
    /** Id of the route, or `changes` for the watch */
    operation: string
    /** Error type as returned by the API */
    type: string
    /** Error message */
    message: string
    /** Id of the failed request; null if there was none */
    request_id: string | null
  }[]
  /**
   * Ids of the routes below `/v3/grants/{grant_id}` that the grant supports, such as `messages.list`: the provider
   * offers them and the scopes allow them
   */
  operations: string[]
}

/** Changes to a grant. Absent fields stay unchanged. */
export type GrantChange = {
  /**
   * New settings that replace the old ones, such as a new `refresh_token` or password. The provider must accept
   * them first, and they must belong to the same account.
   */
  settings?: Record<string, unknown> | undefined
  /**
   * The stored scopes, with which the service decides what the grant may do. The user's consent at the provider
   * does not change.
   */
  scope?: string[] | undefined
  /** Your own key-value pairs: replaces all of them */
  metadata?: Metadata | undefined
  /** Your own id of the end user, up to 256 characters, unique in the application; null removes it */
  external_id?: string | null | undefined
  /** Id of the workspace to which the grant moves */
  workspace_id?: string | undefined
}

/** Completion of a hosted sign-in that an administrator started */
export type GrantCompletion = {
  /** Code from the hosted sign-in. It works once, for ten minutes */
  code: string
  /** Redirect URI with which the code was requested */
  redirect_uri: string
  /** PKCE verifier, if the code was requested with a `code_challenge` */
  code_verifier?: string | undefined
}

/** A new grant */
export type GrantCreatedObject = {
  /** Event code: always 25012 */
  code: 25012
  /** Id of the grant */
  grant_id: string
  /** Id of its connector */
  integration_id: string
  /** Provider of the account */
  provider: ProviderKind
  /** Address of the account, or the name of a virtual account */
  email: string
  /** Id of the hosted sign-in that created it; absent if none */
  login_id?: string
  /** Name of the user from the provider; null if unknown */
  name?: string | null
  /** Scopes of the grant, as the provider names them */
  scope: string[]
}

/** A deleted grant */
export type GrantDeletedObject = {
  /** Event code: always 25013 */
  code: 25013
  /** Id of the grant */
  grant_id: string
  /** Id of its connector */
  integration_id: string
  /** Provider of the account */
  provider: ProviderKind
  /** Address of the account, or the name of a virtual account */
  email: string
}

/** A grant that became invalid: its user must authenticate again */
export type GrantExpiredObject = {
  /** Event code: always 25009 */
  code: 25009
  /** Id of the grant */
  grant_id: string
  /** Id of its connector */
  integration_id: string
  /** Provider of the account */
  provider: ProviderKind
  /** Address of the account, or the name of a virtual account */
  email: string
  /** Time of the last authentication in Unix seconds */
  grant_updated_at: number
}

/** An IMAP account that was read for the first time */
export type GrantImapSyncCompletedObject = {
  /** Event code: always 25012 */
  code: 25012
  /** Id of the grant */
  grant_id: string
  /** Id of its connector */
  integration_id: string
  /** Provider of the account: always `imap` */
  provider: 'imap'
  /** The trigger: `grant.imap_sync_completed` */
  type: 'grant.imap_sync_completed'
}

export type GrantListQuery = {
  /**
   * Maximum page size, default 10; values above 200 are reduced to 200. A page can be shorter and still have a
   * next page.
   */
  limit?: number | undefined
  /**
   * Number of objects to skip, default 0. For long lists use `page_token`, which neither skips nor repeats objects
   * when the list changes.
   */
  offset?: number | undefined
  /**
   * `next_cursor` of the previous page; absent for the first page. Filters stay those of the first page; `limit`
   * and `select` can change.
   */
  page_token?: string | undefined
  /** Sort key: creation time (default) or time of the last authentication */
  sort_by?: 'created_at' | 'updated_at' | undefined
  /** Alias of `sort_by`; takes precedence if both are given */
  sortBy?: 'created_at' | 'updated_at' | undefined
  /** `desc` (default): newest first; `asc`: oldest first */
  order_by?: 'desc' | 'asc' | undefined
  /** Alias of `order_by`; takes precedence if both are given */
  orderBy?: 'desc' | 'asc' | undefined
  /** Only grants created at or after this time, in Unix seconds */
  since?: number | undefined
  /** Only grants created at or before this time, in Unix seconds */
  before?: number | undefined
  /** Only the grant with this address, ignoring case, or of this virtual account */
  email?: string | undefined
  /** Only grants with this status */
  grant_status?: 'valid' | 'invalid' | undefined
  /** Alias of `grant_status`; takes precedence if both are given */
  grantStatus?: 'valid' | 'invalid' | undefined
  /** Alias of `grant_status`; takes precedence if both are given */
  status?: 'valid' | 'invalid' | undefined
  /** Only grants whose last hosted sign-in came from this IP address */
  ip?: string | undefined
  /** Only grants of this provider */
  provider?: string | undefined
  /** Only the grant imported from the account with this previous id */
  account_id?: string | undefined
  /** Only grants imported from accounts with these previous ids */
  account_ids?: string[] | undefined
  /** Only grants of this workspace */
  workspace_id?: string | undefined
  /** Only grants created by the connector with this id */
  connector_id?: string | undefined
  /** Top-level fields to return, comma-separated: `id,title`. Default: all fields. Unknown names are ignored. */
  select?: string[] | undefined
}

/** `invalid`: the provider refuses the credentials, or the grant was revoked; its user must authenticate again */
export type GrantStatus = 'valid' | 'invalid'

/** A grant that was changed or authenticated again */
export type GrantUpdatedObject = {
  /** Event code: 25027 after authenticating again, otherwise 25014 */
  code: 25014 | 25027
  /** Id of the grant */
  grant_id: string
  /** Id of its connector */
  integration_id: string
  /** Provider of the account */
  provider: ProviderKind
  /** Address of the account, or the name of a virtual account */
  email: string
  /** Whether its user authenticated again, which makes an invalid grant valid */
  reauthentication_flag: boolean
  /** Scopes of the grant, as the provider names them */
  scope?: string[]
}

/** Group events of a configuration */
export type GroupBooking = {
  /** Calendar with the group events */
  calendar_id: string
  /** Always `booking` */
  booking_type?: 'booking' | null | undefined
  /** Whether Waypost sends no mails about bookings; default `false` */
  disable_emails?: boolean | null | undefined
  /** Reminders before the event */
  reminders?: BookingReminder[] | null | undefined
  /** Online conference of the events */
  conferencing?: Conferencing | null | undefined
  /** Seats of an event; default 10 */
  default_capacity?: number | null | undefined
}

/** A group event: the fields of the event, the same event as `event`, and its seats */
export type GroupEvent = {
  /**
   * Id of the event. The id of an instance consists of the id of its series and its original start; it does not
   * change when the instance is moved
   */
  id: string
  /** Object type: always `event` */
  object: 'event'
  /** Id of the grant that it belongs to */
  grant_id: string
  /** Id of its calendar; never the word `primary` */
  calendar_id: string
  /** Title; null if it has none */
  title: string | null
  /** Description; can be HTML */
  description: string | null
  /**
   * The first 65,536 characters of `description` as plain text: without tags, links with their address. Null
   * without a description. Read-only
   */
  text_description: string | null
  /** Location as free text */
  location: string | null
  /** A point in time, a time span, a day, or several days (including the last one) */
  when: When
  /** Whether it counts as busy in free/busy and availability */
  busy: boolean
  /** `maybe` is a tentative event; `cancelled` is only returned on request */
  status: 'confirmed' | 'cancelled' | 'maybe'
  /** Visibility in a shared calendar: `default` follows the calendar. Absent if not set */
  visibility?: 'default' | 'public' | 'private'
  /** Whether guests cannot see each other */
  hide_participants: boolean
  /** Guests without the organizer. For an invitation, the account's own address is included. Never null */
  participants: Participant[]
  /** Invited rooms and equipment. Never null */
  resources: Resource[]
  /** Organizer; null if the provider does not report it */
  organizer: {
    /** Name; null if unknown */
    name: string | null
    /** Address; for a virtual account its identifier */
    email: string
  } | null
  /** `google`: creator of the event, if known */
  creator?: {
    /** Name; null if unknown */
    name: string | null
    /** Address; for a virtual account its identifier */
    email: string
  } | null
  /** RRULE, EXDATE and RDATE lines (RFC 5545), only on the master of a series */
  recurrence?: string[]
  /** On an instance: id of its series */
  master_event_id?: string | null
  /** On an instance: its original start according to the rule, in Unix seconds. Not for virtual calendars */
  original_start_time?: number
  /** iCalendar UID: equal for a series, its instances and the copies of all guests */
  ical_uid: string | null
  /** iCalendar SEQUENCE: increases when time, rule, location or status change */
  sequence?: number
  /** Reminders of the user; null if unknown */
  reminders?: Reminders | null
  /** Conference details; absent if there is no conference */
  conferencing?: Conferencing
  /** Maximum number of guests, as set by the creator */
  capacity?: number | null
  /** `google`: `1` to `11`; null is the default color */
  color_id?: string | null
  /** `google` and `microsoft`: URL of the event on the provider's web site */
  html_link?: string
  /** Whether it cannot be changed, as in a calendar shared for reading */
  read_only: boolean
  /** Your own key-value pairs. Instances inherit those of their series unless they have their own */
  metadata: Metadata
  /** Creation time in Unix seconds */
  created_at: number | null
  /** Time of the last change in Unix seconds */
  updated_at: number | null
  /** An event, a series of events (with `recurrence`), or one instance of a series */
  event: Event
  /** Absent for an event that is no group event of the configuration */
  group_event_info?: GroupEventInfo
}

/** Changes of a group event. Absent fields stay unchanged. */
export type GroupEventChange = {
  /** Title */
  title?: string | null | undefined
  /** Time of the event: `start_time` and `end_time` */
  when?: WhenInput | null | undefined
  /** Calendar of the event; default: `group_booking.calendar_id` of the configuration */
  calendar_id?: string | null | undefined
  /**
   * Seats of the event, 1 to 500; default: `default_capacity` of the configuration, or 10. `ews` accepts only the
   * default
   */
  capacity?: number | null | undefined
  /** Hosts of the event. They are invited and take no seat; default: only the organizer */
  participants?: GroupEventHost[] | null | undefined
  /** Description; can be HTML */
  description?: string | null | undefined
  /** Location as free text */
  location?: string | null | undefined
  /** Whether it counts as busy; default `true` */
  busy?: boolean | null | undefined
  /** Makes it a series: RRULE and EXDATE lines (RFC 5545). `icloud` has no series of group events */
  recurrence?: string[] | null | undefined
  /** Conference; default for a new event: that of the configuration. In a change, `{}` removes it */
  conferencing?: Conferencing | null | undefined
  /** Reminders for the guests of this event; default: those of the configuration */
  reminders?: BookingReminder[] | null | undefined
}

/** A new group event */
export type GroupEventDraft = {
  /** Title */
  title: string
  /** Time of the event: `start_time` and `end_time` */
  when: WhenInput
  /** Calendar of the event; default: `group_booking.calendar_id` of the configuration */
  calendar_id?: string | null | undefined
  /**
   * Seats of the event, 1 to 500; default: `default_capacity` of the configuration, or 10. `ews` accepts only the
   * default
   */
  capacity?: number | null | undefined
  /** Hosts of the event. They are invited and take no seat; default: only the organizer */
  participants?: GroupEventHost[] | null | undefined
  /** Description; can be HTML */
  description?: string | null | undefined
  /** Location as free text */
  location?: string | null | undefined
  /** Whether it counts as busy; default `true` */
  busy?: boolean | null | undefined
  /** Makes it a series: RRULE and EXDATE lines (RFC 5545). `icloud` has no series of group events */
  recurrence?: string[] | null | undefined
  /** Conference; default for a new event: that of the configuration. In a change, `{}` removes it */
  conferencing?: Conferencing | null | undefined
  /** Reminders for the guests of this event; default: those of the configuration */
  reminders?: BookingReminder[] | null | undefined
}

/** An event of the calendar that becomes a group event */
export type GroupEventImport = {
  /** Calendar of the event */
  calendar_id: string
  /** Id of the event, or of the series */
  event_id: string
  /**
   * Seats of the event, 1 to 500; default: `default_capacity` of the configuration, or 10. `ews` accepts only the
   * default
   */
  capacity?: number | null | undefined
  /** Occurrences of the series with their own capacity */
  exceptions?: {
    /** Id of the occurrence */
    event_id: string
    /** Seats of the occurrence */
    capacity: number
  }[] | null | undefined
  /** Hosts of the event. They are invited and take no seat; default: only the organizer */
  participants?: GroupEventHost[] | null | undefined
}

/** What an import did with each event */
export type GroupEventImportResult = {
  /** Events that are group events now */
  imported_events: {
    /** Id of the event */
    event_id: string
  }[]
  /** Events that were not imported */
  import_failed: {
    /** Id of the event */
    event_id: string
    /** Why it was not imported */
    reason: string
  }[]
}

/** Seats, hosts and configuration of a group event */
export type GroupEventInfo = {
  /** Id of the event */
  event_id: string
  /** Id of its calendar */
  calendar_id: string
  /** On an occurrence: id of its series, otherwise null */
  master_id: string | null
  /** Id of the configuration */
  config_id: string
  /** Seats of the event */
  capacity: number
  /** `updated_event` is an occurrence with its own capacity */
  type: 'single_event' | 'master_event' | 'updated_event'
  /** Whether somebody has booked a seat */
  booked: boolean
  /** Seats that are taken: by bookings, and by other guests of the event */
  booked_seats: number
  /** Whether the event is over */
  finished: boolean
  /** Hosts, who take no seat */
  participants: {
    /** Address of the host */
    email: string
    /** Name of the host; empty if unknown */
    name: string
    /** Whether it is the organizer */
    is_organizer: boolean
  }[]
  /** Rule of the series; empty for a single event */
  rrule: string[]
  /** Occurrences of the series with their own capacity */
  exceptions: {
    /** Id of the occurrence */
    event_id: string
    /** Seats of the occurrence */
    capacity: number
  }[]
  /** Reminders of this event; empty for the usual ones */
  reminders: BookingReminder[]
  /** Always null */
  snapshot: null
  /** Always 0 */
  snapshot_expires_at: number
}

/** A group event as a guest chose it */
export type GroupTimeslot = {
  /** Calendar of the event */
  calendar_id: string
  /** Id of the event */
  event_id: string
  /** Id of its series, for an occurrence */
  master_id?: string | null | undefined
  /** Start that the guest chose, in Unix seconds */
  start_time: number
  /** End that the guest chose, in Unix seconds */
  end_time: number
  /** Free seats that the guest saw. Accepted without effect: the event needs one free seat */
  capacity?: number | null | undefined
  /** Hosts. Accepted without effect */
  emails?: string[] | null | undefined
}

/** One message header. Repeated headers are listed repeatedly. */
export type Header = {
  /** Name of the header as written in the message, such as `Message-ID` */
  name: string
  /** Raw value: encoded words (`=?utf-8?…?=`) are not decoded */
  value: string
}

/** Liveness of the process */
export type Health = {
  /** Always `ok`: a stopped process does not respond */
  status: 'ok'
  /** Version of the service */
  version: string
  /** Seconds since this process was started */
  uptime_seconds: number
}

/** Health figures of one time step */
export type HealthFigures = {
  /** Start of the minute or five minutes, in Unix seconds */
  at: number
  /** Number of requests */
  requests: number
  /** Number of requests that failed with 5xx */
  errors: number
  /** Median response time in milliseconds; null without requests */
  latency_p50_ms: number | null
  /** 95th percentile of the response time in milliseconds; null without requests */
  latency_p95_ms: number | null
  /** Number of successful delivery attempts */
  deliveries: number
  /** Number of failed delivery attempts */
  delivery_failures: number
  /** Median duration of delivery attempts in milliseconds; null without attempts */
  delivery_p50_ms: number | null
  /** Number of errors caused by providers */
  provider_errors: number
  /** Number of watched grants at the end of the step */
  watched_grants: number
  /** Memory of the processes at the end of the step, in bytes */
  memory_bytes: number
}

/** Appearance of the hosted sign-in pages for this application */
export type HostedAuthentication = {
  /** Background image of the page, shown on wide screens. Must be an https URL to be shown */
  background_image_url?: string | null | undefined
  /** Position of the form on the page; default `center` */
  alignment?: 'left' | 'center' | 'right' | null | undefined
  /**
   * Color of buttons and links. Button text is black or white, whichever is more readable. Links use the nearest
   * readable color, such as `#1a73e8`
   */
  color_primary?: string | null | undefined
  /** Color of the line above the form; default `color_primary`, such as `#1a73e8` */
  color_secondary?: string | null | undefined
  /** Heading of the first page; by default based on the name */
  title?: string | null | undefined
  /** Line below the heading of the first page */
  subtitle?: string | null | undefined
  /** Color of the page background, such as `#1a73e8` */
  background_color?: string | null | undefined
  /** Padding of the form in pixels; values above 96 are reduced to 96 */
  spacing?: number | null | undefined
  /** URL of the terms of service, linked below the form */
  terms_of_service_url?: string | null | undefined
  /** URL of the privacy policy, linked below the form */
  privacy_policy_url?: string | null | undefined
}

/** Allowed origins of browser requests */
export type IdpSettings = {
  /**
   * Origins that browsers may call the API from (CORS), comma-separated: https, or http for localhost, such as
   * `https://app.example.com`
   */
  origins?: string | null | undefined
  /** Issuers of identity tokens, comma-separated. Stored only; the service does not contact them */
  issuers?: string | null | undefined
}

/** Installation settings that owners can change */
export type Installation = {
  /** Whether sign-in with the installation's password, user `admin`, is on */
  installation_password: boolean
  /** Whether the operator set it with WAYPOST_ADMIN_PASSWORD, so that it can only be changed there */
  password_of_settings: boolean
  /**
   * Roles that need a second factor to sign in with a password. Empty: none. For sign-in with OpenID Connect, the
   * provider decides.
   */
  second_factor_required_for: Role[]
}

/** Contents of an invitation */
export type Invitation = {
  /** Address with which the person signs in, in lower case */
  email: string
  /** Name of the person, up to 256 characters */
  name: string
  /**
   * `owner`: full access; `administrator`: full access except people and installation settings; `viewer`:
   * read-only, without customer data and secrets
   */
  role: Role
  /** Whether the person already has a second factor and needs a code to accept */
  needs_code: boolean
  /** Expiry time of the link in Unix seconds */
  expires_at: number
}

/** Values chosen by an invited person */
export type InvitationAcceptance = {
  /** The part after `#invitation=` of the link */
  token: string
  /** Name of the person; default: the name in the invitation */
  name?: string | undefined
  /** New password, at least 8 characters. Common passwords are refused */
  password: string
  /** Six digits from the authenticator app, or a recovery code, if `needs_code` is true */
  code?: string | undefined
}

/** A person with a new invitation link */
export type InvitedPerson = {
  /** Id of the person */
  id: string
  /** Address with which the person signs in, in lower case */
  email: string
  /** Name of the person, up to 256 characters */
  name: string
  /**
   * `owner`: full access; `administrator`: full access except people and installation settings; `viewer`:
   * read-only, without customer data and secrets
   */
  role: Role
  /** `all`, or the ids of up to 1000 applications; others are hidden from the person */
  applications: ReachedApplications
  /** `invited`: cannot sign in yet; `active`: can sign in; `blocked`: must not sign in */
  state: 'invited' | 'active' | 'blocked'
  /** Whether the person has a password */
  has_password: boolean
  /** Whether signing in requires a code from an authenticator app */
  has_totp: boolean
  /** Whether the person has signed in with OpenID Connect */
  has_oidc: boolean
  /** Number of unused recovery codes */
  recovery_codes_left: number
  /** Expiry time of the invitation link in Unix seconds; null if there is none */
  invitation_expires_at: number | null
  /** Time of the last sign-in in Unix seconds; null if never */
  signed_in_at: number | null
  /** Creation time in Unix seconds */
  created_at: number
  /** Time of the last change in Unix seconds */
  updated_at: number
  /** One-time link with which the person chooses a password. Returned only once */
  invitation_link: string
}

/** Source addresses of deliveries */
export type IpAddresses = {
  /** IP addresses of the service for outgoing deliveries, for firewalls */
  ip_addresses: string[]
  /** Start time of the responding node in Unix seconds */
  updated_at: number
}

/** Creator of an API key */
export type KeyCreator = {
  /**
   * `person`: a person with their own account; `installation`: the installation's password or a one-time link;
   * `command`: the `waypost` command on the server; `start`: the first start, or `WAYPOST_API_KEY`;
   * `service_account`: a service account, named by `name`; `unknown`: created before this was recorded
   */
  type: 'person' | 'installation' | 'command' | 'start' | 'service_account' | 'unknown'
  /** Id of the person, who may have been removed since; null for other types */
  person_id: string | null
  /** Name of the person or service account when it created the key; null for other types */
  name: string | null
}

/** The grants that a restricted credential may use: a list, or a metadata pair */
export type KeyGrants = {
  /** Ids of the grants, up to 100 */
  ids: string[]
} | {
  /** One pair: all grants whose metadata has it, also later ones */
  metadata: Metadata
}

/**
 * `mail.read`: read messages, threads, folders, attachments and drafts; `mail.organize`: move, flag and file;
 * `mail.draft`: write drafts; `mail.send`: send mail; `mail.delete`: delete messages, threads, drafts and
 * folders; `calendar.read`, `calendar.write`: calendars, events, free/busy and rooms; `contacts.read`,
 * `contacts.write`: contacts; `scheduling`: booking pages and bookings; `webhooks`: destinations and
 * notifications; `administration`: connectors, grants, templates and settings; `mcp`: the MCP endpoint
 */
export type KeyOperation = 'mail.read' | 'mail.organize' | 'mail.draft' | 'mail.send' | 'mail.delete' | 'calendar.read' | 'calendar.write' | 'contacts.read' | 'contacts.write' | 'scheduling' | 'webhooks' | 'administration' | 'mcp'

/** The rights of a restricted API key or an agent */
export type KeyRights = {
  /** What the key may do */
  operations: KeyOperation[]
  /** The grants that it may use; null: all. `webhooks` and `administration` need all grants */
  grants?: KeyGrants | null
  /**
   * Addresses and domains that it may send to and invite; null: all. `example.com` includes no subdomains. With
   * them, it may write no text that the service mails later to others
   */
  recipients?: string[] | null
  /** Maximum number of messages and invitations per hour, over all nodes; null: no limit of its own */
  messages_per_hour?: number | null
  /** Addresses and ranges (`203.0.113.7`, `2001:db8::/32`) that it may be used from; null: all */
  networks?: string[] | null
  /** Actions that need the approval of a person. Default: all three. Empty: none */
  approval: ApprovalKind[]
  /**
   * Whether the person in front of an MCP client may approve there. false: only in the approval queue of the
   * service
   */
  elicitation: boolean
}

/** The rights of a restricted API key or an agent */
export type KeyRightsInput = {
  /** What the key may do */
  operations: KeyOperation[]
  /** The grants that it may use; null: all. `webhooks` and `administration` need all grants */
  grants?: KeyGrants | null | undefined
  /**
   * Addresses and domains that it may send to and invite; null: all. `example.com` includes no subdomains. With
   * them, it may write no text that the service mails later to others
   */
  recipients?: string[] | null | undefined
  /** Maximum number of messages and invitations per hour, over all nodes; null: no limit of its own */
  messages_per_hour?: number | null | undefined
  /** Addresses and ranges (`203.0.113.7`, `2001:db8::/32`) that it may be used from; null: all */
  networks?: string[] | null | undefined
  /** Actions that need the approval of a person. Default: all three. Empty: none */
  approval?: ApprovalKind[] | undefined
  /**
   * Whether the person in front of an MCP client may approve there. false: only in the approval queue of the
   * service
   */
  elicitation?: boolean | undefined
}

/** The newest message or draft of a thread, with its body */
export type LatestDraftOrMessage = {
  /** Opaque id of the message. It does not change when the message is moved; with `ews`, a previous id stays valid. */
  id: string
  /** Id of the grant that it belongs to */
  grant_id: string
  /** Object type: message or draft */
  object: 'message' | 'draft'
  /** Id of its thread; a message without replies is its own thread */
  thread_id?: string
  /** Time when the mail server received it, in Unix seconds. The sender's `Date` header can differ. */
  date?: number
  /** First 100 characters of the text, without markup */
  snippet?: string
  /** Whether it is starred (`google`) or flagged (`microsoft`, `ews`, IMAP `\Flagged`) */
  starred?: boolean
  /** Whether it is unread */
  unread?: boolean
  /**
   * Ids of its folders. For `google` all its labels, including `UNREAD` and `STARRED`; for `microsoft` and `ews`
   * exactly one.
   */
  folders?: string[]
  /** Your own key-value pairs; absent if none were set */
  metadata?: Metadata
  /** Decoded subject; empty if there is none */
  subject?: string
  /** Senders, nearly always one */
  from?: EmailName[]
  /** Recipients */
  to?: EmailName[]
  /** Recipients of a copy */
  cc?: EmailName[]
  /** Recipients of a blind copy. Known for drafts and sent mail, otherwise empty. */
  bcc?: EmailName[]
  /** Addresses for replies, if not `from` */
  reply_to?: EmailName[]
  /** HTML body, or plain text if the message has no HTML */
  body?: string
  /** Attachments, including inline images (`is_inline`). Download them with `/attachments/{id}/download`. */
  attachments?: Attachment[]
  /** The `In-Reply-To` header; with `ews` only. For other providers use `fields=include_basic_headers` */
  in_reply_to?: string
  /** Headers in message order; only with `fields=include_headers` or `include_basic_headers` */
  headers?: Header[]
  /** Tracking of the message, if any; only with `fields=include_tracking_options` */
  tracking_options?: TrackingOptions
  /**
   * The whole message as MIME, in base64url. Only with `fields=raw_mime`, which returns no other fields except
   * `id`, `grant_id` and `object`.
   */
  raw_mime?: string
}

/** A tracked message in which a link was clicked */
export type LinkClickedObject = {
  /** Object type: always `message` */
  object: 'message'
  /** Id of the tracked message; its Message-ID if the account has no id for it */
  message_id: string
  /** Id of the sending grant */
  grant_id: string
  /** The `label` of its tracking options; empty if none was set */
  label: string
  /** Id of the application that sent it */
  sender_app_id: string
  /** Time of the last occurrence in Unix seconds */
  timestamp: number
  /** All tracked links of the message, in order */
  link_data: {
    /** Number of clicks */
    count: number
    /** URL of the link */
    url: string
  }[]
  /** The last 50 clicks on the link, oldest first */
  recents: {
    /** Number of the click on this link, starting at 0 */
    click_id: number
    /** Index of the link in `link_data`, starting at `0`, as a string */
    link_index: string
    /** IP address of the request, often of a proxy */
    ip: string
    /** Time in Unix seconds */
    timestamp: number
    /** User-Agent of the reader's program; empty if it sends none */
    user_agent: string
  }[]
}

/** A booking in the list of the application */
export type ListedBooking = {
  /** Id of the booking, a UUID */
  booking_id: string
  /** Id of the configuration */
  configuration_id: string
  /** Id of the event in the calendar of the host */
  event_id: string
  /** Title of the event */
  title: string
  /** The host */
  organizer: {
    /** Address of the host */
    email: string
    /** Name of the host; empty if unknown */
    name: string
  }
  /** State of the booking */
  status: 'booked' | 'pending' | 'cancelled'
  /** Description of the event; empty if it has none */
  description: string
  /** Location of the event; empty if it has none */
  location: string
  /**
   * Booking reference for links: of the guest for the caller who made or moved the booking, of the organizer for
   * an API key that reads it
   */
  booking_ref?: string
  /** Start in Unix seconds */
  start_time: number
  /** End in Unix seconds */
  end_time: number
  /** Time zone of the guest */
  timezone: string
  /** Language of mails to the guest */
  email_language: EmailLanguage
  /** A person who books */
  guest: BookingGuest
  /** Others whom the guest brings */
  additional_guests: AdditionalGuest[]
  /** Answers to the additional fields */
  additional_fields: Record<string, string>
  /** Id of the grant that owns the configuration */
  grant_id: string
  /** Creation time in Unix seconds */
  created_at: number
  /** Time of the last change in Unix seconds */
  updated_at: number
}

/** An active session */
export type ListedSession = {
  /** Id of the session */
  id: string
  /** The signed-in person; null for the installation's password and one-time links */
  person: PersonSummary | null
  /** How a session started: with a password, a one-time link, an invitation, or OpenID Connect */
  way: SignInWay
  /** IP address of the sign-in; null if unknown */
  address: string | null
  /** User-Agent of the browser, up to 256 characters; null if it sent none */
  user_agent: string | null
  /** Start of the session in Unix seconds */
  signed_in_at: number
  /** Latest end of the session in Unix seconds */
  expires_at: number
  /** Time of the last use in Unix seconds, accurate to 30 seconds */
  seen_at: number
  /** Whether it is the session of this request */
  current: boolean
}

/** Notifications delivered now instead of later */
export type MadeDue = {
  /** Number of waiting notifications that are delivered now */
  due: number
  /** More are waiting than one call handles; call again */
  more: boolean
}

export type MeetingBuffer = {
  /** Minutes to keep free before every meeting, 0 to 120 in steps of five; default 0 */
  before?: number | null | undefined
  /** Minutes to keep free after every meeting, 0 to 120 in steps of five; default 0 */
  after?: number | null | undefined
}

/** A message as currently stored on the mail server */
export type Message = {
  /** Opaque id of the message. It does not change when the message is moved; with `ews`, a previous id stays valid. */
  id: string
  /** Id of the grant that it belongs to */
  grant_id: string
  /** Object type: always `message` */
  object: 'message'
  /** Id of its thread; a message without replies is its own thread */
  thread_id?: string
  /** Time when the mail server received it, in Unix seconds. The sender's `Date` header can differ. */
  date?: number
  /** First 100 characters of the text, without markup */
  snippet?: string
  /** Whether it is starred (`google`) or flagged (`microsoft`, `ews`, IMAP `\Flagged`) */
  starred?: boolean
  /** Whether it is unread */
  unread?: boolean
  /**
   * Ids of its folders. For `google` all its labels, including `UNREAD` and `STARRED`; for `microsoft` and `ews`
   * exactly one.
   */
  folders?: string[]
  /** Your own key-value pairs; absent if none were set */
  metadata?: Metadata
  /** Decoded subject; empty if there is none */
  subject?: string
  /** Senders, nearly always one */
  from?: EmailName[]
  /** Recipients */
  to?: EmailName[]
  /** Recipients of a copy */
  cc?: EmailName[]
  /** Recipients of a blind copy. Known for drafts and sent mail, otherwise empty. */
  bcc?: EmailName[]
  /** Addresses for replies, if not `from` */
  reply_to?: EmailName[]
  /** HTML body, or plain text if the message has no HTML */
  body?: string
  /** Attachments, including inline images (`is_inline`). Download them with `/attachments/{id}/download`. */
  attachments?: Attachment[]
  /** The `In-Reply-To` header; with `ews` only. For other providers use `fields=include_basic_headers` */
  in_reply_to?: string
  /** Headers in message order; only with `fields=include_headers` or `include_basic_headers` */
  headers?: Header[]
  /** Tracking of the message, if any; only with `fields=include_tracking_options` */
  tracking_options?: TrackingOptions
  /**
   * The whole message as MIME, in base64url. Only with `fields=raw_mime`, which returns no other fields except
   * `id`, `grant_id` and `object`.
   */
  raw_mime?: string
}

/** Changes to a message. Absent fields stay unchanged. */
export type MessageChange = {
  /** `false` marks it as read, `true` as unread */
  unread?: boolean | undefined
  /** `true` adds the star, `false` removes it */
  starred?: boolean | undefined
  /**
   * Ids of all folders of the message. The list replaces the old one and so moves the message. For `microsoft` and
   * `ews` exactly one; for `google` an empty list archives it, and marks such as `STARRED` stay unless they are
   * listed.
   */
  folders?: string[] | undefined
  /** Your own key-value pairs: replaces all of them; `{}` and null remove them. No notification is sent. */
  metadata?: Metadata | null | undefined
}

/** Messages to clean, and options */
export type MessageClean = {
  /** Ids of the messages, up to 20 */
  message_id: string[]
  /** Whether links are reduced to their text */
  ignore_links?: boolean | undefined
  /** Whether images are removed */
  ignore_images?: boolean | undefined
  /**
   * Whether remaining images become `![alt](src)`; otherwise only their URL stays. Must not be false with
   * `html_as_markdown`.
   */
  images_as_markdown?: boolean | undefined
  /** Whether tables are reduced to the text of their rows */
  ignore_tables?: boolean | undefined
  /** Whether English closing phrases, such as "Best regards", are removed */
  remove_conclusion_phrases?: boolean | undefined
  /** Whether `conversation` is Markdown instead of plain text */
  html_as_markdown?: boolean | undefined
}

/** A new message with its cleaned text */
export type MessageCleanedObject = {
  /** Opaque id of the message. It does not change when the message is moved; with `ews`, a previous id stays valid. */
  id: string
  /** Id of the grant that it belongs to */
  grant_id: string
  /** Object type: always `message` */
  object: 'message'
  /** Id of its thread; a message without replies is its own thread */
  thread_id?: string
  /** Time when the mail server received it, in Unix seconds. The sender's `Date` header can differ. */
  date?: number
  /** First 100 characters of the text, without markup */
  snippet?: string
  /** Whether it is starred (`google`) or flagged (`microsoft`, `ews`, IMAP `\Flagged`) */
  starred?: boolean
  /** Whether it is unread */
  unread?: boolean
  /**
   * Ids of its folders. For `google` all its labels, including `UNREAD` and `STARRED`; for `microsoft` and `ews`
   * exactly one.
   */
  folders?: string[]
  /** Your own key-value pairs; absent if none were set */
  metadata?: Metadata
  /** Decoded subject; empty if there is none */
  subject?: string
  /** Senders, nearly always one */
  from?: EmailName[]
  /** Recipients */
  to?: EmailName[]
  /** Recipients of a copy */
  cc?: EmailName[]
  /** Recipients of a blind copy. Known for drafts and sent mail, otherwise empty. */
  bcc?: EmailName[]
  /** Addresses for replies, if not `from` */
  reply_to?: EmailName[]
  /**
   * The sender's own text as Markdown, without quoted messages; if `cleaning_status` is `failed`, the original
   * body, if it could be read
   */
  body?: string
  /** Attachments, including inline images (`is_inline`). Download them with `/attachments/{id}/download`. */
  attachments?: Attachment[]
  /** The `In-Reply-To` header; with `ews` only. For other providers use `fields=include_basic_headers` */
  in_reply_to?: string
  /** Whether `body` is the cleaned text */
  cleaning_status: 'success' | 'failed'
  /** Why the text could not be cleaned; absent if it was */
  cleaning_error?: string
}

/** Data in addition to the object */
export type MessageData = {
  /** Id of the sending grant */
  grant_id: string
}

/** A message that is no longer in any folder of the mailbox */
export type MessageDeletedObject = {
  /** Opaque id of the message. It does not change when the message is moved; with `ews`, a previous id stays valid. */
  id: string
  /** Id of the grant that it belongs to */
  grant_id: string
  /** Object type: always `message` */
  object: 'message'
  /** Your own key-value pairs; absent if none were set */
  metadata?: Metadata
}

export type MessageExportQuery = {
  /**
   * `mbox` (default): one file of messages in mboxrd form, with LF line ends; `eml`: a zip of .eml files with the
   * exact bytes, and `index.ndjson`; `ndjson`: one message object per line
   */
  format?: 'mbox' | 'eml' | 'ndjson' | undefined
  /**
   * Words in subject, addresses or text, ignoring case; all must match. `"…"` is a phrase. Gmail finds whole
   * words, IMAP servers also parts of words.
   */
  q?: string | undefined
  /** Text in the subject, ignoring case; for `google` whole words */
  subject?: string | undefined
  /** Sent from or to any of these addresses, including `cc` and `bcc`: up to 25, comma-separated */
  any_email?: string[] | undefined
  /** From one of these full addresses */
  from?: string[] | undefined
  /** One of these full addresses in `to` */
  to?: string[] | undefined
  /** One of these full addresses in `cc` */
  cc?: string[] | undefined
  /** One of these addresses in `bcc`; finds mail sent by the account itself */
  bcc?: string[] | undefined
  /** Id of one folder, not its name; the last one if repeated. Default: all folders, including junk and trash. */
  in?: string | undefined
  /** `true`: only unread; `false`: only read */
  unread?: boolean | undefined
  /** `true`: only starred; `false`: only without a star */
  starred?: boolean | undefined
  /** `true`: only with attachments; `false`: only without. Inline images are not attachments. */
  has_attachment?: boolean | undefined
  /**
   * A search in the provider's native language: Gmail operators, KQL or `$filter=…` for `microsoft`, AQS for
   * `ews`, RFC 3501 search keys for IMAP. With `google` and `microsoft`, it can only be combined with `in`; with
   * `ews`, with everything except `thread_id`.
   */
  search_query_native?: string | undefined
  /**
   * `microsoft` and `ews`: address of the owner of a mailbox or folder shared with the account. Other providers
   * fail with 422.
   */
  shared_from?: string | undefined
  /** `microsoft` and `ews`: id of the shared folder; with `shared_from`, instead of `in` */
  shared_folder_id?: string | undefined
  /** Only messages of this thread */
  thread_id?: string | undefined
  /** Only messages received after this time (exclusive), in Unix seconds */
  received_after?: number | undefined
  /** Only messages received before this time (exclusive), in Unix seconds */
  received_before?: number | undefined
  /**
   * Maximum page size, default 50; values above 200 are reduced to 200. A page can be shorter and still have a
   * next page.
   */
  limit?: number | undefined
  /**
   * The response header `next-cursor` of the previous page; absent for the first page. `format` and filters stay
   * those of the first page; `limit` can change.
   */
  page_token?: string | undefined
}

/** A message of an account whose scopes only allow reading headers (`gmail.metadata` with Google) */
export type MessageHeadersObject = {
  /** Opaque id of the message. It does not change when the message is moved; with `ews`, a previous id stays valid. */
  id: string
  /** Id of the grant that it belongs to */
  grant_id: string
  /** Object type: always `message` */
  object: 'message'
  /** Id of its thread; a message without replies is its own thread */
  thread_id?: string | undefined
  /** Time when the mail server received it, in Unix seconds. The sender's `Date` header can differ. */
  date?: number | undefined
  /** Whether it is starred (`google`) or flagged (`microsoft`, `ews`, IMAP `\Flagged`) */
  starred?: boolean | undefined
  /** Whether it is unread */
  unread?: boolean | undefined
  /**
   * Ids of its folders. For `google` all its labels, including `UNREAD` and `STARRED`; for `microsoft` and `ews`
   * exactly one.
   */
  folders?: string[] | undefined
  /** Your own key-value pairs; absent if none were set */
  metadata?: Metadata | undefined
  /** Decoded subject; empty if there is none */
  subject?: string | undefined
  /** Senders, nearly always one */
  from?: EmailName[] | undefined
  /** Recipients */
  to?: EmailName[] | undefined
  /** Recipients of a copy */
  cc?: EmailName[] | undefined
  /** Recipients of a blind copy. Known for drafts and sent mail, otherwise empty. */
  bcc?: EmailName[] | undefined
  /** Addresses for replies, if not `from` */
  reply_to?: EmailName[] | undefined
  /** Headers in message order; only with `fields=include_headers` or `include_basic_headers` */
  headers?: Header[] | undefined
}

export type MessageListQuery = {
  /**
   * Words in subject, addresses or text, ignoring case; all must match. `"…"` is a phrase. Gmail finds whole
   * words, IMAP servers also parts of words.
   */
  q?: string | undefined
  /** Text in the subject, ignoring case; for `google` whole words */
  subject?: string | undefined
  /** Sent from or to any of these addresses, including `cc` and `bcc`: up to 25, comma-separated */
  any_email?: string[] | undefined
  /** From one of these full addresses */
  from?: string[] | undefined
  /** One of these full addresses in `to` */
  to?: string[] | undefined
  /** One of these full addresses in `cc` */
  cc?: string[] | undefined
  /** One of these addresses in `bcc`; finds mail sent by the account itself */
  bcc?: string[] | undefined
  /** Id of one folder, not its name; the last one if repeated. Default: all folders, including junk and trash. */
  in?: string | undefined
  /** `true`: only unread; `false`: only read */
  unread?: boolean | undefined
  /** `true`: only starred; `false`: only without a star */
  starred?: boolean | undefined
  /** `true`: only with attachments; `false`: only without. Inline images are not attachments. */
  has_attachment?: boolean | undefined
  /**
   * A search in the provider's native language: Gmail operators, KQL or `$filter=…` for `microsoft`, AQS for
   * `ews`, RFC 3501 search keys for IMAP. With `google` and `microsoft`, it can only be combined with `in`; with
   * `ews`, with everything except `thread_id`.
   */
  search_query_native?: string | undefined
  /**
   * `microsoft` and `ews`: address of the owner of a mailbox or folder shared with the account. Other providers
   * fail with 422.
   */
  shared_from?: string | undefined
  /** `microsoft` and `ews`: id of the shared folder; with `shared_from`, instead of `in` */
  shared_folder_id?: string | undefined
  /** Only messages of this thread */
  thread_id?: string | undefined
  /** Only messages received after this time (exclusive), in Unix seconds */
  received_after?: number | undefined
  /** Only messages received before this time (exclusive), in Unix seconds */
  received_before?: number | undefined
  /**
   * Only objects whose metadata contains this pair, as `key1:value`. Several comma-separated pairs must all match.
   * Only `key1` to `key5`. Cannot be combined with provider filters.
   */
  metadata_pair?: string | undefined
  /**
   * Additional fields. `include_headers`: all headers; `include_basic_headers`: Message-ID, In-Reply-To and
   * References; `include_tracking_options`: tracking; `raw_mime`: the whole message as MIME and only the ids
   * otherwise. Default: `standard`.
   */
  fields?: 'standard' | 'include_headers' | 'include_basic_headers' | 'include_tracking_options' | 'raw_mime' | undefined
  /** Accepted without effect for compatibility: the mail server is always queried */
  query_imap?: boolean | undefined
  /**
   * Maximum page size, default 50; values above 200 are reduced to 200. A page can be shorter and still have a
   * next page.
   */
  limit?: number | undefined
  /**
   * `next_cursor` of the previous page; absent for the first page. Filters stay those of the first page; `limit`
   * and `select` can change.
   */
  page_token?: string | undefined
  /** Top-level fields to return, comma-separated: `id,title`. Default: all fields. Unknown names are ignored. */
  select?: string[] | undefined
}

/** A message that arrived, was sent or was changed */
export type MessageObject = {
  /** Opaque id of the message. It does not change when the message is moved; with `ews`, a previous id stays valid. */
  id: string
  /** Id of the grant that it belongs to */
  grant_id: string
  /** Object type: always `message` */
  object: 'message'
  /** Id of its thread; a message without replies is its own thread */
  thread_id?: string
  /** Time when the mail server received it, in Unix seconds. The sender's `Date` header can differ. */
  date?: number
  /** First 100 characters of the text, without markup */
  snippet?: string
  /** Whether it is starred (`google`) or flagged (`microsoft`, `ews`, IMAP `\Flagged`) */
  starred?: boolean
  /** Whether it is unread */
  unread?: boolean
  /**
   * Ids of its folders. For `google` all its labels, including `UNREAD` and `STARRED`; for `microsoft` and `ews`
   * exactly one.
   */
  folders?: string[]
  /** Your own key-value pairs; absent if none were set */
  metadata?: Metadata
  /** Decoded subject; empty if there is none */
  subject?: string
  /** Senders, nearly always one */
  from?: EmailName[]
  /** Recipients */
  to?: EmailName[]
  /** Recipients of a copy */
  cc?: EmailName[]
  /** Recipients of a blind copy. Known for drafts and sent mail, otherwise empty. */
  bcc?: EmailName[]
  /** Addresses for replies, if not `from` */
  reply_to?: EmailName[]
  /** HTML body, or plain text if the message has no HTML */
  body?: string
  /** Attachments, including inline images (`is_inline`). Download them with `/attachments/{id}/download`. */
  attachments?: Attachment[]
  /** The `In-Reply-To` header; with `ews` only. For other providers use `fields=include_basic_headers` */
  in_reply_to?: string
}

/** A tracked message that was opened. Scanners, prefetches and the sender are not counted. */
export type MessageOpenedObject = {
  /** Object type: always `message` */
  object: 'message'
  /** Id of the tracked message; its Message-ID if the account has no id for it */
  message_id: string
  /** Id of the sending grant */
  grant_id: string
  /** The `label` of its tracking options; empty if none was set */
  label: string
  /** Id of the application that sent it */
  sender_app_id: string
  /** Time of the last occurrence in Unix seconds */
  timestamp: number
  /** Totals of all opens */
  message_data: {
    /** Number of opens; loads within a minute count once */
    count: number
    /** Time of the last open in Unix seconds */
    timestamp: number
  }
  /** The last 50 opens, oldest first */
  recents: {
    /** Number of the open, starting at 0 */
    opened_id: number
    /** IP address of the request, often of a proxy */
    ip: string
    /** Time in Unix seconds */
    timestamp: number
    /** User-Agent of the reader's program; empty if it sends none */
    user_agent: string
  }[]
}

export type MessageQuery = {
  /**
   * Additional fields. `include_headers`: all headers; `include_basic_headers`: Message-ID, In-Reply-To and
   * References; `include_tracking_options`: tracking; `raw_mime`: the whole message as MIME and only the ids
   * otherwise. Default: `standard`.
   */
  fields?: 'standard' | 'include_headers' | 'include_basic_headers' | 'include_tracking_options' | 'raw_mime' | undefined
  /** Accepted without effect for compatibility: the mail server is always queried */
  query_imap?: boolean | undefined
  /**
   * `microsoft` and `ews`: address of the owner of a mailbox or folder shared with the account. Other providers
   * fail with 422.
   */
  shared_from?: string | undefined
  /** Top-level fields to return, comma-separated: `id,title`. Default: all fields. Unknown names are ignored. */
  select?: string[] | undefined
}

/**
 * Your own key-value pairs, stored by the service and not shared with the provider: at most 50 pairs, keys of up
 * to 40 characters, values of up to 500. Lists can be filtered by `key1` to `key5` (`metadata_pair`).
 */
export type Metadata = Record<string, string>

/** A channel that publishes notifications to a NATS JetStream stream */
export type NatsChannel = {
  /** Id of the destination */
  id: string
  /** Your description; empty if none */
  description: string
  /** Subscribed triggers */
  trigger_types: Trigger[]
  /**
   * `active` and `failing` receive notifications; `pause`, which you set, and `failed`, which the service sets, do
   * not
   */
  status: WebhookStatus
  /** Addresses that get a mail when the service changes the status */
  notification_email_addresses: string[]
  /** Whether bodies are sent as gzip */
  compressed_delivery: boolean
  /** Time of the last change of `status`, in Unix seconds */
  status_updated_at: number
  /** Creation time in Unix seconds */
  created_at: number
  /** Time of the last change in Unix seconds */
  updated_at: number
  /** Whether the channel has its own credentials, which are never returned. If not, those of the operator are used */
  has_credentials: boolean
  /** Addresses of the servers */
  servers: string[]
  /** Subject of the messages */
  subject: string
  /** Stream that must store the messages; null: any */
  stream: string | null
}

/** Changes to a NATS channel. If one of its credentials is given, all of them are replaced */
export type NatsChannelChange = {
  /** New addresses; unchanged if absent. Another server needs the credentials again, in the same request */
  servers?: string[] | undefined
  /** New subject; unchanged if absent */
  subject?: string | undefined
  /**
   * Stream that must store the messages. Without it, any stream that has the subject; unchanged if absent, null:
   * any
   */
  stream?: string | null | undefined
  /** New list of triggers, which replaces the old one; unchanged if absent or empty */
  trigger_types?: SubscribableTrigger[] | null | undefined
  /** Your description; unchanged if absent or empty, null clears it */
  description?: string | null | undefined
  /** Addresses that get a mail when the service changes the status; unchanged if absent or empty, null clears them */
  notification_email_addresses?: string[] | null | undefined
  /** true: messages are gzip, with an attribute or header that says so */
  compressed_delivery?: boolean | null | undefined
  /**
   * `pause`: nothing is sent, and new changes are not queued. `active`: delivers again once the broker was
   * verified.
   */
  status?: SetStatus | undefined
  /** Token of the server. Encrypted and never returned */
  token?: string | null | undefined
  /** User name. Encrypted and never returned */
  username?: string | null | undefined
  /** Password of that user. Encrypted and never returned */
  password?: string | null | undefined
  /** Content of a .creds file, with a JWT and a seed. Encrypted and never returned */
  credentials?: string | null | undefined
}

/** A new NATS channel */
export type NatsChannelDraft = {
  /**
   * Addresses of servers of one cluster, up to 10: `nats://host:port`, or `tls://host:port` for TLS from the
   * start; default port 4222. They are tried in this order
   */
  servers: string[]
  /** Subject of the messages, which a stream must have; `{type}` in it is replaced by the type of the notification */
  subject: string
  /** Stream that must store the messages. Without it, any stream that has the subject */
  stream?: string | null | undefined
  /** Triggers to subscribe to, such as `message.created` */
  trigger_types: SubscribableTrigger[]
  /** Your description: up to 1024 characters */
  description?: string | null | undefined
  /**
   * Addresses that get a mail when the service changes the status: up to 20. Requires a mail identity of the
   * service.
   */
  notification_email_addresses?: string[] | null | undefined
  /** true: messages are gzip, with an attribute or header that says so */
  compressed_delivery?: boolean | null | undefined
  /** Token of the server. Encrypted and never returned */
  token?: string | null | undefined
  /** User name. Encrypted and never returned */
  username?: string | null | undefined
  /** Password of that user. Encrypted and never returned */
  password?: string | null | undefined
  /** Content of a .creds file, with a JWT and a seed. Encrypted and never returned */
  credentials?: string | null | undefined
}

/** A newly created API key */
export type NewApiKey = {
  /** Id of the key */
  id: string
  /** Id of the application that the key belongs to */
  application_id: string
  /** Name of the key, for your own use */
  name: string
  /** First characters of the key, to tell keys apart */
  hint: string
  /** `["all"]`, or the operations of a restricted key, as in `rights` */
  permissions: string[]
  /** The rights of a restricted key; null: the key has all rights */
  rights: KeyRights | null
  /** `active`, or the reason why the key no longer works */
  status: 'active' | 'expired' | 'revoked'
  /** Days until the key expires; null if it never expires */
  expires_in: number | null
  /** Expiry time in Unix seconds; null if it never expires */
  expires_at: number | null
  /** Time of the last use in Unix seconds; null if never used */
  last_used_at: number | null
  /** Creator of an API key */
  created_by: KeyCreator
  /** Creation time in Unix seconds */
  created_at: number
  /** Time of the last change in Unix seconds */
  updated_at: number
  /** The key itself, for `Authorization: Bearer`. Returned only once */
  api_key: string
}

/** A newly created service account */
export type NewServiceAccount = {
  /** Id of the service account, which is also the `private_key_id` of its key */
  id: string
  /** Name of the service account, shown in the audit log */
  name: string
  /** What the service account may do */
  permissions: ServiceAccountPermission[]
  /** `all`, or the ids of up to 1000 applications; others are hidden from the person */
  applications: ReachedApplications
  /** `active`, or the reason why its signatures are refused */
  status: 'active' | 'blocked' | 'expired'
  /** Public key in PEM format (SPKI) */
  public_key: string
  /** Expiry time in Unix seconds; null if it never expires */
  expires_at: number | null
  /** Time of the last signed request in Unix seconds, accurate to a minute; null if never used */
  last_used_at: number | null
  /** Creation time in Unix seconds */
  created_at: number
  /** Time of the last change in Unix seconds */
  updated_at: number
  /** The credential file, returned only once; null if you registered a public key of your own */
  credential: ServiceAccountCredential | null
}

/** A notification about a change: a CloudEvents envelope with the object */
export type Notification = {
  /** CloudEvents version: always `1.0` */
  specversion: '1.0'
  /**
   * The trigger; with `.truncated` if large fields were omitted to limit the body to 1 MB; with `.metadata` if the
   * scopes of the account only allow reading headers
   */
  type: string
  /**
   * Origin: `/<provider>/<product>/<how it was detected>`, such as `/google/emails/realtime`, or a part of this
   * service, such as `/waypost/system`
   */
  source: string
  /** Id of the notification. It is the same for every attempt and destination; use it to detect duplicates. */
  id: string
  /** Creation time in Unix seconds */
  time: number
  /** Number of the attempt at this destination, starting at 1; replays continue the count */
  webhook_delivery_attempt: number
  /** Sequence number of the grant's notifications, without gaps, in the order of changes */
  grant_sequence: number
  /** The change. Some triggers have more fields in addition to the object. */
  data: {
    /** Id of the application that the grant belongs to */
    application_id: string
    /** The changed object as in API responses, or its ids if it was deleted */
    object: Record<string, unknown> | null
    [name: string]: unknown
  }
}

/** Delivery state of a notification at one destination */
export type NotificationDelivery = {
  /** Id of the destination */
  webhook_id: string
  /** Whether the destination received it, will receive it, or failed permanently */
  state: 'delivered' | 'waiting' | 'failed'
  /** Number of attempts */
  attempts: number
  /** Time of the next attempt in Unix seconds; null if it is not waiting */
  next_attempt_at: number | null
}

/** Hours on days of the week when meetings are allowed */
export type OpenHours = {
  /** Days of the week, from 0 (Sunday) to 6 (Saturday) */
  days: number[]
  /** IANA name of the time zone of these hours */
  timezone: TimeZone
  /** Start, such as `9:00` */
  start: string
  /** End, such as `17:30`; at most `24:00`, and after the start */
  end: string
  /** Dates that are closed all day, in the time zone of the hours */
  exdates?: string[] | null | undefined
}

/** An attachment contained in the JSON, or a file that was uploaded before */
export type OutgoingAttachment = {
  /** File name shown to recipients; required, up to 255 characters */
  filename?: string | null | undefined
  /** Content of the file in base64; required. Line breaks and base64url are accepted. */
  content?: string | null | undefined
  /** Media type, such as `application/pdf`; default: derived from the file name */
  content_type?: string | null | undefined
  /**
   * Content id with which the HTML shows the file as `<img src="cid:…">`: ASCII without spaces. The file is then
   * inline unless `content_disposition` is set.
   */
  content_id?: string | null | undefined
  /** `inline`, or `attachment`: not shown in the text, regardless of `content_id` */
  content_disposition?: string | null | undefined
  /**
   * Id of a complete upload (`POST /v3/grants/{grant_id}/attachment-uploads`), in place of `content`. Its name and
   * type are those of the upload unless they are given here.
   */
  id?: string | null | undefined
}

/** A problem of an application that needs action */
export type OverviewProblem = {
  /** Machine-readable problem */
  code: 'application_blocked' | 'no_worker' | 'destination_failed' | 'destination_failing' | 'destination_paused' | 'deliveries_late' | 'service_errors' | 'provider_errors' | 'grants_expired' | 'changes_not_fetched' | 'grant_limit_reached' | 'jobs_failed'
  /** `trouble`: something does not work; `attention`: something needs a check */
  severity: 'trouble' | 'attention'
  /** Description of the problem and what to do about it */
  message: string
  /** Affected provider; null if none */
  provider: string | null
  /** Affected destination; null if none */
  webhook_id: string | null
}

export type PageParams = {
  /** Id of a public configuration. Not needed with a session */
  configuration_id?: string | undefined
  /** Slug of a public configuration, together with `client_id` */
  slug?: string | undefined
  /** Id of the application. Not needed with an API key */
  client_id?: string | undefined
}

/** A guest of an event and their response */
export type Participant = {
  /** Address of the guest; Exchange can have guests without one */
  email?: string
  /** Name of the guest; null if unknown */
  name: string | null
  /** Note of the guest with the response, or null */
  comment: string | null
  /** Phone number of the guest, or null */
  phone_number: string | null
  /** Response of a guest; `noreply` until there is one */
  status: ParticipantStatus
}

/** A guest to invite */
export type ParticipantInput = {
  /** Address to invite; duplicates count once */
  email: string
  /** Display name */
  name?: string | null | undefined
  /** A remark. `microsoft` and `ews` do not store it */
  comment?: string | null | undefined
  /** Phone number. `google`, `microsoft` and `ews` do not store it */
  phone_number?: string | null | undefined
  /** Accepted without effect: guests start with `noreply` and respond themselves */
  status?: ParticipantStatus | null | undefined
}

/** Response of a guest; `noreply` until there is one */
export type ParticipantStatus = 'yes' | 'no' | 'maybe' | 'noreply'

/** A new password */
export type PasswordChange = {
  /** Current password */
  current_password: string
  /** New password, at least 8 characters. Common passwords are refused */
  new_password: string
}

/** Proof that the request comes from the person */
export type PasswordProof = {
  /** Current password of the person */
  current_password: string
}

/** A person who administers the service */
export type Person = {
  /** Id of the person */
  id: string
  /** Address with which the person signs in, in lower case */
  email: string
  /** Name of the person, up to 256 characters */
  name: string
  /**
   * `owner`: full access; `administrator`: full access except people and installation settings; `viewer`:
   * read-only, without customer data and secrets
   */
  role: Role
  /** `all`, or the ids of up to 1000 applications; others are hidden from the person */
  applications: ReachedApplications
  /** `invited`: cannot sign in yet; `active`: can sign in; `blocked`: must not sign in */
  state: 'invited' | 'active' | 'blocked'
  /** Whether the person has a password */
  has_password: boolean
  /** Whether signing in requires a code from an authenticator app */
  has_totp: boolean
  /** Whether the person has signed in with OpenID Connect */
  has_oidc: boolean
  /** Number of unused recovery codes */
  recovery_codes_left: number
  /** Expiry time of the invitation link in Unix seconds; null if there is none */
  invitation_expires_at: number | null
  /** Time of the last sign-in in Unix seconds; null if never */
  signed_in_at: number | null
  /** Creation time in Unix seconds */
  created_at: number
  /** Time of the last change in Unix seconds */
  updated_at: number
}

/** Changes to a person. Absent fields stay unchanged */
export type PersonChange = {
  /** Name of the person, up to 256 characters */
  name?: string | undefined
  /**
   * `owner`: full access; `administrator`: full access except people and installation settings; `viewer`:
   * read-only, without customer data and secrets
   */
  role?: Role | undefined
  /** `all`, or the ids of up to 1000 applications; others are hidden from the person */
  applications?: ReachedApplications | undefined
  /** `true` ends every session and blocks sign-in */
  blocked?: boolean | undefined
  /** `true` revokes the valid API keys that the person created. Default: they stay valid. */
  revoke_api_keys?: boolean | undefined
}

/** A person to invite */
export type PersonDraft = {
  /** Address with which the person signs in, in lower case */
  email: string
  /** Name, which the person can change. Default: the address. */
  name?: string | undefined
  /**
   * `owner`: full access; `administrator`: full access except people and installation settings; `viewer`:
   * read-only, without customer data and secrets
   */
  role: Role
  /** `all` (default), or ids of applications. Always `all` for owners. */
  applications?: ReachedApplications | undefined
}

/** API keys that a person created, and whether they were revoked */
export type PersonKeys = {
  /** API keys that the person created and that were valid until now, in all applications */
  api_keys: ApiKey[]
  /** Whether they were revoked; otherwise they stay valid */
  api_keys_revoked: boolean
}

/** Identity of a person */
export type PersonSummary = {
  /** Id of the person */
  id: string
  /** Name of the person, up to 256 characters */
  name: string
  /** Address with which the person signs in, in lower case */
  email: string
  /**
   * `owner`: full access; `administrator`: full access except people and installation settings; `viewer`:
   * read-only, without customer data and secrets
   */
  role: Role
}

/**
 * Platform that users return to: `web` for a site, `desktop` for a program, `js` for a page that calls the API
 * itself, `ios` and `android` for apps, which can use a custom URL scheme
 */
export type Platform = 'web' | 'desktop' | 'js' | 'ios' | 'android'

/** Requirements of one provider for custom authentication */
export type ProviderGuide = {
  /** Provider of the account: the `provider` of a request */
  provider: string
  /** Display name */
  title: string
  /** Whether this server can create grants of this provider */
  available: boolean
  /** Whether the application has the required connector */
  connector: boolean
  /** Fields that `settings` may have */
  settings: {
    /** Name of the field in `settings` */
    name: string
    /** Whether the field is always required. If there are several ways to authenticate, all fields may be optional */
    required: boolean
    /** Description of the field; empty if its name is enough */
    description: string
  }[]
  /** Sample body for POST on this path, with placeholders */
  example: Record<string, unknown>
}

/**
 * Provider of an account: `google`, `microsoft`, `imap` (any mailbox with IMAP and SMTP), `icloud`, `yahoo`,
 * `ews` (Exchange servers), `virtual-calendar` (calendars stored by the service, without an external account) or
 * `zoom` (creates Zoom meetings for events of other accounts, and has no mail or calendars)
 */
export type ProviderKind = 'google' | 'microsoft' | 'imap' | 'icloud' | 'yahoo' | 'ews' | 'virtual-calendar' | 'zoom'

/** A channel that publishes notifications to a Google Pub/Sub topic */
export type PubsubChannel = {
  /** Id of the destination */
  id: string
  /** Your description; empty if none */
  description: string
  /** Subscribed triggers */
  trigger_types: Trigger[]
  /**
   * `active` and `failing` receive notifications; `pause`, which you set, and `failed`, which the service sets, do
   * not
   */
  status: WebhookStatus
  /** Addresses that get a mail when the service changes the status */
  notification_email_addresses: string[]
  /** Whether bodies are sent as gzip */
  compressed_delivery: boolean
  /** Time of the last change of `status`, in Unix seconds */
  status_updated_at: number
  /** Creation time in Unix seconds */
  created_at: number
  /** Time of the last change in Unix seconds */
  updated_at: number
  /** Whether the channel has its own credentials, which are never returned. If not, those of the operator are used */
  has_credentials: boolean
  /** Full name of the topic */
  topic: string
}

/** Changes to a Pub/Sub channel */
export type PubsubChannelChange = {
  /**
   * New topic, which is verified; unchanged if absent. Another project needs the credentials again, in the same
   * request
   */
  topic?: string | undefined
  /** New list of triggers, which replaces the old one; unchanged if absent or empty */
  trigger_types?: SubscribableTrigger[] | null | undefined
  /** Your description; unchanged if absent or empty, null clears it */
  description?: string | null | undefined
  /** Addresses that get a mail when the service changes the status; unchanged if absent or empty, null clears them */
  notification_email_addresses?: string[] | null | undefined
  /** true: messages are gzip, with an attribute or header that says so */
  compressed_delivery?: boolean | null | undefined
  /**
   * `pause`: nothing is sent, and new changes are not queued. `active`: delivers again once the broker was
   * verified.
   */
  status?: SetStatus | undefined
  /**
   * Key of a service account that may publish to the topic: the content of its JSON file, as a text or an object.
   * Encrypted and never returned. Without it, the service account of the operator publishes
   * (`WAYPOST_PUBSUB_CREDENTIALS`). null in a change removes it.
   */
  credentials?: string | Record<string, string> | null | undefined
  /** For compatibility: only an empty value is accepted. The topic itself can have a key */
  encryption_key?: string | null | undefined
}

/** A new Pub/Sub channel */
export type PubsubChannelDraft = {
  /** Full name of the topic: `projects/<project>/topics/<topic>` */
  topic: string
  /** Triggers to subscribe to, such as `message.created` */
  trigger_types: SubscribableTrigger[]
  /** Your description: up to 1024 characters */
  description?: string | null | undefined
  /**
   * Addresses that get a mail when the service changes the status: up to 20. Requires a mail identity of the
   * service.
   */
  notification_email_addresses?: string[] | null | undefined
  /** true: messages are gzip, with an attribute or header that says so */
  compressed_delivery?: boolean | null | undefined
  /**
   * Key of a service account that may publish to the topic: the content of its JSON file, as a text or an object.
   * Encrypted and never returned. Without it, the service account of the operator publishes
   * (`WAYPOST_PUBSUB_CREDENTIALS`). null in a change removes it.
   */
  credentials?: string | Record<string, string> | null | undefined
  /** For compatibility: only an empty value is accepted. The topic itself can have a key */
  encryption_key?: string | null | undefined
}

/** `all`, or the ids of up to 1000 applications; others are hidden from the person */
export type ReachedApplications = 'all' | string[]

/** Readiness of the service */
export type Readiness = {
  /** Always `ready`: otherwise the request fails with 503 */
  status: 'ready'
  /** Type of the database */
  store: 'sqlite' | 'postgresql'
  /** Id of the responding node, if several share a store */
  node: string
}

/** A recipient of a message */
export type Recipient = {
  /** Display name; default: only the address */
  name?: string | null | undefined
  /** Email address. Non-ASCII letters before the @ require a mail server with SMTPUTF8. */
  email: string
}

/** Recovery codes, returned only once */
export type RecoveryCodes = {
  /** Codes to use if the app is lost. Each works once */
  recovery_codes: string[]
}

/** A URI to which users can return after a hosted sign-in */
export type RedirectUri = {
  /** Id of the redirect URI */
  id: string
  /** Platform that users return to */
  platform: Platform
  /** The URI, compared byte for byte at sign-in */
  url: string
  /** Platform settings; `{}` if there are none */
  settings: RedirectUriSettings
  /** Creation time in Unix seconds */
  created_at: number
}

/** Changes to a redirect URI. Absent fields stay unchanged. */
export type RedirectUriChange = {
  /**
   * https URL (http for localhost and 127.0.0.1), or `scheme://…` for `ios` and `android`; without fragment, and
   * without query unless the application allows it. Up to 2048 bytes.
   */
  url?: string | undefined
  /** Platform that users return to */
  platform?: Platform | undefined
  /**
   * Platform settings: `origin` for `js`; `bundle_id` for `ios`; `package_name` and `sha1_certificate_fingerprint`
   * for `android`; none for `web` and `desktop`
   */
  settings?: {
    /** Origin from which the page calls the API (CORS): https, or http for localhost. Required for `js`. */
    origin?: string | undefined
    /** Bundle id of the app; required for `ios` */
    bundle_id?: string | undefined
    /** App Store id, for `ios` */
    app_store_id?: string | undefined
    /** Apple team id, for `ios` */
    team_id?: string | undefined
    /** Package name of the app; required for `android` */
    package_name?: string | undefined
    /** SHA-1 fingerprint of the app's signing certificate; required for `android` */
    sha1_certificate_fingerprint?: string | undefined
    /** Alias of `sha1_certificate_fingerprint`, used by one published client */
    sha_1_certificate_fingerprint?: string | undefined
  } | undefined
}

/** A new redirect URI */
export type RedirectUriDraft = {
  /**
   * https URL (http for localhost and 127.0.0.1), or `scheme://…` for `ios` and `android`; without fragment, and
   * without query unless the application allows it. Up to 2048 bytes.
   */
  url: string
  /** Platform that users return to; default `web` */
  platform?: Platform | undefined
  /**
   * Platform settings: `origin` for `js`; `bundle_id` for `ios`; `package_name` and `sha1_certificate_fingerprint`
   * for `android`; none for `web` and `desktop`
   */
  settings?: {
    /** Origin from which the page calls the API (CORS): https, or http for localhost. Required for `js`. */
    origin?: string | undefined
    /** Bundle id of the app; required for `ios` */
    bundle_id?: string | undefined
    /** App Store id, for `ios` */
    app_store_id?: string | undefined
    /** Apple team id, for `ios` */
    team_id?: string | undefined
    /** Package name of the app; required for `android` */
    package_name?: string | undefined
    /** SHA-1 fingerprint of the app's signing certificate; required for `android` */
    sha1_certificate_fingerprint?: string | undefined
    /** Alias of `sha1_certificate_fingerprint`, used by one published client */
    sha_1_certificate_fingerprint?: string | undefined
  } | undefined
}

/** Platform-specific settings of a redirect URI */
export type RedirectUriSettings = {
  /** Origin from which the page calls the API (CORS): https, or http for localhost. Required for `js`. */
  origin?: string
  /** Bundle id of the app; required for `ios` */
  bundle_id?: string
  /** App Store id, for `ios` */
  app_store_id?: string
  /** Apple team id, for `ios` */
  team_id?: string
  /** Package name of the app; required for `android` */
  package_name?: string
  /** SHA-1 fingerprint of the app's signing certificate; required for `android` */
  sha1_certificate_fingerprint?: string
}

/** Region of the installation, as set by the operator */
export type Region = 'us' | 'eu'

/** Reminders of an event */
export type Reminders = {
  /** Whether the default reminders of the calendar apply */
  use_default: boolean
  /** Reminders of this event; empty if there are none */
  overrides: {
    /** Minutes before the start */
    reminder_minutes: number
    /** Kind of reminder */
    reminder_method: 'popup' | 'email' | 'display' | 'sound'
  }[]
}

/** Reminders of an event. Virtual calendars send no reminders */
export type RemindersInput = {
  /** Whether the default reminders of the calendar apply; `true` cannot be combined with `overrides` */
  use_default?: boolean | null | undefined
  /** Reminders of this event: at most five with `google` */
  overrides?: {
    /** Minutes before the start, up to four weeks */
    reminder_minutes: number
    /** `google`: `popup` (default) or `email`; `icloud`: `display` (default) or `sound`; Exchange decides itself */
    reminder_method?: 'popup' | 'email' | 'display' | 'sound' | null | undefined
  }[] | null | undefined
}

/** A rendered text */
export type RenderedBody = {
  /** HTML with the values filled in */
  body: string
}

/** A rendered template */
export type RenderedTemplate = {
  /** Subject with the values filled in */
  subject: string
  /** HTML with the values filled in */
  body: string
}

/**
 * Notifications to deliver again: one by its id, or all that match the other fields, at least one of which is
 * required
 */
export type Replay = {
  /** Only this notification, whether delivered or not */
  notification_id?: string | undefined
  /** Only notifications created at or after this time, in Unix seconds; default: the oldest retained */
  start?: number | undefined
  /** In addition to `start`: only notifications created before this time, in Unix seconds; default: now */
  end?: number | undefined
  /**
   * `all` (default): any outcome, including notifications never sent to this destination; `delivered`: delivered
   * ones; `failed`: permanently failed ones
   */
  outcome?: 'all' | 'delivered' | 'failed' | undefined
  /** true: same as `outcome: "failed"` */
  failed?: boolean | undefined
  /**
   * Only these triggers; default: all current triggers of the destination. Unless `outcome` is `failed`, the
   * destination must be subscribed to them.
   */
  trigger_types?: SubscribableTrigger[] | undefined
  /** Only notifications about this grant */
  grant_id?: string | undefined
  /** true: nothing is delivered; the response contains the number of notifications */
  dry_run?: boolean | undefined
}

/** Result of a replay or dry run */
export type Replayed = {
  /** Number of notifications queued again; 0 in a dry run */
  replayed: number
  /** In a dry run: number of notifications to replay, counted up to 10000 */
  matching?: number
  /** In a dry run: there may be more than were counted; all of them would be replayed */
  more?: boolean
}

/** `change_password`: the password is the generated initial one; `set_up_second_factor`: the role requires one */
export type RequiredAction = 'change_password' | 'set_up_second_factor'

/** An invited room or equipment */
export type Resource = {
  /** Address of the room, as returned by `GET …/resources` */
  email: string
  /** Name of the room */
  name?: string | null | undefined
  /** Capacity in people. Stored by virtual calendars; other providers take it from their directory */
  capacity?: number | null | undefined
  /** Building. Stored by virtual calendars; other providers take it from their directory */
  building?: string | null | undefined
  /** Name of the floor. Stored by virtual calendars; other providers take it from their directory */
  floor_name?: string | null | undefined
  /** Section of the floor. Stored by virtual calendars; other providers take it from their directory */
  floor_section?: string | null | undefined
  /** Number of the floor. Stored by virtual calendars; other providers take it from their directory */
  floor_number?: number | null | undefined
}

/** Result of retrying failed jobs */
export type RetriedJobs = {
  /** Number of jobs that run again */
  retried: number
  /** Whether more failed jobs are left: repeat the request */
  more: boolean
}

/** Can be empty if the token is in the query */
export type RevokeRequest = {
  /** Access or refresh token to revoke, unless it is in the query */
  token?: string | null | undefined
}

/** Rights of a user */
export type Rights = {
  /**
   * `owner`: full access; `administrator`: full access except people and installation settings; `viewer`:
   * read-only, without customer data and secrets
   */
  role: Role
  /** `all`, or the ids of up to 1000 applications; others are hidden from the person */
  applications: ReachedApplications
  /** Whether mail, calendars, contacts and notification contents may be read */
  customer_data: boolean
}

/**
 * `owner`: full access; `administrator`: full access except people and installation settings; `viewer`:
 * read-only, without customer data and secrets
 */
export type Role = 'owner' | 'administrator' | 'viewer'

/** A room in the directory of an organization. Unknown fields are absent. */
export type RoomResource = {
  /** Object type: always `room_resource` */
  object: 'room_resource'
  /** Id of the grant that it belongs to */
  grant_id: string
  /** Address of the room. To invite it, set it as `resources[].email` of an event. */
  email: string
  /** Name of the room in the directory */
  name: string
  /** Name of the building */
  building?: string
  /** Capacity in people */
  capacity?: number
  /** Name of the floor in the directory */
  floor_name?: string
  /** Number of the floor; with `google` only if the floor name is a number */
  floor_number?: number
  /** Section of the floor; `google` only */
  floor_section?: string
}

export type RoomResourceListQuery = {
  /**
   * Maximum page size, default 50; values above 200 are reduced to 200. A page can be shorter and still have a
   * next page.
   */
  limit?: number | undefined
  /**
   * `next_cursor` of the previous page; absent for the first page. Filters stay those of the first page; `limit`
   * and `select` can change.
   */
  page_token?: string | undefined
  /** Top-level fields to return, comma-separated: `id,title`. Default: all fields. Unknown names are ignored. */
  select?: string[] | undefined
}

/** The account's response to an invitation */
export type Rsvp = {
  /** The response */
  status: 'yes' | 'no' | 'maybe'
  /** Note to the organizer */
  comment?: string | null | undefined
  /** Accepted without effect: set the calendar in the query */
  calendar_id?: string | null | undefined
}

/** Result of a response to an invitation */
export type RsvpResult = {
  /** Why the mail to the organizer was not sent; the response is stored in the calendar anyway */
  send_ics_error?: SendIcsError
  /** Whether a mail was sent to the organizer, and if not, why */
  mail?: string
}

/** State of a scheduled message */
export type ScheduledMessage = {
  /** Id from the response to the send request */
  schedule_id: string
  /** State of the schedule */
  status: {
    /** `pending` at first; then `success`, `failed`, or `cancelled` if it was stopped */
    code: 'pending' | 'success' | 'failed' | 'cancelled'
    /** Description of the state */
    description: string
  }
  /** Time when it was sent, failed or was stopped, in Unix seconds; absent while pending */
  close_time?: number
}

/** A scheduled message, without its text */
export type ScheduledMessageObject = {
  /** Object type: always `message` */
  object: 'message'
  /** Id of the grant that it belongs to */
  grant_id: string
  /** Id of the message in the account, if it was sent */
  id?: string
  /** Id from the response to the send request */
  schedule_id?: string
  /** Scheduled time in Unix seconds */
  send_at?: number
  /** Whether it was stored as a draft in the account */
  use_draft?: boolean
  /** First 100 characters of the text, without markup */
  snippet?: string
  /** Decoded subject; empty if there is none */
  subject?: string
  /** Senders, nearly always one */
  from?: EmailName[]
  /** Recipients */
  to?: EmailName[]
  /** Recipients of a copy */
  cc?: EmailName[]
  /** Recipients of a blind copy. Known for drafts and sent mail, otherwise empty. */
  bcc?: EmailName[]
  /** Addresses for replies, if not `from` */
  reply_to?: EmailName[]
  /** HTML body, or plain text if the message has no HTML */
  body?: string
  /** Attachments, including inline images (`is_inline`). Download them with `/attachments/{id}/download`. */
  attachments?: Attachment[]
}

/** Rules and texts of the booking page */
export type SchedulerSettings = {
  /** Days ahead that can be booked; default 30 */
  available_days_in_future?: number | null | undefined
  /** Minutes between the booking and the event; default 60 */
  min_booking_notice?: number | null | undefined
  /** Minutes before the event until which guests can cancel or move it; default 0 */
  min_cancellation_notice?: number | null | undefined
  /** Text about cancellations */
  cancellation_policy?: string | null | undefined
  /** Your own page for rescheduling; `:booking_ref` is replaced. Default: the page of this service */
  rescheduling_url?: string | null | undefined
  /** Your own page for cancellation; `:booking_ref` is replaced. Default: the page of this service */
  cancellation_url?: string | null | undefined
  /**
   * Your own page for the confirmation by the organizer; `:booking_ref` is replaced. Default: the page of this
   * service
   */
  organizer_confirmation_url?: string | null | undefined
  /** Where the page goes after a booking, with its details in the query */
  confirmation_redirect_url?: string | null | undefined
  /** Whether guests see no link to reschedule; default `false` */
  hide_rescheduling_options?: boolean | null | undefined
  /** Whether guests see no link to cancel; default `false` */
  hide_cancellation_options?: boolean | null | undefined
  /** Whether guests cannot add others; default `false` */
  hide_additional_guests?: boolean | null | undefined
  /** Questions to the guest by key, up to 50 */
  additional_fields?: Record<string, AdditionalField> | null | undefined
  /** Appearance of mails */
  email_template?: {
    /** Address of an image at the top of mails */
    logo?: string | null | undefined
    /** Accepted for compatibility; mails carry no branding */
    show_nylas_branding?: boolean | null | undefined
    /** Language of the organizer's mails; default `en` */
    organizer_locale?: string | null | undefined
    /** Texts of the confirmation that guests get */
    booking_confirmed?: {
      /** Title of the confirmation */
      title?: string | null | undefined
      /** Text of the confirmation */
      body?: string | null | undefined
    } | null | undefined
  } | null | undefined
  /** Stored and returned; this service has no notetaker */
  notetaker_settings?: Record<string, unknown> | null | undefined
}

/** A configuration and the grant that owns it */
export type SchedulingPage = {
  /** Id of the configuration, a UUID */
  id: string
  /** Title of the page */
  name: string
  /** Name of the page in its address, or null */
  slug: string | null
  /** `group` for group events, otherwise empty */
  type: '' | 'group'
  /** Whether guests need a session */
  requires_session_auth: boolean
  /** Hosts and invitees */
  participants: ConfigurationParticipant[]
  /** Duration and times of the meetings */
  availability: BookingAvailability
  /** The event that a booking creates */
  event_booking: EventBooking
  /** Group events of a configuration */
  group_booking?: GroupBooking
  /** Rules and texts of the booking page */
  scheduler: SchedulerSettings
  /** Texts and colors of the page: `color`, `company_logo_url`, `submit_button_label`, `thank_you_message` */
  appearance: Record<string, string> | null
  /** Origins whose pages may embed the booking page */
  embed_origins: string[]
  /** Id of the grant that owns the configuration */
  grant_id: string
  /** Creation time in Unix seconds */
  created_at: number
  /** Time of the last change in Unix seconds */
  updated_at: number
}

/** Opens one configuration for a guest */
export type SchedulingSession = {
  /** The session: `Authorization: Bearer <session_id>` of the booking page */
  session_id: string
  /** Id of the configuration */
  configuration_id: string
  /** End in Unix seconds */
  expires_at: number
  /** Creation time in Unix seconds */
  created_at: number
}

/** A session for one guest */
export type SchedulingSessionDraft = {
  /** Id of the configuration. Either this or `slug` is required */
  configuration_id?: string | null | undefined
  /** Slug of the configuration */
  slug?: string | null | undefined
  /** Minutes that the session lasts, 1 to 30; default 5 */
  time_to_live?: number | null | undefined
}

/** Data in addition to the object of a message that was not sent */
export type SendFailedData = {
  /** Id of the sending grant */
  grant_id: string
  /** Why it was not sent, as one word, such as `send_refused`, or `expired` if it was long overdue */
  reason: string
  /** The error */
  error: {
    /** Error type as returned by the API */
    type: string
    /** Error message */
    message: string
    /** HTTP status that the API uses for this error */
    status_code?: number
    /** The provider's error in its own format; absent if there is none */
    provider_error?: Record<string, unknown>
  }
}

/** Why the mail to the organizer was not sent; the response is stored in the calendar anyway */
export type SendIcsError = {
  /** Error type, as in error responses */
  type: string
  /** Error message */
  message: string
}

/** A message to send */
export type SendRequest = {
  /** Recipients, at least one; `to`, `cc` and `bcc` have up to 100 addresses in total */
  to: Recipient[]
  /** Recipients of a copy */
  cc?: Recipient[] | null | undefined
  /** Recipients of a blind copy */
  bcc?: Recipient[] | null | undefined
  /** Addresses for replies: up to 100 */
  reply_to?: Recipient[] | null | undefined
  /**
   * Sender, exactly one; default: address and name of the grant. Another address must be an alias that the
   * provider allows.
   */
  from?: Recipient[] | null | undefined
  /** Subject on one line, up to 998 characters. Default for a reply: the subject of the original message. */
  subject?: string | null | undefined
  /** Body as HTML, or as plain text with `is_plaintext` */
  body?: string | null | undefined
  /** true: `body` is plain text and no HTML is sent; default false */
  is_plaintext?: boolean | null | undefined
  /**
   * Id or Message-ID of the message to reply to: sets In-Reply-To and References, so that the reply joins that
   * thread
   */
  reply_to_message_id?: string | null | undefined
  /**
   * Attachments, up to 3 MB in total after decoding; send larger ones as parts of `multipart/form-data`, or upload
   * them first
   */
  attachments?: OutgoingAttachment[] | null | undefined
  /** Custom headers, up to 100 */
  custom_headers?: CustomHeader[] | null | undefined
  /** Tracking of the sent message: opens, link clicks, replies. Default: none. */
  tracking_options?: TrackingRequest | null | undefined
  /** Your own key-value pairs, stored by the service for the message. Recipients do not see them. */
  metadata?: Metadata | null | undefined
  /** Template for subject and body; `subject` or `body` in the request override it */
  template?: TemplateUse | null | undefined
  /** Id of a signature of the grant, appended to the HTML; ignored for plain text */
  signature_id?: string | null | undefined
  /** Send time in Unix seconds: 60 seconds to 30 days from now. Default: now. */
  send_at?: number | null | undefined
  /**
   * true, with `send_at`: the message is stored as a draft in the account, where its user can edit it. Deleting it
   * makes the send fail. `imap`, `icloud` and `yahoo` fail with 422. Keys whose messages need approval or that
   * have `recipients` cannot use it.
   */
  use_draft?: boolean | null | undefined
}

/** A sent or scheduled message */
export type SentMessage = {
  /** Id of the message in the account; absent if it is scheduled */
  id?: string
  /** Id of the grant that it belongs to */
  grant_id: string
  /** Object type: always `message` */
  object: 'message'
  /** Id of its thread; a message without replies is its own thread */
  thread_id?: string
  /** Time when the mail server received it, in Unix seconds. The sender's `Date` header can differ. */
  date?: number
  /** First 100 characters of the text, without markup */
  snippet?: string
  /** Whether it is starred (`google`) or flagged (`microsoft`, `ews`, IMAP `\Flagged`) */
  starred?: boolean
  /** Whether it is unread */
  unread?: boolean
  /** Ids of the account's folders that contain it; empty until known */
  folders?: string[]
  /** Your own key-value pairs; absent if none were set */
  metadata?: Metadata
  /** Subject as it was sent */
  subject: string
  /** Sender: from the request, otherwise the grant */
  from: EmailName[]
  /** Recipients */
  to: EmailName[]
  /** Recipients of a copy */
  cc: EmailName[]
  /** Recipients of a blind copy. Known for drafts and sent mail, otherwise empty. */
  bcc?: EmailName[]
  /** Addresses for replies, if not `from` */
  reply_to?: EmailName[]
  /** Body as given in the request, without signature and tracking */
  body: string
  /** Attachments, including inline images (`is_inline`). Download them with `/attachments/{id}/download`. */
  attachments?: Attachment[]
  /** Headers as sent, if `fields` requests them and the message is not scheduled */
  headers?: Header[]
  /** Tracking of the message; absent if none */
  tracking_options?: TrackingOptions
  /** Id of the message that it replies to, as in the request; empty if it is no reply */
  reply_to_message_id: string
  /** Id for reading or stopping the schedule; empty if it was sent immediately */
  schedule_id: string
  /** Send time in Unix seconds; absent if it was sent immediately */
  send_at?: number
  /** Whether it is stored as a draft in the account; absent if it was sent immediately */
  use_draft?: boolean
}

/** A program that signs requests to administration routes */
export type ServiceAccount = {
  /** Id of the service account, which is also the `private_key_id` of its key */
  id: string
  /** Name of the service account, shown in the audit log */
  name: string
  /** What the service account may do */
  permissions: ServiceAccountPermission[]
  /** `all`, or the ids of up to 1000 applications; others are hidden from the person */
  applications: ReachedApplications
  /** `active`, or the reason why its signatures are refused */
  status: 'active' | 'blocked' | 'expired'
  /** Public key in PEM format (SPKI) */
  public_key: string
  /** Expiry time in Unix seconds; null if it never expires */
  expires_at: number | null
  /** Time of the last signed request in Unix seconds, accurate to a minute; null if never used */
  last_used_at: number | null
  /** Creation time in Unix seconds */
  created_at: number
  /** Time of the last change in Unix seconds */
  updated_at: number
}

/** Changes to a service account. Absent fields stay unchanged */
export type ServiceAccountChange = {
  /** Name of the service account, shown in the audit log */
  name?: string | undefined
  /** Replaces all permissions */
  permissions?: ServiceAccountPermission[] | undefined
  /** `all`, or the ids of up to 1000 applications; others are hidden from the person */
  applications?: ReachedApplications | undefined
  /** `true` refuses its signatures, `false` accepts them again */
  blocked?: boolean | undefined
}

/** The credential file of a service account */
export type ServiceAccountCredential = {
  /** Always `service_account` */
  type: 'service_account'
  /** Name of the service account, shown in the audit log */
  name: string
  /** Value of the header `X-Nylas-Kid` */
  private_key_id: string
  /** RSA private key in PEM format (PKCS #8). It is not stored */
  private_key: string
  /** Id of the installation */
  organization_id: string
  /** Region of the installation */
  region: 'us' | 'eu'
  /** What the service account may do */
  permissions: ServiceAccountPermission[]
}

/** A new service account */
export type ServiceAccountDraft = {
  /** Name of the service account, shown in the audit log */
  name: string
  /** What the service account may do. Grant only what it needs. */
  permissions: ServiceAccountPermission[]
  /** `all` (default), or ids of applications. Others look like missing ones to the service account. */
  applications?: ReachedApplications | undefined
  /** Days until the service account expires; default: never */
  expires_in?: number | null | undefined
  /**
   * Your own RSA public key in PEM format, with 2048 to 4096 bits and the exponent 65537. Default: the service
   * makes a key pair and returns the private key once.
   */
  public_key?: string | undefined
}

/**
 * `apikey.…`: create, read, change and revoke API keys; `application.…`: create, read, and block or limit
 * applications; `usage.get`: billed grants; `audit.get`: the audit log; `health.get`: the health of the service
 */
export type ServiceAccountPermission = 'apikey.create' | 'apikey.get' | 'apikey.update' | 'apikey.delete' | 'application.create' | 'application.get' | 'application.update' | 'usage.get' | 'audit.get' | 'health.get'

/** Current health of the service */
export type ServiceHealth = {
  /** Processes that share the store, including those that stopped recently */
  nodes: {
    /** Id of the node; a new one after each start */
    id: string
    /** Start time in Unix seconds */
    started_at: number
    /** Time of the last heartbeat in Unix seconds */
    seen_at: number
    /**
     * `api`: handles requests; `worker`: delivers, sends and watches for changes; `deliverer` and `watcher`: only
     * one of these parts
     */
    roles: ('api' | 'worker' | 'deliverer' | 'watcher')[]
    /** Number of grants that it watches */
    watched_grants: number
    /** Version of the node; empty if it does not report it */
    version: string
    /**
     * Host name, with # and the number of the process where several share a port; empty if the node does not report
     * it
     */
    host: string
    /**
     * Whether the last heartbeat is more than 15 seconds old. The node is considered dead and is removed after five
     * minutes
     */
    stale: boolean
  }[]
  /** Number of pending jobs */
  outbox_jobs: number
  /** Number of jobs that failed permanently and wait to be retried or discarded; capped at 10000 */
  failed_jobs: number
  /** Number of notifications waiting for a destination, counted per destination */
  deliveries_waiting: number
  /** Number of messages to be sent now or on schedule; capped at 100000 */
  sends_waiting: number
  /** Grants of all applications by status */
  grants: {
    /** Number of valid grants */
    valid: number
    /** Number of grants whose users must authenticate again */
    invalid: number
  }
  /** Webhook destinations of all applications by status; capped at 100000 */
  destinations: {
    /** Number of active destinations */
    active: number
    /** Number of destinations with mostly failed attempts */
    failing: number
    /** Number of destinations stopped because of failed attempts */
    failed: number
    /** Number of paused destinations */
    pause: number
  }
}

/** A dashboard session of an administrator */
export type Session = {
  /** Id of the session */
  id: string
  /** Start of the session in Unix seconds */
  signed_in_at: number
  /** Latest end of the session in Unix seconds */
  expires_at: number
  /** Time when it ends without further requests, in Unix seconds */
  idle_expires_at: number
  /** The signed-in person; null for the installation's password and one-time links */
  person: PersonSummary | null
  /** Current rights of the session */
  rights: Rights
  /** Action required before anything else; null if none */
  required_action: RequiredAction | null
}

export type SetStatus = 'active' | 'pause'

export type ShownTrigger = 'grant.created' | 'grant.updated' | 'grant.expired' | 'grant.deleted' | 'grant.imap_sync_completed' | 'message.created' | 'message.updated' | 'message.created.cleaned' | 'message.deleted' | 'message.send_success' | 'message.send_failed' | 'message.bounce_detected' | 'message.opened' | 'message.link_clicked' | 'thread.replied' | 'booking.created' | 'booking.pending' | 'booking.rescheduled' | 'booking.cancelled' | 'booking.reminder' | 'approval.requested' | 'approval.approved' | 'approval.rejected' | 'approval.expired' | 'approval.failed' | 'calendar.created' | 'calendar.updated' | 'calendar.deleted' | 'event.created' | 'event.updated' | 'event.deleted' | 'contact.updated' | 'contact.deleted' | 'folder.created' | 'folder.updated' | 'folder.deleted' | 'message.created.truncated' | 'message.updated.truncated' | 'message.created.cleaned.truncated' | 'calendar.created.truncated' | 'calendar.updated.truncated' | 'event.created.truncated' | 'event.updated.truncated' | 'contact.updated.truncated' | 'message.created.metadata' | 'message.updated.metadata'

/** Credentials for a sign-in: a password or a link */
export type SignIn = {
  /** Address of the person; without it, `password` is the installation's password */
  email?: string | undefined
  /** Password of the person or the installation, unless `link` is set */
  password?: string | undefined
  /** Six digits from the authenticator app, or a recovery code, if the person has a second factor */
  code?: string | undefined
  /** The part after `#link=` of a one-time link, instead of the password */
  link?: string | undefined
}

/** How a session started: with a password, a one-time link, an invitation, or OpenID Connect */
export type SignInWay = 'password' | 'link' | 'invitation' | 'oidc'

/** Available ways to sign in to the dashboard */
export type SignInWays = {
  /** Whether the installation's password can be used; people can always use their own */
  installation_password: boolean
  /** Whether any person can sign in with an address and password */
  people: boolean
  /** Sign-in with OpenID Connect; null if it is not set up */
  oidc: {
    /** Display name of the provider */
    name: string
    /** Path below the base URL that starts the sign-in */
    url: string
  } | null
}

/**
 * A text for the end of messages, stored by the service. It is independent of the signature in the provider's
 * mail program.
 */
export type Signature = {
  /** Id of the signature: the `signature_id` of messages and drafts */
  id: string
  /** Id of the grant that it belongs to */
  grant_id: string
  /** Object type: always `signature` */
  object: 'signature'
  /** Name for your own use; recipients do not see it */
  name: string
  /** Sanitized HTML */
  body: string
  /** Creation time in Unix seconds */
  created_at: number
  /** Time of the last change in Unix seconds */
  updated_at: number
}

/** Changes to a signature. Absent fields stay unchanged. */
export type SignatureChange = {
  /** Name for your own use, up to 256 characters; recipients do not see it */
  name?: string | undefined
  /**
   * HTML of up to 100 KB. Scripts, style elements, frames, forms, event handlers and images without an http or
   * https URL are removed
   */
  body?: string | undefined
}

/** Result for one signature header */
export type SignatureCheck = {
  /** Name of the header, in lower case */
  header: string
  /**
   * `valid`: signed with the destination's secret; `valid_previous`: with its secret before the rotation;
   * `test_secret`: with the fixed secret of test events; `other_destination`: with the secret of another
   * destination of the application; `body_changed`: correct for the same body in a different format; `wrong`: none
   * of these; `absent`: the header or one that it depends on is missing
   */
  result: 'valid' | 'valid_previous' | 'test_secret' | 'other_destination' | 'body_changed' | 'wrong' | 'absent'
}

/** A new signature of a grant */
export type SignatureDraft = {
  /** Name for your own use, up to 256 characters; recipients do not see it */
  name: string
  /**
   * HTML of up to 100 KB. Scripts, style elements, frames, forms, event handlers and images without an http or
   * https URL are removed
   */
  body: string
}

/** A delivery whose signatures are checked */
export type SignatureQuestion = {
  /** Headers of the delivery as received, names in any case; other headers are ignored */
  headers: Record<string, string>
  /** Body as received, as text: not parsed, not changed */
  body?: string | undefined
  /** Bytes of a compressed body in base64, instead of `body` */
  body_base64?: string | undefined
}

/** Result of a signature check. It contains no secret. */
export type SignatureVerdict = {
  /** Whether this service sent the delivery to this destination unchanged, regardless of its age */
  valid: boolean
  /** Each signature header, present or not */
  checks: SignatureCheck[]
  /** Age of `webhook-timestamp` in seconds; null if it is missing */
  age_seconds: number | null
  /** Older than five minutes: a receiver that checks the time refuses it to prevent replay attacks */
  too_old: boolean
  /** Explanation, and what to do */
  explanation: string[]
}

/** A channel that publishes notifications to an Amazon SNS topic */
export type SnsChannel = {
  /** Id of the destination */
  id: string
  /** Your description; empty if none */
  description: string
  /** Subscribed triggers */
  trigger_types: Trigger[]
  /**
   * `active` and `failing` receive notifications; `pause`, which you set, and `failed`, which the service sets, do
   * not
   */
  status: WebhookStatus
  /** Addresses that get a mail when the service changes the status */
  notification_email_addresses: string[]
  /** Whether bodies are sent as gzip */
  compressed_delivery: boolean
  /** Time of the last change of `status`, in Unix seconds */
  status_updated_at: number
  /** Creation time in Unix seconds */
  created_at: number
  /** Time of the last change in Unix seconds */
  updated_at: number
  /** Whether the channel has its own credentials, which are never returned. If not, those of the operator are used */
  has_credentials: boolean
  /** ARN of the topic */
  topic: string
  /** Role that is assumed to publish; null if none */
  role_arn: string | null
}

/** Changes to an SNS channel */
export type SnsChannelChange = {
  /**
   * New topic, which is verified; unchanged if absent. Another region or account needs the credentials again, in
   * the same request
   */
  topic?: string | undefined
  /**
   * Role that is assumed to publish, with the id of the application as external id. Without it, the access key
   * publishes itself; unchanged if absent, null removes it
   */
  role_arn?: string | null | undefined
  /** New list of triggers, which replaces the old one; unchanged if absent or empty */
  trigger_types?: SubscribableTrigger[] | null | undefined
  /** Your description; unchanged if absent or empty, null clears it */
  description?: string | null | undefined
  /** Addresses that get a mail when the service changes the status; unchanged if absent or empty, null clears them */
  notification_email_addresses?: string[] | null | undefined
  /** true: messages are gzip, with an attribute or header that says so */
  compressed_delivery?: boolean | null | undefined
  /**
   * `pause`: nothing is sent, and new changes are not queued. `active`: delivers again once the broker was
   * verified.
   */
  status?: SetStatus | undefined
  /**
   * Access key that publishes or assumes the role. Encrypted and never returned. Without it, the key of the
   * operator is used (`WAYPOST_SNS_ACCESS_KEY_ID`); unchanged if absent, null removes the key
   */
  access_key_id?: string | null | undefined
  /** Secret of the access key; unchanged if absent */
  secret_access_key?: string | null | undefined
}

/** A new SNS channel */
export type SnsChannelDraft = {
  /** ARN of the topic. A FIFO topic keeps the order of each grant; a standard topic may not */
  topic: string
  /**
   * Role that is assumed to publish, with the id of the application as external id. Without it, the access key
   * publishes itself
   */
  role_arn?: string | null | undefined
  /** Triggers to subscribe to, such as `message.created` */
  trigger_types: SubscribableTrigger[]
  /** Your description: up to 1024 characters */
  description?: string | null | undefined
  /**
   * Addresses that get a mail when the service changes the status: up to 20. Requires a mail identity of the
   * service.
   */
  notification_email_addresses?: string[] | null | undefined
  /** true: messages are gzip, with an attribute or header that says so */
  compressed_delivery?: boolean | null | undefined
  /**
   * Access key that publishes or assumes the role. Encrypted and never returned. Without it, the key of the
   * operator is used (`WAYPOST_SNS_ACCESS_KEY_ID`)
   */
  access_key_id?: string | null | undefined
  /** Secret of the access key. Encrypted and never returned */
  secret_access_key?: string | null | undefined
}

/** Hours of one date, which replace its open hours */
export type SpecificTime = {
  /** The day, as `YYYY-MM-DD` */
  date: string
  /** Start of the day's hours */
  start: string
  /** End of the day's hours; `00:00` to `00:00` closes the day */
  end: string
  /** Time zone of the day. Default as for open hours; required in the default list */
  timezone?: TimeZone | '' | null | undefined
}

/** A retained notification and its delivery states */
export type StoredNotification = {
  /** CloudEvents version: always `1.0` */
  specversion: '1.0'
  /**
   * The trigger; with `.truncated` if large fields were omitted to limit the body to 1 MB; with `.metadata` if the
   * scopes of the account only allow reading headers
   */
  type: string
  /**
   * Origin: `/<provider>/<product>/<how it was detected>`, such as `/google/emails/realtime`, or a part of this
   * service, such as `/waypost/system`
   */
  source: string
  /** Id of the notification. It is the same for every attempt and destination; use it to detect duplicates. */
  id: string
  /** Creation time in Unix seconds */
  time: number
  /** Sequence number of the grant's notifications, without gaps, in the order of changes */
  grant_sequence: number
  /** The change. Some triggers have more fields in addition to the object. */
  data: {
    /** Id of the application that the grant belongs to */
    application_id: string
    /** The changed object as in API responses, or its ids if it was deleted */
    object: Record<string, unknown> | null
    [name: string]: unknown
  }
  /** Delivery state at each destination */
  deliveries: NotificationDelivery[]
}

/** A notification in the stream. It has no attempt number, because it is not delivered */
export type StreamedNotification = {
  /** CloudEvents version: always `1.0` */
  specversion: '1.0'
  /**
   * The trigger; with `.truncated` if large fields were omitted to limit the body to 1 MB; with `.metadata` if the
   * scopes of the account only allow reading headers
   */
  type: string
  /**
   * Origin: `/<provider>/<product>/<how it was detected>`, such as `/google/emails/realtime`, or a part of this
   * service, such as `/waypost/system`
   */
  source: string
  /** Id of the notification. It is the same for every attempt and destination; use it to detect duplicates. */
  id: string
  /** Creation time in Unix seconds */
  time: number
  /** Sequence number of the grant's notifications, without gaps, in the order of changes */
  grant_sequence: number
  /** The change. Some triggers have more fields in addition to the object. */
  data: {
    /** Id of the application that the grant belongs to */
    application_id: string
    /** The changed object as in API responses, or its ids if it was deleted */
    object: Record<string, unknown> | null
    [name: string]: unknown
  }
}

export type SubscribableTrigger = 'grant.created' | 'grant.updated' | 'grant.expired' | 'grant.deleted' | 'grant.imap_sync_completed' | 'message.created' | 'message.updated' | 'message.created.cleaned' | 'message.deleted' | 'message.send_success' | 'message.send_failed' | 'message.bounce_detected' | 'message.opened' | 'message.link_clicked' | 'thread.replied' | 'booking.created' | 'booking.pending' | 'booking.rescheduled' | 'booking.cancelled' | 'booking.reminder' | 'approval.requested' | 'approval.approved' | 'approval.rejected' | 'approval.expired' | 'approval.failed' | 'calendar.created' | 'calendar.updated' | 'calendar.deleted' | 'event.created' | 'event.updated' | 'event.deleted' | 'contact.updated' | 'contact.deleted' | 'folder.created' | 'folder.updated' | 'folder.deleted'

/** Subject and body of messages, with variables */
export type Template = {
  /** Id of the template: `template.id` of messages and drafts */
  id: string
  /** Id of the application */
  app_id: string | null
  /** Id of its grant; null for a template of the application */
  grant_id: string | null
  /** Object type: always `template` */
  object: 'template'
  /** Name for your own use; recipients do not see it */
  name: string
  /** Subject with variables, not rendered */
  subject: string
  /** HTML with variables, not rendered */
  body: string
  /** Language of subject and body */
  engine: TemplateEngine
  /** Creation time in Unix seconds */
  created_at: number
  /** Time of the last change in Unix seconds */
  updated_at: number
}

/** Changes to a template. Absent fields stay unchanged. */
export type TemplateChange = {
  /** Name for your own use, up to 256 characters */
  name?: string | undefined
  /** Subject on one line, up to 998 characters; `{{name}}` is a variable, not escaped */
  subject?: string | undefined
  /**
   * HTML of up to 1 MB. `{{name}}` is an escaped variable, `{{{name}}}` an unescaped one. `{{#name}}…{{/name}}` is
   * rendered if there is a value, once or for each list item; `{{^name}}…{{/name}}` is rendered if there is none.
   */
  body?: string | undefined
  /** `mustache`, or `handlebars` without helpers; `nunjucks` and `twig` are refused */
  engine?: TemplateEngine | undefined
}

/** A new template */
export type TemplateDraft = {
  /** Name for your own use, up to 256 characters */
  name: string
  /** Subject on one line, up to 998 characters; `{{name}}` is a variable, not escaped */
  subject: string
  /**
   * HTML of up to 1 MB. `{{name}}` is an escaped variable, `{{{name}}}` an unescaped one. `{{#name}}…{{/name}}` is
   * rendered if there is a value, once or for each list item; `{{^name}}…{{/name}}` is rendered if there is none.
   */
  body: string
  /** `mustache` (default), or `handlebars` without helpers; `nunjucks` and `twig` are refused */
  engine?: TemplateEngine | undefined
}

/**
 * Language of a template: `mustache`, or `handlebars` without helpers. `nunjucks` and `twig` are refused,
 * because their templates can run code.
 */
export type TemplateEngine = 'mustache' | 'handlebars' | 'nunjucks' | 'twig'

/** Values for rendering a template */
export type TemplateRender = {
  /** Values by variable name: strings, numbers, lists, and objects whose fields are addressed as `a.b` */
  variables: Record<string, unknown>
  /** Whether a variable missing in `variables` is an error; otherwise it is empty */
  strict?: boolean | undefined
}

/** A template for the subject and body of a message */
export type TemplateUse = {
  /** Id of a template of the grant, or of the application */
  id: string
  /** Whether a variable missing in `variables` is an error; otherwise it is empty */
  strict?: boolean | undefined
  /** Values by variable name */
  variables?: Record<string, unknown> | undefined
}

/** A test notification */
export type TestEvent = {
  /** Trigger of the notification; default `message.created` */
  trigger_type?: ShownTrigger | undefined
  /** URL of the receiver, which does not have to be a destination. Required if `webhook_id` is absent. */
  webhook_url?: string | undefined
  /** Id of a destination of the application, instead of `webhook_url` */
  webhook_id?: string | undefined
  /** Content of `data.object` instead of the sample; it must match the trigger */
  object?: Record<string, unknown> | undefined
  /**
   * `test` (default): signed with the fixed secret `mock-webhook-secret`; `destination`: with the secret of the
   * destination in `webhook_id`. The `source` is then `/waypost/test`, so that receivers can recognize a test.
   */
  secret?: 'test' | 'destination' | undefined
}

/**
 * A conversation: messages that reply to each other according to `References` and `In-Reply-To`, or as grouped
 * by the provider
 */
export type Thread = {
  /** Id of the thread: `thread_id` of its messages */
  id: string
  /** Id of the grant that it belongs to */
  grant_id: string
  /** Object type: always `thread` */
  object: 'thread'
  /** Subject of its first message */
  subject?: string
  /** First 100 characters of the text of the last received message */
  snippet?: string
  /** The newest message or draft of a thread, with its body */
  latest_draft_or_message: LatestDraftOrMessage
  /** Whether one of its messages or drafts has attachments */
  has_attachments: boolean
  /** Whether it has an unsent reply */
  has_drafts: boolean
  /** Whether one of its messages is starred */
  starred: boolean
  /** Whether one of its messages is unread; `false` when all are read */
  unread: boolean
  /** Date of its first message in Unix seconds */
  earliest_message_date: number
  /** Date of the last message from others, in Unix seconds; absent if there is none */
  latest_message_received_date?: number
  /** Date of the last message sent by the account, in Unix seconds; absent if there is none */
  latest_message_sent_date?: number
  /** All addresses in From, To and Cc of its messages, without duplicates */
  participants: EmailName[]
  /** Ids of its messages, newest first */
  message_ids: string[]
  /** Ids of its drafts, newest first */
  draft_ids: string[]
  /** Ids of all folders that contain a message of the thread */
  folders: string[]
}

/** Changes to a thread, applied to each of its messages */
export type ThreadChange = {
  /** `false` marks it as read, `true` as unread */
  unread?: boolean | undefined
  /** `true` adds the star, `false` removes it */
  starred?: boolean | undefined
  /**
   * Ids of all folders of the message. The list replaces the old one and so moves the message. For `microsoft` and
   * `ews` exactly one; for `google` an empty list archives it, and marks such as `STARRED` stay unless they are
   * listed.
   */
  folders?: string[] | undefined
}

export type ThreadListQuery = {
  /**
   * Words in subject, addresses or text, ignoring case; all must match. `"…"` is a phrase. Gmail finds whole
   * words, IMAP servers also parts of words.
   */
  q?: string | undefined
  /** Text in the subject, ignoring case; for `google` whole words */
  subject?: string | undefined
  /** Sent from or to any of these addresses, including `cc` and `bcc`: up to 25, comma-separated */
  any_email?: string[] | undefined
  /** From one of these full addresses */
  from?: string[] | undefined
  /** One of these full addresses in `to` */
  to?: string[] | undefined
  /** One of these full addresses in `cc` */
  cc?: string[] | undefined
  /** One of these addresses in `bcc`; finds mail sent by the account itself */
  bcc?: string[] | undefined
  /** Id of one folder, not its name; the last one if repeated. Default: all folders, including junk and trash. */
  in?: string | undefined
  /** `true`: only unread; `false`: only read */
  unread?: boolean | undefined
  /** `true`: only starred; `false`: only without a star */
  starred?: boolean | undefined
  /** `true`: only with attachments; `false`: only without. Inline images are not attachments. */
  has_attachment?: boolean | undefined
  /**
   * A search in the provider's native language: Gmail operators, KQL or `$filter=…` for `microsoft`, AQS for
   * `ews`, RFC 3501 search keys for IMAP. With `google` and `microsoft`, it can only be combined with `in`; with
   * `ews`, with everything except `thread_id`.
   */
  search_query_native?: string | undefined
  /**
   * `microsoft` and `ews`: address of the owner of a mailbox or folder shared with the account. Other providers
   * fail with 422.
   */
  shared_from?: string | undefined
  /** `microsoft` and `ews`: id of the shared folder; with `shared_from`, instead of `in` */
  shared_folder_id?: string | undefined
  /** Only the thread with this id */
  thread_id?: string | undefined
  /** Only threads whose newest message is older than this time (exclusive), in Unix seconds */
  latest_message_before?: number | undefined
  /** Only threads whose newest message is newer than this time (exclusive), in Unix seconds */
  latest_message_after?: number | undefined
  /** Only threads that began at or after this time, in Unix seconds */
  earliest_message_date?: number | undefined
  /**
   * Maximum page size, default 20; values above 50 are reduced to 50. A page can be shorter and still have a next
   * page.
   */
  limit?: number | undefined
  /**
   * `next_cursor` of the previous page; absent for the first page. Filters stay those of the first page; `limit`
   * and `select` can change.
   */
  page_token?: string | undefined
  /** Top-level fields to return, comma-separated: `id,title`. Default: all fields. Unknown names are ignored. */
  select?: string[] | undefined
}

export type ThreadQuery = {
  /**
   * `microsoft` and `ews`: address of the owner of a mailbox or folder shared with the account. Other providers
   * fail with 422.
   */
  shared_from?: string | undefined
  /** `microsoft` and `ews`: id of the shared folder; with `shared_from`, instead of `in` */
  shared_folder_id?: string | undefined
  /** Top-level fields to return, comma-separated: `id,title`. Default: all fields. Unknown names are ignored. */
  select?: string[] | undefined
}

/** A tracked message that received a reply */
export type ThreadRepliedObject = {
  /** Object type: always `thread` */
  object: 'thread'
  /** Id of the reply */
  message_id: string
  /** Id of the sending grant */
  grant_id: string
  /** The `label` of its tracking options; empty if none was set */
  label: string
  /** Id of the application that sent it */
  sender_app_id: string
  /** Time of the reply in Unix seconds */
  timestamp: number
  /** Id of the tracked message */
  root_message_id: string
  /** Totals of all replies */
  reply_data: {
    /** Number of replies, including this one */
    count: number
  }
  /** The message that was replied to: its id if it is tracked, otherwise its Message-ID */
  reply_to_message_id: string
  /** Whether the account itself replied */
  from_self: boolean
  /** Id of the thread */
  thread_id: string
}

/** IANA name of a time zone, such as `Europe/Berlin` */
export type TimeZone = string

/** An entry in the timeline of a grant */
export type TimelineEntry = {
  /** Id of the entry */
  id: string
  /** Time of the entry in Unix seconds; for `calls`, the start of the hour */
  at: number
  /**
   * `created` to `unblocked`: events of the grant (`changed`: new credentials or scopes); `notification`: a change
   * was reported; `calls`: calls of one route within an hour; `error`: the account, its provider or the service
   * failed; `refusal`: a call failed with 4xx
   */
  kind: 'created' | 'authenticated' | 'changed' | 'expired' | 'blocked' | 'unblocked' | 'notification' | 'calls' | 'error' | 'refusal'
  /** For `expired`: the reason; null if unknown */
  reason: ExpiryReason | null
  /** For `expired`, `error` and `refusal`: the message; otherwise null */
  message: string | null
  /** For `calls`, `error` and `refusal`: id of the route, or `changes` for the watch; otherwise null */
  operation: string | null
  /**
   * For `error` and `refusal`: the error type; for `notification`: its type, such as `message.created`; otherwise
   * null
   */
  type: string | null
  /** For `notification`: its id; otherwise null */
  notification_id: string | null
  /** Id of the request; for `calls`, of the last one; null if there was none */
  request_id: string | null
  /** For `calls`: totals; otherwise null */
  calls: {
    /** Number of calls */
    requests: number
    /** Number of calls that failed with 4xx */
    refused: number
    /** Number of calls that failed with 5xx */
    errors: number
    /** Average response time in milliseconds */
    mean_ms: number
    /** Time of the last call in Unix seconds */
    last_at: number
  } | null
}

/** Tokens for a grant, in OAuth 2.0 format */
export type TokenAnswer = {
  /** Access token for this grant only, for `Authorization: Bearer`. `/v3/grants/me/…` then refers to the grant */
  access_token: string
  /** Type of the token: always `Bearer` */
  token_type: 'Bearer'
  /** Seconds until the access token expires: 3600 */
  expires_in: number
  /** Id of the token's grant */
  grant_id: string
  /** Address of the account, or the name of a virtual account */
  email: string
  /** Scopes of the grant, separated by spaces */
  scope: string
  /** Provider of the account; only when a code was exchanged */
  provider?: ProviderKind
  /**
   * Refresh token. Present if the code was requested with `access_type=offline`, and if a refresh token was
   * exchanged: the same one, or a new one if the application rotates them.
   */
  refresh_token?: string
  /**
   * Identity of the user as a JWT (ES256): `sub` (the grant id), `aud`, `email`, `name` and `provider`. Keys are
   * at `/.well-known/jwks.json`.
   */
  id_token: string
}

/** Properties of a token, named like JWT claims */
export type TokenInfo = {
  /** Issuer: the URL of this service */
  iss: string
  /** Id of the application that the token was issued to */
  aud: string
  /** Id of the token's grant */
  sub: string
  /** Address of the account, or the name of a virtual account */
  email: string
  /** Issue time in Unix seconds */
  iat: number
  /** Expiry time in Unix seconds */
  exp: number
}

/** Credentials to exchange for an access token */
export type TokenRequest = {
  /**
   * Required. Type of the exchange: `authorization_code`, `refresh_token`, or `client_credentials` for an existing
   * grant.
   */
  grant_type?: string | null | undefined
  /** Required. Id of the application. */
  client_id?: string | null | undefined
  /** API key of the application, unless it is in the `Authorization` header or the code was requested with PKCE */
  client_secret?: string | null | undefined
  /** For `authorization_code`: the code from a hosted sign-in. It works once, for ten minutes */
  code?: string | null | undefined
  /** For `authorization_code`: the redirect URI with which the code was requested */
  redirect_uri?: string | null | undefined
  /** For `authorization_code`: the PKCE verifier, if a `code_challenge` was given */
  code_verifier?: string | null | undefined
  /** For `refresh_token`: a refresh token (`wprt_…`) of this service */
  refresh_token?: string | null | undefined
  /** For `client_credentials`: id of the grant */
  grant_id?: string | null | undefined
}

/** Data for an authenticator app */
export type TotpEnrolment = {
  /** Secret in base32, for typing it instead of scanning the QR code */
  secret: string
  /** The secret as an `otpauth://` URI, for a QR code */
  uri: string
}

/** Tracking of a message sent through the service */
export type TrackingOptions = {
  /** Whether `message.opened` reports opens */
  opens?: boolean
  /** Whether `message.link_clicked` reports link clicks */
  links?: boolean
  /** Whether `thread.replied` reports replies */
  thread_replies?: boolean
  /** Your own text, included in every tracking notification */
  label?: string
}

/** Tracking of a message. Default: none. */
export type TrackingRequest = {
  /** true: adds an invisible image to the HTML; `message.opened` reports when it is loaded */
  opens?: boolean | null | undefined
  /**
   * true: links in the HTML (https, http, mailto and tel, at most 100) go through this service;
   * `message.link_clicked` reports clicks
   */
  links?: boolean | null | undefined
  /** true: `thread.replied` reports replies. The account must be watched. */
  thread_replies?: boolean | null | undefined
  /** Your own text, included in every tracking notification of this message: up to 2048 characters */
  label?: string | null | undefined
  /** Host of tracked links and the image, with `opens` or `links`: must be the host of this service */
  domain_name?: string | null | undefined
}

/** Traffic of an application in one time step */
export type TrafficFigures = {
  /** Start of the step in Unix seconds */
  at: number
  /** Number of the application's requests */
  requests: number
  /** Number of requests that failed with 4xx */
  refused: number
  /** Number of requests that failed with 5xx */
  errors: number
  /** Number of errors caused by providers, including errors of the watch */
  provider_errors: number
  /** Median response time in milliseconds; null without requests */
  latency_p50_ms: number | null
  /** 95th percentile of the response time in milliseconds; null without requests */
  latency_p95_ms: number | null
}

/** A change that can be subscribed to */
export type Trigger = 'grant.created' | 'grant.updated' | 'grant.expired' | 'grant.deleted' | 'grant.imap_sync_completed' | 'message.created' | 'message.updated' | 'message.created.cleaned' | 'message.deleted' | 'message.send_success' | 'message.send_failed' | 'message.bounce_detected' | 'message.opened' | 'message.link_clicked' | 'thread.replied' | 'booking.created' | 'booking.pending' | 'booking.rescheduled' | 'booking.cancelled' | 'booking.reminder' | 'approval.requested' | 'approval.approved' | 'approval.rejected' | 'approval.expired' | 'approval.failed' | 'calendar.created' | 'calendar.updated' | 'calendar.deleted' | 'event.created' | 'event.updated' | 'event.deleted' | 'contact.updated' | 'contact.deleted' | 'folder.created' | 'folder.updated' | 'folder.deleted'

/** Everything that a booking page shows before a time is chosen */
export type UiSettings = {
  /** Id of the configuration */
  configuration_id: string
  /** Id of the application */
  app_client_id: string
  /** Title of the page */
  name: string
  /** Name of the page in its address, or null */
  slug: string | null
  /** `group` for group events, otherwise empty */
  type: '' | 'group'
  /** Whether bookings need a confirmation */
  booking_type: 'booking' | 'organizer-confirmation' | 'custom-confirmation'
  /** Duration of the meeting; absent for group events */
  duration_minutes?: number
  /** Time zone of the event */
  timezone?: string
  /** The organizer */
  organizer: {
    /** Name; empty if unknown */
    name: string
    /** Address */
    email: string
  }
  /** Texts and colors of the page */
  appearance: Record<string, string> | null
  /** Rules and texts of the booking page */
  scheduler: {
    /** Days ahead that can be booked; default 30 */
    available_days_in_future?: number | null
    /** Minutes between the booking and the event; default 60 */
    min_booking_notice?: number | null
    /** Minutes before the event until which guests can cancel or move it; default 0 */
    min_cancellation_notice?: number | null
    /** Text about cancellations */
    cancellation_policy?: string | null
    /** Your own page for rescheduling; `:booking_ref` is replaced. Default: the page of this service */
    rescheduling_url?: string | null
    /** Your own page for cancellation; `:booking_ref` is replaced. Default: the page of this service */
    cancellation_url?: string | null
    /**
     * Your own page for the confirmation by the organizer; `:booking_ref` is replaced. Default: the page of this
     * service
     */
    organizer_confirmation_url?: string | null
    /** Where the page goes after a booking, with its details in the query */
    confirmation_redirect_url?: string | null
    /** Whether guests see no link to reschedule; default `false` */
    hide_rescheduling_options?: boolean | null
    /** Whether guests see no link to cancel; default `false` */
    hide_cancellation_options?: boolean | null
    /** Whether guests cannot add others; default `false` */
    hide_additional_guests?: boolean | null
    /** Questions to the guest by key, up to 50 */
    additional_fields?: Record<string, AdditionalField> | null
    /** Stored and returned; this service has no notetaker */
    notetaker_settings?: Record<string, unknown> | null
  }
  /** What the page shows about a booking */
  booking?: BookedEvent
}

/** An upload of a large file, and where to send the bytes */
export type Upload = {
  /** Id of the upload: the path of `complete`, and `id` in `attachments` of messages and drafts */
  attachment_id: string
  /** Id of the grant that it belongs to */
  grant_id: string
  /** HTTP method of the upload: always `PUT` */
  method: 'PUT'
  /**
   * Signed URL for the bytes of the file. Send no API key with it: whoever knows the URL can upload until
   * `expires_at`.
   */
  url: string
  /** Headers to send with the bytes */
  headers: Record<string, string>
  /**
   * End of the upload in RFC 3339, one hour after its creation. The bytes are deleted then, unless a message that
   * refers to them still waits to be sent.
   */
  expires_at: string
  /** Largest file in bytes: 157286400, or less if the provider of the grant accepts less */
  max_size: number
  /** The declared size in bytes; 0 if none was declared */
  size: number
  /** Media type of the file */
  content_type: string
  /** Name of the file, as recipients see it */
  filename: string
}

/** A large file that is about to be uploaded */
export type UploadRequest = {
  /** Name of the file as recipients see it; required, up to 255 characters */
  filename: string
  /** Media type of the file, such as `application/pdf`; required */
  content_type: string
  /** Size of the file in bytes, up to 157286400. Recommended: an upload with another size is refused. */
  size?: number | null | undefined
}

/** Number of billed grants of an application */
export type Usage = {
  /** Id of the application */
  application_id: string
  /** Name of the application */
  name: string
  /** Number of currently billed grants, including invalid ones */
  billed_grants: number
  /** Currently billed grants by provider */
  by_provider: Record<string, number>
  /** The last twelve months, newest first */
  months: {
    /** Month in UTC, such as `2025-02` */
    month: string
    /** Number of grants that existed at some time in the month */
    billed_grants: number
    /** Grants of the month by provider */
    by_provider: Record<string, number>
  }[]
}

/** A webhook destination: a URL that receives notifications about changes */
export type Webhook = {
  /** Id of the destination */
  id: string
  /** Your description; empty if none */
  description: string
  /** Subscribed triggers */
  trigger_types: Trigger[]
  /** URL that receives notifications by POST */
  webhook_url: string
  /**
   * `active` and `failing` receive notifications; `pause`, which you set, and `failed`, which the service sets, do
   * not
   */
  status: WebhookStatus
  /** Addresses that get a mail when the service changes the status */
  notification_email_addresses: string[]
  /** Whether bodies are sent as gzip */
  compressed_delivery: boolean
  /** Time of the last change of `status`, in Unix seconds */
  status_updated_at: number
  /** Creation time in Unix seconds */
  created_at: number
  /** Time of the last change in Unix seconds */
  updated_at: number
}

/** Changes to a destination */
export type WebhookChange = {
  /** New https URL, which must respond to the challenge; unchanged if absent or empty */
  webhook_url?: string | null | undefined
  /** New list of triggers, which replaces the old one; unchanged if absent or empty */
  trigger_types?: SubscribableTrigger[] | null | undefined
  /** Your description; unchanged if absent or empty, null clears it */
  description?: string | null | undefined
  /** Addresses that get a mail when the service changes the status; unchanged if absent or empty, null clears them */
  notification_email_addresses?: string[] | null | undefined
  /** true: bodies are sent as gzip, and the signature covers the compressed bytes */
  compressed_delivery?: boolean | null | undefined
  /**
   * `pause`: nothing is sent, and new changes are not queued. `active`: delivers again once the URL responded to
   * the challenge.
   */
  status?: SetStatus | undefined
}

/** A new destination */
export type WebhookDraft = {
  /**
   * https URL that responds to the challenge, up to 2048 bytes, without fragment. An application has one
   * destination per URL. The operator can allow plain http and private addresses.
   */
  webhook_url: string
  /** Triggers to subscribe to, such as `message.created` */
  trigger_types: SubscribableTrigger[]
  /** Your description: up to 1024 characters */
  description?: string | null | undefined
  /**
   * Addresses that get a mail when the service changes the status: up to 20. Requires a mail identity of the
   * service.
   */
  notification_email_addresses?: string[] | null | undefined
  /** true: bodies are sent as gzip, and the signature covers the compressed bytes */
  compressed_delivery?: boolean | null | undefined
}

/** Delivery figures of a destination in one time step */
export type WebhookHealth = {
  /** Start of the hour or quarter of an hour, in Unix seconds */
  at: number
  /** Number of attempts with a 2xx response, counted up to 100000 */
  delivered: number
  /** Number of attempts with another response or none, counted up to 100000 */
  failed: number
}

/**
 * State of a destination. Clients set `active` and `pause`. The service sets `failing` (95 % of the attempts
 * within 15 minutes failed; still delivers) and, after 72 hours of that, `failed` (no longer delivers).
 */
export type WebhookStatus = 'active' | 'pause' | 'failing' | 'failed'

/** A destination with its new secret */
export type WebhookWithSecret = {
  /** Id of the destination */
  id: string
  /** Your description; empty if none */
  description: string
  /** Subscribed triggers */
  trigger_types: Trigger[]
  /** URL that receives notifications by POST */
  webhook_url: string
  /**
   * `active` and `failing` receive notifications; `pause`, which you set, and `failed`, which the service sets, do
   * not
   */
  status: WebhookStatus
  /** Addresses that get a mail when the service changes the status */
  notification_email_addresses: string[]
  /** Whether bodies are sent as gzip */
  compressed_delivery: boolean
  /** Time of the last change of `status`, in Unix seconds */
  status_updated_at: number
  /** Creation time in Unix seconds */
  created_at: number
  /** Time of the last change in Unix seconds */
  updated_at: number
  /** Key with which deliveries are signed (`whsec_…`). Returned only once */
  webhook_secret: string
}

/** A point in time, a time span, a day, or several days (including the last one) */
export type When = {
  /** Object type: a point in time */
  object: 'time'
  /** Time in Unix seconds */
  time: number
  /** IANA time zone of the time; null if the event has none */
  timezone: TimeZone | null
} | {
  /** Object type: a time span */
  object: 'timespan'
  /** Start in Unix seconds */
  start_time: number
  /** End in Unix seconds */
  end_time: number
  /** IANA time zone of the start, in which a series repeats; null if the event has none */
  start_timezone: TimeZone | null
  /** IANA time zone of the end; null if the event has none */
  end_timezone: TimeZone | null
} | {
  /** Object type: one day */
  object: 'date'
  /** The day, as `YYYY-MM-DD`, in the time zone of the calendar */
  date: string
} | {
  /** Object type: several days */
  object: 'datespan'
  /** First day, as `YYYY-MM-DD` */
  start_date: string
  /** Last day, as `YYYY-MM-DD`, inclusive */
  end_date: string
}

/**
 * Exactly one of: `time`; `start_time` and `end_time`; `date`; `start_date` and `end_date`. Times are in
 * seconds, not in milliseconds
 */
export type WhenInput = {
  /** Name of the form. Optional; it must agree with the other fields */
  object?: 'time' | 'timespan' | 'date' | 'datespan' | null | undefined
  /** A point in time in Unix seconds; `google` and Exchange convert it to a span of zero length */
  time?: number | null | undefined
  /** IANA time zone of `time` */
  timezone?: TimeZone | null | undefined
  /** Start in Unix seconds */
  start_time?: number | null | undefined
  /** End in Unix seconds; after the start */
  end_time?: number | null | undefined
  /** IANA time zone of the start, together with `end_timezone`. A series repeats in it, or in UTC if absent */
  start_timezone?: TimeZone | null | undefined
  /** IANA time zone of the end, together with `start_timezone` */
  end_timezone?: TimeZone | null | undefined
  /** One day, as `YYYY-MM-DD` */
  date?: string | null | undefined
  /** First of several days */
  start_date?: string | null | undefined
  /** Last of several days, inclusive */
  end_date?: string | null | undefined
}

/** Mails about bookings, written with a template of yours */
export type Workflow = {
  /** Id of the workflow */
  id: string
  /** Id of the application */
  app_id: string
  /** Id of its grant; null for a workflow of the application */
  grant_id: string | null
  /** Name for your own use; recipients do not see it */
  name: string
  /** Id of the template: subject and body of the mails */
  template_id: string
  /**
   * What the mails of a workflow are about: a booking that was made or confirmed, that waits for the organizer,
   * that was moved, that was cancelled or declined, or a reminder.
   */
  trigger_event: WorkflowTrigger
  /** Minutes between the event and the mails */
  delay: number
  /** Whether it sends mails. If false, the built-in mails are sent. */
  is_enabled: boolean
  /** The sender; null: the account of the organizer */
  from: WorkflowSender | null
  /** Creation time in Unix seconds */
  date_created: number
}

/** Changes to a workflow. Absent fields stay unchanged. */
export type WorkflowChange = {
  /** Name for your own use, up to 256 characters */
  name?: string | undefined
  /**
   * Id of a template with the same owner: a workflow of the application uses templates of the application, a
   * workflow of a grant those of the grant
   */
  template_id?: string | undefined
  /**
   * What the mails of a workflow are about: a booking that was made or confirmed, that waits for the organizer,
   * that was moved, that was cancelled or declined, or a reminder.
   */
  trigger_event?: WorkflowTrigger | undefined
  /** Minutes between the event and the mails, up to 43200 (30 days) */
  delay?: number | undefined
  /** Whether it sends mails. If false, the built-in mails are sent. */
  is_enabled?: boolean | undefined
  /** The sender of the mails; default: the account of the organizer */
  from?: WorkflowSender | null | undefined
}

/** A new workflow */
export type WorkflowDraft = {
  /** Name for your own use, up to 256 characters */
  name: string
  /**
   * Id of a template with the same owner: a workflow of the application uses templates of the application, a
   * workflow of a grant those of the grant
   */
  template_id: string
  /**
   * What the mails of a workflow are about: a booking that was made or confirmed, that waits for the organizer,
   * that was moved, that was cancelled or declined, or a reminder.
   */
  trigger_event: WorkflowTrigger
  /** Minutes between the event and the mails, up to 43200 (30 days); default: 0 */
  delay?: number | undefined
  /** Whether it sends mails. If false, the built-in mails are sent. Default: true */
  is_enabled?: boolean | undefined
  /** The sender of the mails; default: the account of the organizer */
  from?: WorkflowSender | null | undefined
}

/** The sender of the mails of a workflow */
export type WorkflowSender = {
  /** Display name of the sender; default: that of the account */
  name?: string | undefined
  /**
   * Address of the sender. Only a workflow of a grant takes one, and only the address of its account: mail servers
   * refuse others.
   */
  email?: string | undefined
}

/**
 * What the mails of a workflow are about: a booking that was made or confirmed, that waits for the organizer,
 * that was moved, that was cancelled or declined, or a reminder.
 */
export type WorkflowTrigger = 'booking.created' | 'booking.pending' | 'booking.rescheduled' | 'booking.cancelled' | 'booking.reminder'

/** A group of grants, usually those of one email domain */
export type Workspace = {
  /** Id of the workspace: the `workspace_id` of its grants */
  workspace_id: string
  /** Id of the application */
  application_id: string
  /** Display name */
  name: string
  /** Email domain in ASCII and lower case; empty if it has none. It does not change. */
  domain: string
  /** Whether new grants with an address in `domain` join it */
  auto_group: boolean
  /** Whether it has all grants that no other workspace has. Every application has one such workspace. */
  default: boolean
  /** Always empty: rules are not available */
  rule_ids: string[]
  /** Creation time in Unix seconds */
  created_at: number
  /** Time of the last change in Unix seconds */
  updated_at: number
}

/** Grants to assign and to remove: at least one */
export type WorkspaceAssignment = {
  /** Ids of grants that join the workspace, from whichever workspace they have: up to 500 */
  assign_grants?: string[] | null | undefined
  /** Ids of grants that leave the workspace for the default one: up to 500 */
  remove_grants?: string[] | null | undefined
}

/** Changes to a workspace: at least one field. Absent fields and null keep the present value. */
export type WorkspaceChange = {
  /** Display name, up to 256 characters */
  name?: string | undefined
  /** The domain cannot change: only its present value is accepted */
  domain?: string | null | undefined
  /** Whether new grants with an address in `domain` join the workspace; needs a domain */
  auto_group?: boolean | null | undefined
  /** Policies are not available: only null is accepted, which means no policy */
  policy_id?: string | null | undefined
  /** Rules are not available: only null and an empty list are accepted, which mean no rules */
  rule_ids?: string[] | null | undefined
}

/** A new workspace */
export type WorkspaceDraft = {
  /** Display name, up to 256 characters */
  name: string
  /**
   * Email domain such as `example.com`, unique in the application; names below it do not match. Without it, grants
   * are assigned by hand.
   */
  domain?: string | null | undefined
  /** Whether new grants with an address in `domain` join the workspace; needs a domain. Default: false. */
  auto_group?: boolean | null | undefined
  /** Policies are not available: only null is accepted, which means no policy */
  policy_id?: string | null | undefined
  /** Rules are not available: only null and an empty list are accepted, which mean no rules */
  rule_ids?: string[] | null | undefined
}

export type ApplicationsGetQuery = {
  /** Id of the key's application, for clients that send it. Other ids return "not found" */
  application_id?: string | undefined
  /** Top-level fields to return, comma-separated: `id,title`. Default: all fields. Unknown names are ignored. */
  select?: string[] | undefined
}

export type ApplicationsUpdateQuery = {
  /** Id of the key's application, for clients that send it. Other ids return "not found" */
  application_id?: string | undefined
  /** Top-level fields to return, comma-separated: `id,title`. Default: all fields. Unknown names are ignored. */
  select?: string[] | undefined
}

export type RedirectUrisListQuery = {
  /** Top-level fields to return, comma-separated: `id,title`. Default: all fields. Unknown names are ignored. */
  select?: string[] | undefined
}

export type RedirectUrisCreateQuery = {
  /** Top-level fields to return, comma-separated: `id,title`. Default: all fields. Unknown names are ignored. */
  select?: string[] | undefined
}

export type RedirectUrisGetQuery = {
  /** Top-level fields to return, comma-separated: `id,title`. Default: all fields. Unknown names are ignored. */
  select?: string[] | undefined
}

export type RedirectUrisUpdateQuery = {
  /** Top-level fields to return, comma-separated: `id,title`. Default: all fields. Unknown names are ignored. */
  select?: string[] | undefined
}

export type ConnectorsListQuery = {
  /**
   * Maximum page size, default 10; values above 200 are reduced to 200. A page can be shorter and still have a
   * next page.
   */
  limit?: number | undefined
  /**
   * Number of objects to skip, default 0. For long lists use `page_token`, which neither skips nor repeats objects
   * when the list changes.
   */
  offset?: number | undefined
  /**
   * `next_cursor` of the previous page; absent for the first page. Filters stay those of the first page; `limit`
   * and `select` can change.
   */
  page_token?: string | undefined
  /** Top-level fields to return, comma-separated: `id,title`. Default: all fields. Unknown names are ignored. */
  select?: string[] | undefined
}

export type ConnectorsCreateQuery = {
  /** Top-level fields to return, comma-separated: `id,title`. Default: all fields. Unknown names are ignored. */
  select?: string[] | undefined
}

export type ConnectorsGetQuery = {
  /** Top-level fields to return, comma-separated: `id,title`. Default: all fields. Unknown names are ignored. */
  select?: string[] | undefined
}

export type ConnectorsUpdateQuery = {
  /** Top-level fields to return, comma-separated: `id,title`. Default: all fields. Unknown names are ignored. */
  select?: string[] | undefined
}

export type CredentialsListQuery = {
  /**
   * Maximum page size, default 10; values above 200 are reduced to 200. A page can be shorter and still have a
   * next page.
   */
  limit?: number | undefined
  /**
   * Number of objects to skip, default 0. For long lists use `page_token`, which neither skips nor repeats objects
   * when the list changes.
   */
  offset?: number | undefined
  /**
   * `next_cursor` of the previous page; absent for the first page. Filters stay those of the first page; `limit`
   * and `select` can change.
   */
  page_token?: string | undefined
  /** Sort key: creation time (default) or time of the last change */
  sort_by?: 'created_at' | 'updated_at' | undefined
  /** `desc` (default): newest first; `asc`: oldest first */
  order_by?: 'desc' | 'asc' | undefined
  /** Top-level fields to return, comma-separated: `id,title`. Default: all fields. Unknown names are ignored. */
  select?: string[] | undefined
}

export type CredentialsCreateQuery = {
  /** Top-level fields to return, comma-separated: `id,title`. Default: all fields. Unknown names are ignored. */
  select?: string[] | undefined
}

export type CredentialsGetQuery = {
  /** Top-level fields to return, comma-separated: `id,title`. Default: all fields. Unknown names are ignored. */
  select?: string[] | undefined
}

export type CredentialsUpdateQuery = {
  /** Top-level fields to return, comma-separated: `id,title`. Default: all fields. Unknown names are ignored. */
  select?: string[] | undefined
}

export type ProvidersDetectQuery = {
  /** Email address. Only its domain is checked, not the mailbox */
  email: string
  /** `false` (default): only providers for which the application has a connector; `true`: all */
  all_provider_types?: boolean | undefined
}

export type ConnectGuideQuery = {
  /** Only this provider; default: all */
  provider?: string | undefined
  /** Top-level fields to return, comma-separated: `id,title`. Default: all fields. Unknown names are ignored. */
  select?: string[] | undefined
}

export type ConnectCustomQuery = {
  /** Top-level fields to return, comma-separated: `id,title`. Default: all fields. Unknown names are ignored. */
  select?: string[] | undefined
}

export type ConnectTokenInfoQuery = {
  /** An id token signed by this service */
  id_token?: string | undefined
  /** An access token (`wpat_…`) issued by this service */
  access_token?: string | undefined
}

export type ConnectRevokeQuery = {
  /** Access or refresh token to revoke, unless it is in the body */
  token?: string | undefined
}

export type GrantsGetQuery = {
  /** `true` adds `email_aliases` from the provider; supported by `google`, `microsoft` and `ews` */
  expose_aliases?: boolean | undefined
  /** Top-level fields to return, comma-separated: `id,title`. Default: all fields. Unknown names are ignored. */
  select?: string[] | undefined
}

export type GrantsUpdateQuery = {
  /** Top-level fields to return, comma-separated: `id,title`. Default: all fields. Unknown names are ignored. */
  select?: string[] | undefined
}

export type WorkspacesListQuery = {
  /** Top-level fields to return, comma-separated: `id,title`. Default: all fields. Unknown names are ignored. */
  select?: string[] | undefined
}

export type WorkspacesCreateQuery = {
  /** Top-level fields to return, comma-separated: `id,title`. Default: all fields. Unknown names are ignored. */
  select?: string[] | undefined
}

export type WorkspacesGetQuery = {
  /** Top-level fields to return, comma-separated: `id,title`. Default: all fields. Unknown names are ignored. */
  select?: string[] | undefined
}

export type WorkspacesUpdateQuery = {
  /** Top-level fields to return, comma-separated: `id,title`. Default: all fields. Unknown names are ignored. */
  select?: string[] | undefined
}

export type CalendarsCreateQuery = {
  /** Top-level fields to return, comma-separated: `id,title`. Default: all fields. Unknown names are ignored. */
  select?: string[] | undefined
}

export type CalendarsGetQuery = {
  /** Top-level fields to return, comma-separated: `id,title`. Default: all fields. Unknown names are ignored. */
  select?: string[] | undefined
}

export type CalendarsUpdateQuery = {
  /** Top-level fields to return, comma-separated: `id,title`. Default: all fields. Unknown names are ignored. */
  select?: string[] | undefined
}

export type CalendarsDeleteQuery = {
  /**
   * Virtual calendars: whether guests of upcoming events get a cancellation; default `true`. For other providers,
   * the provider decides.
   */
  notify_participants?: boolean | undefined
}

export type VirtualCalendarsCreateQuery = {
  /** Id or identifier of the virtual account, unless it is in the body */
  grant_id?: string | undefined
  /** Top-level fields to return, comma-separated: `id,title`. Default: all fields. Unknown names are ignored. */
  select?: string[] | undefined
}

/** A new calendar and its virtual account */
export type VirtualCalendarDraft = {
  /** Name shown to the user */
  name: string
  /** Description of the calendar. `microsoft`, `ews` and `icloud` refuse it */
  description?: string | null | undefined
  /** Location as free text. Only `google` and `virtual-calendar` accept it */
  location?: string | null | undefined
  /**
   * IANA name of the time zone for all-day events; default for virtual calendars: `UTC`. `microsoft`, `ews` and
   * `icloud` refuse it
   */
  timezone?: TimeZone | null | undefined
  /** Your own key-value pairs, stored by the service for every provider */
  metadata?: Metadata | null | undefined
  /** Id or identifier of the virtual account; not needed with an access token or if it is in the query */
  grant_id?: string | null | undefined
}

export type EventsCreateQuery = {
  /** Id of the calendar, or `primary` for the main one. iCloud has no main calendar */
  calendar_id: string
  /**
   * Whether guests are notified: `true` (default) sends invitations, changes and cancellations; `false` sends
   * none. Microsoft and iCloud always notify guests.
   */
  notify_participants?: boolean | undefined
  /**
   * `false` returns tentative events with `busy: false`; default `true`. `google` and virtual calendars accept it
   * without effect
   */
  tentative_as_busy?: boolean | undefined
  /** Top-level fields to return, comma-separated: `id,title`. Default: all fields. Unknown names are ignored. */
  select?: string[] | undefined
}

export type EventsGetQuery = {
  /** Id of the event's calendar, or `primary`. If absent, all calendars are searched, which is slower */
  calendar_id?: string | undefined
  /**
   * `false` returns tentative events with `busy: false`; default `true`. `google` and virtual calendars accept it
   * without effect
   */
  tentative_as_busy?: boolean | undefined
  /** Top-level fields to return, comma-separated: `id,title`. Default: all fields. Unknown names are ignored. */
  select?: string[] | undefined
}

export type EventsUpdateQuery = {
  /** Id of the event's calendar, or `primary`. If absent, all calendars are searched, which is slower */
  calendar_id?: string | undefined
  /**
   * Whether guests are notified: `true` (default) sends invitations, changes and cancellations; `false` sends
   * none. Microsoft and iCloud always notify guests.
   */
  notify_participants?: boolean | undefined
  /**
   * `false` returns tentative events with `busy: false`; default `true`. `google` and virtual calendars accept it
   * without effect
   */
  tentative_as_busy?: boolean | undefined
  /** Top-level fields to return, comma-separated: `id,title`. Default: all fields. Unknown names are ignored. */
  select?: string[] | undefined
}

export type EventsDeleteQuery = {
  /** Id of the event's calendar, or `primary`. If absent, all calendars are searched, which is slower */
  calendar_id?: string | undefined
  /**
   * Whether guests are notified: `true` (default) sends invitations, changes and cancellations; `false` sends
   * none. Microsoft and iCloud always notify guests.
   */
  notify_participants?: boolean | undefined
}

export type EventsRsvpQuery = {
  /** Id of the event's calendar, or `primary`. If absent, all calendars are searched, which is slower */
  calendar_id?: string | undefined
  /** `true` stores the response without a mail to the organizer. Default: `false` */
  skip_email?: boolean | undefined
  /** Alias of `skip_email` */
  skip_nylas_email?: boolean | undefined
}

export type SchedulesDeleteData = {
  /** Always the same: it will not be sent */
  message: 'requested cancelation for workflow'
}

export type MessagesCleanQuery = {
  /**
   * `microsoft` and `ews`: address of the owner of a mailbox or folder shared with the account. Other providers
   * fail with 422.
   */
  shared_from?: string | undefined
  /** Top-level fields to return, comma-separated: `id,title`. Default: all fields. Unknown names are ignored. */
  select?: string[] | undefined
}

export type MessagesUpdateQuery = {
  /** Accepted without effect for compatibility: the mail server is always queried */
  query_imap?: boolean | undefined
  /**
   * `microsoft` and `ews`: address of the owner of a mailbox or folder shared with the account. Other providers
   * fail with 422.
   */
  shared_from?: string | undefined
  /** Top-level fields to return, comma-separated: `id,title`. Default: all fields. Unknown names are ignored. */
  select?: string[] | undefined
}

export type MessagesDeleteQuery = {
  /**
   * `true` deletes permanently and requires `allow_hard_delete` of the application; `false` (default) moves to the
   * trash
   */
  hard_delete?: boolean | undefined
  /**
   * `microsoft` and `ews`: address of the owner of a mailbox or folder shared with the account. Other providers
   * fail with 422.
   */
  shared_from?: string | undefined
}

export type MessagesSendQuery = {
  /**
   * `mime`: the request is `multipart/form-data` with a whole message (RFC 5322) in a part named `mime`, without
   * JSON. Default: `json`.
   */
  type?: 'mime' | 'json' | undefined
  /**
   * Headers in the response: none (`standard`, default), all, or Message-ID, In-Reply-To and References
   * (`include_basic_headers`). Scheduled messages have none.
   */
  fields?: 'standard' | 'include_headers' | 'include_basic_headers' | undefined
}

export type DraftsUpdateQuery = {
  /** Top-level fields to return, comma-separated: `id,title`. Default: all fields. Unknown names are ignored. */
  select?: string[] | undefined
}

export type DraftsSendQuery = {
  /** Top-level fields to return, comma-separated: `id,title`. Default: all fields. Unknown names are ignored. */
  select?: string[] | undefined
}

/** Can be empty: `{}` */
export type DraftsSendBody = {
  /** Id of a signature of the grant, appended to the HTML; ignored for plain text */
  signature_id?: string | null | undefined
}

export type ThreadsDeleteQuery = {
  /**
   * `microsoft` and `ews`: address of the owner of a mailbox or folder shared with the account. Other providers
   * fail with 422.
   */
  shared_from?: string | undefined
  /** `microsoft` and `ews`: id of the shared folder; with `shared_from`, instead of `in` */
  shared_folder_id?: string | undefined
}

export type FoldersCreateQuery = {
  /**
   * `microsoft` and `ews`: address of the owner of a mailbox or folder shared with the account. Other providers
   * fail with 422.
   */
  shared_from?: string | undefined
  /** Top-level fields to return, comma-separated: `id,title`. Default: all fields. Unknown names are ignored. */
  select?: string[] | undefined
}

export type FoldersUpdateQuery = {
  /**
   * `microsoft` and `ews`: address of the owner of a mailbox or folder shared with the account. Other providers
   * fail with 422.
   */
  shared_from?: string | undefined
  /** Top-level fields to return, comma-separated: `id,title`. Default: all fields. Unknown names are ignored. */
  select?: string[] | undefined
}

export type FoldersDeleteQuery = {
  /**
   * `microsoft` and `ews`: address of the owner of a mailbox or folder shared with the account. Other providers
   * fail with 422.
   */
  shared_from?: string | undefined
}

export type AttachmentsListQuery = {
  /** Top-level fields to return, comma-separated: `id,title`. Default: all fields. Unknown names are ignored. */
  select?: string[] | undefined
}

export type AttachmentsGetQuery = {
  /** Id of the message that contains the attachment */
  message_id: string
  /** Accepted without effect: the provider is always queried */
  query_imap?: boolean | undefined
  /** Top-level fields to return, comma-separated: `id,title`. Default: all fields. Unknown names are ignored. */
  select?: string[] | undefined
}

export type AttachmentsDownloadHeaders = {
  /** One range of bytes, such as `bytes=1000-` to continue a download */
  range?: string | undefined
}

export type ContactGroupsCreateQuery = {
  /** Top-level fields to return, comma-separated: `id,title`. Default: all fields. Unknown names are ignored. */
  select?: string[] | undefined
}

export type ContactGroupsGetQuery = {
  /** Top-level fields to return, comma-separated: `id,title`. Default: all fields. Unknown names are ignored. */
  select?: string[] | undefined
}

export type ContactGroupsUpdateQuery = {
  /** Top-level fields to return, comma-separated: `id,title`. Default: all fields. Unknown names are ignored. */
  select?: string[] | undefined
}

export type ContactsCreateQuery = {
  /** Top-level fields to return, comma-separated: `id,title`. Default: all fields. Unknown names are ignored. */
  select?: string[] | undefined
}

export type ContactsGetQuery = {
  /** `true` returns the contact's picture in `picture`, if it has one. Default: `false` */
  profile_picture?: boolean | undefined
  /** Top-level fields to return, comma-separated: `id,title`. Default: all fields. Unknown names are ignored. */
  select?: string[] | undefined
}

export type ContactsUpdateQuery = {
  /** Top-level fields to return, comma-separated: `id,title`. Default: all fields. Unknown names are ignored. */
  select?: string[] | undefined
}

export type SignaturesListQuery = {
  /**
   * Maximum page size, default 50; values above 200 are reduced to 200. A page can be shorter and still have a
   * next page.
   */
  limit?: number | undefined
  /**
   * `next_cursor` of the previous page; absent for the first page. Filters stay those of the first page; `limit`
   * and `select` can change.
   */
  page_token?: string | undefined
  /** Top-level fields to return, comma-separated: `id,title`. Default: all fields. Unknown names are ignored. */
  select?: string[] | undefined
}

export type SignaturesGetQuery = {
  /** Top-level fields to return, comma-separated: `id,title`. Default: all fields. Unknown names are ignored. */
  select?: string[] | undefined
}

export type SignaturesUpdateQuery = {
  /** Top-level fields to return, comma-separated: `id,title`. Default: all fields. Unknown names are ignored. */
  select?: string[] | undefined
}

export type TemplatesListQuery = {
  /**
   * Maximum page size, default 50; values above 200 are reduced to 200. A page can be shorter and still have a
   * next page.
   */
  limit?: number | undefined
  /**
   * `next_cursor` of the previous page; absent for the first page. Filters stay those of the first page; `limit`
   * and `select` can change.
   */
  page_token?: string | undefined
  /** Top-level fields to return, comma-separated: `id,title`. Default: all fields. Unknown names are ignored. */
  select?: string[] | undefined
}

export type TemplatesGetQuery = {
  /** Top-level fields to return, comma-separated: `id,title`. Default: all fields. Unknown names are ignored. */
  select?: string[] | undefined
}

export type TemplatesUpdateQuery = {
  /** Top-level fields to return, comma-separated: `id,title`. Default: all fields. Unknown names are ignored. */
  select?: string[] | undefined
}

export type GrantTemplatesListQuery = {
  /**
   * Maximum page size, default 50; values above 200 are reduced to 200. A page can be shorter and still have a
   * next page.
   */
  limit?: number | undefined
  /**
   * `next_cursor` of the previous page; absent for the first page. Filters stay those of the first page; `limit`
   * and `select` can change.
   */
  page_token?: string | undefined
  /** Top-level fields to return, comma-separated: `id,title`. Default: all fields. Unknown names are ignored. */
  select?: string[] | undefined
}

export type GrantTemplatesGetQuery = {
  /** Top-level fields to return, comma-separated: `id,title`. Default: all fields. Unknown names are ignored. */
  select?: string[] | undefined
}

export type GrantTemplatesUpdateQuery = {
  /** Top-level fields to return, comma-separated: `id,title`. Default: all fields. Unknown names are ignored. */
  select?: string[] | undefined
}

export type WorkflowsListQuery = {
  /**
   * Maximum page size, default 50; values above 200 are reduced to 200. A page can be shorter and still have a
   * next page.
   */
  limit?: number | undefined
  /**
   * `next_cursor` of the previous page; absent for the first page. Filters stay those of the first page; `limit`
   * and `select` can change.
   */
  page_token?: string | undefined
  /** Top-level fields to return, comma-separated: `id,title`. Default: all fields. Unknown names are ignored. */
  select?: string[] | undefined
}

export type WorkflowsGetQuery = {
  /** Top-level fields to return, comma-separated: `id,title`. Default: all fields. Unknown names are ignored. */
  select?: string[] | undefined
}

export type WorkflowsUpdateQuery = {
  /** Top-level fields to return, comma-separated: `id,title`. Default: all fields. Unknown names are ignored. */
  select?: string[] | undefined
}

export type GrantWorkflowsListQuery = {
  /**
   * Maximum page size, default 50; values above 200 are reduced to 200. A page can be shorter and still have a
   * next page.
   */
  limit?: number | undefined
  /**
   * `next_cursor` of the previous page; absent for the first page. Filters stay those of the first page; `limit`
   * and `select` can change.
   */
  page_token?: string | undefined
  /** Top-level fields to return, comma-separated: `id,title`. Default: all fields. Unknown names are ignored. */
  select?: string[] | undefined
}

export type GrantWorkflowsGetQuery = {
  /** Top-level fields to return, comma-separated: `id,title`. Default: all fields. Unknown names are ignored. */
  select?: string[] | undefined
}

export type GrantWorkflowsUpdateQuery = {
  /** Top-level fields to return, comma-separated: `id,title`. Default: all fields. Unknown names are ignored. */
  select?: string[] | undefined
}

export type ConfigurationsListQuery = {
  /**
   * Maximum page size, default 50; values above 200 are reduced to 200. A page can be shorter and still have a
   * next page.
   */
  limit?: number | undefined
  /**
   * `next_cursor` of the previous page; absent for the first page. Filters stay those of the first page; `limit`
   * and `select` can change.
   */
  page_token?: string | undefined
  /** Top-level fields to return, comma-separated: `id,title`. Default: all fields. Unknown names are ignored. */
  select?: string[] | undefined
}

export type ConfigurationsGetQuery = {
  /** Top-level fields to return, comma-separated: `id,title`. Default: all fields. Unknown names are ignored. */
  select?: string[] | undefined
}

export type ConfigurationsUpdateQuery = {
  /** Top-level fields to return, comma-separated: `id,title`. Default: all fields. Unknown names are ignored. */
  select?: string[] | undefined
}

export type SchedulingPagesListQuery = {
  /**
   * Maximum page size, default 50; values above 200 are reduced to 200. A page can be shorter and still have a
   * next page.
   */
  limit?: number | undefined
  /**
   * `next_cursor` of the previous page; absent for the first page. Filters stay those of the first page; `limit`
   * and `select` can change.
   */
  page_token?: string | undefined
  /** Top-level fields to return, comma-separated: `id,title`. Default: all fields. Unknown names are ignored. */
  select?: string[] | undefined
  /** Part of the name, the slug or the address of the owner, or the whole id of the configuration */
  search?: string | undefined
}

export type UiSettingsGetQuery = {
  /** Id of a public configuration. Not needed with a session */
  configuration_id?: string | undefined
  /** Slug of a public configuration, together with `client_id` */
  slug?: string | undefined
  /** Id of the application. Not needed with an API key */
  client_id?: string | undefined
  /** Id of a booking of this configuration */
  booking_id?: string | undefined
  /** Reference of the booking, which proves its salt */
  booking_ref?: string | undefined
  /** Salt of the booking, instead of `booking_ref` */
  salt?: string | undefined
}

export type GroupEventsListQuery = {
  /** Calendar of the event; default: `group_booking.calendar_id` of the configuration */
  calendar_id?: string | undefined
  /** Start of the window in Unix seconds. Default: now */
  start_time?: number | undefined
  /** End of the window in Unix seconds. Default: one month after its start */
  end_time?: number | undefined
  /** Whether to return all events of the calendar; default `false` */
  show_all?: boolean | undefined
  /**
   * Maximum page size, default 200; values above 200 are reduced to 200. A page can be shorter and still have a
   * next page.
   */
  limit?: number | undefined
  /**
   * `next_cursor` of the previous page; absent for the first page. Filters stay those of the first page; `limit`
   * and `select` can change.
   */
  page_token?: string | undefined
}

export type GroupEventsCreateQuery = {
  /** Calendar of the event; default: `group_booking.calendar_id` of the configuration */
  calendar_id?: string | undefined
}

export type GroupEventsUpdateQuery = {
  /** Calendar of the event; default: `group_booking.calendar_id` of the configuration */
  calendar_id?: string | undefined
  /**
   * Whether guests are notified: `true` (default) sends invitations, changes and cancellations; `false` sends
   * none. Microsoft and iCloud always notify guests.
   */
  notify_participants?: boolean | undefined
}

export type GroupEventsDeleteQuery = {
  /** Calendar of the event; default: `group_booking.calendar_id` of the configuration */
  calendar_id?: string | undefined
  /**
   * Whether guests are notified: `true` (default) sends invitations, changes and cancellations; `false` sends
   * none. Microsoft and iCloud always notify guests.
   */
  notify_participants?: boolean | undefined
}

/** Events to import, up to 20 */
export type GroupEventImports = GroupEventImport[]

export type SchedulingAvailabilityFindQuery = {
  /** Id of a public configuration. Not needed with a session */
  configuration_id?: string | undefined
  /** Slug of a public configuration, together with `client_id` */
  slug?: string | undefined
  /** Id of the application. Not needed with an API key */
  client_id?: string | undefined
  /** Start of the window in Unix seconds */
  start_time: number
  /** End of the window in Unix seconds. Of the bookable time, it may cover at most 93 days */
  end_time: number
  /** Id of a booking of this configuration that moves. Its own event blocks nothing, and its host comes first */
  booking_id?: string | undefined
}

export type BookingsCreateQuery = {
  /** Id of a public configuration. Not needed with a session */
  configuration_id?: string | undefined
  /** Slug of a public configuration, together with `client_id` */
  slug?: string | undefined
  /** Id of the application. Not needed with an API key */
  client_id?: string | undefined
  /** Time zone of the guest, if the body has none */
  timezone?: string | undefined
}

export type BookingsGetQuery = {
  /** Id of a public configuration. Not needed with a session */
  configuration_id?: string | undefined
  /** Slug of a public configuration, together with `client_id` */
  slug?: string | undefined
  /** Id of the application. Not needed with an API key */
  client_id?: string | undefined
}

export type BookingsRescheduleQuery = {
  /** Id of a public configuration. Not needed with a session */
  configuration_id?: string | undefined
  /** Slug of a public configuration, together with `client_id` */
  slug?: string | undefined
  /** Id of the application. Not needed with an API key */
  client_id?: string | undefined
}

export type BookingsConfirmQuery = {
  /** Id of a public configuration. Not needed with a session */
  configuration_id?: string | undefined
  /** Slug of a public configuration, together with `client_id` */
  slug?: string | undefined
  /** Id of the application. Not needed with an API key */
  client_id?: string | undefined
}

export type BookingsCancelQuery = {
  /** Id of a public configuration. Not needed with a session */
  configuration_id?: string | undefined
  /** Slug of a public configuration, together with `client_id` */
  slug?: string | undefined
  /** Id of the application. Not needed with an API key */
  client_id?: string | undefined
}

/** Where a page of version 2 is now */
export type SchedulingRedirect = {
  /** Path of the new page */
  url: string
}

export type WebhooksListQuery = {
  /** Top-level fields to return, comma-separated: `id,title`. Default: all fields. Unknown names are ignored. */
  select?: string[] | undefined
}

export type WebhooksCreateQuery = {
  /** Top-level fields to return, comma-separated: `id,title`. Default: all fields. Unknown names are ignored. */
  select?: string[] | undefined
}

/** The notification to return */
export type MockPayload = {
  /** Trigger of the notification, also with the suffix `.truncated` or `.metadata` */
  trigger_type: ShownTrigger
}

export type WebhooksReadMockPayloadQuery = {
  /** Trigger of the notification, also with the suffix `.truncated` or `.metadata` */
  trigger_type: ShownTrigger
}

export type WebhooksGetQuery = {
  /** Top-level fields to return, comma-separated: `id,title`. Default: all fields. Unknown names are ignored. */
  select?: string[] | undefined
}

export type WebhooksHealthQuery = {
  /** Number of hours, up to 720; default 24 */
  hours?: number | undefined
}

export type WebhooksUpdateQuery = {
  /** Top-level fields to return, comma-separated: `id,title`. Default: all fields. Unknown names are ignored. */
  select?: string[] | undefined
}

export type WebhooksDeleteData = {
  /** Always `success`: the destination was deleted */
  status: 'success'
}

export type PubsubChannelsListQuery = {
  /** Top-level fields to return, comma-separated: `id,title`. Default: all fields. Unknown names are ignored. */
  select?: string[] | undefined
}

export type PubsubChannelsCreateQuery = {
  /** Top-level fields to return, comma-separated: `id,title`. Default: all fields. Unknown names are ignored. */
  select?: string[] | undefined
}

export type PubsubChannelsGetQuery = {
  /** Top-level fields to return, comma-separated: `id,title`. Default: all fields. Unknown names are ignored. */
  select?: string[] | undefined
}

export type PubsubChannelsUpdateQuery = {
  /** Top-level fields to return, comma-separated: `id,title`. Default: all fields. Unknown names are ignored. */
  select?: string[] | undefined
}

export type PubsubChannelsDeleteData = {
  /** Always `success`: the channel was deleted */
  status: 'success'
}

export type SnsChannelsListQuery = {
  /** Top-level fields to return, comma-separated: `id,title`. Default: all fields. Unknown names are ignored. */
  select?: string[] | undefined
}

export type SnsChannelsCreateQuery = {
  /** Top-level fields to return, comma-separated: `id,title`. Default: all fields. Unknown names are ignored. */
  select?: string[] | undefined
}

export type SnsChannelsGetQuery = {
  /** Top-level fields to return, comma-separated: `id,title`. Default: all fields. Unknown names are ignored. */
  select?: string[] | undefined
}

export type SnsChannelsUpdateQuery = {
  /** Top-level fields to return, comma-separated: `id,title`. Default: all fields. Unknown names are ignored. */
  select?: string[] | undefined
}

export type SnsChannelsDeleteData = {
  /** Always `success`: the channel was deleted */
  status: 'success'
}

export type NatsChannelsListQuery = {
  /** Top-level fields to return, comma-separated: `id,title`. Default: all fields. Unknown names are ignored. */
  select?: string[] | undefined
}

export type NatsChannelsCreateQuery = {
  /** Top-level fields to return, comma-separated: `id,title`. Default: all fields. Unknown names are ignored. */
  select?: string[] | undefined
}

export type NatsChannelsGetQuery = {
  /** Top-level fields to return, comma-separated: `id,title`. Default: all fields. Unknown names are ignored. */
  select?: string[] | undefined
}

export type NatsChannelsUpdateQuery = {
  /** Top-level fields to return, comma-separated: `id,title`. Default: all fields. Unknown names are ignored. */
  select?: string[] | undefined
}

export type NatsChannelsDeleteData = {
  /** Always `success`: the channel was deleted */
  status: 'success'
}

export type AmqpChannelsListQuery = {
  /** Top-level fields to return, comma-separated: `id,title`. Default: all fields. Unknown names are ignored. */
  select?: string[] | undefined
}

export type AmqpChannelsCreateQuery = {
  /** Top-level fields to return, comma-separated: `id,title`. Default: all fields. Unknown names are ignored. */
  select?: string[] | undefined
}

export type AmqpChannelsGetQuery = {
  /** Top-level fields to return, comma-separated: `id,title`. Default: all fields. Unknown names are ignored. */
  select?: string[] | undefined
}

export type AmqpChannelsUpdateQuery = {
  /** Top-level fields to return, comma-separated: `id,title`. Default: all fields. Unknown names are ignored. */
  select?: string[] | undefined
}

export type AmqpChannelsDeleteData = {
  /** Always `success`: the channel was deleted */
  status: 'success'
}

export type DeliveriesListQuery = {
  /**
   * Maximum page size, default 50; values above 200 are reduced to 200. A page can be shorter and still have a
   * next page.
   */
  limit?: number | undefined
  /**
   * `next_cursor` of the previous page; absent for the first page. Filters stay those of the first page; `limit`
   * and `select` can change.
   */
  page_token?: string | undefined
  /** `waiting`: will be attempted; `failed`: will not; default: both */
  state?: 'waiting' | 'failed' | undefined
  /** Top-level fields to return, comma-separated: `id,title`. Default: all fields. Unknown names are ignored. */
  select?: string[] | undefined
}

export type DeliveriesAttemptsQuery = {
  /**
   * Maximum page size, default 50; values above 200 are reduced to 200. A page can be shorter and still have a
   * next page.
   */
  limit?: number | undefined
  /**
   * `next_cursor` of the previous page; absent for the first page. Filters stay those of the first page; `limit`
   * and `select` can change.
   */
  page_token?: string | undefined
  /** Only this notification */
  notification_id?: string | undefined
  /** Only this outcome; default: both */
  outcome?: 'delivered' | 'failed' | undefined
  /** Only these triggers, comma-separated */
  trigger_types?: string[] | undefined
  /** Only notifications about this grant */
  grant_id?: string | undefined
  /** Only notifications created at or after this time, in Unix seconds */
  start?: number | undefined
  /** Only notifications created before this time, in Unix seconds */
  end?: number | undefined
  /** Top-level fields to return, comma-separated: `id,title`. Default: all fields. Unknown names are ignored. */
  select?: string[] | undefined
}

export type DeliveriesAttemptQuery = {
  /** Number of the attempt: its `webhook_delivery_attempt`; default: the last one */
  attempt?: number | undefined
  /** Top-level fields to return, comma-separated: `id,title`. Default: all fields. Unknown names are ignored. */
  select?: string[] | undefined
}

export type NotificationsListQuery = {
  /**
   * Maximum page size, default 50; values above 200 are reduced to 200. A page can be shorter and still have a
   * next page.
   */
  limit?: number | undefined
  /**
   * `next_cursor` of the previous page; absent for the first page. Filters stay those of the first page; `limit`
   * and `select` can change.
   */
  page_token?: string | undefined
  /** Seconds to wait if there is no notification yet, up to 30; default 0 */
  wait?: number | undefined
  /** The same as the header `Last-Event-ID`, for clients that cannot send it with the first request */
  last_event_id?: string | undefined
  /** Only notifications created at or after this time, in Unix seconds; default: the oldest retained */
  start?: number | undefined
  /**
   * `asc` (default): oldest first, then new ones; `desc`: newest first, page by page, without waiting and not as
   * events
   */
  order?: 'asc' | 'desc' | undefined
  /** Only notifications about this grant */
  grant_id?: string | undefined
  /** Only these triggers, comma-separated */
  trigger_types?: string[] | undefined
  /** Top-level fields to return, comma-separated: `id,title`. Default: all fields. Unknown names are ignored. */
  select?: string[] | undefined
}

export type NotificationsListHeaders = {
  /**
   * Resume after this event: the `id` of the last one that arrived. It takes precedence over `last_event_id` and
   * `page_token`
   */
  'last-event-id'?: string | undefined
}

export type NotificationsGetQuery = {
  /** Top-level fields to return, comma-separated: `id,title`. Default: all fields. Unknown names are ignored. */
  select?: string[] | undefined
}

export type AgentsListQuery = {
  /**
   * Maximum page size, default 50; values above 200 are reduced to 200. A page can be shorter and still have a
   * next page.
   */
  limit?: number | undefined
  /**
   * `next_cursor` of the previous page; absent for the first page. Filters stay those of the first page; `limit`
   * and `select` can change.
   */
  page_token?: string | undefined
  /** Top-level fields to return, comma-separated: `id,title`. Default: all fields. Unknown names are ignored. */
  select?: string[] | undefined
  /** Only agents that may use this grant */
  grant_id?: string | undefined
}

export type AgentsGetQuery = {
  /** Top-level fields to return, comma-separated: `id,title`. Default: all fields. Unknown names are ignored. */
  select?: string[] | undefined
}

export type AgentsUpdateQuery = {
  /** Top-level fields to return, comma-separated: `id,title`. Default: all fields. Unknown names are ignored. */
  select?: string[] | undefined
}

export type AgentsRequestsQuery = {
  /**
   * Maximum page size, default 50; values above 200 are reduced to 200. A page can be shorter and still have a
   * next page.
   */
  limit?: number | undefined
  /**
   * `next_cursor` of the previous page; absent for the first page. Filters stay those of the first page; `limit`
   * and `select` can change.
   */
  page_token?: string | undefined
  /** `succeeded`: only requests with a status below 400; `failed`: only the others */
  outcome?: 'succeeded' | 'failed' | undefined
  /** Only requests with this HTTP status */
  status?: number | undefined
  /** Only requests about this grant */
  grant_id?: string | undefined
}

export type ApprovalsRejectBody = {
  /** Why; shown to the requester */
  reason?: string | null | undefined
}

export type AdminApplicationsListQuery = {
  /**
   * Maximum page size, default 50; values above 200 are reduced to 200. A page can be shorter and still have a
   * next page.
   */
  limit?: number | undefined
  /**
   * `next_cursor` of the previous page; absent for the first page. Filters stay those of the first page; `limit`
   * and `select` can change.
   */
  page_token?: string | undefined
  /** Only applications whose name or id contains this text */
  search?: string | undefined
  /** Only applications with these ids, comma-separated */
  application_id?: string[] | undefined
  /** Only applications of this environment */
  environment?: 'production' | 'staging' | 'development' | 'sandbox' | undefined
  /** `true`: only blocked applications; `false`: only applications that are not blocked */
  blocked?: boolean | undefined
  /** Sort key; default `created_at` */
  sort?: 'created_at' | 'name' | undefined
  /** `asc` (default) or `desc` */
  order?: 'asc' | 'desc' | undefined
}

/** A new application */
export type ApplicationDraft = {
  /** Name shown to end users when they sign in, up to 256 characters */
  name: string
  /** Purpose of the application. It appears in its API keys and has no other effect. Default: `production`. */
  environment?: 'production' | 'staging' | 'development' | undefined
}

/** Restrictions of an application */
export type ApplicationControl = {
  /** `true` blocks the application, `false` unblocks it */
  blocked?: boolean | undefined
  /**
   * Maximum number of mails per day (UTC) that the service sends for the application in its own name; null: the
   * operator's setting
   */
  mail_per_day?: number | null | undefined
}

/** A new API key */
export type ApiKeyDraft = {
  /** Name of the key, for your own use, up to 256 characters */
  name: string
  /** Days until the key expires; default: never */
  expires_in?: number | null | undefined
  /**
   * The rights of a restricted key. Without them, the key has all rights. They can be changed later, but not
   * removed
   */
  rights?: KeyRightsInput | null | undefined
}

/** Changes to an API key. Absent fields stay unchanged. */
export type ApiKeyChange = {
  /** New name of the key, up to 256 characters */
  name?: string | undefined
  /** The new rights of a restricted key */
  rights?: KeyRightsInput | undefined
}

export type AdminGrantsListQuery = {
  /**
   * Maximum page size, default 50; values above 200 are reduced to 200. A page can be shorter and still have a
   * next page.
   */
  limit?: number | undefined
  /**
   * `next_cursor` of the previous page; absent for the first page. Filters stay those of the first page; `limit`
   * and `select` can change.
   */
  page_token?: string | undefined
  /** Only grants whose address, name or id contains this text */
  search?: string | undefined
  /** Only grants with this status */
  grant_status?: 'valid' | 'invalid' | undefined
  /** Only grants of this provider */
  provider?: string | undefined
  /** Only grants of this workspace */
  workspace_id?: string | undefined
  /** `true`: only blocked grants; `false`: only grants that are not blocked */
  blocked?: boolean | undefined
  /** Only grants created at or after this time, in Unix seconds */
  created_since?: number | undefined
  /** Only grants created before this time, in Unix seconds */
  created_before?: number | undefined
  /** Only grants last used at or after this time, in Unix seconds */
  last_used_since?: number | undefined
  /** Only grants not used since this time, or never used, in Unix seconds */
  last_used_before?: number | undefined
  /** Sort key; default `created_at`. Grants that were never used count as least recently used. */
  sort?: 'created_at' | 'last_used_at' | 'email' | 'grant_status' | undefined
  /** `desc` (default): newest or most recently used first; `asc`: the reverse */
  order?: 'asc' | 'desc' | undefined
}

export type AdminGrantsCountQuery = {
  /** Only grants whose address, name or id contains this text */
  search?: string | undefined
  /** Only grants with this status */
  grant_status?: 'valid' | 'invalid' | undefined
  /** Only grants of this provider */
  provider?: string | undefined
  /** Only grants of this workspace */
  workspace_id?: string | undefined
  /** `true`: only blocked grants; `false`: only grants that are not blocked */
  blocked?: boolean | undefined
  /** Only grants created at or after this time, in Unix seconds */
  created_since?: number | undefined
  /** Only grants created before this time, in Unix seconds */
  created_before?: number | undefined
  /** Only grants last used at or after this time, in Unix seconds */
  last_used_since?: number | undefined
  /** Only grants not used since this time, or never used, in Unix seconds */
  last_used_before?: number | undefined
}

export type AdminGrantsTimelineQuery = {
  /**
   * Maximum page size, default 50; values above 200 are reduced to 200. A page can be shorter and still have a
   * next page.
   */
  limit?: number | undefined
  /**
   * `next_cursor` of the previous page; absent for the first page. Filters stay those of the first page; `limit`
   * and `select` can change.
   */
  page_token?: string | undefined
  /** Comma-separated list of `grant`, `notifications`, `calls`, `errors`; default: all */
  kinds?: string[] | undefined
}

/** Whether the grant is blocked */
export type GrantBlockChange = {
  /** `true` blocks the grant, `false` unblocks it */
  blocked: boolean
}

export type OverviewGetQuery = {
  /** Hours of traffic, up to 48; default 24 */
  hours?: number | undefined
}

export type UsageListQuery = {
  /** Maximum page size, default 50; values above 200 are reduced to 200 */
  limit?: number | undefined
  /**
   * `next_cursor` of the previous page; absent for the first page. Filters stay those of the first page; `limit`
   * and `select` can change.
   */
  page_token?: string | undefined
  /** Only this application */
  application_id?: string | undefined
}

export type SessionListQuery = {
  /**
   * Maximum page size, default 50; values above 200 are reduced to 200. A page can be shorter and still have a
   * next page.
   */
  limit?: number | undefined
  /**
   * `next_cursor` of the previous page; absent for the first page. Filters stay those of the first page; `limit`
   * and `select` can change.
   */
  page_token?: string | undefined
  /** `true`: sessions of all people and of the installation's password. Owners only. */
  everybody?: boolean | undefined
  /** Only sessions of this person. Owners only. */
  person_id?: string | undefined
}

export type SessionDeleteAllQuery = {
  /** `true`: sessions of all people and of the installation's password, and one-time links. Owners only. */
  everybody?: boolean | undefined
  /** Only sessions of this person. Owners only. */
  person_id?: string | undefined
}

/** An invitation token */
export type InvitationToken = {
  /** The part after `#invitation=` of the link */
  token: string
}

/** Changes to your own account */
export type AccountChange = {
  /** Name of the person, up to 256 characters */
  name: string
}

/** A code from the app that has the secret */
export type TotpConfirmation = {
  /** Six digits from the authenticator app, or a recovery code. Each code works once */
  code: string
}

export type PeopleListQuery = {
  /**
   * Maximum page size, default 50; values above 200 are reduced to 200. A page can be shorter and still have a
   * next page.
   */
  limit?: number | undefined
  /**
   * `next_cursor` of the previous page; absent for the first page. Filters stay those of the first page; `limit`
   * and `select` can change.
   */
  page_token?: string | undefined
  /** Only people whose address or name contains this text */
  search?: string | undefined
  /** Only people with this role */
  role?: 'owner' | 'administrator' | 'viewer' | undefined
  /** Only people in this state */
  state?: 'invited' | 'active' | 'blocked' | undefined
}

export type PeopleDeleteQuery = {
  /** `true` revokes the valid API keys that the person created. Default: they stay valid. */
  revoke_api_keys?: boolean | undefined
}

/** Changes to the installation. Absent fields stay unchanged */
export type InstallationChange = {
  /** `false` turns it off, `true` turns it on */
  installation_password?: boolean | undefined
  /**
   * Roles that need a second factor to sign in with a password. Empty: none. For sign-in with OpenID Connect, the
   * provider decides.
   */
  second_factor_required_for?: Role[] | undefined
}

export type AuditListQuery = {
  /**
   * Maximum page size, default 50; values above 200 are reduced to 200. A page can be shorter and still have a
   * next page.
   */
  limit?: number | undefined
  /**
   * `next_cursor` of the previous page; absent for the first page. Filters stay those of the first page; `limit`
   * and `select` can change.
   */
  page_token?: string | undefined
  /** Only entries about this application */
  application_id?: string | undefined
  /** Only entries by this person or service account */
  person_id?: string | undefined
  /**
   * Only this route id, such as `apiKeys.create`; with a trailing `*`, all ids with this prefix, such as
   * `apiKeys.*`
   */
  action?: string | undefined
  /** Only entries about the grant with this id */
  grant_id?: string | undefined
  /** `change`: changes; `read`: access to customer data; default: both */
  kind?: 'change' | 'read' | undefined
  /** Only this origin */
  actor?: 'session' | 'password' | 'command' | 'service_account' | undefined
  /** Only entries about the object with this id */
  target?: string | undefined
  /** `done`: status below 400; `refused`: all others */
  outcome?: 'done' | 'refused' | undefined
  /** Only entries at or after this time, in Unix seconds */
  since?: number | undefined
  /** Only entries before this time, in Unix seconds */
  before?: number | undefined
  /** `desc` (default): newest first; `asc`: oldest first */
  order?: 'asc' | 'desc' | undefined
}

export type FailedJobsListQuery = {
  /**
   * Maximum page size, default 50; values above 200 are reduced to 200. A page can be shorter and still have a
   * next page.
   */
  limit?: number | undefined
  /**
   * `next_cursor` of the previous page; absent for the first page. Filters stay those of the first page; `limit`
   * and `select` can change.
   */
  page_token?: string | undefined
  /** Only jobs of this application */
  application_id?: string | undefined
  /** Only jobs about the grant with this id */
  grant_id?: string | undefined
  /** Only jobs of this kind, such as `mail.send` */
  kind?: string | undefined
}

/** Which failed jobs to retry */
export type FailedJobRetry = {
  /** Only jobs of this kind; default: all */
  kind?: string | undefined
}

export type HealthSeriesQuery = {
  /** Number of hours, up to 48; default 6 */
  hours?: number | undefined
  /** Only this node; default: all together */
  node_id?: string | undefined
}

/** `data.object` of a notification, by its trigger. */
export type TriggerObjects = {
  /** A new grant */
  'grant.created': GrantCreatedObject
  /** A grant was changed or authenticated again */
  'grant.updated': GrantUpdatedObject
  /** A grant became invalid: its end user must authenticate again */
  'grant.expired': GrantExpiredObject
  /** A grant was deleted */
  'grant.deleted': GrantDeletedObject
  /** The mail of a new IMAP account was read for the first time */
  'grant.imap_sync_completed': GrantImapSyncCompletedObject
  /** A message arrived or was sent */
  'message.created': MessageObject
  /** A message was changed */
  'message.updated': MessageObject
  /** A message arrived or was sent; its `body` is the cleaned text as Markdown */
  'message.created.cleaned': MessageCleanedObject
  /** A message was removed from the mailbox for good */
  'message.deleted': MessageDeletedObject
  /** A scheduled message was sent */
  'message.send_success': ScheduledMessageObject
  /** A scheduled message could not be sent */
  'message.send_failed': ScheduledMessageObject | null
  /** A sent message bounced */
  'message.bounce_detected': BounceObject
  /** A tracked message was opened */
  'message.opened': MessageOpenedObject
  /** A link in a tracked message was clicked */
  'message.link_clicked': LinkClickedObject
  /** A tracked message received a reply */
  'thread.replied': ThreadRepliedObject
  /** A slot was booked, or a pending booking was confirmed */
  'booking.created': BookingObject
  /** A slot was booked and waits for the confirmation of the organizer */
  'booking.pending': BookingObject
  /** A booking was moved to another time */
  'booking.rescheduled': BookingObject
  /** A booking was cancelled or declined */
  'booking.cancelled': BookingObject
  /** A booked event begins soon, as the reminders of the configuration say */
  'booking.reminder': BookingObject
  /** An action of a restricted API key or an agent waits for the approval of a person */
  'approval.requested': Approval
  /** A person approved an action, and it was carried out */
  'approval.approved': Approval
  /** A person rejected an action, or turned the message into a draft */
  'approval.rejected': Approval
  /** Nobody decided about an action in time */
  'approval.expired': Approval
  /** A person approved an action, but it was refused or could not be carried out */
  'approval.failed': Approval
  /** A calendar was created */
  'calendar.created': Calendar
  /** A calendar was changed */
  'calendar.updated': Calendar
  /** A calendar was deleted */
  'calendar.deleted': CalendarDeletedObject
  /** An event or a series was created */
  'event.created': EventObject
  /** An event, a series or some of its instances were changed */
  'event.updated': EventObject
  /** An event or a series was deleted */
  'event.deleted': EventDeletedObject
  /** A contact was created or changed */
  'contact.updated': ContactObject
  /** A contact was deleted */
  'contact.deleted': ContactDeletedObject
  /** A folder was created */
  'folder.created': Folder
  /** A folder was changed */
  'folder.updated': Folder
  /** A folder was deleted */
  'folder.deleted': FolderDeletedObject
}

/** What stands in `data` beside the object, by trigger. */
export type TriggerData = {
  /** Data in addition to the object */
  'message.send_success': MessageData
  /** Data in addition to the object of a message that was not sent */
  'message.send_failed': SendFailedData
  /** Data in addition to the object */
  'message.bounce_detected': MessageData
}

/** Name and icon that end users see when they grant access. Replaces the stored value; an absent name is kept */
export type BrandingChange = {
  /** Name shown to end users when they sign in */
  name?: string | undefined
  /** Icon next to the name on the sign-in pages. Must be an https URL to be shown */
  icon_url?: string | null | undefined
  /** Your web site. Stored only; not shown on the pages */
  website_url?: string | null | undefined
  /** Description of the application. Stored only; not shown on the pages */
  description?: string | null | undefined
}

/** A person who takes part in a group event without a seat */
export type GroupEventHost = {
  /** Address of the person */
  email: string
  /** Name of the person */
  name?: string | null | undefined
  /** Whether the person is the organizer of the event */
  is_organizer?: boolean | null | undefined
  /** Accepted without effect; public components send it */
  timezone?: string | null | undefined
}
