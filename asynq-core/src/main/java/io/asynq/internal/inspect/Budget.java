package io.asynq.internal.inspect;

/** How many ids and keys a walk may still look at. */
final class Budget {

	private static final int SLICE = 500;

	private long left;

	Budget(int limit) {
		this.left = limit;
	}

	int slice() {
		return (int) Math.max(1, Math.min(SLICE, this.left));
	}

	void spend(long looked) {
		this.left -= looked;
	}

	boolean isSpent() {
		return this.left <= 0;
	}

}
