ALTER TABLE "field_entries" ALTER COLUMN "seq" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "field_entries" ADD COLUMN "claim" text;--> statement-breakpoint
ALTER TABLE "field_entries" ADD COLUMN "waits_until" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "field_entries" ADD COLUMN "kept" jsonb;--> statement-breakpoint
CREATE INDEX "field_entries_waits_until_index" ON "field_entries" USING btree ("waits_until") WHERE "field_entries"."kept" is not null;