-- Role and database of the shop, once, at the primary:
--   psql -h 10.0.0.1 -U postgres -v password=PASSWORD -f database.sql postgres
\set ON_ERROR_STOP on
create role befaqt login password :'password' in role pg_read_all_stats;
create database befaqt owner befaqt;
-- What a pooler lets no connection ask for.
alter database befaqt set jit = off;
alter role befaqt in database befaqt set statement_timeout = '60s';
alter role befaqt in database befaqt set idle_in_transaction_session_timeout = '30s';
