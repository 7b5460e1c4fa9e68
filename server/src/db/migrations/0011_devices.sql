CREATE TABLE "device_boxes" (
	"device_id" text NOT NULL,
	"box_id" text NOT NULL,
	"counter" bigint NOT NULL,
	"statement" text NOT NULL,
	"place" integer NOT NULL,
	"reading_at" timestamp with time zone NOT NULL,
	"temperature" real NOT NULL,
	"battery" real,
	"heard_at" timestamp with time zone NOT NULL,
	"heard_before" timestamp with time zone,
	CONSTRAINT "device_boxes_device_id_box_id_pk" PRIMARY KEY("device_id","box_id")
);
--> statement-breakpoint
CREATE TABLE "devices" (
	"id" text PRIMARY KEY NOT NULL,
	"public_key" text NOT NULL,
	"name" text NOT NULL,
	"level" text NOT NULL,
	"valid_from" timestamp with time zone NOT NULL,
	"revoked_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "enrolments" (
	"id" text PRIMARY KEY NOT NULL,
	"public_key" text NOT NULL,
	"name" text NOT NULL,
	"level" text NOT NULL,
	"nonce" text NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "device_boxes" ADD CONSTRAINT "device_boxes_device_id_devices_id_fk" FOREIGN KEY ("device_id") REFERENCES "public"."devices"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "device_boxes" ADD CONSTRAINT "device_boxes_box_id_boxes_id_fk" FOREIGN KEY ("box_id") REFERENCES "public"."boxes"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "device_boxes_box_id_index" ON "device_boxes" USING btree ("box_id");--> statement-breakpoint
CREATE INDEX "enrolments_expires_at_index" ON "enrolments" USING btree ("expires_at");