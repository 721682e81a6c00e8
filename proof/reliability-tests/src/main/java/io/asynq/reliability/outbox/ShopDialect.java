package io.asynq.reliability.outbox;

/** Numbers that are given once, and letting rows be read and locked, but not deleted. */
enum ShopDialect {

	POSTGRESQL("CREATE SEQUENCE order_numbers", "SELECT nextval('order_numbers')",
			"SELECT last_value FROM order_numbers", "LOCK TABLE asynq_outbox IN SHARE MODE") {

		@Override
		String[] holdable() {
			return new String[0];
		}

	},

	/** Its locks of whole tables let nobody lock a row, so each deletion asks a gate. */
	MARIADB("CREATE SEQUENCE order_numbers NOCACHE", "SELECT NEXT VALUE FOR order_numbers",
			"SELECT next_not_cached_value - 1 FROM order_numbers", "SELECT id FROM gate FOR UPDATE") {

		@Override
		String[] holdable() {
			return new String[] { "CREATE TABLE gate (id INT PRIMARY KEY)", "INSERT INTO gate VALUES (1)",
					"CREATE TRIGGER ask_gate BEFORE DELETE ON asynq_outbox FOR EACH ROW"
							+ " SELECT id INTO @passed FROM gate LOCK IN SHARE MODE" };
		}

	};

	private final String numbers;

	private final String next;

	private final String given;

	private final String hold;

	ShopDialect(String numbers, String next, String given, String hold) {
		this.numbers = numbers;
		this.next = next;
		this.given = given;
		this.hold = hold;
	}

	static ShopDialect of(String url) {
		return url.startsWith("jdbc:mariadb:") ? MARIADB : POSTGRESQL;
	}

	/** Returns the statement that creates the numbers of orders. */
	String numbers() {
		return this.numbers;
	}

	/**
	 * Returns the query for a number that is given once, whatever becomes of the
	 * transaction that has drawn it.
	 */
	String next() {
		return this.next;
	}

	/** Returns the query for how many numbers were given. */
	String given() {
		return this.given;
	}

	/** Returns the statement that holds rows until the end of its transaction. */
	String hold() {
		return this.hold;
	}

	/** Returns what must be done once, when the outbox has its table. */
	abstract String[] holdable();

}
