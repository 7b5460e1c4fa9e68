CREATE TABLE "waiting_orders" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" text,
	"status" text NOT NULL,
	"reason" text DEFAULT '' NOT NULL,
	"kind" text NOT NULL,
	"slot" jsonb NOT NULL,
	"lines" jsonb NOT NULL,
	"total_cents" bigint NOT NULL,
	"payment" text NOT NULL,
	"contact" jsonb,
	"emails" integer DEFAULT 0 NOT NULL,
	"ends_at" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "payments" DROP CONSTRAINT "payments_order_id_orders_id_fk";
--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "network" text;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "confirmed_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "waiting_orders" ADD CONSTRAINT "waiting_orders_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "waiting_orders_ends_at_index" ON "waiting_orders" USING btree ("ends_at");--> statement-breakpoint
CREATE INDEX "waiting_orders_created_at_id_index" ON "waiting_orders" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "waiting_orders_user_id_index" ON "waiting_orders" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "order_contacts_email_index" ON "order_contacts" USING btree (lower("email"));--> statement-breakpoint
CREATE INDEX "orders_unconfirmed_index" ON "orders" USING btree ("network") WHERE "orders"."network" is not null;