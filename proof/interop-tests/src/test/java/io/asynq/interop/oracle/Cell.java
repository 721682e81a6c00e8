package io.asynq.interop.oracle;

/**
 * One value of a database in a comparable form.
 */
sealed interface Cell {

	/**
	 * Returns whether the value of another database at the same place is equal.
	 */
	boolean matches(Cell other);

	/**
	 * Returns whether the value of another database at the same place is equal, whatever
	 * its time.
	 */
	default boolean matchesTimeless(Cell other) {
		return (this instanceof Time && other instanceof Time) || equals(other);
	}

	/**
	 * Text that must be equal.
	 *
	 * @param text the value
	 */
	record Text(String text) implements Cell {

		@Override
		public boolean matches(Cell other) {
			return equals(other);
		}

		@Override
		public String toString() {
			return this.text;
		}

	}

	/**
	 * A time, which can never be equal.
	 *
	 * @param offset seconds since the start of the run
	 * @param tolerance seconds that two may differ
	 */
	record Time(double offset, double tolerance) implements Cell {

		@Override
		public boolean matches(Cell other) {
			return other instanceof Time time && Math.abs(time.offset - this.offset) <= this.tolerance;
		}

		@Override
		public String toString() {
			return "%+.0f s".formatted(this.offset);
		}

	}

}
