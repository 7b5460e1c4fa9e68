CREATE INDEX "users_search_index" ON "users" USING btree ("search");--> statement-breakpoint
CREATE INDEX "users_trigrams_index" ON "users" USING gin (trigrams("search"));--> statement-breakpoint
CREATE INDEX "products_trigrams_index" ON "products" USING gin (trigrams("search"));