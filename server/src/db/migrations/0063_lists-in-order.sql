CREATE INDEX "users_search_id_index" ON "users" USING btree ("search","id");--> statement-breakpoint
CREATE INDEX "users_created_at_id_index" ON "users" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "users_role_id_index" ON "users" USING btree ("role","id");--> statement-breakpoint
CREATE INDEX "users_status_id_index" ON "users" USING btree ("status","id");--> statement-breakpoint
CREATE INDEX "users_status_search_id_index" ON "users" USING btree ("status","search","id");--> statement-breakpoint
CREATE INDEX "boxes_of_stage" ON "boxes" USING btree ("stage","updated_at","id") WHERE not "boxes"."sealed";--> statement-breakpoint
CREATE INDEX "boxes_sealed" ON "boxes" USING btree ("updated_at","id") WHERE "boxes"."sealed";--> statement-breakpoint
CREATE INDEX "excursions_created_at_id_index" ON "excursions" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "excursions_listed" ON "excursions" USING btree ("created_at","id") WHERE closed_at is null and withdrawn_at is null;--> statement-breakpoint
CREATE INDEX "excursions_withdrawn" ON "excursions" USING btree ("created_at","id") WHERE withdrawn_at is not null;--> statement-breakpoint
CREATE INDEX "jobs_that_failed" ON "jobs" USING btree ("queue","id") WHERE "jobs"."last_error" is not null;