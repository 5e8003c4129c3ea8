/** The installation, its nodes, their figures per minute, and the data keys. */
export const installation = `
create table installation (
  name text primary key,
  value text not null
);

create table installation_counts (
  name text primary key,
  amount bigint not null
);

create table nodes (
  id text primary key,
  started_at bigint not null,
  seen_at bigint not null,
  delivers integer not null default 0,
  roles text not null default '',
  watched_grants integer not null default 0,
  version text not null default '',
  host text not null default '',
  leases integer not null default 0
);

create table health_figures (
  at bigint not null,
  node_id text not null,
  requests integer not null,
  errors integer not null,
  latencies text not null,
  deliveries integer not null,
  delivery_failures integer not null,
  delivery_latencies text not null,
  provider_errors integer not null,
  watched_grants integer not null,
  memory_bytes bigint not null default 0,
  primary key (at, node_id)
);

create table data_keys (
  id text primary key,
  sealed_key text not null,
  created_at bigint not null
);
`
