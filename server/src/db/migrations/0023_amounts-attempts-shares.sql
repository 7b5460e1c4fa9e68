ALTER TABLE "box_losses" ADD COLUMN "unit" text;--> statement-breakpoint
ALTER TABLE "holds" ADD COLUMN "network" text;--> statement-breakpoint
ALTER TABLE "order_events" ADD COLUMN "paid_cents" bigint;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "attempt" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "product_boxes" ADD COLUMN "unit" text;--> statement-breakpoint
ALTER TABLE "products" ADD COLUMN "order_limit" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX "holds_network_index" ON "holds" USING btree ("network");--> statement-breakpoint
CREATE INDEX "slots_offered_index" ON "slots" USING btree ("kind","cut_off_at") WHERE not "slots"."closed";--> statement-breakpoint
UPDATE "product_boxes" SET "unit" = "products"."unit" FROM "products" WHERE "products"."id" = "product_boxes"."product_id";--> statement-breakpoint
UPDATE "box_losses" SET "unit" = "products"."unit" FROM "products" WHERE "products"."id" = "box_losses"."product_id";
