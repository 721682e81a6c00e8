package io.asynq.inspect;

import io.asynq.AsynqException;

/**
 * A page of a list.
 *
 * @param number counted from 1
 * @param size number of entries, at least 1
 */
public record Page(int number, int size) {

	/** Default number of entries. */
	public static final int DEFAULT_SIZE = 30;

	/**
	 * @throws AsynqException if number or size is below 1
	 */
	public Page {
		if (number < 1) {
			throw new AsynqException("Page number must be at least 1, the first page, but is " + number);
		}
		if (size < 1) {
			throw new AsynqException("Page size must be at least 1, but is " + size);
		}
	}

	/** Returns the first page, of {@value #DEFAULT_SIZE} entries. */
	public static Page first() {
		return new Page(1, DEFAULT_SIZE);
	}

	/**
	 * Returns a page.
	 * @param number counted from 1
	 * @throws AsynqException if number or size is below 1
	 */
	public static Page of(int number, int size) {
		return new Page(number, size);
	}

	/** Returns the page after this one. */
	public Page next() {
		return new Page(this.number + 1, this.size);
	}

	/** Returns the number of entries before this page. */
	public long offset() {
		return (this.number - 1L) * this.size;
	}

}
