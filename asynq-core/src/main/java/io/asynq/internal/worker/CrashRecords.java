package io.asynq.internal.worker;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.asynq.internal.redis.Text;

/** Invalid fields do not fail: anybody may have written them. */
final class CrashRecords {

	private static final String SEPARATOR = ", ";

	private CrashRecords() {
	}

	static Map<String, CrashRecord> dequeued(List<?> fields) {
		Map<String, CrashRecord> records = new HashMap<>();
		for (int i = 0; i < fields.size(); i += 5) {
			records.put(Text.of(fields.get(i)), new CrashRecord(!text(fields, i + 1).isEmpty(), count(fields, i + 2),
					deaths(fields, i + 3), count(fields, i + 4)));
		}
		return records;
	}

	static CrashRecord recovered(List<?> fields, int from) {
		return new CrashRecord(!text(fields, from).isEmpty(), count(fields, from + 1), deaths(fields, from + 2), 0);
	}

	/**
	 * From there: lease end, fence, begun fence, its server, the suspect's fence; the
	 * eighth is the end that was counted last.
	 */
	static LostAttempt attempt(List<?> fields, int from) {
		String fence = text(fields, from + 1);
		boolean counted = text(fields, from).equals(text(fields, from + 7));
		LostAttempt.Beginning beginning = LostAttempt.Beginning.UNKNOWN;
		if (!fence.isEmpty() && (!text(fields, from + 4).isEmpty() || Fences.isAhead(fence))) {
			beginning = fence.equals(text(fields, from + 2)) ? LostAttempt.Beginning.BEGUN
					: LostAttempt.Beginning.NOT_BEGUN;
		}
		return new LostAttempt(beginning, text(fields, from + 3), counted);
	}

	static String deaths(CrashRecord record) {
		return String.join(SEPARATOR, record.deaths());
	}

	private static List<String> deaths(List<?> fields, int index) {
		String text = text(fields, index);
		return text.isEmpty() ? List.of() : new ArrayList<>(List.of(text.split(SEPARATOR)));
	}

	private static int count(List<?> fields, int index) {
		String text = text(fields, index);
		return text.matches("\\d{1,6}") ? Integer.parseInt(text) : 0;
	}

	private static String text(List<?> fields, int index) {
		return Text.of(fields.get(index));
	}

}
