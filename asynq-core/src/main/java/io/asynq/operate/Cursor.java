package io.asynq.operate;

import java.util.Collection;
import java.util.List;
import java.util.function.Function;

import io.asynq.AsynqException;
import io.asynq.info.Listing;
import io.asynq.inspect.Page;
import org.jspecify.annotations.Nullable;

/**
 * Where a list goes on. Callers pass back what they got, and need not understand it.
 *
 * @param page the page, of the size that the first call has asked for
 */
record Cursor(Page page) {

	/** So many entries with payloads of 1 MB still fit into a small heap. */
	static final int LARGEST = 200;

	/**
	 * Reads a cursor, or begins.
	 * @param size how many entries to list, {@code null} for the default; counts only at
	 * the beginning
	 * @throws AsynqException if the cursor is none of ours, or the size is out of range
	 */
	static Cursor of(@Nullable String cursor, @Nullable Integer size) {
		if (cursor == null) {
			return new Cursor(Page.of(1, (size != null) ? requireSize(size) : Page.DEFAULT_SIZE));
		}
		String[] parts = cursor.split("\\.", -1);
		try {
			Page page = Page.of(Integer.parseInt(parts[0]), Integer.parseInt(parts[1]));
			if (parts.length == 2 && page.size() <= LARGEST) {
				return new Cursor(page);
			}
		}
		catch (IndexOutOfBoundsException | NumberFormatException | AsynqException ex) {
			// Told below
		}
		throw new AsynqException("Parameter 'cursor' must be the 'next' of an earlier answer, but is '" + cursor + "'");
	}

	/**
	 * Requires a size that an answer can have.
	 * @return the size
	 */
	static int requireSize(int size) {
		if (size < 1 || size > LARGEST) {
			throw new AsynqException("Parameter 'size' must be from 1 to " + LARGEST + ", but is " + size);
		}
		return size;
	}

	/** Returns the cursor of the next part. */
	String next() {
		return new Cursor(this.page.next()).text();
	}

	/** Returns the cursor of this part. */
	String text() {
		return this.page.number() + "." + this.page.size();
	}

	/** Returns the cursor of the part that has an entry. */
	Cursor at(long offset) {
		return new Cursor(Page.of(Math.toIntExact(offset / this.page.size()) + 1, this.page.size()));
	}

	/**
	 * Returns the entries after a name, in the order of their names.
	 * @param after the name that the part before has ended with, {@code null} to begin
	 */
	static <T> Listing<T> byName(Collection<T> all, Function<T, String> name, @Nullable String after) {
		List<T> left = all.stream()
			.filter((entry) -> after == null || name.apply(entry).compareTo(after) > 0)
			.sorted((one, other) -> name.apply(one).compareTo(name.apply(other)))
			.toList();
		if (left.size() <= LARGEST) {
			return new Listing<>(left, null);
		}
		List<T> part = left.subList(0, LARGEST);
		return new Listing<>(part, name.apply(part.get(LARGEST - 1)));
	}

}
