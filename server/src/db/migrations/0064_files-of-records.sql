-- Files that a text names: a hash of their content in 32 digits, and an extension (`pathOf` in files/store-file.ts).
CREATE FUNCTION "file_names"("value" text) RETURNS text[] LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
	SELECT coalesce(array_agg(DISTINCT m[1]), '{}') FROM regexp_matches("value", '([0-9a-f]{32}\.(?:webp|csv))', 'g') AS m
$$;--> statement-breakpoint
CREATE INDEX "records_by_file" ON "records" USING gin (file_names("body")) WHERE kind not in ('tracking', 'freshness');