ALTER TABLE "jobs" ADD COLUMN "lease" uuid;--> statement-breakpoint
ALTER TABLE "jobs" ADD COLUMN "lost_leases" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "jobs" ADD COLUMN "again" boolean DEFAULT false NOT NULL;