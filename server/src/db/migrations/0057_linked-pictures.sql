CREATE TABLE "linked_pictures" (
	"id" text PRIMARY KEY NOT NULL,
	"product_id" text NOT NULL,
	"address" text NOT NULL,
	"sells_version" integer,
	"who" text NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"done_at" timestamp with time zone,
	"failed_at" timestamp with time zone,
	"last_error" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "linked_pictures" ADD CONSTRAINT "linked_pictures_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "linked_pictures_product_id_index" ON "linked_pictures" USING btree ("product_id");--> statement-breakpoint
CREATE INDEX "linked_pictures_created_at_index" ON "linked_pictures" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "linked_pictures_open" ON "linked_pictures" USING btree ("failed_at","created_at") WHERE done_at is null;