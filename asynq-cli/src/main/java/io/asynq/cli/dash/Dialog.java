package io.asynq.cli.dash;

import org.jspecify.annotations.Nullable;

/** A line at the bottom that waits for an answer. */
record Dialog(Kind kind, @Nullable Act act, String typed) {

	/** From here on the name of the queue must be typed. */
	static final int MANY = 100;

	static Dialog confirm(Act act) {
		return new Dialog((act.count() > MANY) ? Kind.NAME : Kind.YES, act, "");
	}

	static Dialog filter(String filter) {
		return new Dialog(Kind.FILTER, null, filter);
	}

	String prompt() {
		if (this.act == null) {
			return "Filter (text in id, type, error, payload; empty for all): " + this.typed;
		}
		return (this.kind == Kind.YES) ? this.act.question() + " [y/N] "
				: this.act.question() + " Type the queue's name: " + this.typed;
	}

	boolean confirmed() {
		return this.kind == Kind.NAME && this.act != null && this.typed.equals(this.act.queue());
	}

	Dialog with(char character) {
		return new Dialog(this.kind, this.act, this.typed + character);
	}

	Dialog withoutLast() {
		int end = this.typed.isEmpty() ? 0 : this.typed.offsetByCodePoints(this.typed.length(), -1);
		return new Dialog(this.kind, this.act, this.typed.substring(0, end));
	}

	enum Kind {

		YES, NAME, FILTER

	}

}
