CREATE TABLE "phone_links" (
	"id" text PRIMARY KEY NOT NULL,
	"token_hash" text NOT NULL,
	"user_id" text NOT NULL,
	"name" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"used_at" timestamp with time zone,
	CONSTRAINT "phone_links_tokenHash_unique" UNIQUE("token_hash")
);
--> statement-breakpoint
ALTER TABLE "devices" ADD COLUMN "supplier_id" text;--> statement-breakpoint
ALTER TABLE "enrolments" ADD COLUMN "link_id" text;--> statement-breakpoint
ALTER TABLE "field_entries" ADD COLUMN "signed_by" text;--> statement-breakpoint
ALTER TABLE "phone_links" ADD CONSTRAINT "phone_links_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "phone_links_user_id_index" ON "phone_links" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "phone_links_expires_at_index" ON "phone_links" USING btree ("expires_at");--> statement-breakpoint
ALTER TABLE "enrolments" ADD CONSTRAINT "enrolments_link_id_phone_links_id_fk" FOREIGN KEY ("link_id") REFERENCES "public"."phone_links"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "field_entries" ADD CONSTRAINT "field_entries_signed_by_devices_id_fk" FOREIGN KEY ("signed_by") REFERENCES "public"."devices"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "devices_supplier_id_index" ON "devices" USING btree ("supplier_id");--> statement-breakpoint
CREATE INDEX "enrolments_link_id_index" ON "enrolments" USING btree ("link_id");