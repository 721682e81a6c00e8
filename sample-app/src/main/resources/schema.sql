-- What the sample stores; the outbox has its own script.
CREATE SEQUENCE IF NOT EXISTS order_numbers;

CREATE TABLE IF NOT EXISTS orders (
	id VARCHAR(36) PRIMARY KEY,
	number BIGINT NOT NULL,
	customer VARCHAR(320) NOT NULL,
	item VARCHAR NOT NULL,
	quantity INTEGER NOT NULL,
	total DECIMAL(19, 2) NOT NULL,
	unpaid BOOLEAN DEFAULT FALSE NOT NULL
);

CREATE TABLE IF NOT EXISTS order_tasks (
	order_id VARCHAR(36) NOT NULL REFERENCES orders,
	name VARCHAR(20) NOT NULL,
	queue VARCHAR NOT NULL,
	task_id VARCHAR NOT NULL,
	PRIMARY KEY (order_id, name)
);
