/* Made from the contract by `npm run generate`; do not edit. */

/** Settings of the application that can be written, and are never answered */
export type AdditionalSettings = {
  /** Sign-in page of your own: kept for you, without effect */
  login_url?: string | null | undefined
  /** Sign-out page of your own: kept for you, without effect */
  logout_url?: string | null | undefined
  /** Seconds after which a refresh token expires, however it is used; 0 or absent: never */
  refresh_token_expiration_absolute?: number | null | undefined
  /** Seconds without use after which a refresh token expires; 0 or absent: never */
  refresh_token_expiration_idle?: number | null | undefined
  /**
   * Whether a refresh token is good once, and the next one comes with the answer. One that is shown again ends all
   * that came from the same code. false when absent.
   */
  rotate_refresh_token?: boolean | null | undefined
  /** Whether redirect URIs may have query parameters; false when absent */
  allow_query_param_in_redirect_uri?: boolean | null | undefined
}

/** A grant as the administrator sees it */
export type AdminGrant = {
  /** Id of the grant: the `grant_id` of paths. It stays when the account is authenticated again. */
  id: string
  /** Kind of the account */
  provider: ProviderKind
  /** `valid`, or `invalid` until its user authenticates again; calls to an invalid one are answered with 401 */
  grant_status: GrantStatus
  /** Address of the account, or the name of a virtual one. Unique in the application. */
  email: string
  /** Name of the user as the provider tells it; null where it does not */
  name: string | null
  /** What the user consented to, in the words of the provider; empty for kinds that have no scopes */
  scope: string[]
  /** Browser of the last hosted sign-in; null where there was none */
  user_agent: string | null
  /** Network address that the last hosted sign-in came from; null where there was none */
  ip: string | null
  /** The `state` that was given when it was authenticated */
  state: string | null
  /** How the account is reached, such as `imap_host`; what is secret is left out */
  settings: Record<string, unknown>
  /** Your own pairs of texts; a virtual account that was imported has `name` and `organizer` here */
  metadata: Metadata
  /** Further addresses of the account; with `expose_aliases` only, and where there are any */
  email_aliases?: string[]
  /** Id of the user at the provider; null where it has none */
  provider_user_id: string | null
  /** Your own id of the end user; `external:<id>` names the grant in paths */
  external_id: string | null
  /** Credential of the connector that it was authenticated with; null where that was the connector itself */
  credential_id: string | null
  /** Former id of an account that was imported; absent on others */
  account_id?: string
  /** Workspace of the application: every application has one */
  workspace_id: string
  /** Whether the administrator blocked it: calls are answered with 423, and nothing is watched */
  blocked: boolean
  /** When it was created, in Unix seconds */
  created_at: number
  /** When it was last authenticated, in Unix seconds */
  updated_at: number
  /** When it was last used through the API, in Unix seconds; null where it never was */
  last_used_at: number | null
}

/** What is delivered now instead of later, to all destinations together */
export type AllMadeDue = {
  /** How many waited for a later try and are delivered now */
  due: number
  /** More wait than one call takes: call again */
  more: boolean
  /** How many destinations had something waiting for a later try */
  destinations: number
}

/** An API key of an application, without the key itself */
export type ApiKey = {
  /** Id of the key */
  id: string
  /** Id of the application that it opens */
  application_id: string
  /** Name for those who keep it */
  name: string
  /** Beginning of the key, to tell keys apart */
  hint: string
  /** What it may do: always `["all"]` */
  permissions: string[]
  /** `active`, or why it does not open anything any more */
  status: 'active' | 'expired' | 'revoked'
  /** Days left until it expires; null where it never does */
  expires_in: number | null
  /** When it expires, in Unix seconds; null where it never does */
  expires_at: number | null
  /** When it was last used, in Unix seconds; null where it never was */
  last_used_at: number | null
  /** Who created an API key */
  created_by: KeyCreator
  /** When it was created, in Unix seconds */
  created_at: number
  /** When it was last changed, in Unix seconds */
  updated_at: number
}

/** A tenant of the installation: it has its own keys, connectors, grants and webhooks */
export type Application = {
  /** Id of the application: also the `client_id` of OAuth */
  application_id: string
  /** Id of the installation: the same for all its applications */
  organization_id: string
  /** Where the operator says that the installation stands */
  region: Region
  /** What the application is for; only `sandbox` has limits of its own: 5 grants, and fixed scopes */
  environment: Environment
  /** Workspace that its grants are in */
  default_workspace_id: string
  /** Host name of your own: kept for you, the service answers at its own address. Absent where none was set. */
  domain?: string
  /** Who end users see that they give access to */
  branding: Branding
  /** How the sign-in pages look */
  hosted_authentication: HostedAuthentication
  /** Where requests of browsers may come from */
  idp_settings: IdpSettings
  /** What `expand_recurring` is where a list of events does not say. true unless it is changed. */
  expand_recurring_default: boolean
  /** Whether messages may be deleted for ever with `hard_delete`. false unless it is changed. */
  allow_hard_delete: boolean
  /**
   * Whether notifications can be read with `GET /v3/notifications`; false unless it is changed. They are kept for
   * it from then on; once it is off, what no destination is subscribed to is removed
   */
  notification_stream: boolean
  /** How many days notifications and the log of their deliveries are kept */
  notification_days: number
  /** Redirect URIs: where users may come back to from a sign-in */
  callback_uris: RedirectUri[]
  /** Whether the administrator blocked it: its calls are answered with 423 */
  blocked: boolean
  /** When it was created, in Unix seconds */
  created_at: number
  /** When it was last changed, in Unix seconds */
  updated_at: number
}

/** What is to change of the application. What is left out stays. */
export type ApplicationChange = {
  /** Who end users see that they give access to: replaces what was there; a name that is absent stays */
  branding?: BrandingChange | undefined
  /** How the sign-in pages look: replaces all that was set before */
  hosted_authentication?: HostedAuthentication | undefined
  /** Where requests of browsers may come from: replaces what was there */
  idp_settings?: IdpSettings | undefined
  /**
   * All redirect URIs: an item with `id` keeps or changes that one, an item without is created, and those that are
   * not named are removed
   */
  callback_uris?: {
    /**
     * https address (http for localhost and 127.0.0.1), or `scheme://…` for `ios` and `android`; without fragment,
     * and without query unless the application allows it. Up to 2048 bytes.
     */
    url: string
    /** What users come back to; `web` when absent */
    platform?: Platform | undefined
    /**
     * What the platform needs: `origin` for `js`; `bundle_id` for `ios`; `package_name` and
     * `sha1_certificate_fingerprint` for `android`; nothing for `web` and `desktop`
     */
    settings?: {
      /** Origin that the page calls the API from (CORS): https, or http for localhost. Required for `js`. */
      origin?: string | undefined
      /** Bundle id of the app; required for `ios` */
      bundle_id?: string | undefined
      /** Id of the app in the App Store, for `ios` */
      app_store_id?: string | undefined
      /** Id of the team at Apple, for `ios` */
      team_id?: string | undefined
      /** Package name of the app; required for `android` */
      package_name?: string | undefined
      /** SHA-1 fingerprint of the certificate that the app is signed with; required for `android` */
      sha1_certificate_fingerprint?: string | undefined
      /** Another spelling of `sha1_certificate_fingerprint`, which one published client writes */
      sha_1_certificate_fingerprint?: string | undefined
    } | undefined
    /** Redirect URI that is kept or changed; a new one when absent */
    id?: string | undefined
  }[] | undefined
  /** Host name of your own: kept for you, the service answers at its own address. An empty text removes it. */
  domain?: string | undefined
  /** What `expand_recurring` is where a list of events does not say. true unless it is changed. */
  expand_recurring_default?: boolean | undefined
  /** Whether messages may be deleted for ever with `hard_delete`. false unless it is changed. */
  allow_hard_delete?: boolean | undefined
  /**
   * Whether notifications can be read with `GET /v3/notifications`; false unless it is changed. They are kept for
   * it from then on; once it is off, what no destination is subscribed to is removed
   */
  notification_stream?: boolean | undefined
  /**
   * How many days notifications and the log of their deliveries are kept, 2 to 90; null: as many as the operator
   * set
   */
  notification_days?: number | null | undefined
  /** Settings of tokens and redirect URIs: replaces all that were set before */
  additional_settings?: AdditionalSettings | undefined
}

/** How an application fares */
export type ApplicationOverview = {
  /** The gravest of the problems; `well` where there are none */
  status: 'well' | 'attention' | 'trouble'
  /** What is wrong, the gravest first; empty where all is well */
  problems: OverviewProblem[]
  /** Grants that do not work as they should */
  grants: {
    /** Grants whose users must authenticate again; 1,000 where there are more */
    invalid: number
    /** Grants whose changes could not be fetched three times in a row or more; 1,000 where there are more */
    not_fetched: number
  }
  /** How long a step of `traffic` is, in seconds */
  step_seconds: number
  /**
   * The traffic of the time that was asked for, without gaps, the oldest first. Calls of administrators do not
   * count.
   */
  traffic: TrafficFigures[]
  /** The same time by provider, the one with the most errors first */
  providers: {
    /** Kind of the account */
    provider: string
    /** Requests about accounts of this kind */
    requests: number
    /** Errors that the provider caused */
    errors: number
    /** The last error, where it is among the last fifty of the application; else null */
    last_error: {
      /** When it happened, in Unix seconds */
      at: number
      /** Id of the route, or `changes` for looking for changes */
      operation: string
      /** Type of the error, as the API answers with it */
      type: string
      /** What went wrong, in words */
      message: string
      /** Grant that it happened with */
      grant_id: string
      /** Request that failed; null where there was none */
      request_id: string | null
    } | null
  }[]
  /** Grants that lost their access in the last seven days, up to ten, the newest first */
  expired: {
    /** Id of the grant */
    grant_id: string
    /** Its address */
    email: string
    /** Kind of the account */
    provider: string
    /** When it lost its access, in Unix seconds */
    at: number
    /**
     * Why a grant lost its access. `credentials_refused`: the provider takes its password or token no more;
     * `revoked`: an administrator revoked it; `connector_deleted`, `credential_deleted`: what it was connected with
     * is gone.
     */
    reason: ExpiryReason | null
    /** What the provider said, where it refused; else null */
    message: string | null
    /** Request that found it out; null where there was none */
    request_id: string | null
    /** Its state now: `valid` after it was authenticated again */
    grant_status: 'valid' | 'invalid'
  }[]
  /** Every destination, those in trouble first */
  destinations: {
    /** Id of the destination */
    id: string
    /** Where it is */
    webhook_url: string
    /** What it is for */
    description: string
    /**
     * State of a destination. Clients set `active` and `pause`; the service sets `failing` (95 % of the attempts of
     * 15 minutes failed; still sent to) and, after 72 hours of that, `failed` (no longer sent to).
     */
    status: WebhookStatus
    /** When `status` last changed, in Unix seconds */
    status_updated_at: number
    /** Notifications that wait for it; 1,000 where there are more */
    waiting: number
    /** Notifications that were given up; 1,000 where there are more */
    failed: number
    /** Since when the one that waits for longest is due, in Unix seconds; null where none is */
    due_since: number | null
  }[]
  /** What happened last with grants of the application, up to ten, the newest first */
  recent: {
    /** Id of the grant */
    grant_id: string
    /** Its address */
    email: string
    /** Kind of the account */
    provider: string
    /** When it happened, in Unix seconds */
    at: number
    /** What happened with the grant */
    kind: 'created' | 'authenticated' | 'changed' | 'expired' | 'blocked' | 'unblocked'
  }[]
}

/** An application as the administrator sees it */
export type ApplicationSummary = {
  /** Id of the application: also the `client_id` of OAuth */
  application_id: string
  /** Id of the installation: the same for all its applications */
  organization_id: string
  /** Where the operator says that the installation stands */
  region: Region
  /** What the application is for; only `sandbox` has limits of its own: 5 grants, and fixed scopes */
  environment: Environment
  /** Workspace that its grants are in */
  default_workspace_id: string
  /** Host name of your own: kept for you, the service answers at its own address. Absent where none was set. */
  domain?: string
  /** Who end users see that they give access to */
  branding: Branding
  /** How the sign-in pages look */
  hosted_authentication: HostedAuthentication
  /** Where requests of browsers may come from */
  idp_settings: IdpSettings
  /** What `expand_recurring` is where a list of events does not say. true unless it is changed. */
  expand_recurring_default: boolean
  /** Whether messages may be deleted for ever with `hard_delete`. false unless it is changed. */
  allow_hard_delete: boolean
  /**
   * Whether notifications can be read with `GET /v3/notifications`; false unless it is changed. They are kept for
   * it from then on; once it is off, what no destination is subscribed to is removed
   */
  notification_stream: boolean
  /** How many days notifications and the log of their deliveries are kept */
  notification_days: number
  /** Whether the administrator blocked it: its calls are answered with 423 */
  blocked: boolean
  /** When it was created, in Unix seconds */
  created_at: number
  /** When it was last changed, in Unix seconds */
  updated_at: number
  /** How many grants it may have, such as 5 for the sandbox; null where there is no limit */
  grant_limit: number | null
  /** How many grants it has, invalid ones included */
  grant_count: number
  /**
   * How many mails the service may send for it in a day (UTC) by the service's own identity, such as those about
   * destinations; null: as the settings say
   */
  mail_per_day: number | null
}

/** What is known of a file that a message carries, without its bytes */
export type Attachment = {
  /** Means something only together with the id of its message */
  id: string
  /** Id of the grant that it belongs to */
  grant_id: string
  /** Name of the file; null where the part has none, as an invitation often has */
  filename: string | null
  /** Media type as the message says it, parameters included */
  content_type: string
  /** Bytes of the file, exactly; left out where only who downloads it knows */
  size?: number
  /** Whether it is shown within the text, as an image of a signature is */
  is_inline?: boolean
  /** The id by which the HTML of the message refers to the file: `cid:` and this text. It has no angle brackets */
  content_id?: string
  /** `inline` or `attachment`; left out where the message does not say it */
  content_disposition?: string
}

export type AttachmentQuery = {
  /** Id of the message that holds the attachment */
  message_id: string
  /** Taken without effect: the server is always asked */
  query_imap?: boolean | undefined
}

/** One attempt with its request, and what to try next */
export type AttemptDetail = {
  /** Id of the notification; null when it is no longer kept */
  notification_id: string | null
  /** The `type` of the notification, such as `event.created`; null when it is no longer kept */
  type: string | null
  /** Id of the grant that the notification is about; null when it is no longer kept */
  grant_id: string | null
  /** Which attempt at this destination it was, from 1 on; replays go on counting */
  webhook_delivery_attempt: number
  /** `delivered`: the answer had a status of 2xx; `failed`: another one, or none */
  outcome: 'delivered' | 'failed'
  /** When it was attempted, in Unix seconds */
  at: number
  /** Milliseconds until the answer, or until it was given up */
  latency_ms: number
  /** HTTP status of the answer; null when there was none */
  status: number | null
  /** Why there was no answer, in words; null when there was one */
  error: string | null
  /**
   * The first 4 KB of the answer; null when there was none, and in the list that an administrator asks for, who
   * gets it with the attempt itself
   */
  answer: string | null
  /** How far the notification is at this destination now */
  state: 'delivered' | 'waiting' | 'failed'
  /** When it is tried next, in Unix seconds; null where it is not waiting */
  next_attempt_at: number | null
  /** What was sent; null where the notification can no longer be opened */
  request: AttemptRequest | null
  /** What to try next, in words; empty where it was delivered */
  advice: string[]
}

/** The request of an attempt, as it was sent */
export type AttemptRequest = {
  /** Always `POST` */
  method: 'POST'
  /** Address that it was sent to */
  url: string
  /** Headers that it carried, by their names in lower case, signatures included */
  headers: Record<string, string>
  /** Text of the body, byte for byte; of a compressed one the text before it was compressed */
  body: string
  /** Whether the body was sent as gzip: the signatures are of the compressed bytes then */
  compressed: boolean
  /**
   * false: the destination was changed after this attempt, so that address, compression and signatures are those
   * that it would be sent with now
   */
  is_exact: boolean
}

/** One thing that an administrator or a command did or tried to do */
export type AuditEntry = {
  /** Id of the entry */
  id: string
  /** When it was done, in Unix seconds */
  at: number
  /**
   * By what it was done: `session` the dashboard, `password` HTTP Basic credentials, `command` the command
   * `waypost`
   */
  actor: 'session' | 'password' | 'command'
  /** Id of the person who did it; null for the password of the installation, one-time links and commands */
  person_id: string | null
  /** What the person was called then; stays when they are removed. Null where no person did it. */
  person_name: string | null
  /** Network address that the request came from; null for a command */
  address: string | null
  /** Id of the route, such as `apiKeys.create`, also where a command did it */
  action: string
  /** Id of the application that it was about; null where none */
  application_id: string | null
  /** Id of the object that it was about; null where none */
  target: string | null
  /** HTTP status that it was answered with: 4xx where it was refused */
  status: number
  /** Id of the grant that it was about; null where none */
  grant_id: string | null
  /** `change`: something was changed, or tried to; `read`: a customer's data was read */
  kind: 'change' | 'read'
}

/** Times at which a meeting can be */
export type Availability = {
  /** Possible times, in order. They may overlap where the interval is shorter than the meeting */
  time_slots: {
    /** Who is free then; with the round-robin methods in the order of their turn */
    emails: string[]
    /** When the meeting would begin, in Unix seconds */
    start_time: number
    /** When it would end, in Unix seconds */
    end_time: number
  }[]
  /** Whose turn it is, with the two round-robin methods */
  order?: string[]
}

/** Somebody whose calendars are looked at */
export type AvailabilityParticipant = {
  /** Address or identifier of a grant of the application; this or `grant_id` is needed */
  email?: string | null | undefined
  /** Id of the grant, in place of `email` */
  grant_id?: string | null | undefined
  /** Calendars to look at, all of which count. The primary one when absent or empty */
  calendar_ids?: string[] | null | undefined
  /** When this person may be booked, in place of `default_open_hours` */
  open_hours?: OpenHours[] | null | undefined
  /** Hours of single days, in place of the open hours of those days */
  specific_time_availability?: {
    /** The day, as `YYYY-MM-DD` */
    date: string
    /** When the day begins, such as `9:00` */
    start: string
    /** When it ends; `0:00` to `0:00` closes the day */
    end: string
    /** Zone that the hours are meant in, by its IANA name */
    timezone: TimeZone
  }[] | null | undefined
  /** Whether the days of `specific_time_availability` are the only ones: `false` when absent */
  only_specific_time_availability?: boolean | null | undefined
}

/** Who wants to meet, how long, and within which time */
export type AvailabilityQuestion = {
  /** Where the window begins: Unix seconds, a multiple of 300 */
  start_time: number
  /** Where the window ends: Unix seconds, a multiple of 300, at most 93 days after its start */
  end_time: number
  /** How long the meeting is, in minutes and steps of five */
  duration_minutes: number
  /** How many minutes lie between one possible start and the next: the duration when absent */
  interval_minutes?: number | null | undefined
  /** Starts are rounded up to a multiple of so many minutes of the clock: 15 when absent */
  round_to?: number | null | undefined
  /** `true` means `round_to: 30`, where that is absent. The older name */
  round_to_30_minutes?: boolean | null | undefined
  /** Who is to meet, up to 50. One that is unknown or cannot be read refuses the whole question */
  participants: AvailabilityParticipant[]
  /** Who must be free, and what counts as free */
  availability_rules?: {
    /**
     * `collective`: everybody is free. `max-availability` (default): at least one is. `max-fairness`: the same, but
     * only of the half whose turn it is, unless that half has no time at all
     */
    availability_method?: 'collective' | 'max-fairness' | 'max-availability' | null | undefined
    /** Time to keep free around meetings that there are */
    buffer?: {
      /** Minutes to keep free before every meeting, 0 to 120 in steps of five; none when absent */
      before?: number | null | undefined
      /** Minutes to keep free after every meeting, 0 to 120 in steps of five; none when absent */
      after?: number | null | undefined
    } | null | undefined
    /** Open hours of everybody who has none of their own. Without any, all hours are open */
    default_open_hours?: OpenHours[] | null | undefined
    /** Whose turn it is goes by events whose `metadata.key5` is this text: who was booked longest ago comes first */
    round_robin_group_id?: string | null | undefined
    /** The same as `round_robin_group_id`, by its other name */
    round_robin_event_id?: string | null | undefined
    /** Whether tentative events count as busy: `true` when absent */
    tentative_as_busy?: boolean | null | undefined
  } | null | undefined
}

/** How much a destination has not taken yet */
export type Backlog = {
  /** How many wait for their turn and are tried as soon as it comes */
  due: number
  /** How many wait for a later try */
  later: number
  /** How many failed for good */
  failed: number
  /** One of the three is more than 10000, up to which each is counted */
  more: boolean
  /** When the first of what waits is tried next, in Unix seconds; null where nothing waits */
  next_attempt_at: number | null
}

/** A text that is to be rendered as the body of a template would be */
export type BodyRender = {
  /**
   * HTML of up to 1 MB. `{{name}}` stands for a variable, escaped; `{{{name}}}` for one as it is;
   * `{{#name}}…{{/name}}` for what is shown once, or for each item of a list, where there is a value, and
   * `{{^name}}…{{/name}}` where there is none.
   */
  body: string
  /** `mustache`, or `handlebars` without helpers; `nunjucks` and `twig` are refused */
  engine: TemplateEngine
  /** Values by the name of the variable: texts, numbers, lists, and objects whose fields are named `a.b` */
  variables: Record<string, unknown>
  /** Whether a variable that the template names and `variables` lacks is an error; otherwise it is empty */
  strict?: boolean | undefined
}

/** A sent message that could not be delivered to one of its recipients */
export type BounceObject = {
  /** Why it came back, in the words of the mail system */
  bounce_reason: string
  /** When the report of it came, as a date of mail: `Mon, 10 Feb 2025 21:34:11 +0000` */
  bounce_date: string
  /** The one address that it could not be delivered to */
  bounced_addresses: string
  /**
   * What it comes to: `mailbox_unavailable`, `mailbox_full`, `domain_not_found`, `message_too_large` or
   * `message_refused`
   */
  type: string
  /** SMTP reply or status code, such as `550` or `5.1.1`; empty where none was told */
  code: string
  /** Id of the grant that it was sent from */
  grant_id: string
  /** Id of the message that was sent, where the account has it */
  message_id?: string
  /** The message that was sent */
  origin: {
    /** Addresses of its recipients */
    to: string[]
    /** Address of its sender */
    from: string
    /** Addresses of those who got a copy */
    cc: string[]
    /** Addresses of those who got a copy unseen */
    bcc: string[]
    /** Its subject */
    subject: string
    /** Its Message-ID, in angle brackets */
    mime_id: string
    /** Its id in the account; empty where that is not known */
    id: string
    /** When it was sent, as a date of mail */
    original_send_at: string
  }
}

/** Who end users see that they give access to */
export type Branding = {
  /** Name that end users see when they sign in */
  name: string
  /** Picture beside the name on the sign-in pages; shown where it is an https address */
  icon_url?: string | null
  /** Your web site: kept for you, the pages do not show it */
  website_url?: string | null
  /** What the application is: kept for you, the pages do not show it */
  description?: string | null
}

/** A calendar of an account, without its events */
export type Calendar = {
  /** Id of the calendar; with `google` it looks like an address */
  id: string
  /** Id of the grant that it belongs to */
  grant_id: string
  /** What the object is: always `calendar` */
  object: 'calendar'
  /** Name as the user sees it */
  name: string
  /** What the calendar is for; null where nothing is said */
  description: string | null
  /** A place, in free words; null where none is said */
  location: string | null
  /** Zone in which its whole days begin, by its IANA name; `UTC` where the provider does not tell it */
  timezone: TimeZone
  /** Colour that it is shown in, such as `#1a73e8`; null where the provider has none */
  hex_color: string | null
  /** Colour of text upon it, such as `#ffffff`; null where the provider has none */
  hex_foreground_color: string | null
  /** Whether it is the account’s own; `false` for one that somebody shares with it */
  is_owned_by_user: boolean
  /** Whether it is the one that `primary` names */
  is_primary: boolean
  /** Whether its events can be read only. Always null for virtual calendars */
  read_only: boolean | null
  /** `microsoft`: address of whose calendar it is */
  owner_email?: string
  /**
   * Your own pairs of texts, kept by the service and not shown to the provider: at most 50 pairs, keys of up to 40
   * characters, values of up to 500. Lists can be filtered by `key1` to `key5` (`metadata_pair`).
   */
  metadata: Metadata
}

/** What is to be another about a calendar: what is left out stays as it is */
export type CalendarChange = {
  /** Another name */
  name?: string | undefined
  /** What the calendar is for; null clears it. `microsoft`, `ews` and `icloud` refuse it */
  description?: string | null | undefined
  /** A place, in free words; null clears it. Only `google` and `virtual-calendar` take it */
  location?: string | null | undefined
  /** Zone in which its whole days begin, by its IANA name. `microsoft`, `ews` and `icloud` refuse it */
  timezone?: TimeZone | undefined
  /**
   * Colour that it is shown in, such as `#1a73e8`; empty or null is the usual one (`google` has no way back to
   * it). `microsoft`, `ews` and `icloud` refuse it
   */
  hex_color?: string | '' | null | undefined
  /**
   * Colour of text upon it, such as `#ffffff`; empty or null is the usual one. Only `google` and
   * `virtual-calendar` take it
   */
  hex_foreground_color?: string | '' | null | undefined
  /** Replaces all pairs; `{}` and null clear them. Kept by the service for every provider */
  metadata?: Metadata | null | undefined
}

/** A calendar that was deleted: as much of it as is still known */
export type CalendarDeletedObject = {
  /** Id of the calendar; with `google` it looks like an address */
  id: string
  /** Id of the grant that it belongs to */
  grant_id: string
  /** What the object is: always `calendar` */
  object: 'calendar'
  /** Name as the user sees it */
  name?: string
  /** Zone in which its whole days begin, by its IANA name; `UTC` where the provider does not tell it */
  timezone?: TimeZone
  /** Colour that it is shown in, such as `#1a73e8`; null where the provider has none */
  hex_color?: string | null
  /** Colour of text upon it, such as `#ffffff`; null where the provider has none */
  hex_foreground_color?: string | null
  /** Whether it is the account’s own; `false` for one that somebody shares with it */
  is_owned_by_user?: boolean
  /** Whether it is the one that `primary` names */
  is_primary?: boolean
  /** Whether its events can be read only. Always null for virtual calendars */
  read_only?: boolean | null
}

/** A calendar to be made */
export type CalendarDraft = {
  /** Name as the user is to see it */
  name: string
  /** What the calendar is for. `microsoft`, `ews` and `icloud` refuse it */
  description?: string | null | undefined
  /** A place, in free words. Only `google` and `virtual-calendar` take it */
  location?: string | null | undefined
  /**
   * Zone in which its whole days begin, by its IANA name; a virtual calendar without one has `UTC`. `microsoft`,
   * `ews` and `icloud` refuse it
   */
  timezone?: TimeZone | null | undefined
  /** Your own pairs of texts, kept by the service for every provider */
  metadata?: Metadata | null | undefined
}

export type CalendarListQuery = {
  /**
   * How many objects a page has at most: 50 unless told otherwise. More than 200 is taken as 200. A page may hold
   * fewer and still have a next one.
   */
  limit?: number | undefined
  /**
   * `next_cursor` of the page before; leave it out for the first page. Filters stay those of the first page,
   * `limit` and `select` may change.
   */
  page_token?: string | undefined
  /**
   * Objects whose metadata has this pair, as `key1:value`; several pairs with commas between them must all hold.
   * Only `key1` to `key5` can be asked for, and provider filters cannot stand beside it.
   */
  metadata_pair?: string | undefined
  /**
   * Names of the top-level fields to answer with, with commas between them: `id,title`. All fields when absent;
   * names that there are not are passed over.
   */
  select?: string[] | undefined
}

/** A person after a change, with the API keys that they created */
export type ChangedPerson = {
  /** Id of the person */
  id: string
  /** Address that the person signs in with, in lower case */
  email: string
  /** Name of the person, up to 256 characters */
  name: string
  /**
   * `owner`: everything; `administrator`: everything but people and the settings of the installation; `viewer`:
   * reads, but neither data of customers nor secrets
   */
  role: Role
  /** `all`, or the ids of up to 1000 applications: others do not exist for the person */
  applications: ReachedApplications
  /** `invited`: has no way to sign in yet; `active`: can sign in; `blocked`: may not */
  state: 'invited' | 'active' | 'blocked'
  /** Whether the person has a password here */
  has_password: boolean
  /** Whether the password asks for a code of an authenticator app */
  has_totp: boolean
  /** Whether the person has signed in with OpenID Connect */
  has_oidc: boolean
  /** How many recovery codes are not used yet */
  recovery_codes_left: number
  /** Until when the link of the invitation is good, in Unix seconds; null where there is none */
  invitation_expires_at: number | null
  /** When the person last signed in, in Unix seconds; null where they never did */
  signed_in_at: number | null
  /** When it was created, in Unix seconds */
  created_at: number
  /** When it was last changed, in Unix seconds */
  updated_at: number
  /** API keys that the person created and that were valid until now, in any application */
  api_keys: ApiKey[]
  /** Whether they were revoked now; otherwise they stay valid */
  api_keys_revoked: boolean
}

/** A message with what is left of its text once it was cleaned */
export type CleanedMessage = {
  /**
   * Id of the message, to be taken as it is. It stays when the message is moved; at `ews` a former id goes on
   * naming it.
   */
  id: string
  /** Id of the grant that it belongs to */
  grant_id: string
  /** What the object is: always `message` */
  object: 'message'
  /** Id of the thread that it belongs to; a message that nobody answered is a thread of its own */
  thread_id?: string
  /**
   * When the mail server received it, in Unix seconds. The header `Date`, which the sender writes, may say
   * otherwise.
   */
  date?: number
  /** The first 100 characters of its text, without markup */
  snippet?: string
  /** Whether it is marked: with the star at `google`, the flag at `microsoft` and `ews`, `\Flagged` in IMAP */
  starred?: boolean
  /** Whether nobody has read it yet */
  unread?: boolean
  /**
   * Ids of the folders that it is in. At `google` those of all its labels, `UNREAD` and `STARRED` included; at
   * `microsoft` and `ews` exactly one.
   */
  folders?: string[]
  /** Your own pairs of texts; absent where none were set */
  metadata?: Metadata
  /** Subject, decoded; empty where the message has none */
  subject?: string
  /** Authors: nearly always one */
  from?: EmailName[]
  /** Recipients */
  to?: EmailName[]
  /** Recipients of a copy */
  cc?: EmailName[]
  /** Recipients of a copy that the others do not see. Known of drafts and of sent mail, empty otherwise. */
  bcc?: EmailName[]
  /** Where answers are to go, if not to `from` */
  reply_to?: EmailName[]
  /** The HTML of the message, or its plain text where it has no HTML */
  body?: string
  /** Its files, images within the text included (`is_inline`). The bytes come with `/attachments/{id}/download`. */
  attachments?: Attachment[]
  /** The header `In-Reply-To`; with `ews` only, elsewhere `fields=include_basic_headers` tells it */
  in_reply_to?: string
  /** Headers in the order of the message; with `fields=include_headers` or `include_basic_headers` only */
  headers?: Header[]
  /** What is tracked of it; with `fields=include_tracking_options`, and where something is */
  tracking_options?: TrackingOptions
  /**
   * The whole message as MIME, in base64url. With `fields=raw_mime` only, and then beside `id`, `grant_id` and
   * `object` alone.
   */
  raw_mime?: string
  /** What the sender wrote, without the quoted messages before it: text, or Markdown with `html_as_markdown` */
  conversation: string
}

/** Where people meet who are not in one place */
export type Conferencing = {
  /** Whose conference it is, such as `Google Meet`, `Microsoft Teams` or `Zoom Meeting` */
  provider?: string | undefined
  /** How to join a conference that there is. Not together with `autocreate` */
  details?: {
    /** Address to join at; needed when it is written */
    url?: string | undefined
    /** Number or code of the meeting */
    meeting_code?: string | null | undefined
    /** Password to join with */
    password?: string | null | undefined
    /** Number to type when joining by telephone */
    pin?: string | null | undefined
    /** Telephone numbers to join by */
    phone?: string[] | null | undefined
    [name: string]: unknown
  } | undefined
  /**
   * `{}` makes a conference: `Google Meet` with `google`, `Microsoft Teams` with `microsoft`. Others refuse it:
   * give `details` instead
   */
  autocreate?: Record<string, unknown> | undefined
}

/** What an application asks of a hosted sign-in */
export type ConnectAuthQuery = {
  /** Id of the application */
  client_id: string
  /** Where the browser comes back to: a redirect URI of the application, letter for letter */
  redirect_uri: string
  /**
   * `code`: a user signs in, and a code comes back. `adminconsent`: an administrator of an organization at
   * Microsoft consents for it, and no code comes back.
   */
  response_type: 'code' | 'adminconsent'
  /**
   * One provider: straight to its sign-in. Several with commas between them: buttons in that order. All that the
   * application has connectors for when absent.
   */
  provider?: string[] | undefined
  /** Scopes to ask for, with spaces or commas between them; those of the connector when absent */
  scope?: string | undefined
  /** Your own text, up to 256 characters: comes back unchanged, and is kept with the grant */
  state?: string | undefined
  /** Address of the user. Where it has a grant, that one is authenticated again, and no other account will do. */
  login_hint?: string | undefined
  /** `offline`: the code is traded for a refresh token too. `online` when absent. */
  access_type?: 'online' | 'offline' | undefined
  /**
   * What the first page asks: which provider (`select_provider`, the default), the address (`detect`), or both in
   * that order. Without effect where a provider is given.
   */
  prompt?: 'select_provider' | 'detect' | 'select_provider,detect' | 'detect,select_provider' | undefined
  /**
   * PKCE: with `S256` the digest of a verifier, with `plain` the verifier itself, 43 to 128 characters. The
   * exchange then needs `code_verifier`, and no API key.
   */
  code_challenge?: string | undefined
  /** `plain` (default) or `S256`, in any case */
  code_challenge_method?: string | undefined
  /** Credential of the connector to use in place of its active one; required with `adminconsent` */
  credential_id?: string | undefined
  /**
   * With commas between them: `smtp_required`, the account must be able to send; `exclude_google_granted_scopes`,
   * scopes of earlier consents at Google are not merged in
   */
  options?: string[] | undefined
  /** `false` is the same as the option `exclude_google_granted_scopes`; `true` when absent */
  include_grant_scopes?: boolean | undefined
  /**
   * Languages for the pages, the best first, with spaces between them, such as `fr-CA fr en` (as in OpenID
   * Connect). Those that there are no pages in are passed over; the languages of the browser when absent.
   */
  ui_locales?: string | undefined
  /** `true` is the same as the option `smtp_required` */
  smtp_required?: boolean | undefined
}

/** What an application needs to connect accounts of one provider */
export type Connector = {
  /** Id of the connector. Paths name it by its provider. */
  id: string
  /** Name for those who set it up; users do not see it */
  name: string
  /** Kind of the accounts that it connects */
  provider: ProviderKind
  /** Client of the application at the provider, such as `client_id`; secrets are left out */
  settings: Record<string, unknown>
  /** Scopes that a hosted sign-in asks for where it names none itself */
  scope: string[]
  /** Credential that is used in place of the client in `settings`; null where there is none */
  active_credential_id: string | null
  /** When it was created, in Unix seconds */
  created_at: number
  /** When it was last changed, in Unix seconds */
  updated_at: number
}

/** What is to change of a connector. What is left out stays. */
export type ConnectorChange = {
  /** Name for those who set it up; that of the provider when absent */
  name?: string | null | undefined
  /**
   * `google`, `microsoft`, `yahoo`, `zoom`: `client_id` and `client_secret` of your client there (`yahoo`: none
   * where users bring app passwords). `google` also `topic_name`, the Pub/Sub topic by which Gmail tells of new
   * mail at once, and `project_id`; `microsoft` also `tenant`, `common` when absent. The others need none. Secrets
   * are sealed and never answered.
   */
  settings?: Record<string, unknown> | null | undefined
  /**
   * Scopes that a hosted sign-in asks for where it names none itself, in the words of the provider; none when
   * absent
   */
  scope?: string[] | null | undefined
  /** Another spelling of `scope`, which counts where both are given */
  scopes?: string[] | null | undefined
  /**
   * Credential of this connector that is used in place of the client in `settings`; a new connector has none yet.
   * null: the client in `settings`.
   */
  active_credential_id?: string | null | undefined
}

/** A connector to be set up */
export type ConnectorDraft = {
  /** Kind of the accounts to connect; an application has one connector of each */
  provider: ProviderKind
  /** Name for those who set it up; that of the provider when absent */
  name?: string | null | undefined
  /**
   * `google`, `microsoft`, `yahoo`, `zoom`: `client_id` and `client_secret` of your client there (`yahoo`: none
   * where users bring app passwords). `google` also `topic_name`, the Pub/Sub topic by which Gmail tells of new
   * mail at once, and `project_id`; `microsoft` also `tenant`, `common` when absent. The others need none. Secrets
   * are sealed and never answered.
   */
  settings?: Record<string, unknown> | null | undefined
  /**
   * Scopes that a hosted sign-in asks for where it names none itself, in the words of the provider; none when
   * absent
   */
  scope?: string[] | null | undefined
  /** Another spelling of `scope`, which counts where both are given */
  scopes?: string[] | null | undefined
  /**
   * Credential of this connector that is used in place of the client in `settings`; a new connector has none yet.
   * null: the client in `settings`.
   */
  active_credential_id?: string | null | undefined
}

/** What is to be known for setting up the connector of a provider */
export type ConnectorSetup = {
  /** Kind of the accounts */
  provider: ProviderKind
  /** To be registered at the provider, letter for letter; null where users do not sign in there */
  redirect_uri: string | null
  /** How the provider tells of changes at once; null where it cannot */
  push: {
    /** Addresses that begin so take what the provider posts of changes */
    address: string
    /**
     * Whether the provider can post there: by https, or from this machine. Where it cannot, changes are looked for
     * now and then.
     */
    reachable: boolean
  } | null
  /** What stands in for the provider, such as a simulator */
  simulator: {
    /** Address that stands for all hosts of the provider (`WAYPOST_<KIND>_URL`); null where none does */
    url: string | null
    /** Whether a connector to it can be made without giving anything: its client is known, or none is needed */
    ready: boolean
  }
}

/** Whether a connector will do */
export type ConnectorTest = {
  /** Whether all checks went well */
  ok: boolean
  /** To be registered at the provider, letter for letter; null where users do not sign in there */
  redirect_uri: string | null
  /** What was tried, one by one */
  checks: {
    /** What was tried, such as `client` or `scope` */
    name: string
    /** Whether it is in order */
    ok: boolean
    /** What was found, and what to do where it is not in order */
    message: string
  }[]
}

/** A person or company that the account knows */
export type Contact = {
  /** Id of the contact */
  id: string
  /** Id of the grant that it belongs to */
  grant_id: string
  /** What the object is: always `contact` */
  object: 'contact'
  /** `address_book`: what the user keeps; `inbox`: known from mail; `domain`: the directory of the organisation */
  source: ContactSource
  /** The whole name as it is shown; empty where there is no name */
  display_name: string
  /** First name; null where it is not known */
  given_name: string | null
  /** Names between the first and the last; null where it is not known */
  middle_name: string | null
  /** Last name; null where it is not known */
  surname: string | null
  /** What stands behind the name, such as `Jr.`; null where it is not known */
  suffix: string | null
  /** Name that friends use; null where it is not known */
  nickname: string | null
  /** `YYYY-MM-DD`; the year is 0000 where it is not known, and the whole null where nothing is */
  birthday: string | null
  /** The company or organisation; null where it is not known */
  company_name: string | null
  /** The position there; null where it is not known */
  job_title: string | null
  /** Name of the manager; null where it is not known */
  manager_name: string | null
  /** Where the office is; null where it is not known */
  office_location: string | null
  /** What the user wrote about the person; null where nothing */
  notes: string | null
  /** Mail addresses, the preferred one first. Never null */
  emails: {
    /** The address */
    email: string
    /** What it is for: `work`, `home` or `other`, of numbers also `mobile`; left out where it is not said */
    type?: string | null
  }[]
  /** Telephone numbers. Never null */
  phone_numbers: {
    /** The number as it was written */
    number: string
    /** What it is for: `work`, `home` or `other`, of numbers also `mobile`; left out where it is not said */
    type?: string | null
  }[]
  /** Addresses of instant messaging. Never null */
  im_addresses: {
    /** The name or address there */
    im_address: string
    /** Which service it is at, such as `jabber` */
    type?: string | null
  }[]
  /** Postal addresses. Never null */
  physical_addresses: {
    /** What it is for: `work`, `home` or `other`, of numbers also `mobile`; left out where it is not said */
    type?: string | null
    /** Street and number; may have several lines */
    street_address?: string | null
    /** Town */
    city?: string | null
    /** State, province or county */
    state?: string | null
    /** Postal code, as a text */
    postal_code?: string | null
    /** Country, as a name or a code */
    country?: string | null
  }[]
  /** Pages of the person. Never null */
  web_pages: {
    /** Address of the page */
    url: string
    /** What it is for: `work`, `home` or `other`, of numbers also `mobile`; left out where it is not said */
    type?: string | null
  }[]
  /** Groups that the contact is in. Never null */
  groups: {
    /** Id of the group */
    id: string
  }[]
  /**
   * There where the contact has a picture. It may need the account’s own credentials: read the picture with
   * `profile_picture=true`
   */
  picture_url?: string
  /** A data: URI in base64; only with `profile_picture=true` */
  picture?: string
}

/** What is to be another about a contact: what is left out stays, lists are replaced whole, null clears */
export type ContactChange = {
  /** First name; null clears it */
  given_name?: string | null | undefined
  /** Names between the first and the last; null clears it */
  middle_name?: string | null | undefined
  /** Last name; null clears it */
  surname?: string | null | undefined
  /** What stands behind the name, such as `Jr.`; null clears it */
  suffix?: string | null | undefined
  /** Name that friends use; null clears it */
  nickname?: string | null | undefined
  /** As `YYYY-MM-DD`, with the year 0000 where it is not known; null clears it */
  birthday?: string | null | undefined
  /** The company or organisation; null clears it */
  company_name?: string | null | undefined
  /** The position there; null clears it */
  job_title?: string | null | undefined
  /** Name of the manager; null clears it */
  manager_name?: string | null | undefined
  /** Where the office is; null clears it */
  office_location?: string | null | undefined
  /** Words about the person; null clears them */
  notes?: string | null | undefined
  /**
   * Mail addresses; the list replaces the one that is there, `[]` and null empty it. How many there may be differs
   * by provider: one at IMAP, three of most kinds at Microsoft and Exchange
   */
  emails?: {
    /** The address */
    email: string
    /** `work`, `home`, `mobile` or `other`; another word is given to the provider, and may be answered as `other` */
    type?: string | undefined
  }[] | null | undefined
  /**
   * Telephone numbers, as a whole list. How many there may be differs by provider: one at IMAP, three of most
   * kinds at Microsoft and Exchange
   */
  phone_numbers?: {
    /** The number, written as you like */
    number: string
    /** `work`, `home`, `mobile` or `other`; another word is given to the provider, and may be answered as `other` */
    type?: string | undefined
  }[] | null | undefined
  /**
   * Addresses of instant messaging, as a whole list. How many there may be differs by provider: one at IMAP, three
   * of most kinds at Microsoft and Exchange
   */
  im_addresses?: {
    /** The name or address there */
    im_address: string
    /** Which service it is at, such as `jabber` */
    type?: string | null | undefined
  }[] | null | undefined
  /**
   * Postal addresses, as a whole list. How many there may be differs by provider: one at IMAP, three of most kinds
   * at Microsoft and Exchange
   */
  physical_addresses?: {
    /** `work`, `home`, `mobile` or `other`; another word is given to the provider, and may be answered as `other` */
    type?: string | undefined
    /** Taken without effect: the parts of the address are kept */
    format?: string | null | undefined
    /** Street and number; may have several lines */
    street_address?: string | null | undefined
    /** Town */
    city?: string | null | undefined
    /** State, province or county */
    state?: string | null | undefined
    /** Postal code; a number is taken as its text */
    postal_code?: string | null | undefined
    /** Country, as a name or a code */
    country?: string | null | undefined
  }[] | null | undefined
  /**
   * Pages of the person, as a whole list. How many there may be differs by provider: one at IMAP, three of most
   * kinds at Microsoft and Exchange
   */
  web_pages?: {
    /** Address of the page */
    url: string
    /** `work`, `home`, `mobile` or `other`; another word is given to the provider, and may be answered as `other` */
    type?: string | undefined
  }[] | null | undefined
  /** Groups that the contact is to be in, as a whole list; one at most at IMAP, Microsoft and Exchange */
  groups?: {
    /** Id of the group */
    id: string
  }[] | null | undefined
  /** Base64, or a data: URI in base64; null takes it away */
  picture?: string | null | undefined
  /** Taken without effect: it is made of the names */
  display_name?: string | null | undefined
  /** Taken without effect: what is written is of the address book */
  source?: string | null | undefined
  /** Taken without effect: write `picture` */
  picture_url?: string | null | undefined
}

/** A contact that was deleted */
export type ContactDeletedObject = {
  /** Id of the contact */
  id: string
  /** Id of the grant that it belongs to */
  grant_id: string
  /** What the object is: always `contact` */
  object: 'contact'
}

/** A contact to be made: at least one of `given_name`, `surname`, `company_name` and `emails` is needed */
export type ContactDraft = {
  /** First name; null clears it */
  given_name?: string | null | undefined
  /** Names between the first and the last; null clears it */
  middle_name?: string | null | undefined
  /** Last name; null clears it */
  surname?: string | null | undefined
  /** What stands behind the name, such as `Jr.`; null clears it */
  suffix?: string | null | undefined
  /** Name that friends use; null clears it */
  nickname?: string | null | undefined
  /** As `YYYY-MM-DD`, with the year 0000 where it is not known; null clears it */
  birthday?: string | null | undefined
  /** The company or organisation; null clears it */
  company_name?: string | null | undefined
  /** The position there; null clears it */
  job_title?: string | null | undefined
  /** Name of the manager; null clears it */
  manager_name?: string | null | undefined
  /** Where the office is; null clears it */
  office_location?: string | null | undefined
  /** Words about the person; null clears them */
  notes?: string | null | undefined
  /**
   * Mail addresses; the list replaces the one that is there, `[]` and null empty it. How many there may be differs
   * by provider: one at IMAP, three of most kinds at Microsoft and Exchange
   */
  emails?: {
    /** The address */
    email: string
    /** `work`, `home`, `mobile` or `other`; another word is given to the provider, and may be answered as `other` */
    type?: string | undefined
  }[] | null | undefined
  /**
   * Telephone numbers, as a whole list. How many there may be differs by provider: one at IMAP, three of most
   * kinds at Microsoft and Exchange
   */
  phone_numbers?: {
    /** The number, written as you like */
    number: string
    /** `work`, `home`, `mobile` or `other`; another word is given to the provider, and may be answered as `other` */
    type?: string | undefined
  }[] | null | undefined
  /**
   * Addresses of instant messaging, as a whole list. How many there may be differs by provider: one at IMAP, three
   * of most kinds at Microsoft and Exchange
   */
  im_addresses?: {
    /** The name or address there */
    im_address: string
    /** Which service it is at, such as `jabber` */
    type?: string | null | undefined
  }[] | null | undefined
  /**
   * Postal addresses, as a whole list. How many there may be differs by provider: one at IMAP, three of most kinds
   * at Microsoft and Exchange
   */
  physical_addresses?: {
    /** `work`, `home`, `mobile` or `other`; another word is given to the provider, and may be answered as `other` */
    type?: string | undefined
    /** Taken without effect: the parts of the address are kept */
    format?: string | null | undefined
    /** Street and number; may have several lines */
    street_address?: string | null | undefined
    /** Town */
    city?: string | null | undefined
    /** State, province or county */
    state?: string | null | undefined
    /** Postal code; a number is taken as its text */
    postal_code?: string | null | undefined
    /** Country, as a name or a code */
    country?: string | null | undefined
  }[] | null | undefined
  /**
   * Pages of the person, as a whole list. How many there may be differs by provider: one at IMAP, three of most
   * kinds at Microsoft and Exchange
   */
  web_pages?: {
    /** Address of the page */
    url: string
    /** `work`, `home`, `mobile` or `other`; another word is given to the provider, and may be answered as `other` */
    type?: string | undefined
  }[] | null | undefined
  /** Groups that the contact is to be in, as a whole list; one at most at IMAP, Microsoft and Exchange */
  groups?: {
    /** Id of the group */
    id: string
  }[] | null | undefined
  /** Base64, or a data: URI in base64; null takes it away */
  picture?: string | null | undefined
  /** Taken without effect: it is made of the names */
  display_name?: string | null | undefined
  /** Taken without effect: what is written is of the address book */
  source?: string | null | undefined
  /** Taken without effect: write `picture` */
  picture_url?: string | null | undefined
}

/** A group of contacts; at Microsoft and Exchange a folder of contacts */
export type ContactGroup = {
  /** Id of the group, as in `groups` of contacts */
  id: string
  /** Id of the grant that it belongs to */
  grant_id: string
  /** What the object is: always `contact_group` */
  object: 'contact_group'
  /** Name as the user sees it */
  name: string
  /** `system`: the provider has it for everybody, and it can be neither renamed nor deleted */
  group_type: 'system' | 'user' | 'other'
  /** Ids of the groups that it lies in and its own, with slashes between them */
  path: string
}

/** A group to be made, or its other name */
export type ContactGroupDraft = {
  /** Name of the group; one that is taken is answered with 409 */
  name: string
  /** Taken without effect: the provider tells it */
  path?: string | null | undefined
}

export type ContactGroupListQuery = {
  /**
   * How many objects a page has at most: 50 unless told otherwise. More than 200 is taken as 200. A page may hold
   * fewer and still have a next one.
   */
  limit?: number | undefined
  /**
   * `next_cursor` of the page before; leave it out for the first page. Filters stay those of the first page,
   * `limit` and `select` may change.
   */
  page_token?: string | undefined
  /**
   * Names of the top-level fields to answer with, with commas between them: `id,title`. All fields when absent;
   * names that there are not are passed over.
   */
  select?: string[] | undefined
}

export type ContactListQuery = {
  /** Contacts that have this very address, in any case */
  email?: string | undefined
  /** Contacts that have this number, however it is written */
  phone_number?: string | undefined
  /**
   * Where the contacts are from: `address_book` (default), `inbox` for those known from mail alone, `domain` for
   * the directory. Several with commas between them at IMAP, iCloud and CardDAV
   */
  source?: ('address_book' | 'inbox' | 'domain')[] | undefined
  /** Contacts of the group with this id */
  group?: string | undefined
  /** `true` shows those of the groups within the group too, one level down: `microsoft`, `ews` and CardDAV */
  recurse?: boolean | undefined
  /**
   * How many objects a page has at most: 30 unless told otherwise. More than 200 is taken as 200. A page may hold
   * fewer and still have a next one.
   */
  limit?: number | undefined
  /**
   * `next_cursor` of the page before; leave it out for the first page. Filters stay those of the first page,
   * `limit` and `select` may change.
   */
  page_token?: string | undefined
  /**
   * Names of the top-level fields to answer with, with commas between them: `id,title`. All fields when absent;
   * names that there are not are passed over.
   */
  select?: string[] | undefined
}

/** A contact that was created or changed */
export type ContactObject = {
  /** Id of the contact */
  id: string
  /** Id of the grant that it belongs to */
  grant_id: string
  /** What the object is: always `contact` */
  object: 'contact'
  /** `address_book`: what the user keeps; `inbox`: known from mail; `domain`: the directory of the organisation */
  source: ContactSource
  /** The whole name as it is shown; empty where there is no name */
  display_name: string
  /** First name; null where it is not known */
  given_name: string | null
  /** Names between the first and the last; null where it is not known */
  middle_name: string | null
  /** Last name; null where it is not known */
  surname: string | null
  /** What stands behind the name, such as `Jr.`; null where it is not known */
  suffix: string | null
  /** Name that friends use; null where it is not known */
  nickname: string | null
  /** `YYYY-MM-DD`; the year is 0000 where it is not known, and the whole null where nothing is */
  birthday: string | null
  /** The company or organisation; null where it is not known */
  company_name: string | null
  /** The position there; null where it is not known */
  job_title: string | null
  /** Name of the manager; null where it is not known */
  manager_name: string | null
  /** Where the office is; null where it is not known */
  office_location: string | null
  /** What the user wrote about the person; null where nothing */
  notes: string | null
  /** Mail addresses, the preferred one first. Never null */
  emails: {
    /** The address */
    email: string
    /** What it is for: `work`, `home` or `other`, of numbers also `mobile`; left out where it is not said */
    type?: string | null
  }[]
  /** Telephone numbers. Never null */
  phone_numbers: {
    /** The number as it was written */
    number: string
    /** What it is for: `work`, `home` or `other`, of numbers also `mobile`; left out where it is not said */
    type?: string | null
  }[]
  /** Addresses of instant messaging. Never null */
  im_addresses: {
    /** The name or address there */
    im_address: string
    /** Which service it is at, such as `jabber` */
    type?: string | null
  }[]
  /** Postal addresses. Never null */
  physical_addresses: {
    /** What it is for: `work`, `home` or `other`, of numbers also `mobile`; left out where it is not said */
    type?: string | null
    /** Street and number; may have several lines */
    street_address?: string | null
    /** Town */
    city?: string | null
    /** State, province or county */
    state?: string | null
    /** Postal code, as a text */
    postal_code?: string | null
    /** Country, as a name or a code */
    country?: string | null
  }[]
  /** Pages of the person. Never null */
  web_pages: {
    /** Address of the page */
    url: string
    /** What it is for: `work`, `home` or `other`, of numbers also `mobile`; left out where it is not said */
    type?: string | null
  }[]
  /** Groups that the contact is in. Never null */
  groups: {
    /** Id of the group */
    id: string
  }[]
  /**
   * There where the contact has a picture. It may need the account’s own credentials: read the picture with
   * `profile_picture=true`
   */
  picture_url?: string
}

/** `address_book`: what the user keeps; `inbox`: known from mail; `domain`: the directory of the organisation */
export type ContactSource = 'address_book' | 'inbox' | 'domain'

/** How many objects a filter finds */
export type Count = {
  /** How many there are, or at least */
  count: number
  /** `true`: counting ended before all were counted, and there may be more */
  more: boolean
}

/** A further way in for a connector. What is secret in it is never answered. */
export type Credential = {
  /** Id of the credential: the `credential_id` of sign-ins and custom authentication */
  id: string
  /** Name, unique among the credentials of the connector */
  name: string
  /** What kind of credential it is */
  credential_type: CredentialType
  /** When it was created, in Unix seconds */
  created_at: number
  /** When it was last changed, in Unix seconds */
  updated_at: number
}

/** What is to change of a credential. What is left out stays. */
export type CredentialChange = {
  /** Name, unique among the credentials of the connector, up to 256 characters */
  name?: string | undefined
  /**
   * The secrets, by type. `connector`: `client_id` and `client_secret`; `serviceaccount`: `private_key_id`,
   * `private_key` and `client_email`, as in the key file of Google; `adminconsent`: `tenant`, `client_id` and
   * `client_secret`, those of the connector when absent. At Microsoft `certificate` and `private_key`, in PEM
   * form, may stand in place of `client_secret`. Kept sealed, never answered.
   */
  credential_data?: Record<string, unknown> | undefined
}

/** A credential to be added to a connector */
export type CredentialDraft = {
  /** Name, unique among the credentials of the connector, up to 256 characters */
  name: string
  /** `connector`, `serviceaccount` (Google) or `adminconsent` (Microsoft) */
  credential_type: CredentialType
  /**
   * The secrets, by type. `connector`: `client_id` and `client_secret`; `serviceaccount`: `private_key_id`,
   * `private_key` and `client_email`, as in the key file of Google; `adminconsent`: `tenant`, `client_id` and
   * `client_secret`, those of the connector when absent. At Microsoft `certificate` and `private_key`, in PEM
   * form, may stand in place of `client_secret`. Kept sealed, never answered.
   */
  credential_data: Record<string, unknown>
}

/**
 * `connector`: another client at the provider; `serviceaccount`: an account at Google that stands for users of a
 * domain; `adminconsent`: a client at Microsoft that an administrator consented to for an organization
 */
export type CredentialType = 'connector' | 'serviceaccount' | 'adminconsent'

/** An account, and what opens it */
export type CustomAuthentication = {
  /**
   * Required. Kind of the account: `google`, `microsoft`, `imap`, `icloud`, `yahoo`, `ews` or `virtual-calendar`;
   * the application must have its connector.
   */
  provider?: string | undefined
  /**
   * What opens the account, by provider: a refresh token, a user name with a password, or the name of a virtual
   * account. `GET /v3/connect/custom` tells the fields. Secrets among them are sealed and never answered.
   */
  settings: Record<string, unknown>
  /**
   * Scopes that the credentials have. Kept with the grant where the provider does not tell them itself; without
   * effect for kinds that have none.
   */
  scope?: string[] | null | undefined
  /** Your own text, kept with the grant: up to 256 characters */
  state?: string | null | undefined
  /** Credential of the connector to use in place of its active one; the same as in `settings` */
  credential_id?: string | null | undefined
  /** Your own id of the end user, unique in the application; `external:<id>` then names the grant in paths */
  external_id?: string | null | undefined
}

/** A header of your own. `icloud` refuses `List-Unsubscribe` headers. */
export type CustomHeader = {
  /**
   * Name of the header, such as `X-Case`. Those that the service or the servers write are refused: From, To, Cc,
   * Bcc, Reply-To, Subject, Date, Message-ID, Content-* and the like.
   */
  name: string
  /** Value on one line, up to 4096 characters */
  value: string
}

/** A notification that a destination has not taken yet */
export type Delivery = {
  /** Id of the notification: the `id` of its envelope */
  notification_id: string
  /** The `type` of the notification, such as `event.created` */
  type: string
  /** Id of the grant that the notification is about */
  grant_id: string
  /** `waiting`: it will be tried, at once or again; `failed`: all tries are used up, replay it to try anew */
  state: 'waiting' | 'failed'
  /** How many attempts were made */
  attempts: number
  /** When it is tried next, in Unix seconds; null where it failed */
  next_attempt_at: number | null
}

/** One attempt to deliver a notification to a destination */
export type DeliveryAttempt = {
  /** Id of the notification; null when it is no longer kept */
  notification_id: string | null
  /** The `type` of the notification, such as `event.created`; null when it is no longer kept */
  type: string | null
  /** Id of the grant that the notification is about; null when it is no longer kept */
  grant_id: string | null
  /** Which attempt at this destination it was, from 1 on; replays go on counting */
  webhook_delivery_attempt: number
  /** `delivered`: the answer had a status of 2xx; `failed`: another one, or none */
  outcome: 'delivered' | 'failed'
  /** When it was attempted, in Unix seconds */
  at: number
  /** Milliseconds until the answer, or until it was given up */
  latency_ms: number
  /** HTTP status of the answer; null when there was none */
  status: number | null
  /** Why there was no answer, in words; null when there was one */
  error: string | null
  /**
   * The first 4 KB of the answer; null when there was none, and in the list that an administrator asks for, who
   * gets it with the attempt itself
   */
  answer: string | null
}

/** Which provider stands behind an address */
export type Detection = {
  /** The address that was asked for */
  email_address: string
  /** Whether a provider was found */
  detected: boolean
  /**
   * Kind of the account, such as `google`; `imap` where the domain takes mail at a server of another kind. Absent
   * where none was found.
   */
  provider?: string
  /** Vendor of the mailbox, where the provider is `imap` and the vendor is a well-known one */
  type?: string
}

/** A message in the drafts of an account */
export type Draft = {
  /**
   * Id of the message, to be taken as it is. It stays when the message is moved; at `ews` a former id goes on
   * naming it.
   */
  id: string
  /** Id of the grant that it belongs to */
  grant_id: string
  /** What the object is: always `draft` */
  object: 'draft'
  /** Id of the thread that it belongs to; empty where it belongs to none */
  thread_id?: string
  /** When it was last saved, in Unix seconds */
  date: number
  /** The first 100 characters of its text, without markup */
  snippet?: string
  /** Whether it is marked: with the star at `google`, the flag at `microsoft` and `ews`, `\Flagged` in IMAP */
  starred?: boolean
  /** Whether nobody has read it yet */
  unread?: boolean
  /**
   * Ids of the folders that it is in. At `google` those of all its labels, `UNREAD` and `STARRED` included; at
   * `microsoft` and `ews` exactly one.
   */
  folders?: string[]
  /** Your own pairs of texts; absent where none were set */
  metadata?: Metadata
  /** Subject, decoded; empty where the message has none */
  subject?: string
  /** Authors: nearly always one */
  from?: EmailName[]
  /** Recipients */
  to?: EmailName[]
  /** Recipients of a copy */
  cc?: EmailName[]
  /** Recipients of a copy that the others do not see. Known of drafts and of sent mail, empty otherwise. */
  bcc?: EmailName[]
  /** Where answers are to go, if not to `from` */
  reply_to?: EmailName[]
  /** The HTML of the message, or its plain text where it has no HTML */
  body?: string
  /** Its files, images within the text included (`is_inline`). The bytes come with `/attachments/{id}/download`. */
  attachments?: Attachment[]
  /** What will be tracked once it is sent; absent where nothing was set */
  tracking_options?: TrackingOptions
  /** Message that it answers, as it was named when the draft was made; absent where none was */
  reply_to_message_id?: string
}

/** What is to change of a draft. What is left out stays; a list that is given replaces the old one. */
export type DraftChange = {
  /** Recipients. A draft may have none until it is sent. */
  to?: Recipient[] | null | undefined
  /** Recipients of a copy */
  cc?: Recipient[] | null | undefined
  /** Recipients of a copy whom the others do not see */
  bcc?: Recipient[] | null | undefined
  /** Where answers are to go: up to 100 addresses */
  reply_to?: Recipient[] | null | undefined
  /** Subject on one line, up to 998 characters. That of the message that is answered when absent. */
  subject?: string | null | undefined
  /** Text of the message as HTML, or as plain text with `is_plaintext` */
  body?: string | null | undefined
  /** true: `body` is plain text, and no HTML is sent; false when absent */
  is_plaintext?: boolean | null | undefined
  /** true: the draft has a star */
  starred?: boolean | null | undefined
  /** Without effect, for clients that send it: a draft is always read */
  unread?: boolean | null | undefined
  /**
   * Files that take the place of all that the draft has; those in parts of the request do so too. Up to 3 MB
   * together in the JSON. When absent they stay.
   */
  attachments?: OutgoingAttachment[] | null | undefined
  /** Merged with what was set before; with `opens`, `links` and `thread_replies` all false nothing is tracked */
  tracking_options?: TrackingRequest | null | undefined
  /** Your own pairs of texts: replaces all of them; `{}` and null remove them */
  metadata?: Metadata | null | undefined
  /** Template for subject and body; a `subject` or `body` of the request takes the place of its own */
  template?: TemplateUse | null | undefined
  /** Refused: a draft is sent when it is told to. Use `/messages/send` to send at a time. */
  send_at?: unknown | undefined
  /** Without effect, for clients that send it: it belongs to messages that are sent at a time */
  use_draft?: unknown | undefined
}

export type DraftListQuery = {
  /** Text of the subject, in any case; at `google` whole words of it */
  subject?: string | undefined
  /** With any of these addresses, written whole, as sender or recipient: up to 25 with commas between them */
  any_email?: string[] | undefined
  /** With one of these addresses, written whole, among the recipients (`to`) */
  to?: string[] | undefined
  /** With one of these addresses, written whole, in `cc` */
  cc?: string[] | undefined
  /** With one of these addresses, written whole, in `bcc` */
  bcc?: string[] | undefined
  /** Id of one folder or label: drafts that are in it too */
  in?: string | undefined
  /** `true`: those with a star; `false`: those without */
  starred?: boolean | undefined
  /** `true`: those that are marked as unread; `false`: the others */
  unread?: boolean | undefined
  /** Drafts that answer in this thread */
  thread_id?: string | undefined
  /** `true`: those with files; `false`: those without */
  has_attachment?: boolean | undefined
  /**
   * Objects whose metadata has this pair, as `key1:value`; several pairs with commas between them must all hold.
   * Only `key1` to `key5` can be asked for, and provider filters cannot stand beside it.
   */
  metadata_pair?: string | undefined
  /** Without effect, for clients that send it: the mail server is always asked */
  query_imap?: boolean | undefined
  /**
   * How many objects a page has at most: 50 unless told otherwise. More than 200 is taken as 200. A page may hold
   * fewer and still have a next one.
   */
  limit?: number | undefined
  /**
   * `next_cursor` of the page before; leave it out for the first page. Filters stay those of the first page,
   * `limit` and `select` may change.
   */
  page_token?: string | undefined
  /**
   * Names of the top-level fields to answer with, with commas between them: `id,title`. All fields when absent;
   * names that there are not are passed over.
   */
  select?: string[] | undefined
}

export type DraftQuery = {
  /** Without effect, for clients that send it: the mail server is always asked */
  query_imap?: boolean | undefined
  /**
   * Names of the top-level fields to answer with, with commas between them: `id,title`. All fields when absent;
   * names that there are not are passed over.
   */
  select?: string[] | undefined
}

/** A draft to be kept in the account */
export type DraftRequest = {
  /** Recipients. A draft may have none until it is sent. */
  to?: Recipient[] | null | undefined
  /** Recipients of a copy */
  cc?: Recipient[] | null | undefined
  /** Recipients of a copy whom the others do not see */
  bcc?: Recipient[] | null | undefined
  /** Where answers are to go: up to 100 addresses */
  reply_to?: Recipient[] | null | undefined
  /**
   * Sender, exactly one: address and name of the grant when absent. Another address must be an alias that the
   * provider allows.
   */
  from?: Recipient[] | null | undefined
  /** Subject on one line, up to 998 characters. That of the message that is answered when absent. */
  subject?: string | null | undefined
  /** Text of the message as HTML, or as plain text with `is_plaintext` */
  body?: string | null | undefined
  /** true: `body` is plain text, and no HTML is sent; false when absent */
  is_plaintext?: boolean | null | undefined
  /**
   * Message that this one answers, by its id or its Message-ID: sets In-Reply-To and References, so that it is
   * filed in that thread
   */
  reply_to_message_id?: string | null | undefined
  /** Files, up to 3 MB together once they are decoded; larger ones go as parts of `multipart/form-data` */
  attachments?: OutgoingAttachment[] | null | undefined
  /** Headers of your own, up to 100 */
  custom_headers?: CustomHeader[] | null | undefined
  /** What is to be told once the message was sent: opens, followed links, answers. Nothing when absent. */
  tracking_options?: TrackingRequest | null | undefined
  /** Your own pairs of texts, kept by the service for the message. Recipients do not see them. */
  metadata?: Metadata | null | undefined
  /** Template for subject and body; a `subject` or `body` of the request takes the place of its own */
  template?: TemplateUse | null | undefined
  /** Signature of the grant, put at the end of the HTML; without effect on plain text */
  signature_id?: string | null | undefined
  /** true: the draft has a star */
  starred?: boolean | null | undefined
  /** Refused: a draft is sent when it is told to. Use `/messages/send` to send at a time. */
  send_at?: unknown | undefined
  /** Without effect, for clients that send it: it belongs to messages that are sent at a time */
  use_draft?: unknown | undefined
}

/** A person as a header of a message names them */
export type EmailName = {
  /** Display name, where the header has one */
  name?: string
  /** E-mail address */
  email: string
}

/**
 * What an application is for. `sandbox` is the one that every installation begins with: up to 5 grants, and
 * connectors whose scopes are fixed. The others differ by name alone.
 */
export type Environment = 'production' | 'staging' | 'development' | 'sandbox'

/** An event, a series of events (with `recurrence`), or one instance of a series */
export type Event = {
  /**
   * Id of the event. An instance of a series has the id of the series with its original start behind it, and keeps
   * it when it is moved
   */
  id: string
  /** What the object is: always `event` */
  object: 'event'
  /** Id of the grant that it belongs to */
  grant_id: string
  /** Id of the calendar that holds it; never the word `primary` */
  calendar_id: string
  /** What it is called; null where it has no title */
  title: string | null
  /** What it is about; may be HTML */
  description: string | null
  /** Where it is, in free words */
  location: string | null
  /** A point in time, a span, a day, or days (the last one included) */
  when: When
  /** Whether it takes the time of the user: counts in free/busy and availability */
  busy: boolean
  /** `maybe` is a tentative event; `cancelled` is only shown where it is asked for */
  status: 'confirmed' | 'cancelled' | 'maybe'
  /** Who may see it in a shared calendar: `default` is as the calendar is. Absent where it was not set */
  visibility?: 'default' | 'public' | 'private'
  /** Whether guests are kept from seeing each other */
  hide_participants: boolean
  /** Guests, without the organizer; who is invited finds the own address here. Never null */
  participants: Participant[]
  /** Rooms and equipment that are invited. Never null */
  resources: Resource[]
  /** Whose event it is; null where the provider does not say it */
  organizer: {
    /** Name, or null where it is not known */
    name: string | null
    /** Address; of a virtual account its identifier */
    email: string
  } | null
  /** `google`: who made it, where that is told */
  creator?: {
    /** Name, or null where it is not known */
    name: string | null
    /** Address; of a virtual account its identifier */
    email: string
  } | null
  /** RRULE, EXDATE and RDATE lines (RFC 5545), on the master of a series alone */
  recurrence?: string[]
  /** On an instance: id of its series */
  master_event_id?: string | null
  /** On an instance: when the rule has it begin, in Unix seconds. Not with virtual calendars */
  original_start_time?: number
  /** UID of iCalendar: the same for a series, its instances and the copies of all guests */
  ical_uid: string | null
  /** SEQUENCE of iCalendar: grows when time, rule, place or status change */
  sequence?: number
  /** How the user is reminded; null where it is not told */
  reminders?: Reminders | null
  /** Where to join; left out where there is no conference */
  conferencing?: Conferencing
  /** How many guests may come, as whoever wrote it said */
  capacity?: number | null
  /** `google`: `1` to `11`; null is the usual colour */
  color_id?: string | null
  /** `google` and `microsoft`: address of the event on their own pages */
  html_link?: string
  /** Whether it cannot be changed, as in a calendar that is only shared for reading */
  read_only: boolean
  /** Your own pairs of texts. Instances have those of their series, unless they were given their own */
  metadata: Metadata
  /** When it was made, in Unix seconds */
  created_at: number | null
  /** When it was last changed, in Unix seconds */
  updated_at: number | null
}

/**
 * What is to be another about an event: what is left out stays, objects and lists are replaced whole, null
 * clears
 */
export type EventChange = {
  /** What it is called */
  title?: string | null | undefined
  /** What it is about; may be HTML. `google` takes 8,192 characters */
  description?: string | null | undefined
  /** Where it is, in free words */
  location?: string | null | undefined
  /**
   * Exactly one of: `time`; `start_time` and `end_time`; `date`; `start_date` and `end_date`. Times are in
   * seconds, not in milliseconds
   */
  when?: WhenInput | undefined
  /**
   * Whether it takes the time of the user: `true` when absent. What is not busy is not seen by free/busy and
   * availability
   */
  busy?: boolean | null | undefined
  /** Who may see it in a shared calendar. `default` is for `google` alone; `icloud` takes none */
  visibility?: 'default' | 'public' | 'private' | null | undefined
  /** `true`: guests do not see each other. `ews` and `icloud` refuse it. Default: `false` */
  hide_participants?: boolean | null | undefined
  /**
   * Guests to invite; the account itself is the organizer and is not listed. On a change the whole list: who is
   * missing is uninvited
   */
  participants?: ParticipantInput[] | null | undefined
  /** Rooms and equipment to invite */
  resources?: Resource[] | null | undefined
  /**
   * Makes a series: one RRULE line, and EXDATE and RDATE lines (RFC 5545), such as
   * `RRULE:FREQ=WEEKLY;BYDAY=FR;COUNT=10`. The start must fall on the rule. On a change, `[]` makes a single event
   * of a series; lines without EXDATE leave deleted occurrences deleted, EXDATE lines replace the earlier ones
   */
  recurrence?: string[] | null | undefined
  /** How the user is to be reminded: as usual when absent. Virtual calendars remind nobody */
  reminders?: RemindersInput | null | undefined
  /**
   * Where to join: either `details` of a conference that there is, or `autocreate`. On a change, `{}` takes it
   * away
   */
  conferencing?: Conferencing | null | undefined
  /** How many guests may come. It is kept with the event; nobody is refused by it */
  capacity?: number | null | undefined
  /** `google`: `1` to `11`; null is the usual colour. Others have none */
  color_id?: string | null | undefined
  /**
   * Your own pairs of texts, which replace all that there are; `{}` and null clear them. `key5` marks the event
   * for the turn of availability
   */
  metadata?: Metadata | null | undefined
  /** Taken without effect: the query names the calendar */
  calendar_id?: string | null | undefined
  /** Taken without effect: delete an event to cancel it */
  status?: string | null | undefined
}

/** An event or a series that was deleted */
export type EventDeletedObject = {
  /** Id of the event */
  id: string
  /** What the object is: always `event` */
  object: 'event'
  /** Id of the grant that it belongs to */
  grant_id: string
  /** Id of the calendar that it was in */
  calendar_id: string
  /** Id of the series that it was an instance of */
  master_event_id?: string
  /** Your own pairs of texts that it had */
  metadata?: Metadata
}

/** An event to be made; `when` alone is needed */
export type EventDraft = {
  /** What it is called */
  title?: string | null | undefined
  /** What it is about; may be HTML. `google` takes 8,192 characters */
  description?: string | null | undefined
  /** Where it is, in free words */
  location?: string | null | undefined
  /**
   * Exactly one of: `time`; `start_time` and `end_time`; `date`; `start_date` and `end_date`. Times are in
   * seconds, not in milliseconds
   */
  when: WhenInput
  /**
   * Whether it takes the time of the user: `true` when absent. What is not busy is not seen by free/busy and
   * availability
   */
  busy?: boolean | null | undefined
  /** Who may see it in a shared calendar. `default` is for `google` alone; `icloud` takes none */
  visibility?: 'default' | 'public' | 'private' | null | undefined
  /** `true`: guests do not see each other. `ews` and `icloud` refuse it. Default: `false` */
  hide_participants?: boolean | null | undefined
  /**
   * Guests to invite; the account itself is the organizer and is not listed. On a change the whole list: who is
   * missing is uninvited
   */
  participants?: ParticipantInput[] | null | undefined
  /** Rooms and equipment to invite */
  resources?: Resource[] | null | undefined
  /**
   * Makes a series: one RRULE line, and EXDATE and RDATE lines (RFC 5545), such as
   * `RRULE:FREQ=WEEKLY;BYDAY=FR;COUNT=10`. The start must fall on the rule. On a change, `[]` makes a single event
   * of a series; lines without EXDATE leave deleted occurrences deleted, EXDATE lines replace the earlier ones
   */
  recurrence?: string[] | null | undefined
  /** How the user is to be reminded: as usual when absent. Virtual calendars remind nobody */
  reminders?: RemindersInput | null | undefined
  /**
   * Where to join: either `details` of a conference that there is, or `autocreate`. On a change, `{}` takes it
   * away
   */
  conferencing?: Conferencing | null | undefined
  /** How many guests may come. It is kept with the event; nobody is refused by it */
  capacity?: number | null | undefined
  /** `google`: `1` to `11`; null is the usual colour. Others have none */
  color_id?: string | null | undefined
  /**
   * Your own pairs of texts, which replace all that there are; `{}` and null clear them. `key5` marks the event
   * for the turn of availability
   */
  metadata?: Metadata | null | undefined
  /** Taken without effect: the query names the calendar */
  calendar_id?: string | null | undefined
  /** Taken without effect: delete an event to cancel it */
  status?: string | null | undefined
}

export type EventImportQuery = {
  /** Id of the calendar, or `primary` for the main one. iCloud has no main one */
  calendar_id: string
  /** Events that end after this time, in Unix seconds. Default: now */
  start?: number | undefined
  /**
   * Events that begin before this time, in Unix seconds. Default: one month from now, or one month after `start`
   * where `start` is later than that
   */
  end?: number | undefined
  /**
   * How many objects a page has at most: 50 unless told otherwise. More than 500 is taken as 500. A page may hold
   * fewer and still have a next one.
   */
  limit?: number | undefined
  /**
   * `next_cursor` of the page before; leave it out for the first page. Filters stay those of the first page,
   * `limit` and `select` may change.
   */
  page_token?: string | undefined
  /**
   * Names of the top-level fields to answer with, with commas between them: `id,title`. All fields when absent;
   * names that there are not are passed over.
   */
  select?: string[] | undefined
}

export type EventListQuery = {
  /** Id of the calendar, or `primary` for the main one. iCloud has no main one */
  calendar_id: string
  /** Events that end after this time, in Unix seconds. Default: now */
  start?: number | undefined
  /**
   * Events that begin before this time, in Unix seconds. Default: one month from now, or one month after `start`
   * where `start` is later than that
   */
  end?: number | undefined
  /** Events whose title has these words, in any case: `march` does not find "Marching" */
  title?: string | undefined
  /** Events whose description has these words, in any case: `march` does not find "Marching" */
  description?: string | undefined
  /** Events whose location has these words, in any case: `march` does not find "Marching" */
  location?: string | undefined
  /** Only events that take time, or only those that do not. `icloud` refuses it */
  busy?: boolean | undefined
  /** Addresses that must all be invited, with commas between them or as repeated names */
  attendees?: string[] | undefined
  /** `true` shows cancelled events too, for as long as the provider keeps them. Default: `false` */
  show_cancelled?: boolean | undefined
  /**
   * `true`: every instance of a series; `false`: the series itself, and instances that differ. Default:
   * `expand_recurring_default` of the application
   */
  expand_recurring?: boolean | undefined
  /** Events with this UID of iCalendar, at any time; no other filter stands beside it. `icloud` refuses it */
  ical_uid?: string | undefined
  /** Instances of the series with this id. `icloud` refuses it */
  master_event_id?: string | undefined
  /** Events that were changed after this time, in Unix seconds; the time itself is excluded. `icloud` refuses it */
  updated_after?: number | undefined
  /** Events that were changed before this time, in Unix seconds; the time itself is excluded. `icloud` refuses it */
  updated_before?: number | undefined
  /**
   * `google`: `default`, `outOfOffice`, `focusTime`, `workingLocation`, `fromGmail` or `birthday`, also several.
   * Default: `default`, which is the only one elsewhere
   */
  event_type?: string[] | undefined
  /**
   * `false` answers tentative events with `busy: false`; `true` when absent. `google` and virtual calendars take
   * it without effect
   */
  tentative_as_busy?: boolean | undefined
  /** Lists are always ordered by start */
  order_by?: 'start' | undefined
  /**
   * Events whose metadata has this pair, as `key1:value`, at any time; several pairs with commas between them must
   * all hold. Only `key1` to `key5`; no other filter stands beside it
   */
  metadata_pair?: string | undefined
  /**
   * How many objects a page has at most: 50 unless told otherwise. More than 200 is taken as 200. A page may hold
   * fewer and still have a next one.
   */
  limit?: number | undefined
  /**
   * `next_cursor` of the page before; leave it out for the first page. Filters stay those of the first page,
   * `limit` and `select` may change.
   */
  page_token?: string | undefined
  /**
   * Names of the top-level fields to answer with, with commas between them: `id,title`. All fields when absent;
   * names that there are not are passed over.
   */
  select?: string[] | undefined
}

/** An event or a series that was created or changed */
export type EventObject = {
  /**
   * Id of the event. An instance of a series has the id of the series with its original start behind it, and keeps
   * it when it is moved
   */
  id: string
  /** What the object is: always `event` */
  object: 'event'
  /** Id of the grant that it belongs to */
  grant_id: string
  /** Id of the calendar that holds it; never the word `primary` */
  calendar_id: string
  /** What it is called; null where it has no title */
  title: string | null
  /** What it is about; may be HTML */
  description: string | null
  /** Where it is, in free words */
  location: string | null
  /** A point in time, a span, a day, or days (the last one included) */
  when: When
  /** Whether it takes the time of the user: counts in free/busy and availability */
  busy: boolean
  /** `maybe` is a tentative event; `cancelled` is only shown where it is asked for */
  status: 'confirmed' | 'cancelled' | 'maybe'
  /** Who may see it in a shared calendar: `default` is as the calendar is. Absent where it was not set */
  visibility?: 'default' | 'public' | 'private'
  /** Whether guests are kept from seeing each other */
  hide_participants: boolean
  /** Guests, without the organizer; who is invited finds the own address here. Never null */
  participants: Participant[]
  /** Rooms and equipment that are invited. Never null */
  resources: Resource[]
  /** Whose event it is; null where the provider does not say it */
  organizer: {
    /** Name, or null where it is not known */
    name: string | null
    /** Address; of a virtual account its identifier */
    email: string
  } | null
  /** `google`: who made it, where that is told */
  creator?: {
    /** Name, or null where it is not known */
    name: string | null
    /** Address; of a virtual account its identifier */
    email: string
  } | null
  /** RRULE, EXDATE and RDATE lines (RFC 5545), on the master of a series alone */
  recurrence?: string[]
  /** On an instance: id of its series */
  master_event_id?: string | null
  /** On an instance: when the rule has it begin, in Unix seconds. Not with virtual calendars */
  original_start_time?: number
  /** UID of iCalendar: the same for a series, its instances and the copies of all guests */
  ical_uid: string | null
  /** SEQUENCE of iCalendar: grows when time, rule, place or status change */
  sequence?: number
  /** How the user is reminded; null where it is not told */
  reminders?: Reminders | null
  /** Where to join; left out where there is no conference */
  conferencing?: Conferencing
  /** How many guests may come, as whoever wrote it said */
  capacity?: number | null
  /** `google`: `1` to `11`; null is the usual colour */
  color_id?: string | null
  /** `google` and `microsoft`: address of the event on their own pages */
  html_link?: string
  /** Whether it cannot be changed, as in a calendar that is only shared for reading */
  read_only: boolean
  /** Your own pairs of texts. Instances have those of their series, unless they were given their own */
  metadata: Metadata
  /** When it was made, in Unix seconds */
  created_at: number | null
  /** When it was last changed, in Unix seconds */
  updated_at: number | null
  /** Of a series: ids of the instances that were changed */
  occurrences?: string[]
  /** Of a series: ids of the instances that were cancelled */
  cancelled_occurrences?: string[]
  /** Former id of an account that was imported; absent on others */
  account_id?: string
}

export type EventPreconditions = {
  /**
   * `true`: the event is written only if no other event of its calendar blocks any of its time; otherwise the
   * answer is 409 `conflict` and nothing is changed. Of several requests for one time, however close together, one
   * succeeds. For events that do not repeat, and for single instances, on virtual calendars; other providers
   * answer `not_supported_by_provider`.
   */
  'if-none-overlap'?: boolean | undefined
}

/**
 * Why a grant lost its access. `credentials_refused`: the provider takes its password or token no more;
 * `revoked`: an administrator revoked it; `connector_deleted`, `credential_deleted`: what it was connected with
 * is gone.
 */
export type ExpiryReason = 'credentials_refused' | 'revoked' | 'connector_deleted' | 'credential_deleted'

/** A folder of a mailbox, or a label at Google */
export type Folder = {
  /**
   * Id of the folder or label. With `imap` it is made of the path, in characters that stand in an address without
   * being encoded, and changes when the folder is renamed.
   */
  id: string
  /** Id of the grant that it belongs to */
  grant_id: string
  /** What the object is: always `folder` */
  object: 'folder'
  /**
   * Name as the user sees it. With `imap`, `icloud` and `yahoo` it is the whole path, with the separator of the
   * server; with `google` a label within another is written `parent/child`.
   */
  name: string
  /**
   * What the folder is for: `\Inbox`, `\Sent`, `\Drafts`, `\Trash`, `\Junk`, `\Archive`, and what an IMAP server
   * says beside them. Empty for folders of the user. Find the sent mail by this and not by the name, which differs
   * by language.
   */
  attributes: string[]
  /** Whether the provider has it for everybody, as the inbox; not with `microsoft` and `ews` */
  system_folder?: boolean
  /** `microsoft` and `ews`: id of the folder that it lies in */
  parent_id?: string
  /** `microsoft` and `ews`: how many folders lie in it, those within them not counted */
  child_count?: number
  /** How many messages it holds; left out where the server does not open the folder */
  total_count?: number
  /** How many of its messages are unread */
  unread_count?: number
  /** `google`: colour of the label, such as `#16a765`, where it was given one */
  background_color?: string
  /** `google`: colour of its name, such as `#ffffff`, where it was given one */
  text_color?: string
  /** In `folder.updated` of a folder that has another id since it was renamed: the id before */
  former_id?: string
}

/** What is to be another about a folder; what is left out stays */
export type FolderChange = {
  /**
   * Name of the folder. One within another is written with the separator of the IMAP server, or as `parent/child`
   * with `google`; with `microsoft` and `ews` give `parent_id` instead.
   */
  name?: string | undefined
  /** `microsoft` and `ews`: id of the folder that it is to lie in; others refuse it */
  parent_id?: string | null | undefined
  /** `google`: colour of the name, of the palette of Gmail and together with `background_color` */
  text_color?: string | null | undefined
  /** `google`: colour of the label, of the palette of Gmail and together with `text_color` */
  background_color?: string | null | undefined
}

/** A folder that was deleted */
export type FolderDeletedObject = {
  /**
   * Id of the folder or label. With `imap` it is made of the path, in characters that stand in an address without
   * being encoded, and changes when the folder is renamed.
   */
  id: string
  /** Id of the grant that it belongs to */
  grant_id: string
  /** What the object is: always `folder` */
  object: 'folder'
  /**
   * Name as the user sees it. With `imap`, `icloud` and `yahoo` it is the whole path, with the separator of the
   * server; with `google` a label within another is written `parent/child`.
   */
  name?: string
  /** Whether the provider has it for everybody, as the inbox; not with `microsoft` and `ews` */
  system_folder?: boolean
}

/** A folder to be made */
export type FolderDraft = {
  /**
   * Name of the folder. One within another is written with the separator of the IMAP server, or as `parent/child`
   * with `google`; with `microsoft` and `ews` give `parent_id` instead.
   */
  name: string
  /** `microsoft` and `ews`: id of the folder that it is to lie in; others refuse it */
  parent_id?: string | null | undefined
  /** `google`: colour of the name, of the palette of Gmail and together with `background_color` */
  text_color?: string | null | undefined
  /** `google`: colour of the label, of the palette of Gmail and together with `text_color` */
  background_color?: string | null | undefined
}

export type FolderListQuery = {
  /** `microsoft` and `ews`: only the folders within the one of this id; others refuse it */
  parent_id?: string | undefined
  /** `microsoft` and `ews`: `true` shows folders that Outlook hides, too. Default: `false` */
  include_hidden_folders?: boolean | undefined
  /** `microsoft` and `ews`: `true` gives one level only, `false` (default) the whole tree in one list */
  single_level?: boolean | undefined
  /**
   * `microsoft` and `ews`: the address of who shares a mailbox, or folders of it, with the account. Others refuse
   * it with 422.
   */
  shared_from?: string | undefined
  /**
   * How many objects a page has at most: 50 unless told otherwise. More than 200 is taken as 200. A page may hold
   * fewer and still have a next one.
   */
  limit?: number | undefined
  /**
   * `next_cursor` of the page before; leave it out for the first page. Filters stay those of the first page,
   * `limit` and `select` may change.
   */
  page_token?: string | undefined
  /**
   * Names of the top-level fields to answer with, with commas between them: `id,title`. All fields when absent;
   * names that there are not are passed over.
   */
  select?: string[] | undefined
}

export type FolderQuery = {
  /** `microsoft` and `ews`: `true` shows folders that Outlook hides, too. Default: `false` */
  include_hidden_folders?: boolean | undefined
  /**
   * `microsoft` and `ews`: the address of who shares a mailbox, or folders of it, with the account. Others refuse
   * it with 422.
   */
  shared_from?: string | undefined
  /**
   * Names of the top-level fields to answer with, with commas between them: `id,title`. All fields when absent;
   * names that there are not are passed over.
   */
  select?: string[] | undefined
}

/** When one address is busy, or why it cannot be told; `object` says which */
export type FreeBusy = {
  /** The address as it was asked for */
  email: string
  /** Says that the address could be read */
  object: 'free_busy'
  /** When the person is busy, in order; times that overlap or touch are one. Empty means free */
  time_slots: {
    /** From when on, in Unix seconds; never before the window */
    start_time: number
    /** Until when, in Unix seconds; never after the window */
    end_time: number
    /** Always `busy`: free times are not listed */
    status: 'busy'
    /** What the object is: always `time_slot` */
    object: 'time_slot'
  }[]
} | {
  /** The address as it was asked for */
  email: string
  /** Says that the address could not be read */
  object: 'error'
  /** Why not, in words */
  error: string
}

/** Of whom, and of which time */
export type FreeBusyQuery = {
  /** Where the window begins, in Unix seconds */
  start_time: number
  /** Where the window ends, in Unix seconds: at most three months after its start, 780 days with `microsoft` */
  end_time: number
  /**
   * Addresses to ask for, up to 50. With virtual calendars these are identifiers of virtual accounts of the
   * application
   */
  emails: string[]
  /** Whether tentative events count as busy: `true` when absent. `google` cannot tell them apart */
  tentative_as_busy?: boolean | null | undefined
}

/** An account of an end user that the application may use */
export type Grant = {
  /** Id of the grant: the `grant_id` of paths. It stays when the account is authenticated again. */
  id: string
  /** Kind of the account */
  provider: ProviderKind
  /** `valid`, or `invalid` until its user authenticates again; calls to an invalid one are answered with 401 */
  grant_status: GrantStatus
  /** Address of the account, or the name of a virtual one. Unique in the application. */
  email: string
  /** Name of the user as the provider tells it; null where it does not */
  name: string | null
  /** What the user consented to, in the words of the provider; empty for kinds that have no scopes */
  scope: string[]
  /** Browser of the last hosted sign-in; null where there was none */
  user_agent: string | null
  /** Network address that the last hosted sign-in came from; null where there was none */
  ip: string | null
  /** The `state` that was given when it was authenticated */
  state: string | null
  /** How the account is reached, such as `imap_host`; what is secret is left out */
  settings: Record<string, unknown>
  /** Your own pairs of texts; a virtual account that was imported has `name` and `organizer` here */
  metadata: Metadata
  /** Further addresses of the account; with `expose_aliases` only, and where there are any */
  email_aliases?: string[]
  /** Id of the user at the provider; null where it has none */
  provider_user_id: string | null
  /** Your own id of the end user; `external:<id>` names the grant in paths */
  external_id: string | null
  /** Credential of the connector that it was authenticated with; null where that was the connector itself */
  credential_id: string | null
  /** Former id of an account that was imported; absent on others */
  account_id?: string
  /** Workspace of the application: every application has one */
  workspace_id: string
  /** Whether the administrator blocked it: calls are answered with 423, and nothing is watched */
  blocked: boolean
  /** When it was created, in Unix seconds */
  created_at: number
  /** When it was last authenticated, in Unix seconds */
  updated_at: number
}

/** What happens with a grant, for who looks after it */
export type GrantActivity = {
  /** When it was last used through the API, in Unix seconds; null where it never was */
  last_used_at: number | null
  /** Whether, by whom and how well its changes are looked for */
  watch: {
    /**
     * `watching`: changes are found and told; `resting`: the last attempt failed; `starting`: the first has not
     * ended; `off`: the grant is invalid, blocked, or not to be watched; `unsupported`: the provider tells of no
     * changes
     */
    state: 'watching' | 'resting' | 'starting' | 'off' | 'unsupported'
    /** Id of the node that looks for its changes; null where none does */
    node_id: string | null
    /** When all changes were last fetched, in Unix seconds; noted every half an hour where there are none */
    synced_at: number | null
    /** How many attempts failed in a row */
    failures: number
    /** When a watch that rests is tried again, in Unix seconds; null otherwise */
    next_try_at: number | null
  }
  /** The last 20 errors of its account, its provider or the service, the newest first */
  errors: {
    /** When it happened, in Unix seconds */
    at: number
    /** Id of the route, or `changes` for looking for changes */
    operation: string
    /** Type of the error, as the API answers with it */
    type: string
    /** What went wrong, in words */
    message: string
    /** Id of the request that failed; null where there was none */
    request_id: string | null
  }[]
  /**
   * Ids of the routes below `/v3/grants/{grant_id}` that its account can do, such as `messages.list`: its provider
   * has them, and the grant was given the scopes
   */
  operations: string[]
}

/** What is to change of a grant. What is left out stays. */
export type GrantChange = {
  /**
   * New settings in place of the old ones, such as another `refresh_token` or password. They are tried at the
   * provider first, and must open the same account.
   */
  settings?: Record<string, unknown> | undefined
  /**
   * The list that is kept here, by which the service decides what the grant may do. What the user consented to at
   * the provider does not change.
   */
  scope?: string[] | undefined
  /** Your own pairs of texts: replaces all of them */
  metadata?: Metadata | undefined
  /** Your own id of the end user, up to 256 characters, unique in the application; null removes it */
  external_id?: string | null | undefined
}

/** The end of a hosted sign-in that the administrator began */
export type GrantCompletion = {
  /** Code that the hosted sign-in ended with: good once and for ten minutes */
  code: string
  /** Redirect URI that the code was asked for with */
  redirect_uri: string
  /** PKCE verifier, where the code was asked for with a `code_challenge` */
  code_verifier?: string | undefined
}

/** A grant that is new */
export type GrantCreatedObject = {
  /** Number of what happened: always 25012 */
  code: 25012
  /** Id of the grant */
  grant_id: string
  /** Id of the connector that it was made by */
  integration_id: string
  /** Kind of the account */
  provider: ProviderKind
  /** Address of the account, or the name of a virtual one */
  email: string
  /** Id of the hosted sign-in that it comes from; absent where none */
  login_id?: string
  /** Name of the user as the provider tells it; null where it does not */
  name?: string | null
  /** Scopes of the grant, in the words of the provider */
  scope: string[]
}

/** A grant that was deleted */
export type GrantDeletedObject = {
  /** Number of what happened: always 25013 */
  code: 25013
  /** Id of the grant */
  grant_id: string
  /** Id of the connector that it was made by */
  integration_id: string
  /** Kind of the account */
  provider: ProviderKind
  /** Address of the account, or the name of a virtual one */
  email: string
}

/** A grant that became invalid: its user must authenticate again */
export type GrantExpiredObject = {
  /** Number of what happened: always 25009 */
  code: 25009
  /** Id of the grant */
  grant_id: string
  /** Id of the connector that it was made by */
  integration_id: string
  /** Kind of the account */
  provider: ProviderKind
  /** Address of the account, or the name of a virtual one */
  email: string
  /** When it was last authenticated, in Unix seconds */
  grant_updated_at: number
}

export type GrantListQuery = {
  /**
   * How many objects a page has at most: 10 unless told otherwise. More than 200 is taken as 200. A page may hold
   * fewer and still have a next one.
   */
  limit?: number | undefined
  /**
   * How many objects to pass over before the first one, none when absent. For long lists go on with `page_token`,
   * which neither skips nor repeats what changes in between.
   */
  offset?: number | undefined
  /**
   * `next_cursor` of the page before; leave it out for the first page. Filters stay those of the first page,
   * `limit` and `select` may change.
   */
  page_token?: string | undefined
  /** What the list is in the order of: when grants were made (default) or last authenticated */
  sort_by?: 'created_at' | 'updated_at' | undefined
  /** Another spelling of `sort_by`, which counts where both are given */
  sortBy?: 'created_at' | 'updated_at' | undefined
  /** `desc`: the newest first (default); `asc`: the oldest first */
  order_by?: 'desc' | 'asc' | undefined
  /** Another spelling of `order_by`, which counts where both are given */
  orderBy?: 'desc' | 'asc' | undefined
  /** Created at this time or later, in Unix seconds */
  since?: number | undefined
  /** Created at this time or earlier, in Unix seconds */
  before?: number | undefined
  /** Of this address, in any case, or of this virtual account */
  email?: string | undefined
  /** In this state alone */
  grant_status?: 'valid' | 'invalid' | undefined
  /** Another spelling of `grant_status`, which counts where both are given */
  grantStatus?: 'valid' | 'invalid' | undefined
  /** Another spelling of `grant_status`, which counts where both are given */
  status?: 'valid' | 'invalid' | undefined
  /** Whose last hosted sign-in came from this network address */
  ip?: string | undefined
  /** Of this kind of account */
  provider?: string | undefined
  /** That was imported from the account with this former id */
  account_id?: string | undefined
  /** That were imported from accounts with these former ids */
  account_ids?: string[] | undefined
  /** Of this workspace */
  workspace_id?: string | undefined
  /** Made by the connector with this id */
  connector_id?: string | undefined
  /**
   * Names of the top-level fields to answer with, with commas between them: `id,title`. All fields when absent;
   * names that there are not are passed over.
   */
  select?: string[] | undefined
}

/** `invalid`: the provider refuses the credentials, or the grant was revoked; its user must authenticate again */
export type GrantStatus = 'valid' | 'invalid'

/** A grant that was changed or authenticated again */
export type GrantUpdatedObject = {
  /** Number of what happened: 25027 after a re-authentication, 25014 otherwise */
  code: 25014 | 25027
  /** Id of the grant */
  grant_id: string
  /** Id of the connector that it was made by */
  integration_id: string
  /** Kind of the account */
  provider: ProviderKind
  /** Address of the account, or the name of a virtual one */
  email: string
  /** Whether its user authenticated again: an invalid grant works from then on */
  reauthentication_flag: boolean
  /** Scopes of the grant, in the words of the provider */
  scope?: string[]
}

/** One header of a message. A name that the message has twice stands here twice. */
export type Header = {
  /** Name of the header as the message writes it, such as `Message-ID` */
  name: string
  /** Value as it stands in the message: encoded words (`=?utf-8?…?=`) are not decoded */
  value: string
}

/** That the process runs */
export type Health = {
  /** Always `ok`: a process that does not run answers nothing */
  status: 'ok'
  /** Version of the service */
  version: string
  /** Seconds since this process was started */
  uptime_seconds: number
}

/** How the service fared in one step of time */
export type HealthFigures = {
  /** Beginning of the minute, or of the five minutes, in Unix seconds */
  at: number
  /** Requests that were answered */
  requests: number
  /** Those of them that were answered with 5xx */
  errors: number
  /** Milliseconds within which half of the requests were answered; null where there were none */
  latency_p50_ms: number | null
  /** Milliseconds within which 95 % of the requests were answered; null where there were none */
  latency_p95_ms: number | null
  /** Attempts to deliver a notification that succeeded */
  deliveries: number
  /** Attempts to deliver a notification that failed */
  delivery_failures: number
  /** Milliseconds within which half of the attempts to deliver ended; null where there were none */
  delivery_p50_ms: number | null
  /** Errors that providers caused */
  provider_errors: number
  /** Grants whose changes were looked for at the end of that time */
  watched_grants: number
  /** Memory that the processes held at the end of that time, in bytes */
  memory_bytes: number
}

/** How the sign-in pages of the service look for this application */
export type HostedAuthentication = {
  /** Picture behind the page; shown on wide screens, and where it is an https address */
  background_image_url?: string | null | undefined
  /** Where on the screen the form stands; `center` when absent */
  alignment?: 'left' | 'center' | 'right' | null | undefined
  /**
   * Colour of buttons, where the text is black or white, whichever is read better, and links, in the nearest
   * colour that can be read, such as `#1a73e8`
   */
  color_primary?: string | null | undefined
  /** Colour of the line on top of the form; `color_primary` when absent, such as `#1a73e8` */
  color_secondary?: string | null | undefined
  /** Heading of the first page; made of the name when absent */
  title?: string | null | undefined
  /** Line below the heading of the first page */
  subtitle?: string | null | undefined
  /** Colour of the page behind the form, such as `#1a73e8` */
  background_color?: string | null | undefined
  /** Space around the content of the form in pixels; more than 96 is taken as 96 */
  spacing?: number | null | undefined
  /** Terms of service, linked to below the form */
  terms_of_service_url?: string | null | undefined
  /** Privacy policy, linked to below the form */
  privacy_policy_url?: string | null | undefined
}

/** Where requests of browsers may come from */
export type IdpSettings = {
  /**
   * Origins that browsers may call the API from (CORS), with commas between them: https, or http for localhost,
   * such as `https://app.example.com`
   */
  origins?: string | null | undefined
  /** Issuers of identity tokens, with commas between them: kept for you, the service asks none of them */
  issuers?: string | null | undefined
}

/** Settings of the installation that owners change */
export type Installation = {
  /** Whether the password of the installation, user `admin`, lets anybody in */
  installation_password: boolean
  /** Whether the operator set it with WAYPOST_ADMIN_PASSWORD, so that it is changed there alone */
  password_of_settings: boolean
  /**
   * Roles whose people need a second factor to sign in with a password. Empty: nobody needs one. Sign-in with
   * OpenID Connect leaves it to the provider.
   */
  second_factor_required_for: Role[]
}

/** What the link of an invitation is for */
export type Invitation = {
  /** Address that the person signs in with, in lower case */
  email: string
  /** Name of the person, up to 256 characters */
  name: string
  /**
   * `owner`: everything; `administrator`: everything but people and the settings of the installation; `viewer`:
   * reads, but neither data of customers nor secrets
   */
  role: Role
  /** Whether the person has a second factor already, of which a code is needed to accept */
  needs_code: boolean
  /** Until when the link is good, in Unix seconds */
  expires_at: number
}

/** What an invited person chooses */
export type InvitationAcceptance = {
  /** What stands behind `#invitation=` of the link */
  token: string
  /** Name of the person; what the invitation says when absent */
  name?: string | undefined
  /** New password, at least 8 characters; those that are tried first are refused */
  password: string
  /** Six digits of the authenticator app, or a recovery code, where `needs_code` says so */
  code?: string | undefined
}

/** A person with the link of a new invitation */
export type InvitedPerson = {
  /** Id of the person */
  id: string
  /** Address that the person signs in with, in lower case */
  email: string
  /** Name of the person, up to 256 characters */
  name: string
  /**
   * `owner`: everything; `administrator`: everything but people and the settings of the installation; `viewer`:
   * reads, but neither data of customers nor secrets
   */
  role: Role
  /** `all`, or the ids of up to 1000 applications: others do not exist for the person */
  applications: ReachedApplications
  /** `invited`: has no way to sign in yet; `active`: can sign in; `blocked`: may not */
  state: 'invited' | 'active' | 'blocked'
  /** Whether the person has a password here */
  has_password: boolean
  /** Whether the password asks for a code of an authenticator app */
  has_totp: boolean
  /** Whether the person has signed in with OpenID Connect */
  has_oidc: boolean
  /** How many recovery codes are not used yet */
  recovery_codes_left: number
  /** Until when the link of the invitation is good, in Unix seconds; null where there is none */
  invitation_expires_at: number | null
  /** When the person last signed in, in Unix seconds; null where they never did */
  signed_in_at: number | null
  /** When it was created, in Unix seconds */
  created_at: number
  /** When it was last changed, in Unix seconds */
  updated_at: number
  /** Link by which the person chooses a password, once: told here and never again */
  invitation_link: string
}

/** Where deliveries come from */
export type IpAddresses = {
  /** Network addresses that deliveries come from, for firewalls */
  ip_addresses: string[]
  /** When the node that answers was started, in Unix seconds */
  updated_at: number
}

/** A notification that is kept, and how far its deliveries are */
export type KeptNotification = {
  /** Version of CloudEvents: always `1.0` */
  specversion: '1.0'
  /**
   * The trigger; with `.truncated` when large fields were left out, so that the body has at most 1 MB; with
   * `.metadata` when the account shows the headers of its mail alone
   */
  type: string
  /**
   * Where it comes from: `/<provider>/<product>/<how it was noticed>`, such as `/google/emails/realtime`, or the
   * part of this service that speaks, such as `/waypost/system`
   */
  source: string
  /** Id of the notification. The same at every attempt and destination: what to know repetitions by. */
  id: string
  /** When it was made, in Unix seconds */
  time: number
  /** Counts the notifications of the grant without gaps, in the order of its changes */
  grant_sequence: number
  /** What happened. Some triggers tell more beside the object. */
  data: {
    /** Id of the application that the grant belongs to */
    application_id: string
    /** What changed: the object as the API answers with it, or its ids where it is gone */
    object: Record<string, unknown> | null
    [name: string]: unknown
  }
  /** How far it is at each destination that it was queued for */
  deliveries: NotificationDelivery[]
}

/** Who created an API key */
export type KeyCreator = {
  /**
   * `person`: somebody under their own name; `installation`: the password of the installation, or a one-time link;
   * `command`: `waypost` on the machine of the service; `start`: the first start, or `WAYPOST_API_KEY`; `unknown`:
   * created before this was recorded
   */
  type: 'person' | 'installation' | 'command' | 'start' | 'unknown'
  /** Id of the person, who may be removed since; null for the others */
  person_id: string | null
  /** Name of the person when they created the key; null for the others */
  name: string | null
}

/** The newest of a thread, a message or a draft, with its body */
export type LatestDraftOrMessage = {
  /**
   * Id of the message, to be taken as it is. It stays when the message is moved; at `ews` a former id goes on
   * naming it.
   */
  id: string
  /** Id of the grant that it belongs to */
  grant_id: string
  /** Which of the two it is */
  object: 'message' | 'draft'
  /** Id of the thread that it belongs to; a message that nobody answered is a thread of its own */
  thread_id?: string
  /**
   * When the mail server received it, in Unix seconds. The header `Date`, which the sender writes, may say
   * otherwise.
   */
  date?: number
  /** The first 100 characters of its text, without markup */
  snippet?: string
  /** Whether it is marked: with the star at `google`, the flag at `microsoft` and `ews`, `\Flagged` in IMAP */
  starred?: boolean
  /** Whether nobody has read it yet */
  unread?: boolean
  /**
   * Ids of the folders that it is in. At `google` those of all its labels, `UNREAD` and `STARRED` included; at
   * `microsoft` and `ews` exactly one.
   */
  folders?: string[]
  /** Your own pairs of texts; absent where none were set */
  metadata?: Metadata
  /** Subject, decoded; empty where the message has none */
  subject?: string
  /** Authors: nearly always one */
  from?: EmailName[]
  /** Recipients */
  to?: EmailName[]
  /** Recipients of a copy */
  cc?: EmailName[]
  /** Recipients of a copy that the others do not see. Known of drafts and of sent mail, empty otherwise. */
  bcc?: EmailName[]
  /** Where answers are to go, if not to `from` */
  reply_to?: EmailName[]
  /** The HTML of the message, or its plain text where it has no HTML */
  body?: string
  /** Its files, images within the text included (`is_inline`). The bytes come with `/attachments/{id}/download`. */
  attachments?: Attachment[]
  /** The header `In-Reply-To`; with `ews` only, elsewhere `fields=include_basic_headers` tells it */
  in_reply_to?: string
  /** Headers in the order of the message; with `fields=include_headers` or `include_basic_headers` only */
  headers?: Header[]
  /** What is tracked of it; with `fields=include_tracking_options`, and where something is */
  tracking_options?: TrackingOptions
  /**
   * The whole message as MIME, in base64url. With `fields=raw_mime` only, and then beside `id`, `grant_id` and
   * `object` alone.
   */
  raw_mime?: string
}

/** A tracked message in which a link was followed */
export type LinkClickedObject = {
  /** What the object is: always `message` */
  object: 'message'
  /** Id of the tracked message; its Message-ID where the account has no id for it */
  message_id: string
  /** Id of the grant that it was sent from */
  grant_id: string
  /** The `label` of its tracking options; empty where none was given */
  label: string
  /** Id of the application that sent it */
  sender_app_id: string
  /** When it last happened, in Unix seconds */
  timestamp: number
  /** All tracked links of the message, in their order */
  link_data: {
    /** How often it was followed */
    count: number
    /** Where the link leads */
    url: string
  }[]
  /** The last 50 clicks on the link that was followed, the oldest first */
  recents: {
    /** Number of the click on this link, from 0 on */
    click_id: number
    /** Place of the link in `link_data`, from `0` on, as text */
    link_index: string
    /** Network address that the request came from, often of a proxy */
    ip: string
    /** When, in Unix seconds */
    timestamp: number
    /** What the program of the reader calls itself; empty where it does not */
    user_agent: string
  }[]
}

/** A session that goes on */
export type ListedSession = {
  /** Id of the session */
  id: string
  /** Who is signed in; null for the password of the installation, and for a one-time link */
  person: PersonSummary | null
  /** What a session began with: a password, a one-time link, an invitation, or OpenID Connect */
  way: SignInWay
  /** Network address that it was begun from; null where not known */
  address: string | null
  /** What the browser said that it is, up to 256 characters; null where it said nothing */
  user_agent: string | null
  /** When the session began, in Unix seconds */
  signed_in_at: number
  /** When it ends whatever happens, in Unix seconds */
  expires_at: number
  /** When it was last used, to within half a minute, in Unix seconds */
  seen_at: number
  /** Whether it is the one that the request belongs to */
  current: boolean
}

/** What is delivered now instead of later */
export type MadeDue = {
  /** How many waited for a later try and are delivered now */
  due: number
  /** More wait than one call takes: call again */
  more: boolean
}

/** A message of an account, as its mail server has it now */
export type Message = {
  /**
   * Id of the message, to be taken as it is. It stays when the message is moved; at `ews` a former id goes on
   * naming it.
   */
  id: string
  /** Id of the grant that it belongs to */
  grant_id: string
  /** What the object is: always `message` */
  object: 'message'
  /** Id of the thread that it belongs to; a message that nobody answered is a thread of its own */
  thread_id?: string
  /**
   * When the mail server received it, in Unix seconds. The header `Date`, which the sender writes, may say
   * otherwise.
   */
  date?: number
  /** The first 100 characters of its text, without markup */
  snippet?: string
  /** Whether it is marked: with the star at `google`, the flag at `microsoft` and `ews`, `\Flagged` in IMAP */
  starred?: boolean
  /** Whether nobody has read it yet */
  unread?: boolean
  /**
   * Ids of the folders that it is in. At `google` those of all its labels, `UNREAD` and `STARRED` included; at
   * `microsoft` and `ews` exactly one.
   */
  folders?: string[]
  /** Your own pairs of texts; absent where none were set */
  metadata?: Metadata
  /** Subject, decoded; empty where the message has none */
  subject?: string
  /** Authors: nearly always one */
  from?: EmailName[]
  /** Recipients */
  to?: EmailName[]
  /** Recipients of a copy */
  cc?: EmailName[]
  /** Recipients of a copy that the others do not see. Known of drafts and of sent mail, empty otherwise. */
  bcc?: EmailName[]
  /** Where answers are to go, if not to `from` */
  reply_to?: EmailName[]
  /** The HTML of the message, or its plain text where it has no HTML */
  body?: string
  /** Its files, images within the text included (`is_inline`). The bytes come with `/attachments/{id}/download`. */
  attachments?: Attachment[]
  /** The header `In-Reply-To`; with `ews` only, elsewhere `fields=include_basic_headers` tells it */
  in_reply_to?: string
  /** Headers in the order of the message; with `fields=include_headers` or `include_basic_headers` only */
  headers?: Header[]
  /** What is tracked of it; with `fields=include_tracking_options`, and where something is */
  tracking_options?: TrackingOptions
  /**
   * The whole message as MIME, in base64url. With `fields=raw_mime` only, and then beside `id`, `grant_id` and
   * `object` alone.
   */
  raw_mime?: string
}

/** What is to change of a message. What is left out stays as it is. */
export type MessageChange = {
  /** `false` marks it as read, `true` as unread */
  unread?: boolean | undefined
  /** `true` stars it, `false` takes the star away */
  starred?: boolean | undefined
  /**
   * Ids of all folders that it is to be in: the list replaces the old one, and so moves it. At `microsoft` and
   * `ews` exactly one; at `google` an empty list archives, and marks such as `STARRED` stay unless they are named.
   */
  folders?: string[] | undefined
  /** Your own pairs of texts: replaces all of them; `{}` and null remove them. Nobody is notified. */
  metadata?: Metadata | null | undefined
}

/** Which messages to clean, and how */
export type MessageClean = {
  /** Ids of the messages, up to 20 */
  message_id: string[]
  /** Whether of links only their text is kept */
  ignore_links?: boolean | undefined
  /** Whether images are left out */
  ignore_images?: boolean | undefined
  /**
   * Whether images that are kept become `![alt](src)`; otherwise only their address stays. Must not be false with
   * `html_as_markdown`.
   */
  images_as_markdown?: boolean | undefined
  /** Whether of tables only the text of their rows is kept */
  ignore_tables?: boolean | undefined
  /** Whether English closing phrases, such as "Best regards", are left out */
  remove_conclusion_phrases?: boolean | undefined
  /** Whether `conversation` is Markdown instead of plain text */
  html_as_markdown?: boolean | undefined
}

/** What is told beside the object */
export type MessageData = {
  /** Id of the grant that it was sent from */
  grant_id: string
}

/** A message of an account that shows the headers of its mail alone (`gmail.metadata` at Google) */
export type MessageHeadersObject = {
  /**
   * Id of the message, to be taken as it is. It stays when the message is moved; at `ews` a former id goes on
   * naming it.
   */
  id: string
  /** Id of the grant that it belongs to */
  grant_id: string
  /** What the object is: always `message` */
  object: 'message'
  /** Id of the thread that it belongs to; a message that nobody answered is a thread of its own */
  thread_id?: string | undefined
  /**
   * When the mail server received it, in Unix seconds. The header `Date`, which the sender writes, may say
   * otherwise.
   */
  date?: number | undefined
  /** Whether it is marked: with the star at `google`, the flag at `microsoft` and `ews`, `\Flagged` in IMAP */
  starred?: boolean | undefined
  /** Whether nobody has read it yet */
  unread?: boolean | undefined
  /**
   * Ids of the folders that it is in. At `google` those of all its labels, `UNREAD` and `STARRED` included; at
   * `microsoft` and `ews` exactly one.
   */
  folders?: string[] | undefined
  /** Your own pairs of texts; absent where none were set */
  metadata?: Metadata | undefined
  /** Subject, decoded; empty where the message has none */
  subject?: string | undefined
  /** Authors: nearly always one */
  from?: EmailName[] | undefined
  /** Recipients */
  to?: EmailName[] | undefined
  /** Recipients of a copy */
  cc?: EmailName[] | undefined
  /** Recipients of a copy that the others do not see. Known of drafts and of sent mail, empty otherwise. */
  bcc?: EmailName[] | undefined
  /** Where answers are to go, if not to `from` */
  reply_to?: EmailName[] | undefined
  /** Headers in the order of the message; with `fields=include_headers` or `include_basic_headers` only */
  headers?: Header[] | undefined
}

export type MessageListQuery = {
  /**
   * Words that stand in subject, addresses or text, all of them, in any case; `"…"` is one phrase. Gmail finds
   * whole words, IMAP servers parts of them too.
   */
  q?: string | undefined
  /** Text of the subject, in any case; at `google` whole words of it */
  subject?: string | undefined
  /** Sent from or to any of these addresses, `cc` and `bcc` included: up to 25 with commas between them */
  any_email?: string[] | undefined
  /** From one of these addresses, written whole */
  from?: string[] | undefined
  /** With one of these addresses, written whole, among the recipients (`to`) */
  to?: string[] | undefined
  /** With one of these addresses, written whole, in `cc` */
  cc?: string[] | undefined
  /** With one of these addresses in `bcc`; finds mail that the account itself sent */
  bcc?: string[] | undefined
  /** Id of one folder, not its name; of several the last counts. All folders when absent, junk and trash included. */
  in?: string | undefined
  /** `true`: those that are unread; `false`: those that are read */
  unread?: boolean | undefined
  /** `true`: those with a star; `false`: those without */
  starred?: boolean | undefined
  /** `true`: those with files; `false`: those without. An image within the text is no attachment. */
  has_attachment?: boolean | undefined
  /**
   * A search in the provider's own language: Gmail's operators, KQL or `$filter=…` at `microsoft`, AQS at `ews`,
   * search keys of RFC 3501 in IMAP. At `google` and `microsoft` only `in` may stand beside it, at `ews` all but
   * `thread_id`.
   */
  search_query_native?: string | undefined
  /**
   * `microsoft` and `ews`: the address of who shares a mailbox, or folders of it, with the account. Others refuse
   * it with 422.
   */
  shared_from?: string | undefined
  /** `microsoft` and `ews`: id of the folder that is shared; with `shared_from`, in place of `in` */
  shared_folder_id?: string | undefined
  /** Messages of this thread */
  thread_id?: string | undefined
  /** Received after this time, itself excluded, in Unix seconds */
  received_after?: number | undefined
  /** Received before this time, itself excluded, in Unix seconds */
  received_before?: number | undefined
  /**
   * Objects whose metadata has this pair, as `key1:value`; several pairs with commas between them must all hold.
   * Only `key1` to `key5` can be asked for, and provider filters cannot stand beside it.
   */
  metadata_pair?: string | undefined
  /**
   * What the messages hold beside the usual. `include_headers`: all headers; `include_basic_headers`: Message-ID,
   * In-Reply-To and References; `include_tracking_options`: what is tracked; `raw_mime`: the whole message as
   * MIME, and nothing else but ids. `standard` when absent.
   */
  fields?: 'standard' | 'include_headers' | 'include_basic_headers' | 'include_tracking_options' | 'raw_mime' | undefined
  /** Without effect, for clients that send it: the mail server is always asked */
  query_imap?: boolean | undefined
  /**
   * How many objects a page has at most: 50 unless told otherwise. More than 200 is taken as 200. A page may hold
   * fewer and still have a next one.
   */
  limit?: number | undefined
  /**
   * `next_cursor` of the page before; leave it out for the first page. Filters stay those of the first page,
   * `limit` and `select` may change.
   */
  page_token?: string | undefined
  /**
   * Names of the top-level fields to answer with, with commas between them: `id,title`. All fields when absent;
   * names that there are not are passed over.
   */
  select?: string[] | undefined
}

/** A message that arrived, was sent or was changed */
export type MessageObject = {
  /**
   * Id of the message, to be taken as it is. It stays when the message is moved; at `ews` a former id goes on
   * naming it.
   */
  id: string
  /** Id of the grant that it belongs to */
  grant_id: string
  /** What the object is: always `message` */
  object: 'message'
  /** Id of the thread that it belongs to; a message that nobody answered is a thread of its own */
  thread_id?: string
  /**
   * When the mail server received it, in Unix seconds. The header `Date`, which the sender writes, may say
   * otherwise.
   */
  date?: number
  /** The first 100 characters of its text, without markup */
  snippet?: string
  /** Whether it is marked: with the star at `google`, the flag at `microsoft` and `ews`, `\Flagged` in IMAP */
  starred?: boolean
  /** Whether nobody has read it yet */
  unread?: boolean
  /**
   * Ids of the folders that it is in. At `google` those of all its labels, `UNREAD` and `STARRED` included; at
   * `microsoft` and `ews` exactly one.
   */
  folders?: string[]
  /** Your own pairs of texts; absent where none were set */
  metadata?: Metadata
  /** Subject, decoded; empty where the message has none */
  subject?: string
  /** Authors: nearly always one */
  from?: EmailName[]
  /** Recipients */
  to?: EmailName[]
  /** Recipients of a copy */
  cc?: EmailName[]
  /** Recipients of a copy that the others do not see. Known of drafts and of sent mail, empty otherwise. */
  bcc?: EmailName[]
  /** Where answers are to go, if not to `from` */
  reply_to?: EmailName[]
  /** The HTML of the message, or its plain text where it has no HTML */
  body?: string
  /** Its files, images within the text included (`is_inline`). The bytes come with `/attachments/{id}/download`. */
  attachments?: Attachment[]
  /** The header `In-Reply-To`; with `ews` only, elsewhere `fields=include_basic_headers` tells it */
  in_reply_to?: string
}

/** A tracked message that was opened. Scanners, loads in advance and the sender are not counted. */
export type MessageOpenedObject = {
  /** What the object is: always `message` */
  object: 'message'
  /** Id of the tracked message; its Message-ID where the account has no id for it */
  message_id: string
  /** Id of the grant that it was sent from */
  grant_id: string
  /** The `label` of its tracking options; empty where none was given */
  label: string
  /** Id of the application that sent it */
  sender_app_id: string
  /** When it last happened, in Unix seconds */
  timestamp: number
  /** All opens together */
  message_data: {
    /** How often it was opened; loads within a minute are one */
    count: number
    /** When it was last opened, in Unix seconds */
    timestamp: number
  }
  /** The last 50 opens, the oldest first */
  recents: {
    /** Number of the open, from 0 on */
    opened_id: number
    /** Network address that the request came from, often of a proxy */
    ip: string
    /** When, in Unix seconds */
    timestamp: number
    /** What the program of the reader calls itself; empty where it does not */
    user_agent: string
  }[]
}

export type MessageQuery = {
  /**
   * What the messages hold beside the usual. `include_headers`: all headers; `include_basic_headers`: Message-ID,
   * In-Reply-To and References; `include_tracking_options`: what is tracked; `raw_mime`: the whole message as
   * MIME, and nothing else but ids. `standard` when absent.
   */
  fields?: 'standard' | 'include_headers' | 'include_basic_headers' | 'include_tracking_options' | 'raw_mime' | undefined
  /** Without effect, for clients that send it: the mail server is always asked */
  query_imap?: boolean | undefined
  /**
   * `microsoft` and `ews`: the address of who shares a mailbox, or folders of it, with the account. Others refuse
   * it with 422.
   */
  shared_from?: string | undefined
  /**
   * Names of the top-level fields to answer with, with commas between them: `id,title`. All fields when absent;
   * names that there are not are passed over.
   */
  select?: string[] | undefined
}

/**
 * Your own pairs of texts, kept by the service and not shown to the provider: at most 50 pairs, keys of up to 40
 * characters, values of up to 500. Lists can be filtered by `key1` to `key5` (`metadata_pair`).
 */
export type Metadata = Record<string, string>

/** An API key that was just made */
export type NewApiKey = {
  /** Id of the key */
  id: string
  /** Id of the application that it opens */
  application_id: string
  /** Name for those who keep it */
  name: string
  /** Beginning of the key, to tell keys apart */
  hint: string
  /** What it may do: always `["all"]` */
  permissions: string[]
  /** `active`, or why it does not open anything any more */
  status: 'active' | 'expired' | 'revoked'
  /** Days left until it expires; null where it never does */
  expires_in: number | null
  /** When it expires, in Unix seconds; null where it never does */
  expires_at: number | null
  /** When it was last used, in Unix seconds; null where it never was */
  last_used_at: number | null
  /** Who created an API key */
  created_by: KeyCreator
  /** When it was created, in Unix seconds */
  created_at: number
  /** When it was last changed, in Unix seconds */
  updated_at: number
  /** The key itself, for `Authorization: Bearer`: told here and never again */
  api_key: string
}

/** What is told of a change: a CloudEvents envelope with the object in it */
export type Notification = {
  /** Version of CloudEvents: always `1.0` */
  specversion: '1.0'
  /**
   * The trigger; with `.truncated` when large fields were left out, so that the body has at most 1 MB; with
   * `.metadata` when the account shows the headers of its mail alone
   */
  type: string
  /**
   * Where it comes from: `/<provider>/<product>/<how it was noticed>`, such as `/google/emails/realtime`, or the
   * part of this service that speaks, such as `/waypost/system`
   */
  source: string
  /** Id of the notification. The same at every attempt and destination: what to know repetitions by. */
  id: string
  /** When it was made, in Unix seconds */
  time: number
  /** Which attempt at this destination it is, from 1 on; replays go on counting */
  webhook_delivery_attempt: number
  /** Counts the notifications of the grant without gaps, in the order of its changes */
  grant_sequence: number
  /** What happened. Some triggers tell more beside the object. */
  data: {
    /** Id of the application that the grant belongs to */
    application_id: string
    /** What changed: the object as the API answers with it, or its ids where it is gone */
    object: Record<string, unknown> | null
    [name: string]: unknown
  }
}

/** How far a notification is at one destination */
export type NotificationDelivery = {
  /** Id of the destination */
  webhook_id: string
  /** Whether the destination has taken it, will be tried, or has failed for good */
  state: 'delivered' | 'waiting' | 'failed'
  /** How many attempts were made */
  attempts: number
  /** When it is tried next, in Unix seconds; null where it is not waiting */
  next_attempt_at: number | null
}

/** Hours of some days of the week in which meetings may lie */
export type OpenHours = {
  /** Days of the week that the hours are for, 0 being Sunday and 6 Saturday */
  days: number[]
  /** Zone that the hours are meant in, by its IANA name */
  timezone: TimeZone
  /** When they begin, such as `9:00` */
  start: string
  /** When they end, such as `17:30`; at most `24:00`, and after the start */
  end: string
  /** Dates that are closed all day, in the zone of the hours */
  exdates?: string[] | null | undefined
}

/** A file of a message, in the JSON itself */
export type OutgoingAttachment = {
  /** Name of the file as recipients see it; required, up to 255 characters */
  filename?: string | null | undefined
  /** Bytes of the file in base64; required. Line breaks and the alphabet of URLs are taken too. */
  content?: string | null | undefined
  /** Media type, such as `application/pdf`; told by the name of the file when absent */
  content_type?: string | null | undefined
  /**
   * Name by which the HTML shows the file, with `<img src="cid:…">`: ASCII without spaces. Such a file is inline
   * unless `content_disposition` says otherwise.
   */
  content_id?: string | null | undefined
  /** `inline`, or `attachment`: not shown in the text, whatever the `content_id` */
  content_disposition?: string | null | undefined
  /** Id of a file that was uploaded before. There are no uploads: every provider refuses it with 422. */
  id?: string | null | undefined
}

/** Something about an application that somebody should act on */
export type OverviewProblem = {
  /** What is wrong, for programs */
  code: 'application_blocked' | 'no_worker' | 'destination_failed' | 'destination_failing' | 'destination_paused' | 'deliveries_late' | 'service_errors' | 'provider_errors' | 'grants_expired' | 'changes_not_fetched' | 'grant_limit_reached'
  /** `trouble`: something does not work; `attention`: somebody should look */
  severity: 'trouble' | 'attention'
  /** The same in words, with what to do about it */
  message: string
  /** Kind of account that it is about; null where it is about none */
  provider: string | null
  /** Destination that it is about; null where it is about none */
  webhook_id: string | null
}

/** A guest of an event, and what they answered */
export type Participant = {
  /** Address of the guest; Exchange may know somebody without one */
  email?: string
  /** Name of the guest; null where it is not known */
  name: string | null
  /** What the guest wrote with the answer, or null */
  comment: string | null
  /** Telephone number of the guest, or null */
  phone_number: string | null
  /** What a guest answered; `noreply` as long as there is no answer */
  status: ParticipantStatus
}

/** A guest to be invited */
export type ParticipantInput = {
  /** Address to invite; who is listed twice counts once */
  email: string
  /** Name to show beside the address */
  name?: string | null | undefined
  /** A remark. `microsoft` and `ews` do not keep it */
  comment?: string | null | undefined
  /** Telephone number. `google`, `microsoft` and `ews` do not keep it */
  phone_number?: string | null | undefined
  /** Taken without effect: guests begin with `noreply` and answer for themselves */
  status?: ParticipantStatus | null | undefined
}

/** What a guest answered; `noreply` as long as there is no answer */
export type ParticipantStatus = 'yes' | 'no' | 'maybe' | 'noreply'

/** Another password */
export type PasswordChange = {
  /** Password as it is now */
  current_password: string
  /** New password, at least 8 characters; those that are tried first are refused */
  new_password: string
}

/** What shows that it is the person who asks */
export type PasswordProof = {
  /** Password of the person, as it is now */
  current_password: string
}

/** A person who administers the service */
export type Person = {
  /** Id of the person */
  id: string
  /** Address that the person signs in with, in lower case */
  email: string
  /** Name of the person, up to 256 characters */
  name: string
  /**
   * `owner`: everything; `administrator`: everything but people and the settings of the installation; `viewer`:
   * reads, but neither data of customers nor secrets
   */
  role: Role
  /** `all`, or the ids of up to 1000 applications: others do not exist for the person */
  applications: ReachedApplications
  /** `invited`: has no way to sign in yet; `active`: can sign in; `blocked`: may not */
  state: 'invited' | 'active' | 'blocked'
  /** Whether the person has a password here */
  has_password: boolean
  /** Whether the password asks for a code of an authenticator app */
  has_totp: boolean
  /** Whether the person has signed in with OpenID Connect */
  has_oidc: boolean
  /** How many recovery codes are not used yet */
  recovery_codes_left: number
  /** Until when the link of the invitation is good, in Unix seconds; null where there is none */
  invitation_expires_at: number | null
  /** When the person last signed in, in Unix seconds; null where they never did */
  signed_in_at: number | null
  /** When it was created, in Unix seconds */
  created_at: number
  /** When it was last changed, in Unix seconds */
  updated_at: number
}

/** What is to be changed of a person; what is absent stays */
export type PersonChange = {
  /** Name of the person, up to 256 characters */
  name?: string | undefined
  /**
   * `owner`: everything; `administrator`: everything but people and the settings of the installation; `viewer`:
   * reads, but neither data of customers nor secrets
   */
  role?: Role | undefined
  /** `all`, or the ids of up to 1000 applications: others do not exist for the person */
  applications?: ReachedApplications | undefined
  /** `true` ends every session and lets the person in no more */
  blocked?: boolean | undefined
  /** `true` revokes the API keys that the person created and that are still valid. They stay valid when absent. */
  revoke_api_keys?: boolean | undefined
}

/** A person to be invited */
export type PersonDraft = {
  /** Address that the person signs in with, in lower case */
  email: string
  /** Name; the person may choose another one. The address when absent. */
  name?: string | undefined
  /**
   * `owner`: everything; `administrator`: everything but people and the settings of the installation; `viewer`:
   * reads, but neither data of customers nor secrets
   */
  role: Role
  /** `all` (default), or ids of applications. Owners have `all`. */
  applications?: ReachedApplications | undefined
}

/** What becomes of the API keys that a person created */
export type PersonKeys = {
  /** API keys that the person created and that were valid until now, in any application */
  api_keys: ApiKey[]
  /** Whether they were revoked now; otherwise they stay valid */
  api_keys_revoked: boolean
}

/** Who somebody is */
export type PersonSummary = {
  /** Id of the person */
  id: string
  /** Name of the person, up to 256 characters */
  name: string
  /** Address that the person signs in with, in lower case */
  email: string
  /**
   * `owner`: everything; `administrator`: everything but people and the settings of the installation; `viewer`:
   * reads, but neither data of customers nor secrets
   */
  role: Role
}

/**
 * What users come back to: `web` a site, `desktop` a program, `js` a page that calls the API itself, `ios` and
 * `android` apps, which may have addresses with a scheme of their own
 */
export type Platform = 'web' | 'desktop' | 'js' | 'ios' | 'android'

/** What accounts of one kind need for custom authentication */
export type ProviderGuide = {
  /** Kind of the account: the `provider` of a request */
  provider: string
  /** Its name for people */
  title: string
  /** Whether this server can make grants of this kind */
  available: boolean
  /** Whether the application has the connector that is needed first */
  connector: boolean
  /** The fields that `settings` may have */
  settings: {
    /** Name of the field in `settings` */
    name: string
    /** Whether it is always needed; where there are several ways to an account, none of them may be */
    required: boolean
    /** What it is for; empty where its name says it */
    description: string
  }[]
  /** Body for POST on this path, with places to fill in */
  example: Record<string, unknown>
}

/**
 * Kind of an account: `google`, `microsoft`, `imap` (any mailbox by IMAP and SMTP), `icloud`, `yahoo`, `ews`
 * (Exchange servers), `virtual-calendar` (calendars kept by the service, without an account elsewhere) or
 * `zoom`, which this server knows by name and cannot use yet
 */
export type ProviderKind = 'google' | 'microsoft' | 'imap' | 'icloud' | 'yahoo' | 'ews' | 'virtual-calendar' | 'zoom'

/** `all`, or the ids of up to 1000 applications: others do not exist for the person */
export type ReachedApplications = 'all' | string[]

/** That the service can take requests */
export type Readiness = {
  /** Always `ready`: otherwise the answer is 503 */
  status: 'ready'
  /** Which database holds the data */
  store: 'sqlite' | 'postgresql'
  /** Id of the node that answers, where several share a store */
  node: string
}

/** A person whom a message is to name */
export type Recipient = {
  /** Display name; the address alone when absent */
  name?: string | null | undefined
  /** E-mail address. Letters beyond ASCII before the @ need a mail server that takes them (SMTPUTF8). */
  email: string
}

/** Recovery codes, told here and never again */
export type RecoveryCodes = {
  /** Codes for when the app is lost: each is good once */
  recovery_codes: string[]
}

/** An address that users may be sent back to from a hosted sign-in */
export type RedirectUri = {
  /** Id of the redirect URI */
  id: string
  /** What users come back to */
  platform: Platform
  /** The address, compared byte for byte when a sign-in names it */
  url: string
  /** What the platform needs; `{}` where that is nothing */
  settings: RedirectUriSettings
  /** When it was created, in Unix seconds */
  created_at: number
}

/** What is to change of a redirect URI. What is left out stays. */
export type RedirectUriChange = {
  /**
   * https address (http for localhost and 127.0.0.1), or `scheme://…` for `ios` and `android`; without fragment,
   * and without query unless the application allows it. Up to 2048 bytes.
   */
  url?: string | undefined
  /** What users come back to */
  platform?: Platform | undefined
  /**
   * What the platform needs: `origin` for `js`; `bundle_id` for `ios`; `package_name` and
   * `sha1_certificate_fingerprint` for `android`; nothing for `web` and `desktop`
   */
  settings?: {
    /** Origin that the page calls the API from (CORS): https, or http for localhost. Required for `js`. */
    origin?: string | undefined
    /** Bundle id of the app; required for `ios` */
    bundle_id?: string | undefined
    /** Id of the app in the App Store, for `ios` */
    app_store_id?: string | undefined
    /** Id of the team at Apple, for `ios` */
    team_id?: string | undefined
    /** Package name of the app; required for `android` */
    package_name?: string | undefined
    /** SHA-1 fingerprint of the certificate that the app is signed with; required for `android` */
    sha1_certificate_fingerprint?: string | undefined
    /** Another spelling of `sha1_certificate_fingerprint`, which one published client writes */
    sha_1_certificate_fingerprint?: string | undefined
  } | undefined
}

/** A redirect URI to be registered */
export type RedirectUriDraft = {
  /**
   * https address (http for localhost and 127.0.0.1), or `scheme://…` for `ios` and `android`; without fragment,
   * and without query unless the application allows it. Up to 2048 bytes.
   */
  url: string
  /** What users come back to; `web` when absent */
  platform?: Platform | undefined
  /**
   * What the platform needs: `origin` for `js`; `bundle_id` for `ios`; `package_name` and
   * `sha1_certificate_fingerprint` for `android`; nothing for `web` and `desktop`
   */
  settings?: {
    /** Origin that the page calls the API from (CORS): https, or http for localhost. Required for `js`. */
    origin?: string | undefined
    /** Bundle id of the app; required for `ios` */
    bundle_id?: string | undefined
    /** Id of the app in the App Store, for `ios` */
    app_store_id?: string | undefined
    /** Id of the team at Apple, for `ios` */
    team_id?: string | undefined
    /** Package name of the app; required for `android` */
    package_name?: string | undefined
    /** SHA-1 fingerprint of the certificate that the app is signed with; required for `android` */
    sha1_certificate_fingerprint?: string | undefined
    /** Another spelling of `sha1_certificate_fingerprint`, which one published client writes */
    sha_1_certificate_fingerprint?: string | undefined
  } | undefined
}

/** What belongs to a redirect URI, by its platform */
export type RedirectUriSettings = {
  /** Origin that the page calls the API from (CORS): https, or http for localhost. Required for `js`. */
  origin?: string
  /** Bundle id of the app; required for `ios` */
  bundle_id?: string
  /** Id of the app in the App Store, for `ios` */
  app_store_id?: string
  /** Id of the team at Apple, for `ios` */
  team_id?: string
  /** Package name of the app; required for `android` */
  package_name?: string
  /** SHA-1 fingerprint of the certificate that the app is signed with; required for `android` */
  sha1_certificate_fingerprint?: string
}

/** Where the operator says that the installation stands */
export type Region = 'us' | 'eu'

/** How the user is reminded of an event */
export type Reminders = {
  /** Whether the usual reminders of the calendar apply */
  use_default: boolean
  /** Reminders of this event alone; empty where there are none */
  overrides: {
    /** How many minutes before the start */
    reminder_minutes: number
    /** How the user is reminded */
    reminder_method: 'popup' | 'email' | 'display' | 'sound'
  }[]
}

/** How the user is to be reminded of an event. Virtual calendars remind nobody */
export type RemindersInput = {
  /** Whether the usual reminders of the calendar apply; `true` and `overrides` exclude each other */
  use_default?: boolean | null | undefined
  /** Reminders of this event alone: at most five with `google` */
  overrides?: {
    /** How many minutes before the start, up to four weeks */
    reminder_minutes: number
    /**
     * `google`: `popup` (default) or `email`; `icloud`: `display` (default) or `sound`; Exchange shows its reminders
     * itself
     */
    reminder_method?: 'popup' | 'email' | 'display' | 'sound' | null | undefined
  }[] | null | undefined
}

/** What a text comes to with its values */
export type RenderedBody = {
  /** HTML with the values in the places of its variables */
  body: string
}

/** What a message by this template would say */
export type RenderedTemplate = {
  /** Subject with its values */
  subject: string
  /** HTML with the values in the places of its variables */
  body: string
}

/**
 * What to deliver again: one notification by its id, or all that fit the other fields, of which one must be
 * there
 */
export type Replay = {
  /** This notification, whether it was delivered or not */
  notification_id?: string | undefined
  /** Made at this time or later, in Unix seconds; from the oldest that is kept when absent */
  start?: number | undefined
  /** Beside `start`: made before this time, in Unix seconds; up to now when absent */
  end?: number | undefined
  /**
   * `all` (default): whatever came of it, also what the destination was never sent; `delivered`: what it has
   * taken; `failed`: what failed for good
   */
  outcome?: 'all' | 'delivered' | 'failed' | undefined
  /** true: the same as `outcome: "failed"` */
  failed?: boolean | undefined
  /**
   * Of these triggers; all that the destination has now when absent. Unless `outcome` is `failed`, it must be
   * subscribed to them.
   */
  trigger_types?: SubscribableTrigger[] | undefined
  /** About this grant alone */
  grant_id?: string | undefined
  /** true: nothing is delivered; the answer tells how many it would be */
  dry_run?: boolean | undefined
}

/** What a replay came to, or would come to */
export type Replayed = {
  /** How many notifications were queued again; 0 in a dry run */
  replayed: number
  /** In a dry run: how many there are to replay, counted up to 10000 */
  matching?: number
  /** In a dry run: there may be more than were counted, and all of them would be replayed */
  more?: boolean
}

/**
 * `change_password`: the password is the first one, which the service made up; `set_up_second_factor`: owners
 * require one of this role
 */
export type RequiredAction = 'change_password' | 'set_up_second_factor'

/** A room or equipment that is invited */
export type Resource = {
  /** Address of the room, as `GET …/resources` tells it */
  email: string
  /** Name of the room */
  name?: string | null | undefined
  /** How many people it is meant for. Kept by virtual calendars; other providers know it from their directory */
  capacity?: number | null | undefined
  /** The building that it is in. Kept by virtual calendars; other providers know it from their directory */
  building?: string | null | undefined
  /** Name of the floor. Kept by virtual calendars; other providers know it from their directory */
  floor_name?: string | null | undefined
  /** Part of the floor. Kept by virtual calendars; other providers know it from their directory */
  floor_section?: string | null | undefined
  /** Number of the floor. Kept by virtual calendars; other providers know it from their directory */
  floor_number?: number | null | undefined
}

/** May be empty where the query names the token */
export type RevokeRequest = {
  /** Access or refresh token to revoke, unless it stands in the query */
  token?: string | null | undefined
}

/** What somebody may do */
export type Rights = {
  /**
   * `owner`: everything; `administrator`: everything but people and the settings of the installation; `viewer`:
   * reads, but neither data of customers nor secrets
   */
  role: Role
  /** `all`, or the ids of up to 1000 applications: others do not exist for the person */
  applications: ReachedApplications
  /** Whether mail, calendars, contacts and what notifications hold may be seen */
  customer_data: boolean
}

/**
 * `owner`: everything; `administrator`: everything but people and the settings of the installation; `viewer`:
 * reads, but neither data of customers nor secrets
 */
export type Role = 'owner' | 'administrator' | 'viewer'

/** A room in the directory of an organization. What the directory does not say of it is left out. */
export type RoomResource = {
  /** What the object is: always `room_resource` */
  object: 'room_resource'
  /** Id of the grant that it belongs to */
  grant_id: string
  /** Address of the room. To invite it, write it into `resources[].email` of an event. */
  email: string
  /** Name of the room in the directory */
  name: string
  /** Name of the building that it is in */
  building?: string
  /** How many people it is meant for */
  capacity?: number
  /** The floor as the directory names it */
  floor_name?: string
  /** The floor as a number; with `google` only where the name of the floor is one */
  floor_number?: number
  /** Part of the floor; `google` only */
  floor_section?: string
}

export type RoomResourceListQuery = {
  /**
   * How many objects a page has at most: 50 unless told otherwise. More than 200 is taken as 200. A page may hold
   * fewer and still have a next one.
   */
  limit?: number | undefined
  /**
   * `next_cursor` of the page before; leave it out for the first page. Filters stay those of the first page,
   * `limit` and `select` may change.
   */
  page_token?: string | undefined
  /**
   * Names of the top-level fields to answer with, with commas between them: `id,title`. All fields when absent;
   * names that there are not are passed over.
   */
  select?: string[] | undefined
}

/** Whether the account will come */
export type Rsvp = {
  /** The answer */
  status: 'yes' | 'no' | 'maybe'
  /** Words for the organizer */
  comment?: string | null | undefined
  /** Taken without effect: the query names the calendar */
  calendar_id?: string | null | undefined
}

/** What became of an answer */
export type RsvpResult = {
  /** Why the mail to the organizer did not leave; the answer stands in the calendar */
  send_ics_error?: SendIcsError
  /** Whether a mail went to the organizer, and why not */
  mail?: string
}

/** What became of a message that is sent at a time */
export type ScheduledMessage = {
  /** Id that the answer to the sending told */
  schedule_id: string
  /** How far it is */
  status: {
    /** `pending` until it is over; then `success`, `failed`, or `cancelled` where it was stopped */
    code: 'pending' | 'success' | 'failed' | 'cancelled'
    /** The same in words */
    description: string
  }
  /** When it was sent, failed or was stopped, in Unix seconds; absent while it is pending */
  close_time?: number
}

/** A message that waited for its time. Its text is not told. */
export type ScheduledMessageObject = {
  /** What the object is: always `message` */
  object: 'message'
  /** Id of the grant that it belongs to */
  grant_id: string
  /** Id of the message in the account, where it was sent */
  id?: string
  /** Id that the answer to the sending told */
  schedule_id?: string
  /** When it was to be sent, in Unix seconds */
  send_at?: number
  /** Whether it waited among the drafts of the account */
  use_draft?: boolean
  /** The first 100 characters of its text, without markup */
  snippet?: string
  /** Subject, decoded; empty where the message has none */
  subject?: string
  /** Authors: nearly always one */
  from?: EmailName[]
  /** Recipients */
  to?: EmailName[]
  /** Recipients of a copy */
  cc?: EmailName[]
  /** Recipients of a copy that the others do not see. Known of drafts and of sent mail, empty otherwise. */
  bcc?: EmailName[]
  /** Where answers are to go, if not to `from` */
  reply_to?: EmailName[]
  /** The HTML of the message, or its plain text where it has no HTML */
  body?: string
  /** Its files, images within the text included (`is_inline`). The bytes come with `/attachments/{id}/download`. */
  attachments?: Attachment[]
}

/** What is told beside the object of a message that was not sent */
export type SendFailedData = {
  /** Id of the grant that it was sent from */
  grant_id: string
  /** Why it was not sent, as one word, such as `send_refused`, or `expired` where its time was long over */
  reason: string
  /** The error that it failed with */
  error: {
    /** Type of the error, as the API answers with it */
    type: string
    /** What went wrong, in words */
    message: string
    /** HTTP status that the API has for this error */
    status_code?: number
    /** What the provider said, in its own form; absent where it said nothing */
    provider_error?: Record<string, unknown>
  }
}

/** Why the mail to the organizer did not leave; the answer stands in the calendar */
export type SendIcsError = {
  /** Type of the error, as in error answers */
  type: string
  /** Why, in words */
  message: string
}

/** A message to be sent */
export type SendRequest = {
  /** Recipients, at least one; `to`, `cc` and `bcc` hold up to 100 addresses together */
  to: Recipient[]
  /** Recipients of a copy */
  cc?: Recipient[] | null | undefined
  /** Recipients of a copy whom the others do not see */
  bcc?: Recipient[] | null | undefined
  /** Where answers are to go: up to 100 addresses */
  reply_to?: Recipient[] | null | undefined
  /**
   * Sender, exactly one: address and name of the grant when absent. Another address must be an alias that the
   * provider allows.
   */
  from?: Recipient[] | null | undefined
  /** Subject on one line, up to 998 characters. That of the message that is answered when absent. */
  subject?: string | null | undefined
  /** Text of the message as HTML, or as plain text with `is_plaintext` */
  body?: string | null | undefined
  /** true: `body` is plain text, and no HTML is sent; false when absent */
  is_plaintext?: boolean | null | undefined
  /**
   * Message that this one answers, by its id or its Message-ID: sets In-Reply-To and References, so that it is
   * filed in that thread
   */
  reply_to_message_id?: string | null | undefined
  /** Files, up to 3 MB together once they are decoded; larger ones go as parts of `multipart/form-data` */
  attachments?: OutgoingAttachment[] | null | undefined
  /** Headers of your own, up to 100 */
  custom_headers?: CustomHeader[] | null | undefined
  /** What is to be told once the message was sent: opens, followed links, answers. Nothing when absent. */
  tracking_options?: TrackingRequest | null | undefined
  /** Your own pairs of texts, kept by the service for the message. Recipients do not see them. */
  metadata?: Metadata | null | undefined
  /** Template for subject and body; a `subject` or `body` of the request takes the place of its own */
  template?: TemplateUse | null | undefined
  /** Signature of the grant, put at the end of the HTML; without effect on plain text */
  signature_id?: string | null | undefined
  /** When to send it, in Unix seconds: 60 seconds to 30 days from now. At once when absent. */
  send_at?: number | null | undefined
  /**
   * true, beside `send_at`: the message waits among the drafts of the account, where its user can change it or, by
   * deleting it, let the sending fail. `imap`, `icloud` and `yahoo` refuse it with 422.
   */
  use_draft?: boolean | null | undefined
}

/** A message that was sent, or is to be sent at its time */
export type SentMessage = {
  /** Id of the message in the account; absent where it is sent later */
  id?: string
  /** Id of the grant that it belongs to */
  grant_id: string
  /** What the object is: always `message` */
  object: 'message'
  /** Id of the thread that it belongs to; a message that nobody answered is a thread of its own */
  thread_id?: string
  /**
   * When the mail server received it, in Unix seconds. The header `Date`, which the sender writes, may say
   * otherwise.
   */
  date?: number
  /** The first 100 characters of its text, without markup */
  snippet?: string
  /** Whether it is marked: with the star at `google`, the flag at `microsoft` and `ews`, `\Flagged` in IMAP */
  starred?: boolean
  /** Whether nobody has read it yet */
  unread?: boolean
  /** Ids of the folders that the account filed it in; empty while that is not known */
  folders?: string[]
  /** Your own pairs of texts; absent where none were set */
  metadata?: Metadata
  /** Subject as it was sent */
  subject: string
  /** Sender: what the request names, else the grant */
  from: EmailName[]
  /** Recipients */
  to: EmailName[]
  /** Recipients of a copy */
  cc: EmailName[]
  /** Recipients of a copy that the others do not see. Known of drafts and of sent mail, empty otherwise. */
  bcc?: EmailName[]
  /** Where answers are to go, if not to `from` */
  reply_to?: EmailName[]
  /** Text as it was given, without signature and tracking */
  body: string
  /** Its files, images within the text included (`is_inline`). The bytes come with `/attachments/{id}/download`. */
  attachments?: Attachment[]
  /** Headers as they were sent, where `fields` asks for them and the message is not sent later */
  headers?: Header[]
  /** What is tracked of it; absent where nothing is */
  tracking_options?: TrackingOptions
  /** Message that it answers, as the request names it; empty where it answers none */
  reply_to_message_id: string
  /** Id to ask for it, or to stop it, by; empty where it was sent at once */
  schedule_id: string
  /** When it is sent, in Unix seconds; absent where it was sent at once */
  send_at?: number
  /** Whether it waits among the drafts of the account; absent where it was sent at once */
  use_draft?: boolean
}

/** How the service fares now */
export type ServiceHealth = {
  /** The processes that share the store, those too that went silent lately */
  nodes: {
    /** Id of the node: another one after each start */
    id: string
    /** When it was started, in Unix seconds */
    started_at: number
    /** When it last said that it runs, in Unix seconds */
    seen_at: number
    /**
     * `api`: it answers requests; `worker`: it delivers, sends and looks for changes; `deliverer` and `watcher`: one
     * half of that alone
     */
    roles: ('api' | 'worker' | 'deliverer' | 'watcher')[]
    /** How many grants it looks for changes of */
    watched_grants: number
    /** Version that it runs; empty of a node that does not say */
    version: string
    /** Name of its machine; empty of a node that does not say */
    host: string
    /** Whether it has not said for 15 seconds that it runs: it is taken for dead, and forgotten five minutes after */
    stale: boolean
  }[]
  /** Jobs that are still to be done at providers and elsewhere */
  outbox_jobs: number
  /** Notifications that wait for a destination, counted for each */
  deliveries_waiting: number
  /** Messages that are to be sent, now or at their time; 100000 where it is more */
  sends_waiting: number
  /** Grants of all applications by their state */
  grants: {
    /** Grants that work */
    valid: number
    /** Grants whose users must authenticate again */
    invalid: number
  }
  /** Webhook destinations of all applications by their state; 100000 where it is more */
  destinations: {
    /** Destinations that are sent to */
    active: number
    /** Destinations that are sent to though most attempts fail */
    failing: number
    /** Destinations that are not sent to any more, because attempts failed */
    failed: number
    /** Destinations that their application paused */
    pause: number
  }
}

/** A session of an administrator in the dashboard */
export type Session = {
  /** Id of the session */
  id: string
  /** When the session began, in Unix seconds */
  signed_in_at: number
  /** When it ends whatever happens, in Unix seconds */
  expires_at: number
  /** When it ends if nothing is asked for until then, in Unix seconds */
  idle_expires_at: number
  /** Who is signed in; null for the password of the installation, and for a one-time link */
  person: PersonSummary | null
  /** What may be done in it, as of now */
  rights: Rights
  /** What must be done before anything else is allowed; null where nothing must */
  required_action: RequiredAction | null
}

export type ShownTrigger = 'grant.created' | 'grant.updated' | 'grant.expired' | 'grant.deleted' | 'message.created' | 'message.updated' | 'message.send_success' | 'message.send_failed' | 'message.bounce_detected' | 'message.opened' | 'message.link_clicked' | 'thread.replied' | 'calendar.created' | 'calendar.updated' | 'calendar.deleted' | 'event.created' | 'event.updated' | 'event.deleted' | 'contact.updated' | 'contact.deleted' | 'folder.created' | 'folder.updated' | 'folder.deleted' | 'message.created.truncated' | 'message.updated.truncated' | 'calendar.created.truncated' | 'calendar.updated.truncated' | 'event.created.truncated' | 'event.updated.truncated' | 'contact.updated.truncated' | 'message.created.metadata' | 'message.updated.metadata'

/** What is shown to sign in: a password or a link */
export type SignIn = {
  /** Address of the person whose `password` it is; without one it is that of the installation */
  email?: string | undefined
  /** Password of the person, or of the installation, unless there is a `link` */
  password?: string | undefined
  /** Six digits of the authenticator app, or a recovery code, where the person has a second factor */
  code?: string | undefined
  /** What stands behind `#link=` of a one-time link, in place of the password */
  link?: string | undefined
}

/** What a session began with: a password, a one-time link, an invitation, or OpenID Connect */
export type SignInWay = 'password' | 'link' | 'invitation' | 'oidc'

/** How one may sign in to the dashboard */
export type SignInWays = {
  /** Whether the password of the installation signs in; people always can with their own */
  installation_password: boolean
  /** Whether there is anybody who signs in with an address and a password of their own */
  people: boolean
  /** Sign-in with OpenID Connect; null where it is not set up */
  oidc: {
    /** What the provider is called */
    name: string
    /** Path below the base address that begins the sign-in */
    url: string
  } | null
}

/**
 * A text for the end of messages, kept by the service. It is not the signature of the provider's own mail
 * program.
 */
export type Signature = {
  /** Id of the signature: the `signature_id` of messages and drafts */
  id: string
  /** Id of the grant that it belongs to */
  grant_id: string
  /** What the object is: always `signature` */
  object: 'signature'
  /** Name for those who choose it; recipients do not see it */
  name: string
  /** HTML, with what is not safe taken out */
  body: string
  /** When it was created, in Unix seconds */
  created_at: number
  /** When it was last changed, in Unix seconds */
  updated_at: number
}

/** What is to change of a signature. What is left out stays. */
export type SignatureChange = {
  /** Name for those who choose it, up to 256 characters; recipients do not see it */
  name?: string | undefined
  /**
   * HTML of up to 100 KB. Scripts, styles in elements, frames, forms, event handlers and images that are not at an
   * http or https address are taken out
   */
  body?: string | undefined
}

/** What a signature header of a delivery came to */
export type SignatureCheck = {
  /** Name of the header, in lower case */
  header: string
  /**
   * `valid`: by the secret of the destination; `valid_previous`: by the one before its rotation; `test_secret`: by
   * the fixed secret of test events; `other_destination`: by the secret of another destination of the application;
   * `body_changed`: right for the same body in another form; `wrong`: by none of these; `absent`: the header is
   * not there, or what it goes with is not
   */
  result: 'valid' | 'valid_previous' | 'test_secret' | 'other_destination' | 'body_changed' | 'wrong' | 'absent'
}

/** A signature to be kept for a grant */
export type SignatureDraft = {
  /** Name for those who choose it, up to 256 characters; recipients do not see it */
  name: string
  /**
   * HTML of up to 100 KB. Scripts, styles in elements, frames, forms, event handlers and images that are not at an
   * http or https address are taken out
   */
  body: string
}

/** A delivery whose signatures are to be checked */
export type SignatureQuestion = {
  /** Headers of the delivery as they came; names in any case, others than signatures too */
  headers: Record<string, string>
  /** Body as it came, as text: not parsed, not changed */
  body?: string | undefined
  /** In place of `body`: its bytes in base64, for a compressed one */
  body_base64?: string | undefined
}

/** What the signatures of a delivery came to. No secret is told. */
export type SignatureVerdict = {
  /** Whether the delivery is from this service, to this destination, and unchanged; its age is told apart */
  valid: boolean
  /** Each signature header, whether it is there or not */
  checks: SignatureCheck[]
  /** How long ago `webhook-timestamp` is, in seconds; null where it is not there */
  age_seconds: number | null
  /**
   * More than five minutes ago: a receiver that checks the time refuses it, and so protects itself against
   * repetitions
   */
  too_old: boolean
  /** What that means, and what to do, in words */
  explanation: string[]
}

/** A notification as the stream has it: without the number of an attempt, because nothing is delivered */
export type StreamedNotification = {
  /** Version of CloudEvents: always `1.0` */
  specversion: '1.0'
  /**
   * The trigger; with `.truncated` when large fields were left out, so that the body has at most 1 MB; with
   * `.metadata` when the account shows the headers of its mail alone
   */
  type: string
  /**
   * Where it comes from: `/<provider>/<product>/<how it was noticed>`, such as `/google/emails/realtime`, or the
   * part of this service that speaks, such as `/waypost/system`
   */
  source: string
  /** Id of the notification. The same at every attempt and destination: what to know repetitions by. */
  id: string
  /** When it was made, in Unix seconds */
  time: number
  /** Counts the notifications of the grant without gaps, in the order of its changes */
  grant_sequence: number
  /** What happened. Some triggers tell more beside the object. */
  data: {
    /** Id of the application that the grant belongs to */
    application_id: string
    /** What changed: the object as the API answers with it, or its ids where it is gone */
    object: Record<string, unknown> | null
    [name: string]: unknown
  }
}

export type SubscribableTrigger = 'grant.created' | 'grant.updated' | 'grant.expired' | 'grant.deleted' | 'message.created' | 'message.updated' | 'message.send_success' | 'message.send_failed' | 'message.bounce_detected' | 'message.opened' | 'message.link_clicked' | 'thread.replied' | 'calendar.created' | 'calendar.updated' | 'calendar.deleted' | 'event.created' | 'event.updated' | 'event.deleted' | 'contact.updated' | 'contact.deleted' | 'folder.created' | 'folder.updated' | 'folder.deleted'

/** Subject and body of messages, with places for variables */
export type Template = {
  /** Id of the template: `template.id` of messages and drafts */
  id: string
  /** Id of the application */
  app_id: string | null
  /** Id of the grant that it belongs to; null for a template of the application */
  grant_id: string | null
  /** What the object is: always `template` */
  object: 'template'
  /** Name for those who choose it; recipients do not see it */
  name: string
  /** Subject with its variables, not rendered */
  subject: string
  /** HTML with its variables, not rendered */
  body: string
  /** Language that subject and body are written in */
  engine: TemplateEngine
  /** When it was created, in Unix seconds */
  created_at: number
  /** When it was last changed, in Unix seconds */
  updated_at: number
}

/** What is to change of a template. What is left out stays. */
export type TemplateChange = {
  /** Name for those who choose it, up to 256 characters */
  name?: string | undefined
  /** Subject on one line, up to 998 characters; `{{name}}` stands for a variable, which is not escaped here */
  subject?: string | undefined
  /**
   * HTML of up to 1 MB. `{{name}}` stands for a variable, escaped; `{{{name}}}` for one as it is;
   * `{{#name}}…{{/name}}` for what is shown once, or for each item of a list, where there is a value, and
   * `{{^name}}…{{/name}}` where there is none.
   */
  body?: string | undefined
  /** `mustache`, or `handlebars` without helpers; `nunjucks` and `twig` are refused */
  engine?: TemplateEngine | undefined
}

/** A template to be kept */
export type TemplateDraft = {
  /** Name for those who choose it, up to 256 characters */
  name: string
  /** Subject on one line, up to 998 characters; `{{name}}` stands for a variable, which is not escaped here */
  subject: string
  /**
   * HTML of up to 1 MB. `{{name}}` stands for a variable, escaped; `{{{name}}}` for one as it is;
   * `{{#name}}…{{/name}}` for what is shown once, or for each item of a list, where there is a value, and
   * `{{^name}}…{{/name}}` where there is none.
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

/** What a template is to be rendered with */
export type TemplateRender = {
  /** Values by the name of the variable: texts, numbers, lists, and objects whose fields are named `a.b` */
  variables: Record<string, unknown>
  /** Whether a variable that the template names and `variables` lacks is an error; otherwise it is empty */
  strict?: boolean | undefined
}

/** A template that gives a message its subject and body */
export type TemplateUse = {
  /** Id of a template of the grant, or of the application */
  id: string
  /** Whether a variable that the template names and `variables` lacks is an error; otherwise it is empty */
  strict?: boolean | undefined
  /** Values by the name of the variable */
  variables?: Record<string, unknown> | undefined
}

/** A notification that is to be sent to try a receiver */
export type TestEvent = {
  /** Trigger whose notification is sent; `message.created` when absent */
  trigger_type?: ShownTrigger | undefined
  /** Address to send it to. It need not be a destination. Needed where `webhook_id` is absent. */
  webhook_url?: string | undefined
  /** In place of `webhook_url`: a destination of the application */
  webhook_id?: string | undefined
  /** What stands in `data.object` in place of the sample: an object as notifications of the trigger have it */
  object?: Record<string, unknown> | undefined
  /**
   * `test` (default): signed with the fixed secret `mock-webhook-secret`; `destination`: with the secret of the
   * destination, beside `webhook_id`. Its `source` is `/waypost/test` then, so that nobody takes it for the truth.
   */
  secret?: 'test' | 'destination' | undefined
}

/**
 * A conversation: messages that answer each other, by `References` and `In-Reply-To` or as the provider groups
 * them
 */
export type Thread = {
  /** Id of the thread: `thread_id` of its messages */
  id: string
  /** Id of the grant that it belongs to */
  grant_id: string
  /** What the object is: always `thread` */
  object: 'thread'
  /** Subject of its first message */
  subject?: string
  /** The first 100 characters of the text of the message that was received last */
  snippet?: string
  /** The newest of a thread, a message or a draft, with its body */
  latest_draft_or_message: LatestDraftOrMessage
  /** Whether one of its messages or drafts has attachments */
  has_attachments: boolean
  /** Whether an answer is begun and not sent */
  has_drafts: boolean
  /** Whether one of its messages is starred */
  starred: boolean
  /** Whether one of its messages is unread; `false` when all are read */
  unread: boolean
  /** Date of its first message, in Unix seconds */
  earliest_message_date: number
  /** Date of the last message from others, in Unix seconds; left out where there is none */
  latest_message_received_date?: number
  /** Date of the last message that the account sent, in Unix seconds; left out where there is none */
  latest_message_sent_date?: number
  /** Everybody who stands in From, To or Cc of its messages, each address once */
  participants: EmailName[]
  /** Ids of its messages, the newest first */
  message_ids: string[]
  /** Ids of its drafts, the newest first */
  draft_ids: string[]
  /** Ids of all folders that hold a message of the thread */
  folders: string[]
}

/** What is to be another about a thread: it is done to every message of it */
export type ThreadChange = {
  /** `false` marks it as read, `true` as unread */
  unread?: boolean | undefined
  /** `true` stars it, `false` takes the star away */
  starred?: boolean | undefined
  /**
   * Ids of all folders that it is to be in: the list replaces the old one, and so moves it. At `microsoft` and
   * `ews` exactly one; at `google` an empty list archives, and marks such as `STARRED` stay unless they are named.
   */
  folders?: string[] | undefined
}

export type ThreadListQuery = {
  /**
   * Words that stand in subject, addresses or text, all of them, in any case; `"…"` is one phrase. Gmail finds
   * whole words, IMAP servers parts of them too.
   */
  q?: string | undefined
  /** Text of the subject, in any case; at `google` whole words of it */
  subject?: string | undefined
  /** Sent from or to any of these addresses, `cc` and `bcc` included: up to 25 with commas between them */
  any_email?: string[] | undefined
  /** From one of these addresses, written whole */
  from?: string[] | undefined
  /** With one of these addresses, written whole, among the recipients (`to`) */
  to?: string[] | undefined
  /** With one of these addresses, written whole, in `cc` */
  cc?: string[] | undefined
  /** With one of these addresses in `bcc`; finds mail that the account itself sent */
  bcc?: string[] | undefined
  /** Id of one folder, not its name; of several the last counts. All folders when absent, junk and trash included. */
  in?: string | undefined
  /** `true`: those that are unread; `false`: those that are read */
  unread?: boolean | undefined
  /** `true`: those with a star; `false`: those without */
  starred?: boolean | undefined
  /** `true`: those with files; `false`: those without. An image within the text is no attachment. */
  has_attachment?: boolean | undefined
  /**
   * A search in the provider's own language: Gmail's operators, KQL or `$filter=…` at `microsoft`, AQS at `ews`,
   * search keys of RFC 3501 in IMAP. At `google` and `microsoft` only `in` may stand beside it, at `ews` all but
   * `thread_id`.
   */
  search_query_native?: string | undefined
  /**
   * `microsoft` and `ews`: the address of who shares a mailbox, or folders of it, with the account. Others refuse
   * it with 422.
   */
  shared_from?: string | undefined
  /** `microsoft` and `ews`: id of the folder that is shared; with `shared_from`, in place of `in` */
  shared_folder_id?: string | undefined
  /** The thread with this id alone */
  thread_id?: string | undefined
  /** Threads whose newest message is older than this time, in Unix seconds; the time itself is excluded */
  latest_message_before?: number | undefined
  /** Threads whose newest message is newer than this time, in Unix seconds; the time itself is excluded */
  latest_message_after?: number | undefined
  /** Threads that began at this time or later, in Unix seconds */
  earliest_message_date?: number | undefined
  /**
   * How many objects a page has at most: 20 unless told otherwise. More than 50 is taken as 50. A page may hold
   * fewer and still have a next one.
   */
  limit?: number | undefined
  /**
   * `next_cursor` of the page before; leave it out for the first page. Filters stay those of the first page,
   * `limit` and `select` may change.
   */
  page_token?: string | undefined
  /**
   * Names of the top-level fields to answer with, with commas between them: `id,title`. All fields when absent;
   * names that there are not are passed over.
   */
  select?: string[] | undefined
}

export type ThreadQuery = {
  /**
   * `microsoft` and `ews`: the address of who shares a mailbox, or folders of it, with the account. Others refuse
   * it with 422.
   */
  shared_from?: string | undefined
  /** `microsoft` and `ews`: id of the folder that is shared; with `shared_from`, in place of `in` */
  shared_folder_id?: string | undefined
  /**
   * Names of the top-level fields to answer with, with commas between them: `id,title`. All fields when absent;
   * names that there are not are passed over.
   */
  select?: string[] | undefined
}

/** A tracked message that was answered */
export type ThreadRepliedObject = {
  /** What the object is: always `thread` */
  object: 'thread'
  /** Id of the answer */
  message_id: string
  /** Id of the grant that it was sent from */
  grant_id: string
  /** The `label` of its tracking options; empty where none was given */
  label: string
  /** Id of the application that sent it */
  sender_app_id: string
  /** When the answer came, in Unix seconds */
  timestamp: number
  /** Id of the tracked message */
  root_message_id: string
  /** All answers together */
  reply_data: {
    /** How many answers there were, this one included */
    count: number
  }
  /** Message that was answered: its id where it is a tracked one, else its Message-ID */
  reply_to_message_id: string
  /** Whether the account answered itself */
  from_self: boolean
  /** Id of the thread */
  thread_id: string
}

/** IANA name of a time zone, such as `Europe/Berlin` */
export type TimeZone = string

/** Something that happened with a grant */
export type TimelineEntry = {
  /** Id of the entry */
  id: string
  /** When it happened, in Unix seconds; of calls the beginning of their hour */
  at: number
  /**
   * `created` to `unblocked`: what happened with the grant (`changed`: other credentials or scopes);
   * `notification`: a change was told; `calls`: calls of one route in an hour; `error`: its account, its provider
   * or the service failed; `refusal`: a call was answered with 4xx
   */
  kind: 'created' | 'authenticated' | 'changed' | 'expired' | 'blocked' | 'unblocked' | 'notification' | 'calls' | 'error' | 'refusal'
  /** Of `expired`: why; null where that is not known */
  reason: ExpiryReason | null
  /** Of `expired`, `error` and `refusal`: what was said, in words; else null */
  message: string | null
  /** Of `calls`, `error` and `refusal`: id of the route, or `changes` for looking for changes; else null */
  operation: string | null
  /** Of `error` and `refusal`: type of the error; of `notification`: its type, such as `message.created`; else null */
  type: string | null
  /** Of `notification`: its id; else null */
  notification_id: string | null
  /** Request that it came of, of `calls` the last one; null where there was none */
  request_id: string | null
  /** Of `calls`: the sums; else null */
  calls: {
    /** How many there were */
    requests: number
    /** Those that were answered with 4xx */
    refused: number
    /** Those that were answered with 5xx */
    errors: number
    /** Milliseconds that an answer took on average */
    mean_ms: number
    /** When the last one was, in Unix seconds */
    last_at: number
  } | null
}

/** Tokens for a grant, in the shape of OAuth 2.0 */
export type TokenAnswer = {
  /** Opens this grant alone, as `Authorization: Bearer`; with it `/v3/grants/me/…` names the grant */
  access_token: string
  /** How the token is shown: always `Bearer` */
  token_type: 'Bearer'
  /** Seconds until the access token expires: 3600 */
  expires_in: number
  /** Id of the grant that the token opens */
  grant_id: string
  /** Address of the account, or the name of a virtual one */
  email: string
  /** Scopes of the grant, with spaces between them */
  scope: string
  /** Kind of the account; told where a code was traded */
  provider?: ProviderKind
  /**
   * Trades for further access tokens. Told where the code was asked for with `access_type=offline`, and where a
   * refresh token was traded: the same one, or the next where the application has them rotated.
   */
  refresh_token?: string
  /**
   * Who signed in, as a JWT (ES256): `sub` (the grant id), `aud`, `email`, `name` and `provider`. Keys are at
   * `/.well-known/jwks.json`.
   */
  id_token: string
}

/** What a token is, in the names of JWT claims */
export type TokenInfo = {
  /** Who issued it: the address of this service */
  iss: string
  /** Id of the application that it was issued to */
  aud: string
  /** Id of the grant that it is for */
  sub: string
  /** Address of the account, or the name of a virtual one */
  email: string
  /** When it was issued, in Unix seconds */
  iat: number
  /** When it expires, in Unix seconds */
  exp: number
}

/** What is to be traded for an access token, and by whom */
export type TokenRequest = {
  /**
   * Required. What is traded: `authorization_code`, `refresh_token`, or `client_credentials` for a grant that is
   * there.
   */
  grant_type?: string | null | undefined
  /** Required. Id of the application. */
  client_id?: string | null | undefined
  /** API key of the application, unless it stands in the header `Authorization` or the code was asked for with PKCE */
  client_secret?: string | null | undefined
  /** For `authorization_code`: the code that a hosted sign-in ended with, good once and for ten minutes */
  code?: string | null | undefined
  /** For `authorization_code`: the redirect URI that the code was asked for with */
  redirect_uri?: string | null | undefined
  /** For `authorization_code`: the PKCE verifier, where a `code_challenge` was given */
  code_verifier?: string | null | undefined
  /** For `refresh_token`: a refresh token (`wprt_…`) of this service */
  refresh_token?: string | null | undefined
  /** For `client_credentials`: id of the grant that the token is to open */
  grant_id?: string | null | undefined
}

/** What an authenticator app is given */
export type TotpEnrolment = {
  /** Secret in base32, to be typed where no picture can be read */
  secret: string
  /** The same as `otpauth://` address, for a QR code */
  uri: string
}

/** What is tracked of a message that was sent through the service */
export type TrackingOptions = {
  /** Whether `message.opened` tells when it is opened */
  opens?: boolean
  /** Whether `message.link_clicked` tells when a link is followed */
  links?: boolean
  /** Whether `thread.replied` tells of answers */
  thread_replies?: boolean
  /** Your own text, told in every notification of the tracking */
  label?: string
}

/** What is to be tracked of a message. Nothing when absent. */
export type TrackingRequest = {
  /** true: an invisible picture is added to the HTML, and `message.opened` tells when it is loaded */
  opens?: boolean | null | undefined
  /**
   * true: links of the HTML (https, http, mailto and tel, at most 100) lead through this service, and
   * `message.link_clicked` tells when one is followed
   */
  links?: boolean | null | undefined
  /** true: `thread.replied` tells of answers. The account must be one that is watched. */
  thread_replies?: boolean | null | undefined
  /** Your own text, told in every notification of this message: up to 2048 characters */
  label?: string | null | undefined
  /** Host that links and picture lead to, beside `opens` or `links`: must be the one of this service */
  domain_name?: string | null | undefined
}

/** The traffic of an application in one step of time */
export type TrafficFigures = {
  /** Beginning of the step, in Unix seconds */
  at: number
  /** Requests of the application that were answered */
  requests: number
  /** Those of them that were answered with 4xx */
  refused: number
  /** Those of them that were answered with 5xx */
  errors: number
  /** Errors that providers caused, also while changes were looked for */
  provider_errors: number
  /** Milliseconds within which half of the requests were answered; null where there were none */
  latency_p50_ms: number | null
  /** Milliseconds within which 95 % of the requests were answered; null where there were none */
  latency_p95_ms: number | null
}

/** Kind of change that can be subscribed to */
export type Trigger = 'grant.created' | 'grant.updated' | 'grant.expired' | 'grant.deleted' | 'message.created' | 'message.updated' | 'message.send_success' | 'message.send_failed' | 'message.bounce_detected' | 'message.opened' | 'message.link_clicked' | 'thread.replied' | 'calendar.created' | 'calendar.updated' | 'calendar.deleted' | 'event.created' | 'event.updated' | 'event.deleted' | 'contact.updated' | 'contact.deleted' | 'folder.created' | 'folder.updated' | 'folder.deleted'

/** How many grants of an application count for billing */
export type Usage = {
  /** Id of the application */
  application_id: string
  /** Name of the application */
  name: string
  /** Grants that count now: all that are there, invalid ones included */
  billed_grants: number
  /** The same by the kind of the account */
  by_provider: Record<string, number>
  /** The last twelve months, the newest first */
  months: {
    /** Month in UTC, such as `2025-02` */
    month: string
    /** Grants that were there at some time in the month */
    billed_grants: number
    /** The same by the kind of the account */
    by_provider: Record<string, number>
  }[]
}

/** A destination: an address that is told of changes */
export type Webhook = {
  /** Id of the destination */
  id: string
  /** What it is for, in your words; empty where nothing was said */
  description: string
  /** What it is told of */
  trigger_types: Trigger[]
  /** Address that notifications are posted to */
  webhook_url: string
  /** `active` and `failing` are sent to; `pause`, which you set, and `failed`, which the service sets, are not */
  status: WebhookStatus
  /** Who is written to when the service changes its state */
  notification_email_addresses: string[]
  /** Whether bodies are sent as gzip */
  compressed_delivery: boolean
  /** When `status` last changed, in Unix seconds */
  status_updated_at: number
  /** When it was created, in Unix seconds */
  created_at: number
  /** When it was last changed, in Unix seconds */
  updated_at: number
}

/** What is to change of a destination */
export type WebhookChange = {
  /** Another https address, which must answer the challenge; stays when absent or empty */
  webhook_url?: string | null | undefined
  /** What to be told of from now on: replaces the list; stays when absent or empty */
  trigger_types?: SubscribableTrigger[] | null | undefined
  /** What it is for, in your words; stays when absent or empty, null empties it */
  description?: string | null | undefined
  /**
   * Who is written to when the service changes the state of the destination; stays when absent or empty, null
   * empties it
   */
  notification_email_addresses?: string[] | null | undefined
  /** true: bodies are sent as gzip, and the signature is of the compressed bytes */
  compressed_delivery?: boolean | null | undefined
  /**
   * `pause`: nothing is sent, and what happens meanwhile is not queued. `active`: sent to again, once the address
   * answers the challenge.
   */
  status?: 'active' | 'pause' | undefined
}

/** A destination to be made */
export type WebhookDraft = {
  /**
   * https address that answers the challenge, of up to 2048 bytes and without fragment. An application has one
   * destination for each address. Plain http and private addresses are for the operator to allow.
   */
  webhook_url: string
  /** What to be told of: names of triggers, such as `message.created` */
  trigger_types: SubscribableTrigger[]
  /** What it is for, in your words: up to 1024 characters */
  description?: string | null | undefined
  /**
   * Who is written to when the service changes the state of the destination: up to 20 addresses. Needs a mail
   * identity of the service.
   */
  notification_email_addresses?: string[] | null | undefined
  /** true: bodies are sent as gzip, and the signature is of the compressed bytes */
  compressed_delivery?: boolean | null | undefined
}

/** How deliveries to a destination went in one step of time */
export type WebhookHealth = {
  /** Beginning of the hour, or of the quarter of an hour, in Unix seconds */
  at: number
  /** How many attempts were answered with 2xx, counted up to 100000 */
  delivered: number
  /** How many attempts were answered otherwise, or not at all, counted up to 100000 */
  failed: number
}

/**
 * State of a destination. Clients set `active` and `pause`; the service sets `failing` (95 % of the attempts of
 * 15 minutes failed; still sent to) and, after 72 hours of that, `failed` (no longer sent to).
 */
export type WebhookStatus = 'active' | 'pause' | 'failing' | 'failed'

/** A destination with its new secret */
export type WebhookWithSecret = {
  /** Id of the destination */
  id: string
  /** What it is for, in your words; empty where nothing was said */
  description: string
  /** What it is told of */
  trigger_types: Trigger[]
  /** Address that notifications are posted to */
  webhook_url: string
  /** `active` and `failing` are sent to; `pause`, which you set, and `failed`, which the service sets, are not */
  status: WebhookStatus
  /** Who is written to when the service changes its state */
  notification_email_addresses: string[]
  /** Whether bodies are sent as gzip */
  compressed_delivery: boolean
  /** When `status` last changed, in Unix seconds */
  status_updated_at: number
  /** When it was created, in Unix seconds */
  created_at: number
  /** When it was last changed, in Unix seconds */
  updated_at: number
  /** Key that deliveries are signed with (`whsec_…`): told here and never again */
  webhook_secret: string
}

/** A point in time, a span, a day, or days (the last one included) */
export type When = {
  /** Says that it is a point in time */
  object: 'time'
  /** The moment, in Unix seconds */
  time: number
  /** Zone of the moment, by its IANA name; null where the event has none */
  timezone: TimeZone | null
} | {
  /** Says that it is a span of time */
  object: 'timespan'
  /** When it begins, in Unix seconds */
  start_time: number
  /** When it ends, in Unix seconds */
  end_time: number
  /** Zone of the start, in which a series repeats, by its IANA name; null where the event has none */
  start_timezone: TimeZone | null
  /** Zone of the end, by its IANA name; null where the event has none */
  end_timezone: TimeZone | null
} | {
  /** Says that it is one whole day */
  object: 'date'
  /** The day, as `YYYY-MM-DD`, in the zone of the calendar */
  date: string
} | {
  /** Says that it is several whole days */
  object: 'datespan'
  /** The first day, as `YYYY-MM-DD` */
  start_date: string
  /** The last day, as `YYYY-MM-DD`, included */
  end_date: string
}

/**
 * Exactly one of: `time`; `start_time` and `end_time`; `date`; `start_date` and `end_date`. Times are in
 * seconds, not in milliseconds
 */
export type WhenInput = {
  /** Name of the form. Not needed: it follows from the other fields, and must agree with them */
  object?: 'time' | 'timespan' | 'date' | 'datespan' | null | undefined
  /** A point in time, in Unix seconds; `google` and Exchange make a span without length of it */
  time?: number | null | undefined
  /** Zone of `time`, by its IANA name */
  timezone?: TimeZone | null | undefined
  /** When the event begins, in Unix seconds */
  start_time?: number | null | undefined
  /** When it ends, in Unix seconds; after the start */
  end_time?: number | null | undefined
  /**
   * Zone of the start, by its IANA name, together with `end_timezone`. A series repeats in it, or in UTC without
   * one
   */
  start_timezone?: TimeZone | null | undefined
  /** Zone of the end, together with `start_timezone` */
  end_timezone?: TimeZone | null | undefined
  /** One whole day, as `YYYY-MM-DD` */
  date?: string | null | undefined
  /** The first of several whole days */
  start_date?: string | null | undefined
  /** The last of several whole days, included */
  end_date?: string | null | undefined
}

export type ApplicationsGetQuery = {
  /** Id of the application of the API key, for clients that send it: others are not found */
  application_id?: string | undefined
  /**
   * Names of the top-level fields to answer with, with commas between them: `id,title`. All fields when absent;
   * names that there are not are passed over.
   */
  select?: string[] | undefined
}

export type ApplicationsUpdateQuery = {
  /** Id of the application of the API key, for clients that send it: others are not found */
  application_id?: string | undefined
  /**
   * Names of the top-level fields to answer with, with commas between them: `id,title`. All fields when absent;
   * names that there are not are passed over.
   */
  select?: string[] | undefined
}

export type RedirectUrisListQuery = {
  /**
   * Names of the top-level fields to answer with, with commas between them: `id,title`. All fields when absent;
   * names that there are not are passed over.
   */
  select?: string[] | undefined
}

export type RedirectUrisCreateQuery = {
  /**
   * Names of the top-level fields to answer with, with commas between them: `id,title`. All fields when absent;
   * names that there are not are passed over.
   */
  select?: string[] | undefined
}

export type RedirectUrisGetQuery = {
  /**
   * Names of the top-level fields to answer with, with commas between them: `id,title`. All fields when absent;
   * names that there are not are passed over.
   */
  select?: string[] | undefined
}

export type RedirectUrisUpdateQuery = {
  /**
   * Names of the top-level fields to answer with, with commas between them: `id,title`. All fields when absent;
   * names that there are not are passed over.
   */
  select?: string[] | undefined
}

export type ConnectorsListQuery = {
  /**
   * How many objects a page has at most: 10 unless told otherwise. More than 200 is taken as 200. A page may hold
   * fewer and still have a next one.
   */
  limit?: number | undefined
  /**
   * How many objects to pass over before the first one, none when absent. For long lists go on with `page_token`,
   * which neither skips nor repeats what changes in between.
   */
  offset?: number | undefined
  /**
   * `next_cursor` of the page before; leave it out for the first page. Filters stay those of the first page,
   * `limit` and `select` may change.
   */
  page_token?: string | undefined
  /**
   * Names of the top-level fields to answer with, with commas between them: `id,title`. All fields when absent;
   * names that there are not are passed over.
   */
  select?: string[] | undefined
}

export type ConnectorsCreateQuery = {
  /**
   * Names of the top-level fields to answer with, with commas between them: `id,title`. All fields when absent;
   * names that there are not are passed over.
   */
  select?: string[] | undefined
}

export type ConnectorsGetQuery = {
  /**
   * Names of the top-level fields to answer with, with commas between them: `id,title`. All fields when absent;
   * names that there are not are passed over.
   */
  select?: string[] | undefined
}

export type ConnectorsUpdateQuery = {
  /**
   * Names of the top-level fields to answer with, with commas between them: `id,title`. All fields when absent;
   * names that there are not are passed over.
   */
  select?: string[] | undefined
}

export type CredentialsListQuery = {
  /**
   * How many objects a page has at most: 10 unless told otherwise. More than 200 is taken as 200. A page may hold
   * fewer and still have a next one.
   */
  limit?: number | undefined
  /**
   * How many objects to pass over before the first one, none when absent. For long lists go on with `page_token`,
   * which neither skips nor repeats what changes in between.
   */
  offset?: number | undefined
  /**
   * `next_cursor` of the page before; leave it out for the first page. Filters stay those of the first page,
   * `limit` and `select` may change.
   */
  page_token?: string | undefined
  /** What the list is in the order of: when they were made (default) or last changed */
  sort_by?: 'created_at' | 'updated_at' | undefined
  /** `desc`: the newest first (default); `asc`: the oldest first */
  order_by?: 'desc' | 'asc' | undefined
  /**
   * Names of the top-level fields to answer with, with commas between them: `id,title`. All fields when absent;
   * names that there are not are passed over.
   */
  select?: string[] | undefined
}

export type CredentialsCreateQuery = {
  /**
   * Names of the top-level fields to answer with, with commas between them: `id,title`. All fields when absent;
   * names that there are not are passed over.
   */
  select?: string[] | undefined
}

export type CredentialsGetQuery = {
  /**
   * Names of the top-level fields to answer with, with commas between them: `id,title`. All fields when absent;
   * names that there are not are passed over.
   */
  select?: string[] | undefined
}

export type CredentialsUpdateQuery = {
  /**
   * Names of the top-level fields to answer with, with commas between them: `id,title`. All fields when absent;
   * names that there are not are passed over.
   */
  select?: string[] | undefined
}

export type ProvidersDetectQuery = {
  /** E-mail address; its domain is looked at, the mailbox is not asked for */
  email: string
  /** `false` (default): only providers that the application has a connector for; `true`: all */
  all_provider_types?: boolean | undefined
}

export type ConnectGuideQuery = {
  /** Only this kind; all when absent */
  provider?: string | undefined
  /**
   * Names of the top-level fields to answer with, with commas between them: `id,title`. All fields when absent;
   * names that there are not are passed over.
   */
  select?: string[] | undefined
}

export type ConnectCustomQuery = {
  /**
   * Names of the top-level fields to answer with, with commas between them: `id,title`. All fields when absent;
   * names that there are not are passed over.
   */
  select?: string[] | undefined
}

export type ConnectTokenInfoQuery = {
  /** An id token that this service signed */
  id_token?: string | undefined
  /** An access token (`wpat_…`) that this service issued */
  access_token?: string | undefined
}

export type ConnectRevokeQuery = {
  /** Access or refresh token to revoke, unless it stands in the body */
  token?: string | undefined
}

export type GrantsGetQuery = {
  /** `true` adds `email_aliases`, for which the provider is asked; `google`, `microsoft` and `ews` tell them */
  expose_aliases?: boolean | undefined
  /**
   * Names of the top-level fields to answer with, with commas between them: `id,title`. All fields when absent;
   * names that there are not are passed over.
   */
  select?: string[] | undefined
}

export type GrantsUpdateQuery = {
  /**
   * Names of the top-level fields to answer with, with commas between them: `id,title`. All fields when absent;
   * names that there are not are passed over.
   */
  select?: string[] | undefined
}

export type CalendarsCreateQuery = {
  /**
   * Names of the top-level fields to answer with, with commas between them: `id,title`. All fields when absent;
   * names that there are not are passed over.
   */
  select?: string[] | undefined
}

export type CalendarsGetQuery = {
  /**
   * Names of the top-level fields to answer with, with commas between them: `id,title`. All fields when absent;
   * names that there are not are passed over.
   */
  select?: string[] | undefined
}

export type CalendarsUpdateQuery = {
  /**
   * Names of the top-level fields to answer with, with commas between them: `id,title`. All fields when absent;
   * names that there are not are passed over.
   */
  select?: string[] | undefined
}

export type CalendarsDeleteQuery = {
  /**
   * Virtual calendars: whether guests of events that are not over get a cancellation, `true` when absent.
   * Elsewhere the provider decides.
   */
  notify_participants?: boolean | undefined
}

export type VirtualCalendarsCreateQuery = {
  /** The virtual account, by id or identifier; or write it into the body */
  grant_id?: string | undefined
  /**
   * Names of the top-level fields to answer with, with commas between them: `id,title`. All fields when absent;
   * names that there are not are passed over.
   */
  select?: string[] | undefined
}

/** A calendar to be made, and the virtual account that it is for */
export type VirtualCalendarDraft = {
  /** Name as the user is to see it */
  name: string
  /** What the calendar is for. `microsoft`, `ews` and `icloud` refuse it */
  description?: string | null | undefined
  /** A place, in free words. Only `google` and `virtual-calendar` take it */
  location?: string | null | undefined
  /**
   * Zone in which its whole days begin, by its IANA name; a virtual calendar without one has `UTC`. `microsoft`,
   * `ews` and `icloud` refuse it
   */
  timezone?: TimeZone | null | undefined
  /** Your own pairs of texts, kept by the service for every provider */
  metadata?: Metadata | null | undefined
  /** The virtual account, by id or identifier; not needed with an access token, or in the query */
  grant_id?: string | null | undefined
}

export type EventsCreateQuery = {
  /** Id of the calendar, or `primary` for the main one. iCloud has no main one */
  calendar_id: string
  /**
   * Whether the guests are told: `true` (default) sends invitations, changes and cancellations, `false` sends
   * none. Microsoft and iCloud always tell the guests.
   */
  notify_participants?: boolean | undefined
  /**
   * `false` answers tentative events with `busy: false`; `true` when absent. `google` and virtual calendars take
   * it without effect
   */
  tentative_as_busy?: boolean | undefined
  /**
   * Names of the top-level fields to answer with, with commas between them: `id,title`. All fields when absent;
   * names that there are not are passed over.
   */
  select?: string[] | undefined
}

export type EventsGetQuery = {
  /**
   * Id of the calendar that holds the event, or `primary`. All calendars are searched when it is absent, which
   * costs more
   */
  calendar_id?: string | undefined
  /**
   * `false` answers tentative events with `busy: false`; `true` when absent. `google` and virtual calendars take
   * it without effect
   */
  tentative_as_busy?: boolean | undefined
  /**
   * Names of the top-level fields to answer with, with commas between them: `id,title`. All fields when absent;
   * names that there are not are passed over.
   */
  select?: string[] | undefined
}

export type EventsUpdateQuery = {
  /**
   * Id of the calendar that holds the event, or `primary`. All calendars are searched when it is absent, which
   * costs more
   */
  calendar_id?: string | undefined
  /**
   * Whether the guests are told: `true` (default) sends invitations, changes and cancellations, `false` sends
   * none. Microsoft and iCloud always tell the guests.
   */
  notify_participants?: boolean | undefined
  /**
   * `false` answers tentative events with `busy: false`; `true` when absent. `google` and virtual calendars take
   * it without effect
   */
  tentative_as_busy?: boolean | undefined
  /**
   * Names of the top-level fields to answer with, with commas between them: `id,title`. All fields when absent;
   * names that there are not are passed over.
   */
  select?: string[] | undefined
}

export type EventsDeleteQuery = {
  /**
   * Id of the calendar that holds the event, or `primary`. All calendars are searched when it is absent, which
   * costs more
   */
  calendar_id?: string | undefined
  /**
   * Whether the guests are told: `true` (default) sends invitations, changes and cancellations, `false` sends
   * none. Microsoft and iCloud always tell the guests.
   */
  notify_participants?: boolean | undefined
}

export type EventsRsvpQuery = {
  /**
   * Id of the calendar that holds the event, or `primary`. All calendars are searched when it is absent, which
   * costs more
   */
  calendar_id?: string | undefined
  /** `true` changes the answer in the calendar without a mail to the organizer. Default: `false` */
  skip_email?: boolean | undefined
  /** The same as `skip_email`, by its other name */
  skip_nylas_email?: boolean | undefined
}

export type SchedulesDeleteData = {
  /** Always the same: it will not be sent */
  message: 'requested cancelation for workflow'
}

export type MessagesCleanQuery = {
  /**
   * `microsoft` and `ews`: the address of who shares a mailbox, or folders of it, with the account. Others refuse
   * it with 422.
   */
  shared_from?: string | undefined
  /**
   * Names of the top-level fields to answer with, with commas between them: `id,title`. All fields when absent;
   * names that there are not are passed over.
   */
  select?: string[] | undefined
}

export type MessagesUpdateQuery = {
  /** Without effect, for clients that send it: the mail server is always asked */
  query_imap?: boolean | undefined
  /**
   * `microsoft` and `ews`: the address of who shares a mailbox, or folders of it, with the account. Others refuse
   * it with 422.
   */
  shared_from?: string | undefined
  /**
   * Names of the top-level fields to answer with, with commas between them: `id,title`. All fields when absent;
   * names that there are not are passed over.
   */
  select?: string[] | undefined
}

export type MessagesDeleteQuery = {
  /**
   * `true` deletes for ever, and needs `allow_hard_delete` of the application; `false` (default) moves to the
   * trash
   */
  hard_delete?: boolean | undefined
  /**
   * `microsoft` and `ews`: the address of who shares a mailbox, or folders of it, with the account. Others refuse
   * it with 422.
   */
  shared_from?: string | undefined
}

export type MessagesSendQuery = {
  /**
   * `mime`: the request is `multipart/form-data` with a whole message (RFC 5322) in a part named `mime`, and no
   * JSON. `json` when absent.
   */
  type?: 'mime' | 'json' | undefined
  /**
   * Which headers the answer tells: none (`standard`, the default), all, or Message-ID, In-Reply-To and References
   * (`include_basic_headers`). None of a message that is sent later.
   */
  fields?: 'standard' | 'include_headers' | 'include_basic_headers' | undefined
}

export type DraftsUpdateQuery = {
  /**
   * Names of the top-level fields to answer with, with commas between them: `id,title`. All fields when absent;
   * names that there are not are passed over.
   */
  select?: string[] | undefined
}

export type DraftsSendQuery = {
  /**
   * Names of the top-level fields to answer with, with commas between them: `id,title`. All fields when absent;
   * names that there are not are passed over.
   */
  select?: string[] | undefined
}

/** May be empty: `{}` */
export type DraftsSendBody = {
  /** Signature of the grant, put at the end of the HTML; without effect on plain text */
  signature_id?: string | null | undefined
}

export type ThreadsDeleteQuery = {
  /**
   * `microsoft` and `ews`: the address of who shares a mailbox, or folders of it, with the account. Others refuse
   * it with 422.
   */
  shared_from?: string | undefined
  /** `microsoft` and `ews`: id of the folder that is shared; with `shared_from`, in place of `in` */
  shared_folder_id?: string | undefined
}

export type FoldersCreateQuery = {
  /**
   * `microsoft` and `ews`: the address of who shares a mailbox, or folders of it, with the account. Others refuse
   * it with 422.
   */
  shared_from?: string | undefined
  /**
   * Names of the top-level fields to answer with, with commas between them: `id,title`. All fields when absent;
   * names that there are not are passed over.
   */
  select?: string[] | undefined
}

export type FoldersUpdateQuery = {
  /**
   * `microsoft` and `ews`: the address of who shares a mailbox, or folders of it, with the account. Others refuse
   * it with 422.
   */
  shared_from?: string | undefined
  /**
   * Names of the top-level fields to answer with, with commas between them: `id,title`. All fields when absent;
   * names that there are not are passed over.
   */
  select?: string[] | undefined
}

export type FoldersDeleteQuery = {
  /**
   * `microsoft` and `ews`: the address of who shares a mailbox, or folders of it, with the account. Others refuse
   * it with 422.
   */
  shared_from?: string | undefined
}

export type AttachmentsGetQuery = {
  /** Id of the message that holds the attachment */
  message_id: string
  /** Taken without effect: the server is always asked */
  query_imap?: boolean | undefined
  /**
   * Names of the top-level fields to answer with, with commas between them: `id,title`. All fields when absent;
   * names that there are not are passed over.
   */
  select?: string[] | undefined
}

export type ContactGroupsCreateQuery = {
  /**
   * Names of the top-level fields to answer with, with commas between them: `id,title`. All fields when absent;
   * names that there are not are passed over.
   */
  select?: string[] | undefined
}

export type ContactGroupsGetQuery = {
  /**
   * Names of the top-level fields to answer with, with commas between them: `id,title`. All fields when absent;
   * names that there are not are passed over.
   */
  select?: string[] | undefined
}

export type ContactGroupsUpdateQuery = {
  /**
   * Names of the top-level fields to answer with, with commas between them: `id,title`. All fields when absent;
   * names that there are not are passed over.
   */
  select?: string[] | undefined
}

export type ContactsCreateQuery = {
  /**
   * Names of the top-level fields to answer with, with commas between them: `id,title`. All fields when absent;
   * names that there are not are passed over.
   */
  select?: string[] | undefined
}

export type ContactsGetQuery = {
  /** `true` answers with the picture in `picture`, where the contact has one. Default: `false` */
  profile_picture?: boolean | undefined
  /**
   * Names of the top-level fields to answer with, with commas between them: `id,title`. All fields when absent;
   * names that there are not are passed over.
   */
  select?: string[] | undefined
}

export type ContactsUpdateQuery = {
  /**
   * Names of the top-level fields to answer with, with commas between them: `id,title`. All fields when absent;
   * names that there are not are passed over.
   */
  select?: string[] | undefined
}

export type SignaturesListQuery = {
  /**
   * How many objects a page has at most: 50 unless told otherwise. More than 200 is taken as 200. A page may hold
   * fewer and still have a next one.
   */
  limit?: number | undefined
  /**
   * `next_cursor` of the page before; leave it out for the first page. Filters stay those of the first page,
   * `limit` and `select` may change.
   */
  page_token?: string | undefined
  /**
   * Names of the top-level fields to answer with, with commas between them: `id,title`. All fields when absent;
   * names that there are not are passed over.
   */
  select?: string[] | undefined
}

export type SignaturesGetQuery = {
  /**
   * Names of the top-level fields to answer with, with commas between them: `id,title`. All fields when absent;
   * names that there are not are passed over.
   */
  select?: string[] | undefined
}

export type SignaturesUpdateQuery = {
  /**
   * Names of the top-level fields to answer with, with commas between them: `id,title`. All fields when absent;
   * names that there are not are passed over.
   */
  select?: string[] | undefined
}

export type TemplatesListQuery = {
  /**
   * How many objects a page has at most: 50 unless told otherwise. More than 200 is taken as 200. A page may hold
   * fewer and still have a next one.
   */
  limit?: number | undefined
  /**
   * `next_cursor` of the page before; leave it out for the first page. Filters stay those of the first page,
   * `limit` and `select` may change.
   */
  page_token?: string | undefined
  /**
   * Names of the top-level fields to answer with, with commas between them: `id,title`. All fields when absent;
   * names that there are not are passed over.
   */
  select?: string[] | undefined
}

export type TemplatesGetQuery = {
  /**
   * Names of the top-level fields to answer with, with commas between them: `id,title`. All fields when absent;
   * names that there are not are passed over.
   */
  select?: string[] | undefined
}

export type TemplatesUpdateQuery = {
  /**
   * Names of the top-level fields to answer with, with commas between them: `id,title`. All fields when absent;
   * names that there are not are passed over.
   */
  select?: string[] | undefined
}

export type GrantTemplatesListQuery = {
  /**
   * How many objects a page has at most: 50 unless told otherwise. More than 200 is taken as 200. A page may hold
   * fewer and still have a next one.
   */
  limit?: number | undefined
  /**
   * `next_cursor` of the page before; leave it out for the first page. Filters stay those of the first page,
   * `limit` and `select` may change.
   */
  page_token?: string | undefined
  /**
   * Names of the top-level fields to answer with, with commas between them: `id,title`. All fields when absent;
   * names that there are not are passed over.
   */
  select?: string[] | undefined
}

export type GrantTemplatesGetQuery = {
  /**
   * Names of the top-level fields to answer with, with commas between them: `id,title`. All fields when absent;
   * names that there are not are passed over.
   */
  select?: string[] | undefined
}

export type GrantTemplatesUpdateQuery = {
  /**
   * Names of the top-level fields to answer with, with commas between them: `id,title`. All fields when absent;
   * names that there are not are passed over.
   */
  select?: string[] | undefined
}

export type WebhooksListQuery = {
  /**
   * Names of the top-level fields to answer with, with commas between them: `id,title`. All fields when absent;
   * names that there are not are passed over.
   */
  select?: string[] | undefined
}

export type WebhooksCreateQuery = {
  /**
   * Names of the top-level fields to answer with, with commas between them: `id,title`. All fields when absent;
   * names that there are not are passed over.
   */
  select?: string[] | undefined
}

/** Which notification to show */
export type MockPayload = {
  /** Trigger whose notification is shown, also with the suffix `.truncated` or `.metadata` */
  trigger_type: ShownTrigger
}

export type WebhooksReadMockPayloadQuery = {
  /** Trigger whose notification is shown, also with the suffix `.truncated` or `.metadata` */
  trigger_type: ShownTrigger
}

export type WebhooksGetQuery = {
  /**
   * Names of the top-level fields to answer with, with commas between them: `id,title`. All fields when absent;
   * names that there are not are passed over.
   */
  select?: string[] | undefined
}

export type WebhooksHealthQuery = {
  /** How many hours back, up to 720; 24 when absent */
  hours?: number | undefined
}

export type WebhooksUpdateQuery = {
  /**
   * Names of the top-level fields to answer with, with commas between them: `id,title`. All fields when absent;
   * names that there are not are passed over.
   */
  select?: string[] | undefined
}

export type WebhooksDeleteData = {
  /** Always `success`: the destination is gone */
  status: 'success'
}

export type DeliveriesListQuery = {
  /**
   * How many objects a page has at most: 50 unless told otherwise. More than 200 is taken as 200. A page may hold
   * fewer and still have a next one.
   */
  limit?: number | undefined
  /**
   * `next_cursor` of the page before; leave it out for the first page. Filters stay those of the first page,
   * `limit` and `select` may change.
   */
  page_token?: string | undefined
  /** `waiting`: what will be tried; `failed`: what will not; both when absent */
  state?: 'waiting' | 'failed' | undefined
  /**
   * Names of the top-level fields to answer with, with commas between them: `id,title`. All fields when absent;
   * names that there are not are passed over.
   */
  select?: string[] | undefined
}

export type DeliveriesAttemptsQuery = {
  /**
   * How many objects a page has at most: 50 unless told otherwise. More than 200 is taken as 200. A page may hold
   * fewer and still have a next one.
   */
  limit?: number | undefined
  /**
   * `next_cursor` of the page before; leave it out for the first page. Filters stay those of the first page,
   * `limit` and `select` may change.
   */
  page_token?: string | undefined
  /** Of this notification */
  notification_id?: string | undefined
  /** With this outcome; both when absent */
  outcome?: 'delivered' | 'failed' | undefined
  /** Of these triggers alone, with commas between them */
  trigger_types?: string[] | undefined
  /** About this grant alone */
  grant_id?: string | undefined
  /** Made at this time or later, in Unix seconds */
  start?: number | undefined
  /** Made before this time, in Unix seconds */
  end?: number | undefined
  /**
   * Names of the top-level fields to answer with, with commas between them: `id,title`. All fields when absent;
   * names that there are not are passed over.
   */
  select?: string[] | undefined
}

export type DeliveriesAttemptQuery = {
  /** Which attempt: its `webhook_delivery_attempt`; the last one when absent */
  attempt?: number | undefined
  /**
   * Names of the top-level fields to answer with, with commas between them: `id,title`. All fields when absent;
   * names that there are not are passed over.
   */
  select?: string[] | undefined
}

export type NotificationsListQuery = {
  /**
   * How many objects a page has at most: 50 unless told otherwise. More than 200 is taken as 200. A page may hold
   * fewer and still have a next one.
   */
  limit?: number | undefined
  /**
   * `next_cursor` of the page before; leave it out for the first page. Filters stay those of the first page,
   * `limit` and `select` may change.
   */
  page_token?: string | undefined
  /** Seconds to wait for something where there is nothing yet, up to 30; 0 when absent */
  wait?: number | undefined
  /** Made at this time or later, in Unix seconds; from the oldest that is kept when absent */
  start?: number | undefined
  /**
   * `asc` (default): the oldest first, and on as they come; `desc`: the newest first, page by page to the oldest,
   * without waiting
   */
  order?: 'asc' | 'desc' | undefined
  /** About this grant alone */
  grant_id?: string | undefined
  /** Of these triggers alone, with commas between them */
  trigger_types?: string[] | undefined
  /**
   * Names of the top-level fields to answer with, with commas between them: `id,title`. All fields when absent;
   * names that there are not are passed over.
   */
  select?: string[] | undefined
}

export type NotificationsGetQuery = {
  /**
   * Names of the top-level fields to answer with, with commas between them: `id,title`. All fields when absent;
   * names that there are not are passed over.
   */
  select?: string[] | undefined
}

export type AdminApplicationsListQuery = {
  /**
   * How many a page has at most, 50 when absent; more than 200 is taken as 200. A page may hold fewer and still
   * have a next one.
   */
  limit?: number | undefined
  /**
   * `next_cursor` of the page before; leave it out for the first page. Filters stay those of the first page,
   * `limit` and `select` may change.
   */
  page_token?: string | undefined
  /** With this text in the name or the id */
  search?: string | undefined
  /** Those with these ids alone, with commas between them */
  application_id?: string[] | undefined
  /** Of this environment alone */
  environment?: 'production' | 'staging' | 'development' | 'sandbox' | undefined
  /** `true`: blocked ones alone; `false`: those that are not */
  blocked?: boolean | undefined
  /** What the order goes by; `created_at` when absent */
  sort?: 'created_at' | 'name' | undefined
  /** `asc` when absent; `desc` the other way round */
  order?: 'asc' | 'desc' | undefined
}

/** An application to be made */
export type ApplicationDraft = {
  /** Name that end users see when they sign in, up to 256 characters */
  name: string
  /** What it is for: stands in its API keys, and changes nothing else. `production` when absent. */
  environment?: 'production' | 'staging' | 'development' | undefined
}

/** What an application may do */
export type ApplicationControl = {
  /** `true` blocks it, `false` opens it again */
  blocked?: boolean | undefined
  /**
   * How many mails the service may send for it in a day (UTC) by the service's own identity; null: as the settings
   * say
   */
  mail_per_day?: number | null | undefined
}

/** An API key to be made */
export type ApiKeyDraft = {
  /** Name for those who keep it, up to 256 characters */
  name: string
  /** Days until it expires; it never does when absent */
  expires_in?: number | null | undefined
}

export type AdminGrantsListQuery = {
  /**
   * How many objects a page has at most: 50 unless told otherwise. More than 200 is taken as 200. A page may hold
   * fewer and still have a next one.
   */
  limit?: number | undefined
  /**
   * `next_cursor` of the page before; leave it out for the first page. Filters stay those of the first page,
   * `limit` and `select` may change.
   */
  page_token?: string | undefined
  /** With this text in the address, the name or the id */
  search?: string | undefined
  /** In this state alone */
  grant_status?: 'valid' | 'invalid' | undefined
  /** Of this kind of account */
  provider?: string | undefined
  /** `true`: blocked ones alone; `false`: those that are not */
  blocked?: boolean | undefined
  /** Created at this time or later, in Unix seconds */
  created_since?: number | undefined
  /** Created before this time, in Unix seconds */
  created_before?: number | undefined
  /** Last used at this time or later, in Unix seconds */
  last_used_since?: number | undefined
  /** Not used since this time, or never, in Unix seconds */
  last_used_before?: number | undefined
  /** What the order goes by; `created_at` when absent. Grants that were never used are the least recently used. */
  sort?: 'created_at' | 'last_used_at' | 'email' | 'grant_status' | undefined
  /** `desc` the newest or last first, which it is when absent; `asc` the other way round */
  order?: 'asc' | 'desc' | undefined
}

export type AdminGrantsCountQuery = {
  /** With this text in the address, the name or the id */
  search?: string | undefined
  /** In this state alone */
  grant_status?: 'valid' | 'invalid' | undefined
  /** Of this kind of account */
  provider?: string | undefined
  /** `true`: blocked ones alone; `false`: those that are not */
  blocked?: boolean | undefined
  /** Created at this time or later, in Unix seconds */
  created_since?: number | undefined
  /** Created before this time, in Unix seconds */
  created_before?: number | undefined
  /** Last used at this time or later, in Unix seconds */
  last_used_since?: number | undefined
  /** Not used since this time, or never, in Unix seconds */
  last_used_before?: number | undefined
}

export type AdminGrantsTimelineQuery = {
  /**
   * How many objects a page has at most: 50 unless told otherwise. More than 200 is taken as 200. A page may hold
   * fewer and still have a next one.
   */
  limit?: number | undefined
  /**
   * `next_cursor` of the page before; leave it out for the first page. Filters stay those of the first page,
   * `limit` and `select` may change.
   */
  page_token?: string | undefined
  /** Only these: `grant`, `notifications`, `calls`, `errors`, with commas between them; all when absent */
  kinds?: string[] | undefined
}

/** Whether the grant may be used */
export type GrantBlockChange = {
  /** `true` blocks it, `false` opens it again */
  blocked: boolean
}

export type OverviewGetQuery = {
  /** How many hours back the traffic goes, up to 48; 24 when absent */
  hours?: number | undefined
}

export type UsageListQuery = {
  /** How many applications a page has at most, 50 when absent; more than 200 is taken as 200 */
  limit?: number | undefined
  /**
   * `next_cursor` of the page before; leave it out for the first page. Filters stay those of the first page,
   * `limit` and `select` may change.
   */
  page_token?: string | undefined
  /** Of this application alone */
  application_id?: string | undefined
}

export type SessionListQuery = {
  /**
   * How many objects a page has at most: 50 unless told otherwise. More than 200 is taken as 200. A page may hold
   * fewer and still have a next one.
   */
  limit?: number | undefined
  /**
   * `next_cursor` of the page before; leave it out for the first page. Filters stay those of the first page,
   * `limit` and `select` may change.
   */
  page_token?: string | undefined
  /** `true`: of all people, and of none. For owners. */
  everybody?: boolean | undefined
  /** Of this person alone. For owners. */
  person_id?: string | undefined
}

export type SessionDeleteAllQuery = {
  /** `true`: the sessions of all people, those of the installation’s password, and one-time links. For owners. */
  everybody?: boolean | undefined
  /** The sessions of this person alone. For owners. */
  person_id?: string | undefined
}

/** An invitation */
export type InvitationToken = {
  /** What stands behind `#invitation=` of the link */
  token: string
}

/** What a person changes of themselves */
export type AccountChange = {
  /** Name of the person, up to 256 characters */
  name: string
}

/** A code of the app that was given the secret */
export type TotpConfirmation = {
  /** Six digits of the authenticator app, or a recovery code; each is good once */
  code: string
}

export type PeopleListQuery = {
  /**
   * How many objects a page has at most: 50 unless told otherwise. More than 200 is taken as 200. A page may hold
   * fewer and still have a next one.
   */
  limit?: number | undefined
  /**
   * `next_cursor` of the page before; leave it out for the first page. Filters stay those of the first page,
   * `limit` and `select` may change.
   */
  page_token?: string | undefined
  /** With this text in the address or the name */
  search?: string | undefined
  /** With this role alone */
  role?: 'owner' | 'administrator' | 'viewer' | undefined
  /** In this state alone */
  state?: 'invited' | 'active' | 'blocked' | undefined
}

export type PeopleDeleteQuery = {
  /** `true` revokes the API keys that the person created and that are still valid. They stay valid when absent. */
  revoke_api_keys?: boolean | undefined
}

/** What is to be changed of the installation; the rest stays */
export type InstallationChange = {
  /** `false` switches it off, `true` on */
  installation_password?: boolean | undefined
  /**
   * Roles whose people need a second factor to sign in with a password. Empty: nobody needs one. Sign-in with
   * OpenID Connect leaves it to the provider.
   */
  second_factor_required_for?: Role[] | undefined
}

export type AuditListQuery = {
  /**
   * How many objects a page has at most: 50 unless told otherwise. More than 200 is taken as 200. A page may hold
   * fewer and still have a next one.
   */
  limit?: number | undefined
  /**
   * `next_cursor` of the page before; leave it out for the first page. Filters stay those of the first page,
   * `limit` and `select` may change.
   */
  page_token?: string | undefined
  /** About this application alone */
  application_id?: string | undefined
  /** Done by this person alone */
  person_id?: string | undefined
  /**
   * Of this route alone, by its id, such as `apiKeys.create`; with a `*` at its end all that begin so, such as
   * `apiKeys.*`
   */
  action?: string | undefined
  /** About this grant alone, by its id */
  grant_id?: string | undefined
  /** `change`: what was changed; `read`: what was read of customers' data; both when absent */
  kind?: 'change' | 'read' | undefined
  /** Done by this way alone */
  actor?: 'session' | 'password' | 'command' | undefined
  /** About the object with this id alone */
  target?: string | undefined
  /** `done`: answered with less than 400; `refused`: all others */
  outcome?: 'done' | 'refused' | undefined
  /** At this time or later, in Unix seconds */
  since?: number | undefined
  /** Before this time, in Unix seconds */
  before?: number | undefined
  /** `desc`, the newest first, when absent; `asc` the oldest first */
  order?: 'asc' | 'desc' | undefined
}

export type HealthSeriesQuery = {
  /** How many hours back, up to 48; 6 when absent */
  hours?: number | undefined
  /** Of this node alone; all together when absent */
  node_id?: string | undefined
}

/** `data.object` of a notification, by its trigger. */
export type TriggerObjects = {
  /** A new grant */
  'grant.created': GrantCreatedObject
  /** A grant was changed or re-authenticated */
  'grant.updated': GrantUpdatedObject
  /** A grant became invalid: its end user must re-authenticate */
  'grant.expired': GrantExpiredObject
  /** A grant was deleted */
  'grant.deleted': GrantDeletedObject
  /** A message arrived or was sent */
  'message.created': MessageObject
  /** A message was changed */
  'message.updated': MessageObject
  /** A scheduled message was sent */
  'message.send_success': ScheduledMessageObject
  /** A scheduled message could not be sent */
  'message.send_failed': ScheduledMessageObject | null
  /** A sent message came back */
  'message.bounce_detected': BounceObject
  /** A tracked message was opened */
  'message.opened': MessageOpenedObject
  /** A link in a tracked message was followed */
  'message.link_clicked': LinkClickedObject
  /** A tracked message was answered */
  'thread.replied': ThreadRepliedObject
  /** A calendar was created */
  'calendar.created': Calendar
  /** A calendar was changed */
  'calendar.updated': Calendar
  /** A calendar was deleted */
  'calendar.deleted': CalendarDeletedObject
  /** An event or a series was created */
  'event.created': EventObject
  /** An event, a series or instances of it were changed */
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
  /** What is told beside the object */
  'message.send_success': MessageData
  /** What is told beside the object of a message that was not sent */
  'message.send_failed': SendFailedData
  /** What is told beside the object */
  'message.bounce_detected': MessageData
}

/** Who end users see that they give access to: replaces what was there; a name that is absent stays */
export type BrandingChange = {
  /** Name that end users see when they sign in */
  name?: string | undefined
  /** Picture beside the name on the sign-in pages; shown where it is an https address */
  icon_url?: string | null | undefined
  /** Your web site: kept for you, the pages do not show it */
  website_url?: string | null | undefined
  /** What the application is: kept for you, the pages do not show it */
  description?: string | null | undefined
}
