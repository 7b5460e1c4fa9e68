CREATE INDEX "boxes_held_back" ON "boxes" USING btree ("id") WHERE "boxes"."held_back";--> statement-breakpoint
CREATE INDEX "boxes_alerted" ON "boxes" USING btree ("id") WHERE not "boxes"."sealed" and "boxes"."alerts" <> '[]'::jsonb;--> statement-breakpoint
CREATE INDEX "payments_with_problem" ON "payments" USING btree ("order_id") WHERE "payments"."problem" is not null;