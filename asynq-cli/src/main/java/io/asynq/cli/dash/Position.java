package io.asynq.cli.dash;

import java.util.ArrayDeque;
import java.util.Deque;

import org.jspecify.annotations.Nullable;

/** Where the user is at one place. */
final class Position {

	final Place place;

	/** Parts that were left by going on. */
	private final Deque<Part> before = new ArrayDeque<>();

	Part part;

	/** The chosen entry of this part, or the first line of a task. */
	int chosen;

	Position(Place place, int rows) {
		this.place = place;
		this.part = Part.first(rows);
	}

	void choose(int index, int size) {
		this.chosen = Math.max(0, Math.min(index, size - 1));
	}

	void rows(int rows) {
		if (this.part.rows() != rows) {
			this.before.clear();
			this.part = Part.first(rows);
		}
	}

	void next(@Nullable String cursor) {
		this.before.push(this.part);
		this.part = new Part(this.part.number() + 1, this.part.rows(), cursor);
		this.chosen = 0;
	}

	boolean previous() {
		if (this.before.isEmpty()) {
			return false;
		}
		this.part = this.before.pop();
		this.chosen = 0;
		return true;
	}

}
