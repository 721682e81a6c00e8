package io.asynq.operations.repair;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.asynq.AsynqException;
import org.jspecify.annotations.Nullable;

/**
 * Its text is the callers' cursor; {@code group} is {@code null} at a slice's beginning.
 */
record WalkPosition(Stage stage, String at, boolean seen, @Nullable String group, long inGroup) {

	static final WalkPosition START = new WalkPosition(Stage.PENDING, "0", false, null, 0);

	private static final Pattern TEXT = Pattern.compile("([a-z]+)\\.(\\d{1,19})\\.([01])(?:\\.(\\d{1,18})\\.(.*))?",
			Pattern.DOTALL);

	static WalkPosition of(@Nullable String cursor) {
		if (cursor == null) {
			return START;
		}
		Matcher parts = TEXT.matcher(cursor);
		try {
			if (parts.matches()) {
				String group = parts.group(5);
				return new WalkPosition(Stage.valueOf(parts.group(1).toUpperCase(Locale.ROOT)), parts.group(2),
						parts.group(3).equals("1"), group, (group != null) ? Long.parseLong(parts.group(4)) : 0);
			}
		}
		catch (IllegalArgumentException ex) {
			// Told below
		}
		throw new AsynqException("Argument 'cursor' must be the 'next' of an earlier answer, but is '" + cursor + "'");
	}

	long rank() {
		// More digits than a container has ids
		return (this.at.length() < 19) ? Long.parseLong(this.at) : Long.MAX_VALUE / 2;
	}

	boolean isEnd() {
		return this.stage == Stage.END;
	}

	WalkPosition goOn(String next) {
		return new WalkPosition(this.stage, next, this.seen, null, 0);
	}

	WalkPosition goOnInGroup(String name, long looked) {
		return new WalkPosition(this.stage, this.at, this.seen, name, looked);
	}

	WalkPosition nextStage() {
		return new WalkPosition(Stage.values()[this.stage.ordinal() + 1], "0", this.seen, null, 0);
	}

	WalkPosition see(boolean keys) {
		return new WalkPosition(this.stage, this.at, this.seen || keys, this.group, this.inGroup);
	}

	@Override
	public String toString() {
		String position = this.stage.container() + "." + this.at + (this.seen ? ".1" : ".0");
		return (this.group != null) ? position + "." + this.inGroup + "." + this.group : position;
	}

	/** Containers first: a task in no container is found only by its key. */
	enum Stage {

		PENDING, ACTIVE, SCHEDULED, RETRY, ARCHIVED, COMPLETED, LEASE, KEYS, GROUPS, END;

		String container() {
			return name().toLowerCase(Locale.ROOT);
		}

		String state() {
			return (this == LEASE) ? ACTIVE.container() : container();
		}

	}

}
