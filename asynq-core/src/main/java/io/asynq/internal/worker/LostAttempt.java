package io.asynq.internal.worker;

import java.util.List;

/** The record has it already if {@code counted}: another server claimed the task. */
public record LostAttempt(Beginning beginning, String server, boolean counted) {

	public static final LostAttempt UNKNOWN = new LostAttempt(Beginning.UNKNOWN, "", false);

	/**
	 * From there: lease end, fence, begun fence, its server, the suspect's fence; the
	 * eighth is the end that was counted last.
	 */
	static LostAttempt of(List<?> fields, int from) {
		String fence = CrashRecord.text(fields, from + 1);
		boolean counted = CrashRecord.text(fields, from).equals(CrashRecord.text(fields, from + 7));
		Beginning beginning = Beginning.UNKNOWN;
		if (!fence.isEmpty() && (!CrashRecord.text(fields, from + 4).isEmpty() || Fences.isAhead(fence))) {
			beginning = fence.equals(CrashRecord.text(fields, from + 2)) ? Beginning.BEGUN : Beginning.NOT_BEGUN;
		}
		return new LostAttempt(beginning, CrashRecord.text(fields, from + 3), counted);
	}

	/** Recorded only for suspects, and for last attempts that were fetched ahead. */
	public enum Beginning {

		/** The task was no suspect, or a Go server had it. */
		UNKNOWN,

		/** Not recorded although it would be, or unknown because it was fetched ahead. */
		NOT_BEGUN,

		BEGUN

	}

}
