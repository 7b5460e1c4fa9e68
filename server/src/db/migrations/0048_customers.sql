CREATE INDEX "sales_sums_customer_index" ON "sales_sums" USING btree ("key","period") WHERE "sales_sums"."what" = 'customer';--> statement-breakpoint
CREATE INDEX "sales_sums_customers_index" ON "sales_sums" USING btree ("revenue","key") WHERE "sales_sums"."what" = 'customer' and "sales_sums"."period" = '';--> statement-breakpoint
-- What was bought ever is in the sums, too: they are made anew.
DELETE FROM "event_consumers" WHERE "name" = 'reports.sales';
