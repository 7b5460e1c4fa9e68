-- The sums have GST, too: they are made anew, and until then they are empty. No default: a process that doesn't know the
-- column yet writes no sums without it.
TRUNCATE "sales_parts", "sales_sums";--> statement-breakpoint
DELETE FROM "event_consumers" WHERE "name" = 'reports.sales';--> statement-breakpoint
ALTER TABLE "sales_parts" ADD COLUMN "gst" bigint NOT NULL;--> statement-breakpoint
ALTER TABLE "sales_sums" ADD COLUMN "gst" bigint NOT NULL;
