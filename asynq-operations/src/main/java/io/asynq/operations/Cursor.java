package io.asynq.operations;

import java.util.Collection;
import java.util.List;
import java.util.function.Function;

import io.asynq.AsynqException;
import io.asynq.inspect.Listing;
import io.asynq.inspect.Page;
import org.jspecify.annotations.Nullable;

/**
 * Callers pass back what they got, and need not understand it; it keeps the size that the
 * first call has asked for.
 */
record Cursor(Page page) {

	/** So many entries with payloads of 1 MB still fit into a small heap. */
	static final int LARGEST = 200;

	/**
	 * @param size counts only at the beginning; {@code null} for the default
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

	static int requireSize(int size) {
		if (size < 1 || size > LARGEST) {
			throw new AsynqException("Parameter 'size' must be from 1 to " + LARGEST + ", but is " + size);
		}
		return size;
	}

	String next() {
		return new Cursor(this.page.next()).text();
	}

	String text() {
		return this.page.number() + "." + this.page.size();
	}

	Cursor at(long offset) {
		return new Cursor(Page.of(Math.toIntExact(offset / this.page.size()) + 1, this.page.size()));
	}

	/** The name that the part before has ended with may be gone. */
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
