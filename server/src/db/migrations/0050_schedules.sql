ALTER TABLE "products" ADD COLUMN "schedule" jsonb DEFAULT '{"sale":null,"markdown":null}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "products" ADD COLUMN "due_at" timestamp with time zone;--> statement-breakpoint
CREATE INDEX "products_due_index" ON "products" USING btree ("due_at") WHERE "products"."due_at" is not null;