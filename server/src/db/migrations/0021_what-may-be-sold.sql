ALTER TABLE "boxes" ADD COLUMN "off_sale_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "boxes" ADD COLUMN "off_sale_reason" text;--> statement-breakpoint
ALTER TABLE "boxes" ADD COLUMN "off_sale_by" text;--> statement-breakpoint
ALTER TABLE "order_events" ADD COLUMN "internal" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "order_lines" ADD COLUMN "no_box_reason" text;--> statement-breakpoint
ALTER TABLE "order_lines" ADD COLUMN "left_out_reason" text;--> statement-breakpoint
ALTER TABLE "recall_notices" ADD COLUMN "withdrawal_sent_at" timestamp with time zone;--> statement-breakpoint
CREATE INDEX "boxes_stopped_index" ON "boxes" USING btree ("id") WHERE "boxes"."recall_id" is not null or "boxes"."off_sale_at" is not null;--> statement-breakpoint
UPDATE "recall_notices" n SET "withdrawal_sent_at" = r."ended_at" FROM "recalls" r WHERE r."id" = n."recall_id" AND r."ended_at" IS NOT NULL;
