package io.asynq.interop.oracle;

/**
 * One value of a database, in a form that can be compared.
 */
sealed interface Cell {

	/**
	 * Returns whether the other says the same.
	 * @param other the value at the same place of another database
	 * @return whether it does
	 */
	boolean matches(Cell other);

	/**
	 * Returns whether the other says the same, whenever it was.
	 * @param other the value at the same place of another database
	 * @return whether it does, times apart
	 */
	default boolean matchesTimeless(Cell other) {
		return (this instanceof Time && other instanceof Time) || equals(other);
	}

	/**
	 * What must be equal.
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
