package io.asynq.reliability.baddata;

/** Where a server comes across an id. */
enum Place {

	/** Dequeued by the processor. */
	PENDING("pending"),

	/** Found by the recoverer, with a lease that expired long ago. */
	LOST("active"),

	/** Found by the forwarder. */
	SCHEDULED("scheduled"),

	/** Found by the forwarder. */
	RETRY("retry");

	/** A time long past for any clock and grace. */
	static final String PAST = "1700000000";

	private final String state;

	Place(String state) {
		this.state = state;
	}

	String state() {
		return this.state;
	}

	void put(RawQueue queue, byte[] id) {
		switch (this) {
			case PENDING -> queue.listed("pending", id);
			case LOST -> {
				queue.sorted("lease", id, PAST);
				queue.listed("active", id);
			}
			case SCHEDULED, RETRY -> queue.sorted(this.state, id, PAST);
		}
	}

}
