CREATE TABLE "recall_notices" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "recall_notices_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"recall_id" text NOT NULL,
	"order_id" text NOT NULL,
	"queued_at" timestamp with time zone DEFAULT now() NOT NULL,
	"sent_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "recalls" (
	"id" text PRIMARY KEY NOT NULL,
	"box_id" text NOT NULL,
	"reason" text NOT NULL,
	"at" text NOT NULL,
	"seq" integer,
	"who" text NOT NULL,
	"happened_at" timestamp with time zone DEFAULT now() NOT NULL,
	"ended_at" timestamp with time zone,
	"ended_by" text,
	"end_reason" text
);
--> statement-breakpoint
ALTER TABLE "boxes" ADD COLUMN "recall_id" text;--> statement-breakpoint
ALTER TABLE "recall_notices" ADD CONSTRAINT "recall_notices_recall_id_recalls_id_fk" FOREIGN KEY ("recall_id") REFERENCES "public"."recalls"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "recall_notices" ADD CONSTRAINT "recall_notices_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "recalls" ADD CONSTRAINT "recalls_box_id_boxes_id_fk" FOREIGN KEY ("box_id") REFERENCES "public"."boxes"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "recall_notices_recall_id_order_id_index" ON "recall_notices" USING btree ("recall_id","order_id");--> statement-breakpoint
CREATE INDEX "recall_notices_order_id_index" ON "recall_notices" USING btree ("order_id");--> statement-breakpoint
CREATE INDEX "recalls_box_id_index" ON "recalls" USING btree ("box_id");