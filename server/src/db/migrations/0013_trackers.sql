CREATE TABLE "column_maps" (
	"name" text PRIMARY KEY NOT NULL,
	"map" text NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "tracker_assignments" (
	"tracker_id" text NOT NULL,
	"from" timestamp with time zone NOT NULL,
	"box_id" text,
	CONSTRAINT "tracker_assignments_tracker_id_from_pk" PRIMARY KEY("tracker_id","from")
);
--> statement-breakpoint
CREATE TABLE "trackers" (
	"id" text PRIMARY KEY NOT NULL,
	"source" text NOT NULL,
	"device_id" text NOT NULL,
	"name" text NOT NULL,
	"last_box" text,
	"reading_at" timestamp with time zone,
	"temperature" real,
	"battery" real,
	"heard_at" timestamp with time zone NOT NULL,
	"refusal" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "tracker_assignments" ADD CONSTRAINT "tracker_assignments_tracker_id_trackers_id_fk" FOREIGN KEY ("tracker_id") REFERENCES "public"."trackers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tracker_assignments" ADD CONSTRAINT "tracker_assignments_box_id_boxes_id_fk" FOREIGN KEY ("box_id") REFERENCES "public"."boxes"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "tracker_assignments_box_id_index" ON "tracker_assignments" USING btree ("box_id");--> statement-breakpoint
CREATE INDEX "trackers_created_at_id_index" ON "trackers" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "devices_created_at_id_index" ON "devices" USING btree ("created_at","id");