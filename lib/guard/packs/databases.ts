import type { Row } from "../shell/rare-programs.ts";

const COUNT_FIRST =
  "count first what would go, as in `psql -c 'select count(*) from users'`, and ask the user";
const MIGRATE = "bring the schema forward with a new migration, or ask the user to reset the database";

/** DELETE and UPDATE count when no WHERE follows before the end of the statement. */
const SQL =
  /\b(drop\s+(table|database|schema|view|materialized\s+view|index|role|user|keyspace|collection)|truncate\s+(table\s+)?["`\w]|alter\s+table\s[^;]{1,200}\bdrop\s+(column|constraint)|delete\s+from\s+[\w."`]+(?![^;]{0,2000}\bwhere\b)|update\s+[\w."`]+\s+set\s(?![^;]{0,2000}\bwhere\b))/i;

export const DATABASES: readonly Row[] = [
  {
    programs: "psql pgcli mysql mariadb mycli cockroach clickhouse-client sqlcmd bq snowsql cqlsh",
    verb: SQL,
    quotes: "'",
    readsStdin: true,
    instead: COUNT_FIRST,
  },
  {
    programs: "sqlite3 duckdb",
    verb: SQL,
    quotes: "'",
    unless: /:memory:|(^| )\/tmp\//,
    readsStdin: true,
    instead: "copy the file first: `cp app.db app.db.bak`",
  },
  {
    programs: "dropdb dropuser",
    verb: /./,
    why: "drops a database or its user",
    instead: "make one of your own for the test: `createdb scratch`",
  },
  {
    programs: "mysqladmin",
    verb: /(^| )(drop|shutdown|flush-all)\b/,
    why: "drops a database or stops the server",
    instead: COUNT_FIRST,
  },
  {
    programs: "redis-cli valkey-cli",
    verb: /(^|\s)(flushall|flushdb|shutdown|script flush)\b/i,
    readsStdin: true,
    why: "empties a whole Redis database or stops it",
    instead: "delete the keys you made by name: `redis-cli DEL session:42`",
  },
  {
    programs: "mongosh mongo",
    verb: /\.(dropDatabase|drop|dropIndexes)\s*\(|\.(deleteMany|remove)\s*\(\s*(\{\s*\}\s*)?\)/,
    readsStdin: true,
    instead: "look first: `mongosh app --eval 'db.users.countDocuments()'`",
  },
  { programs: "mongorestore", verb: /--drop\b/, instead: "restore into a database of another name" },
  {
    programs: "pg_restore",
    verb: /(^| )(-[aCelORsvx1]*c|--clean\b)/,
    why: "drops what is in the database before it restores",
    instead: "restore into a new database: `createdb scratch`",
  },
  {
    programs: "prisma",
    verb: /\bmigrate reset\b|\bdb push\b.*--(force-reset|accept-data-loss)|\bdb execute\b/,
    why: "resets the database or accepts the loss of its data",
    instead: "use `prisma migrate dev` or `prisma db push`, which stop before data is lost",
  },
  {
    programs: "rails rake",
    verb: /\bdb:(drop|reset|purge|truncate_all|schema:load|structure:load|migrate:reset|setup|seed:replant)\b/,
    unless: /RAILS_ENV=test\b/,
    variable: "RAILS_ENV",
    why: "drops or resets the database",
    instead: MIGRATE,
  },
  {
    programs: "php artisan",
    verb: /\b(migrate:(fresh|reset|refresh)|db:wipe)\b/,
    why: "drops every table",
    instead: MIGRATE,
  },
  {
    programs: "python manage.py django-admin",
    verb: /(^|manage\.py |-m django )(flush|reset_db|sqlflush)\b|(^|manage\.py )migrate \S+ zero\b/,
    why: "empties the database",
    instead: MIGRATE,
  },
  {
    programs: "alembic flask",
    verb: /\bdowngrade( (base|-\d+|\S*:base)\b|$)/,
    unless: / --sql( |$)/, // only prints
    why: "takes migrations back and drops what they made",
    instead: MIGRATE,
  },
  {
    programs:
      "sequelize sequelize-cli knex typeorm drizzle-kit supabase liquibase mix diesel sqlx hasura goose atlas",
    verb: /\bdb:(drop|migrate:undo:all)\b|\bmigrate:rollback\b.*--all|\bschema:(drop|sync)\b|^drop\b|\bdb reset\b|\bdrop-?all\b|\becto\.(drop|reset)\b|\bdatabase (drop|reset)\b|\breset\b.*--force|^schema clean\b|(^| )down-to 0\b/i,
    why: "drops or resets the database",
    instead: MIGRATE,
  },
  { programs: "flyway", verb: /(^| )clean\b/, why: "drops every table", instead: MIGRATE },
  { programs: "dotnet dotnet-ef", verb: /\bdatabase drop\b/, why: "drops the database", instead: MIGRATE },
  {
    programs: "etcdctl consul vault",
    verb: /\bdel\b.*--(prefix|from-key)|\bkv delete\b.*-recurse|\bkv (destroy|metadata delete)\b|\bsecrets disable\b/,
    instead: "delete one key by its name",
  },
  {
    programs: "kafka-topics kafka-topics.sh rabbitmqctl rabbitmqadmin",
    verb: /--delete\b|^(reset|force_reset|delete_vhost|purge_queue|stop|stop_app)\b|^(delete|purge) queue\b/,
    why: "deletes messages or stops the broker",
    instead: "ask the user",
  },
];
