ALTER TABLE "order_lines" ADD COLUMN "preparation" jsonb;--> statement-breakpoint
ALTER TABLE "products" ADD COLUMN "preparations" jsonb DEFAULT '[]'::jsonb NOT NULL;