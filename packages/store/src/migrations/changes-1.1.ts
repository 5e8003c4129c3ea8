/** Configurations of booking pages, and the sessions that open private ones. */
export const schedulerConfigurations = `
create table scheduler_configurations (
  id text not null,
  application_id text not null,
  grant_id text not null,
  slug text,
  name text not null,
  type text not null,
  requires_session_auth integer not null,
  sealed_document text not null,
  created_at bigint not null,
  updated_at bigint not null,
  removed_at bigint,
  primary key (id, application_id),
  foreign key (grant_id, application_id) references grants (id, application_id) on delete cascade
);
create unique index scheduler_configurations_by_slug on scheduler_configurations (slug, application_id)
  where slug is not null and removed_at is null;
create index scheduler_configurations_by_grant on scheduler_configurations (grant_id, application_id, created_at, id);
create index scheduler_configurations_by_time on scheduler_configurations (application_id, created_at, id);
create index scheduler_configurations_removed on scheduler_configurations (removed_at) where removed_at is not null;

create table scheduler_sessions (
  hash text not null,
  application_id text not null,
  configuration_id text not null,
  created_at bigint not null,
  expires_at bigint not null,
  primary key (hash, application_id),
  foreign key (configuration_id, application_id)
    references scheduler_configurations (id, application_id) on delete cascade
);
create index scheduler_sessions_by_configuration
  on scheduler_sessions (configuration_id, application_id, expires_at);
create index scheduler_sessions_by_end on scheduler_sessions (expires_at);
`

/**
 * Bookings, the times that they claim from their hosts, and a row per host that is locked while claims are compared.
 * Times of slots are in Unix seconds, as in the API.
 */
export const bookings = `
create table bookings (
  id text not null,
  application_id text not null,
  configuration_id text not null,
  grant_id text not null,
  host_grant_id text not null,
  status text not null,
  revision integer not null,
  start_time bigint not null,
  end_time bigint not null,
  calendar_id text not null,
  event_id text,
  guest_key text not null,
  sealed_document text not null,
  sealed_intent text,
  created_at bigint not null,
  updated_at bigint not null,
  primary key (id, application_id),
  foreign key (grant_id, application_id) references grants (id, application_id) on delete cascade
);
create index bookings_by_start on bookings (application_id, start_time, id);
create index bookings_by_configuration on bookings (configuration_id, start_time, id);
create index bookings_by_grant on bookings (grant_id, start_time, id);
create index bookings_by_guest on bookings (guest_key, end_time);
create index bookings_by_end on bookings (end_time, id);
create table booking_hosts (
  grant_id text not null,
  booking_id text not null,
  revision integer not null,
  application_id text not null,
  starts_at bigint not null,
  ends_at bigint not null,
  holds_until bigint not null,
  primary key (grant_id, booking_id, revision, application_id),
  foreign key (grant_id, application_id) references grants (id, application_id) on delete cascade,
  foreign key (booking_id, application_id) references bookings (id, application_id) on delete cascade
);
create index booking_hosts_by_end on booking_hosts (grant_id, ends_at);
create index booking_hosts_by_booking on booking_hosts (booking_id);
create table scheduler_hosts (
  grant_id text not null,
  application_id text not null,
  changes bigint not null,
  primary key (grant_id, application_id),
  foreign key (grant_id, application_id) references grants (id, application_id) on delete cascade
);
`

/**
 * Group events of configurations, and the seats that bookings have in them. A series has a row of its own, and each
 * of its occurrences has one once it has a seat or its own capacity.
 */
export const groupEvents = `
create table group_events (
  grant_id text not null,
  calendar_id text not null,
  event_id text not null,
  application_id text not null,
  configuration_id text not null,
  master_id text,
  kind text not null,
  capacity integer not null,
  own_capacity integer not null,
  booked integer not null,
  sealed_details text,
  claimed_by text,
  claimed_until bigint not null,
  created_at bigint not null,
  updated_at bigint not null,
  primary key (grant_id, calendar_id, event_id, application_id),
  foreign key (grant_id, application_id) references grants (id, application_id) on delete cascade,
  foreign key (configuration_id, application_id)
    references scheduler_configurations (id, application_id) on delete cascade
);
create index group_events_by_configuration on group_events (configuration_id, calendar_id);

create table group_seats (
  booking_id text not null,
  calendar_id text not null,
  event_id text not null,
  application_id text not null,
  grant_id text not null,
  state text not null,
  people integer not null,
  sealed_people text not null,
  created_at bigint not null,
  primary key (booking_id, calendar_id, event_id, application_id),
  foreign key (grant_id, calendar_id, event_id, application_id)
    references group_events (grant_id, calendar_id, event_id, application_id) on delete cascade
);
create index group_seats_by_event on group_seats (grant_id, calendar_id, event_id);
`

/** Workflows: templates that replace the built-in mails about bookings. Rows go with the grant or the application. */
export const workflows = `
create table workflows (
  id text not null,
  application_id text not null references applications (id) on delete cascade,
  grant_id text,
  name text not null,
  template_id text not null,
  trigger_event text not null,
  delay integer not null,
  is_enabled integer not null,
  sender_name text,
  sender_email text,
  created_at bigint not null,
  primary key (id, application_id),
  foreign key (grant_id, application_id) references grants (id, application_id) on delete cascade
);
create index workflows_of_application on workflows (application_id, created_at, id) where grant_id is null;
create index workflows_of_grant on workflows (grant_id, created_at, id) where grant_id is not null;
`
