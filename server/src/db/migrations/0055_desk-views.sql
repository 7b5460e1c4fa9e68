CREATE TABLE "desk_views" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"list" text NOT NULL,
	"name" text NOT NULL,
	"name_key" text collate "C" NOT NULL,
	"query" text NOT NULL,
	"shared" boolean NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "opening_views" (
	"user_id" text NOT NULL,
	"list" text NOT NULL,
	"view_id" text NOT NULL,
	CONSTRAINT "opening_views_user_id_list_pk" PRIMARY KEY("user_id","list")
);
--> statement-breakpoint
ALTER TABLE "desk_views" ADD CONSTRAINT "desk_views_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "opening_views" ADD CONSTRAINT "opening_views_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "opening_views" ADD CONSTRAINT "opening_views_view_id_desk_views_id_fk" FOREIGN KEY ("view_id") REFERENCES "public"."desk_views"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "desk_views_name" ON "desk_views" USING btree ("user_id","list","name_key") WHERE deleted_at is null;--> statement-breakpoint
CREATE UNIQUE INDEX "desk_views_shared_name" ON "desk_views" USING btree ("list","name_key") WHERE shared and deleted_at is null;--> statement-breakpoint
CREATE INDEX "desk_views_deleted" ON "desk_views" USING btree ("deleted_at") WHERE deleted_at is not null;--> statement-breakpoint
CREATE INDEX "opening_views_view_id_index" ON "opening_views" USING btree ("view_id");