CREATE TABLE "api_keys" (
	"id" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"hash" text NOT NULL,
	"rights" jsonb NOT NULL,
	"boxes" jsonb,
	"created_by" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"last_used_at" timestamp with time zone,
	"revoked_at" timestamp with time zone,
	CONSTRAINT "api_keys_hash_unique" UNIQUE("hash")
);
--> statement-breakpoint
CREATE TABLE "known_devices" (
	"user_id" text NOT NULL,
	"hash" text NOT NULL,
	"last_used_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "known_devices_user_id_hash_pk" PRIMARY KEY("user_id","hash")
);
--> statement-breakpoint
CREATE TABLE "one_time_tokens" (
	"hash" text PRIMARY KEY NOT NULL,
	"purpose" text NOT NULL,
	"user_id" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"sign_up" jsonb,
	"expires_at" timestamp with time zone NOT NULL,
	"used_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "passkeys" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"name" text NOT NULL,
	"public_key" text NOT NULL,
	"counter" bigint NOT NULL,
	"transports" jsonb NOT NULL,
	"backed_up" boolean DEFAULT false NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"last_used_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "rate_limits" (
	"key" text PRIMARY KEY NOT NULL,
	"count" integer NOT NULL,
	"locked_until" timestamp with time zone,
	"window_ends_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "recovery_codes" (
	"user_id" text NOT NULL,
	"hash" text NOT NULL,
	"used_at" timestamp with time zone,
	CONSTRAINT "recovery_codes_user_id_hash_pk" PRIMARY KEY("user_id","hash")
);
--> statement-breakpoint
CREATE TABLE "sessions" (
	"id" text PRIMARY KEY NOT NULL,
	"token_hash" text NOT NULL,
	"user_id" text NOT NULL,
	"device" text NOT NULL,
	"address" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"last_used_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	CONSTRAINT "sessions_tokenHash_unique" UNIQUE("token_hash")
);
--> statement-breakpoint
CREATE TABLE "users" (
	"id" text PRIMARY KEY NOT NULL,
	"fname" text NOT NULL,
	"lname" text NOT NULL,
	"email" text NOT NULL,
	"email_key" text NOT NULL,
	"phone" text NOT NULL,
	"role" text NOT NULL,
	"status" text NOT NULL,
	"password_hash" text NOT NULL,
	"totp_secret" text,
	"totp_confirmed_at" timestamp with time zone,
	"totp_last_step" bigint,
	"version" integer DEFAULT 1 NOT NULL,
	"activated_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"search" text collate "C" GENERATED ALWAYS AS (left(lower(regexp_replace(normalize(lname || ' ' || fname || E'\n' || email || E'\n' || phone || E'\n' || replace(phone, ' ', ''), NFKD), '[\u0300-\u036f]', '', 'g')), 500)) STORED NOT NULL,
	CONSTRAINT "users_emailKey_unique" UNIQUE("email_key")
);
--> statement-breakpoint
CREATE TABLE "webauthn_challenges" (
	"challenge" text PRIMARY KEY NOT NULL,
	"user_id" text,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "boxes" (
	"id" text PRIMARY KEY NOT NULL,
	"count" integer DEFAULT 0 NOT NULL,
	"head" text NOT NULL,
	"sealed" boolean DEFAULT false NOT NULL,
	"seal_anchored" boolean DEFAULT false NOT NULL,
	"import_hash" text,
	"species" text DEFAULT '' NOT NULL,
	"trader" text DEFAULT '' NOT NULL,
	"stage" text DEFAULT 'registered' NOT NULL,
	"alerts" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"silent_after" timestamp with time zone,
	"caught_at" timestamp with time zone,
	"sample" boolean DEFAULT false NOT NULL,
	"summary" jsonb,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "records" (
	"box_id" text NOT NULL,
	"seq" integer NOT NULL,
	"kind" text NOT NULL,
	"body" text,
	"restricted" text,
	"record_hash" text NOT NULL,
	"dedupe_key" text,
	"recorded_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "records_box_id_seq_pk" PRIMARY KEY("box_id","seq")
);
--> statement-breakpoint
CREATE TABLE "file_variants" (
	"path" text NOT NULL,
	"width" integer NOT NULL,
	"format" text NOT NULL,
	"bytes" bigint NOT NULL,
	CONSTRAINT "file_variants_path_width_format_pk" PRIMARY KEY("path","width","format")
);
--> statement-breakpoint
CREATE TABLE "files" (
	"path" text PRIMARY KEY NOT NULL,
	"media_type" text NOT NULL,
	"bytes" bigint NOT NULL,
	"width" integer NOT NULL,
	"height" integer NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "jobs" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "jobs_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"queue" text NOT NULL,
	"payload" jsonb NOT NULL,
	"unique_key" text,
	"run_at" timestamp with time zone DEFAULT now() NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"leased_until" timestamp with time zone,
	"last_error" text,
	"failed_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "anchor_leaves" (
	"anchor_index" integer NOT NULL,
	"leaf_index" integer NOT NULL,
	"box_id" text NOT NULL,
	"count" integer NOT NULL,
	"head" text NOT NULL,
	"sealed" boolean NOT NULL,
	"path" text,
	CONSTRAINT "anchor_leaves_anchor_index_leaf_index_pk" PRIMARY KEY("anchor_index","leaf_index")
);
--> statement-breakpoint
CREATE TABLE "anchors" (
	"index" integer PRIMARY KEY NOT NULL,
	"root" text NOT NULL,
	"boxes" integer NOT NULL,
	"records" integer NOT NULL,
	"state" text NOT NULL,
	"tx_hash" text,
	"block_number" bigint,
	"block_time" bigint,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"confirmed_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "chain_transactions" (
	"hash" text PRIMARY KEY NOT NULL,
	"chain_id" integer NOT NULL,
	"nonce" integer NOT NULL,
	"raw" text NOT NULL,
	"kind" text NOT NULL,
	"anchor_index" integer,
	"block_time" bigint,
	"block_number" bigint,
	"state" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "ledgers" (
	"chain_id" integer PRIMARY KEY NOT NULL,
	"contract" text NOT NULL,
	"deployed_by" text,
	"first_index" integer DEFAULT 0 NOT NULL,
	"fault" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "categories" (
	"id" text PRIMARY KEY NOT NULL,
	"title" text NOT NULL,
	"title_key" text NOT NULL,
	"icon" text DEFAULT '' NOT NULL,
	"image_path" text,
	"image_alt" text DEFAULT '' NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"shelf_pos" text NOT NULL,
	"status" text DEFAULT 'ACTIVE' NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "categories_titleKey_unique" UNIQUE("title_key")
);
--> statement-breakpoint
CREATE TABLE "changes" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "changes_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"who" text NOT NULL,
	"entity" text NOT NULL,
	"entity_id" text NOT NULL,
	"action" text NOT NULL,
	"before" jsonb,
	"after" jsonb,
	"happened_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "product_boxes" (
	"product_id" text NOT NULL,
	"box_id" text NOT NULL,
	"quantity" numeric DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "product_boxes_product_id_box_id_pk" PRIMARY KEY("product_id","box_id")
);
--> statement-breakpoint
CREATE TABLE "product_images" (
	"product_id" text NOT NULL,
	"position" integer NOT NULL,
	"path" text NOT NULL,
	"alt" text DEFAULT '' NOT NULL,
	CONSTRAINT "product_images_product_id_position_pk" PRIMARY KEY("product_id","position")
);
--> statement-breakpoint
CREATE TABLE "products" (
	"id" text PRIMARY KEY NOT NULL,
	"title" text NOT NULL,
	"category_id" text NOT NULL,
	"price_cents" integer DEFAULT 0 NOT NULL,
	"unit" text DEFAULT 'kg' NOT NULL,
	"include_gst" boolean DEFAULT false NOT NULL,
	"discount" integer DEFAULT 0 NOT NULL,
	"stock" integer DEFAULT 100 NOT NULL,
	"shelf_pos" text DEFAULT '1.1' NOT NULL,
	"status" text DEFAULT 'ACTIVE' NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"search" text collate "C" GENERATED ALWAYS AS (left(lower(regexp_replace(normalize(title || E'\n' || shelf_pos, NFKD), '[\u0300-\u036f]', '', 'g')), 500)) STORED NOT NULL,
	"shelf_key" text collate "C" GENERATED ALWAYS AS (regexp_replace(regexp_replace(lower(regexp_replace(normalize(shelf_pos, NFKD), '[\u0300-\u036f]', '', 'g')), '(\d+)', '000000000\1', 'g'), '0*(\d{10})', '\1', 'g')) STORED NOT NULL
);
--> statement-breakpoint
ALTER TABLE "known_devices" ADD CONSTRAINT "known_devices_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "one_time_tokens" ADD CONSTRAINT "one_time_tokens_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "passkeys" ADD CONSTRAINT "passkeys_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "recovery_codes" ADD CONSTRAINT "recovery_codes_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webauthn_challenges" ADD CONSTRAINT "webauthn_challenges_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "records" ADD CONSTRAINT "records_box_id_boxes_id_fk" FOREIGN KEY ("box_id") REFERENCES "public"."boxes"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "file_variants" ADD CONSTRAINT "file_variants_path_files_path_fk" FOREIGN KEY ("path") REFERENCES "public"."files"("path") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "anchor_leaves" ADD CONSTRAINT "anchor_leaves_anchor_index_anchors_index_fk" FOREIGN KEY ("anchor_index") REFERENCES "public"."anchors"("index") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "categories" ADD CONSTRAINT "categories_image_path_files_path_fk" FOREIGN KEY ("image_path") REFERENCES "public"."files"("path") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "product_boxes" ADD CONSTRAINT "product_boxes_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "product_boxes" ADD CONSTRAINT "product_boxes_box_id_boxes_id_fk" FOREIGN KEY ("box_id") REFERENCES "public"."boxes"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "product_images" ADD CONSTRAINT "product_images_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "product_images" ADD CONSTRAINT "product_images_path_files_path_fk" FOREIGN KEY ("path") REFERENCES "public"."files"("path") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "products" ADD CONSTRAINT "products_category_id_categories_id_fk" FOREIGN KEY ("category_id") REFERENCES "public"."categories"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "one_time_tokens_user_id_index" ON "one_time_tokens" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "passkeys_user_id_index" ON "passkeys" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "sessions_user_id_index" ON "sessions" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "boxes_created_at_id_index" ON "boxes" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "boxes_updated_at_id_index" ON "boxes" USING btree ("updated_at","id");--> statement-breakpoint
CREATE INDEX "boxes_in_next_anchor" ON "boxes" USING btree ("id") WHERE not seal_anchored;--> statement-breakpoint
CREATE UNIQUE INDEX "records_box_id_dedupe_key_index" ON "records" USING btree ("box_id","dedupe_key");--> statement-breakpoint
CREATE INDEX "jobs_failed_at_run_at_index" ON "jobs" USING btree ("failed_at","run_at");--> statement-breakpoint
CREATE UNIQUE INDEX "jobs_queue_unique_key_index" ON "jobs" USING btree ("queue","unique_key");--> statement-breakpoint
CREATE INDEX "anchor_leaves_box_id_anchor_index_index" ON "anchor_leaves" USING btree ("box_id","anchor_index");--> statement-breakpoint
CREATE INDEX "anchor_leaves_without_path" ON "anchor_leaves" USING btree ("anchor_index") WHERE path is null;--> statement-breakpoint
CREATE INDEX "anchors_on_their_way" ON "anchors" USING btree ("index") WHERE state <> 'confirmed';--> statement-breakpoint
CREATE INDEX "chain_transactions_chain_id_nonce_index" ON "chain_transactions" USING btree ("chain_id","nonce");--> statement-breakpoint
CREATE INDEX "chain_transactions_chain_id_block_time_index" ON "chain_transactions" USING btree ("chain_id","block_time");--> statement-breakpoint
CREATE INDEX "chain_transactions_anchor_index_index" ON "chain_transactions" USING btree ("anchor_index");--> statement-breakpoint
CREATE INDEX "categories_status_shelf_pos_index" ON "categories" USING btree ("status","shelf_pos");--> statement-breakpoint
CREATE INDEX "categories_image_path_index" ON "categories" USING btree ("image_path");--> statement-breakpoint
CREATE INDEX "changes_entity_entity_id_id_index" ON "changes" USING btree ("entity","entity_id","id");--> statement-breakpoint
CREATE INDEX "changes_entity_id_index" ON "changes" USING btree ("entity","id");--> statement-breakpoint
CREATE INDEX "product_boxes_box_id_index" ON "product_boxes" USING btree ("box_id");--> statement-breakpoint
CREATE INDEX "product_images_path_index" ON "product_images" USING btree ("path");--> statement-breakpoint
CREATE INDEX "products_category_id_search_id_index" ON "products" USING btree ("category_id","search","id");--> statement-breakpoint
CREATE INDEX "products_status_category_id_index" ON "products" USING btree ("status","category_id");--> statement-breakpoint
CREATE INDEX "products_search_id_index" ON "products" USING btree ("search","id");--> statement-breakpoint
CREATE INDEX "products_price_cents_id_index" ON "products" USING btree ("price_cents","id");