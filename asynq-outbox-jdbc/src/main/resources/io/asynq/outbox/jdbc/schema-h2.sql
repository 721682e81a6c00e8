-- The outbox of asynq. Times are milliseconds since 1970, but for due_at, which is in seconds.
-- Rows with set_aside_at cannot be sent, for the reason in reason.
CREATE TABLE IF NOT EXISTS asynq_outbox (
	id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	transaction_id VARCHAR(22) NOT NULL,
	ordinal INTEGER NOT NULL,
	created_at BIGINT NOT NULL,
	queue VARCHAR NOT NULL,
	task_id VARCHAR NOT NULL,
	task_type VARCHAR NOT NULL,
	message BINARY LARGE OBJECT NOT NULL,
	due_at BIGINT,
	lock_seconds BIGINT,
	replaces_archived BOOLEAN NOT NULL,
	set_aside_at BIGINT,
	reason VARCHAR
);

CREATE INDEX IF NOT EXISTS asynq_outbox_waiting ON asynq_outbox (queue, id);
