ALTER TABLE "events" ADD COLUMN "trace" text DEFAULT nullif(current_setting('befaqt.trace', true), '');--> statement-breakpoint
ALTER TABLE "jobs" ADD COLUMN "trace" text;