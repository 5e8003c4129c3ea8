/**
 * Watched grants, the nodes that watch them, and the cursor of each.
 *
 * A grant belongs to one of 4,096 shards, which the nodes share. `nudges`: change notifications that reached a node
 * which does not watch the grant.
 */
export const watching = `
create table watches (
  grant_id text not null,
  application_id text not null,
  sealed_cursor text not null,
  synced_at bigint,
  authenticated_at bigint not null,
  told_from bigint not null,
  primary key (grant_id, application_id),
  foreign key (grant_id, application_id) references grants (id, application_id) on delete cascade
);

create table watch_failures (
  grant_id text not null,
  application_id text not null,
  failures integer not null,
  next_try_at bigint not null,
  primary key (grant_id, application_id),
  foreign key (grant_id, application_id) references grants (id, application_id) on delete cascade
);
create index watch_failures_by_application on watch_failures (application_id, failures);

create table watch_shards (
  shard integer primary key,
  owner text,
  epoch bigint not null
);

create table nudges (
  grant_id text not null,
  application_id text not null,
  shard integer not null,
  renews_push integer not null default 0,
  primary key (grant_id, application_id),
  foreign key (grant_id, application_id) references grants (id, application_id) on delete cascade
);
create index nudges_by_shard on nudges (shard);

insert into watch_shards (shard, owner, epoch)
with recursive numbers (number) as (select 0 union all select number + 1 from numbers where number < 4095)
select number, null, 0 from numbers;
`
